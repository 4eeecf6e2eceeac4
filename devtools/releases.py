"""Writes the page ``docs/releases.md``: the atlas on the oldest and the newest available release of each major.

``python -m devtools.releases`` runs it and prints the page; ``make verify-releases`` writes it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_pgfeatures.install import Store
from pytest_pgfeatures.install.inventory import REMOTE, Inventory

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgMajor, PgVersion

EXIT_DIFFERENT = 1
OUTCOMES = ("as documented", "deviates", "error", "unavailable")
HEAD = """# Releases

`make verify-releases` runs every behavior of the atlas on the oldest and the newest release of each major that PyPI
or Maven provides, and on the installs in `RELEASES`, for example `RELEASES=path:/opt/postgresql-19`. If a minor
release changed a fact, the behavior's expectation splits the major (`"<14.4"`), and its note names the release.

"Unavailable" means that no install of the major has a required capability, most often a client program of 9.3 to
13, or of an old minor release. As soon as PyPI or Maven has a final release of PostgreSQL 19, it is used without
any change here (`tests/install/test_new_major.py` checks this with indexes that contain one).
"""


@dataclass(frozen=True)
class Run:
    """The results of the atlas on one release.

    Parameters:
        asked: the release, as ``--pg`` takes it.
        cells: the results, as ``pgfeatures verify --json`` writes them; empty if nothing ran.
        seconds: the run's duration.
        said: the last line of its output.
    """

    asked: str
    cells: tuple[dict[str, Any], ...]
    seconds: float
    said: str

    def count(self, outcome: str) -> int:
        """Return the number of cells with this outcome."""
        return sum(cell["outcome"] == outcome for cell in self.cells)

    @property
    def is_green(self) -> bool:
        """Whether it ran and nothing deviates."""
        return bool(self.cells) and not self.count("deviates") + self.count("error")

    @property
    def release(self) -> str:
        """Return the release that was run, and its source."""
        for cell in self.cells:
            if cell["install"]:
                return f"{cell['install']['version']} ({cell['install']['source']})"
        return self.asked


def ends_of_majors() -> list[str]:
    """Return the oldest and the newest release of each major that a registry has."""
    inventory = Inventory(Store.open(), offline=False)
    majors: dict[PgMajor, set[PgVersion]] = {}
    for source in REMOTE:
        for release in inventory.releases(source):
            majors.setdefault(release.version.major, set()).add(release.version)
    return [
        str(version)
        for major in sorted(majors)
        for version in sorted({min(majors[major]), max(majors[major])})
    ]


def run(asked: str) -> Run:
    """Run the atlas on one release."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="verify-releases-") as directory:
        results = Path(directory) / "results.json"
        program = str(Path(sys.executable).with_name("pgfeatures"))
        command = [program, "verify", "--pg", asked, "--json", str(results), "-q", "-n", "2"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=directory, check=False)
        cells = json.loads(results.read_bytes())["cells"] if results.exists() else []
    said = (done.stdout.splitlines() or [""])[-1]
    return Run(asked, tuple(cells), time.monotonic() - started, said)


def page(runs: list[Run]) -> str:
    """Return the page, in Markdown."""
    lines = [HEAD, f"| release | {' | '.join(OUTCOMES)} | seconds |", f"|---{'|---:' * (len(OUTCOMES) + 1)}|"]
    for each in runs:
        counts = " | ".join(str(each.count(outcome)) for outcome in OUTCOMES)
        lines.append(f"| {each.release} | {counts} | {each.seconds:.0f} |")
    bad = [(each, cell) for each in runs for cell in each.cells if cell["outcome"] in ("deviates", "error")]
    if bad:
        lines += ["", "## What deviates", ""]
        lines += [f"- {each.release}: `{cell['behavior']}`: {_what(cell)}" for each, cell in bad]
    return "\n".join(lines) + "\n"


def _what(cell: dict[str, Any]) -> str:
    return str(cell["reason"] or f"expected {cell['expected']}, observed {cell['observed']}")


@click.command("python -m devtools.releases")
@click.argument("besides", nargs=-1)
@click.option(
    "--only",
    multiple=True,
    metavar="RELEASE",
    help="Run these releases instead of the oldest and newest of each major.",
)
def command(besides: tuple[str, ...], only: tuple[str, ...]) -> None:
    """Run the atlas on the oldest and the newest release of each major, and on those named BESIDES.

    The exit status is 0 if all of them ran and nothing deviates.
    """
    runs = []
    for asked in [*(only or ends_of_majors()), *besides]:
        done = run(asked)
        click.echo(f"{done.release}: {done.said} ({done.seconds:.0f} s)", err=True)
        runs.append(done)
    click.echo(page(runs), nl=False)
    if not all(each.is_green for each in runs):
        sys.exit(EXIT_DIFFERENT)


if __name__ == "__main__":
    command()
