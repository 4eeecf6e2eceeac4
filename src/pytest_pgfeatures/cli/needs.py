"""``pgfeatures needs schema.sql``: show which majors accept each statement."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import pg_option, read_standard_input
from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text, write_json

if TYPE_CHECKING:
    from pytest_pgfeatures.workbench import Workbench

EXIT_REFUSED = 1


@click.command("needs")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@pg_option("Versions, such as 14..18 (default: every major at hand).")
@click.option("--all", "everything", is_flag=True, help="Also list the statements that all versions accept.")
@json_option("the answers")
@click.option(
    "--trust",
    is_flag=True,
    help="Run definitions as superuser. Without it, a script can use the time, memory and disk of these servers,"
    " and no file, program or other host. With it, it can do all that you may on this machine.",
)
def command(
    files: tuple[str, ...], pg: str | None, everything: bool, json_file: Path | None, trust: bool
) -> None:
    """Show which majors accept each statement of SQL files or dumps; - reads standard input.

    A real server of each major checks the statements. Queries are only parsed. Definitions are executed in a
    temporary database, by a role that is no superuser, so that later statements find the objects. If the majors'
    catalogs explain a refusal, the reason is shown, such as "MERGE: since 15".

    The exit status is 0 if every version accepts everything, 1 if not.
    """
    from rich.console import Console

    from pytest_pgfeatures.cli.bisect import newest_installs
    from pytest_pgfeatures.needs.run import ask_all
    from pytest_pgfeatures.report.needs import needs_document, render_needs
    from pytest_pgfeatures.workbench import Workbench

    with Workbench(pg) as workbench:
        scripts = {name: _text(name, workbench) for name in files}
        installs = newest_installs(workbench, scripts.values())
        asked = ask_all(scripts, installs, workbench.clusters, trusted=trust)
    for problem in asked.problems:
        click.echo(f"pgfeatures: {problem}", err=True)
    write_files((json_file, lambda path: write_json(path, needs_document(asked))))
    console = Console(highlight=False)
    for part in render_needs(asked, everything=everything):
        console.print(part)
    if any(row.refused for row in asked.rows):
        raise SystemExit(EXIT_REFUSED)


def _text(name: str, workbench: Workbench) -> str:
    from pytest_pgfeatures.scripts.archive import is_archive
    from pytest_pgfeatures.scripts.source import read_script

    if name == "-":
        return read_standard_input()
    try:
        if is_archive(Path(name)):
            return read_script(Path(name), workbench.find_resolver)
        return read_regular_text(Path(name))
    except OSError as error:
        raise PgFeaturesError(
            f"can't read {name}: {error.strerror}", remedy="name a file of SQL, or - for standard input"
        ) from error
    except UnicodeDecodeError as error:
        raise PgFeaturesError(
            f"{name} is no text in UTF-8 (byte {error.start})", remedy="convert it, such as with iconv"
        ) from error
