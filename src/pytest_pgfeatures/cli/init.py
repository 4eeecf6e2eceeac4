"""``pgfeatures init``: the configuration and the first test of a project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import named_versions
from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from pytest_pgfeatures.cli.project import Project

_SETUP = "makes the schema; only if it connects to where PGHOST, PGPORT, ... or DATABASE_URL say"


@click.command("init")
@click.option("--from", "old", callback=named_versions, metavar="VERSION", help="The version that you run.")
@click.option(
    "--to",
    "new",
    callback=named_versions,
    metavar="VERSION",
    help="The version you go to (default: the newest).",
)
@json_option("the names of the files")
def command(old: str | None, new: str | None, json_file: Path | None) -> None:
    """Write the configuration of pgfeatures readiness and a first test for the project in this directory.

    It finds migrations, schemas, SQL files, source code, postgresql.conf, and the version in Compose files and
    workflows. Nothing that exists is overwritten.
    """
    from pytest_pgfeatures.cli.project import look_at
    from pytest_pgfeatures.files import write_atomically, write_json
    from pytest_pgfeatures.project_file import options_of
    from pytest_pgfeatures.readiness.written_tests import check_free, first_test
    from pytest_pgfeatures.report.install_documents import InitDocument

    directory = Path.cwd()
    test = check_free(Path("tests") if Path("tests").is_dir() else Path())
    found = look_at(directory)
    configured = Path(options_of(directory, "readiness")[0]).name
    written, lines = ("", []) if configured else _configure(directory, found, old or "", new or "")
    stages = () if found.inputs["schema"] else ("queries", "settings")
    write_atomically(test, first_test(test, configured or written, stages), mode=0o644)
    document = InitDocument(configured or written, bool(written), str(test))
    write_files((json_file, lambda path: write_json(path, document)))
    verb = "added to" if written == "pyproject.toml" else "wrote"
    click.echo(f"{configured} has the configuration already" if configured else f"{verb} {written}:")
    for line in lines:
        click.echo(f"    {line}")
    click.echo(f"wrote {test}")
    click.echo(f"now run: pytest {test}\nand for a report: pgfeatures readiness")


def _configure(directory: Path, found: Project, old: str, new: str) -> tuple[str, list[str]]:
    """Write the configuration: into pyproject.toml if there is one. Return the file's name, and its new lines.

    Raises:
        PgFeaturesError: there is nothing to look at, or no version is known.
    """
    from pytest_pgfeatures.files import write_atomically

    if not any(found.inputs.values()):
        raise PgFeaturesError(
            f"there is no schema, no SQL, no source code and no postgresql.conf in {directory}",
            remedy="run it in the project's directory, or write [tool.pgfeatures.readiness] by hand",
        )
    old = old or next(iter(found.versions), "")
    if not old:
        raise PgFeaturesError(
            "no Compose file and no workflow says which version of PostgreSQL you run",
            remedy="name it: pgfeatures init --from 14",
        )
    new = new or _newest(old)
    path = directory / "pyproject.toml"
    head = "[tool.pgfeatures.readiness]" if path.is_file() else "[readiness]"
    path = path if path.is_file() else directory / "pgfeatures.toml"
    lines = [head, f'from = "{old}"', f'to = "{new}"']
    lines += [f"{name} = {_listed(values)}" for name, values in found.inputs.items() if values]
    # Only as a comment: a project's settings may name a database of its own instead of using PGHOST.
    lines += [f"# setup = {_listed((each,))}  # {_SETUP}" for each in found.commands]
    before = path.read_text(encoding="utf-8").rstrip("\n") + "\n\n" if path.is_file() else ""
    write_atomically(
        path, before + "\n".join(lines) + "\n", mode=path.stat().st_mode & 0o777 if before else 0o644
    )
    return path.name, lines


def _listed(values: tuple[str, ...]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def _newest(old: str) -> str:
    """The newest major that has a release.

    Raises:
        PgFeaturesError: it is the running one.
    """
    from pytest_pgfeatures.workbench import Workbench

    (cell,) = Workbench("latest").cells
    if str(cell.major) == old:
        raise PgFeaturesError(
            f"{old} is the newest version", remedy="name another one: --from 14, or --to 19"
        )
    return str(cell.major)
