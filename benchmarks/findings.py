"""What ``pgfeatures readiness`` finds in projects with planted problems, and what it reports besides.

    python -m benchmarks.findings [--newest path:DIR] [NAME ...]

Each directory of ``benchmarks/projects`` is a small project in the form of a framework or tool. ``options.txt``
has the command's options, ``findings.txt`` the planted problems, ``near-misses.txt`` places that only look like
one: each line has FILE:LINE, then the behavior, or the entry of the release notes, or several of which one is
enough, with a vertical bar between them. Most were written without knowledge of what searches for them. A near-miss
that the command calls guarded is not reported. Where no install of the newest version is named, projects that go
there are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROJECTS = Path(__file__).parent / "projects"
NEWEST = "19"


@dataclass
class Score:
    """The figures of some projects.

    Parameters:
        planted, found: problems.
        near, reported: near-misses.
        certain: near-misses reported as certain problems.
        wrong: lines that say what was missed or reported.
    """

    planted: int = 0
    found: int = 0
    near: int = 0
    reported: int = 0
    certain: int = 0
    wrong: list[str] = field(default_factory=list)


def lines(file: Path) -> list[list[str]]:
    """The words of each line of a list, without comments."""
    read = (line.partition("#")[0].split() for line in file.read_text(encoding="utf-8").splitlines())
    return [words for words in read if words]


def named(finding: dict[str, Any]) -> list[str]:
    """The behaviors and entries of the release notes that a finding names, also as one of several."""
    several = re.search(r"\[one of ([^]]+)\]", finding["message"])
    return [finding["behavior"] or "", *finding["items"], *(several[1].split(", ") if several else ())]


def look(project: Path, newest: str | None, score: Score) -> bool:
    """Run the command in a project and add to the score. Return whether it could run."""
    options = shlex.split((project / "options.txt").read_text(encoding="utf-8"))
    if NEWEST in options and newest is None:
        return False
    options = [newest if each == NEWEST and newest else each for each in options]
    command = [str(Path(sys.executable).with_name("pgfeatures")), "readiness", *options]
    said = subprocess.run(
        [*command, "--json", "-", "--fail-on", "never"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    if said.returncode:
        raise SystemExit(f"{project.name}: {said.stderr}")
    at: dict[str, list[dict[str, Any]]] = {}
    for finding in json.loads(said.stdout)["findings"]:
        at.setdefault(f"{finding['file']}:{finding['line']}", []).append(finding)
    for place, wanted in lines(project / "findings.txt"):
        names = [name for each in at.get(place, ()) for name in named(each)]
        score.planted += 1
        is_found = not {*names}.isdisjoint(wanted.split("|"))
        score.found += is_found
        if not is_found:
            score.wrong.append(f"{project.name}: {place}: {wanted} is missing; found {names}")
    for place, *_ in lines(project / "near-misses.txt"):
        there = [each for each in at.get(place, ()) if "(guarded: " not in str(each["message"])]
        score.near += 1
        score.reported += bool(there)
        score.certain += any(each["certainty"] == "affects" for each in there)
        score.wrong += (f"{project.name}: {place}: {each['certainty']}: {each['message']}" for each in there)
    return True


def main() -> None:
    """Print what was missed or reported, and the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--newest", help=f"an install of PostgreSQL {NEWEST}: path:DIR")
    parser.add_argument("names", nargs="*", help="projects (default: all)")
    given = parser.parse_args()
    score, left_out = Score(), []
    for project in sorted(PROJECTS.iterdir()):
        if (not given.names or project.name in given.names) and not look(project, given.newest, score):
            left_out.append(project.name)
    print(*score.wrong, sep="\n")
    print(f"{score.found} of {score.planted} problems found")
    print(f"{score.reported} of {score.near} near-misses reported, {score.certain} as certain")
    if left_out:
        print(f"left out without --newest: {', '.join(left_out)}")


if __name__ == "__main__":
    main()
