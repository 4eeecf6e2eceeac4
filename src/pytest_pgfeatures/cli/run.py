"""``pgfeatures run``: run any command once for each version, with a fresh server."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import named, pg_option
from pytest_pgfeatures.cli.result_files import file_option, json_option, write_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_json

if TYPE_CHECKING:
    from pathlib import Path

EXIT_FAILED = 1


@click.command("run", context_settings={"allow_interspersed_args": False})
@pg_option()
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=1, help="How many versions at the same time."
)
@click.option(
    "--confirm", is_flag=True, help="Run CMD again where it differs between versions, before that is said."
)
@click.option(
    "--compare",
    is_flag=True,
    help="Compare what CMD sends to the servers: errors, warnings, plans. They listen on 127.0.0.1, too.",
)
@click.option("--tcp", is_flag=True, help="Also listen on 127.0.0.1, with a password.")
@click.option(
    "--needs", multiple=True, metavar="CAPABILITY", help="Only installs with this capability; repeatable."
)
@click.option(
    "--setting", "settings", multiple=True, metavar="NAME=VALUE", help="A server setting; repeatable."
)
@json_option("the results")
@file_option("--junit", "the results", "JUnit XML")
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- CMD...")
def command(
    pg: str | None,
    jobs: int,
    confirm: bool,
    compare: bool,
    tcp: bool,
    needs: tuple[str, ...],
    settings: tuple[str, ...],
    json_file: Path | None,
    junit: Path | None,
    arguments: tuple[str, ...],
) -> None:
    """Run CMD once for each version, with a fresh server of that version.

    CMD can connect to the server by PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD or DATABASE_URL. PG_CONFIG is
    set, and the directory of the server's programs is the first on PATH. {version}, {major} and {dsn} in the
    arguments of CMD are replaced.

    The exit status is 0 if CMD succeeded on every version; with --compare, 1 if a newer version breaks something.
    """
    if compare:
        not_with = {"--jobs": jobs > 1, "--confirm": confirm, "--needs": needs, "--setting": settings}
        _compare(pg, arguments, [name for name, given in not_with.items() if given], json_file, junit)
        return
    from rich.console import Console

    from pytest_pgfeatures.commands.run import Command, run_command
    from pytest_pgfeatures.report.commands import append_step_summary, table
    from pytest_pgfeatures.report.differences import difference_lines, differing, reruns_of
    from pytest_pgfeatures.report.document import command_document
    from pytest_pgfeatures.report.github import step_summary
    from pytest_pgfeatures.report.junit import Suite, write_junit
    from pytest_pgfeatures.results.model import JobResults
    from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access
    from pytest_pgfeatures.workbench import Workbench

    access = Access.by_tcp() if tcp else SOCKET_ONLY
    wanted = Command(arguments, frozenset(needs), dict(named(text, "--setting") for text in settings), access)
    console = Console()
    results = []
    with Workbench(pg, connects=False) as workbench:
        cells, clusters = workbench.cells, workbench.clusters
        captured = jobs > 1 or junit is not None or json_file is not None
        for result in run_command(wanted, cells, clusters, at_once=jobs, captured=captured):
            results.append(result)
            if captured:
                console.rule(result.cell, align="left")
            if finished := result.evidence.program:
                click.echo(finished.output, nl=False)
            if not result.ran:
                first, *more = result.evidence.details
                click.echo("\n".join((f"{result.cell}: {first}", *more)), err=True)
        reruns = None
        if confirm and differing(results):
            ran = {result.cell for result in results if result.ran}
            same_versions = [cell for cell in cells if cell.id in ran]
            reruns = reruns_of(run_command(wanted, same_versions, clusters, at_once=jobs, captured=True))
    run = JobResults(
        shlex.join(arguments), {result.cell: result.install for result in results}, tuple(results)
    )
    write_files(
        (json_file, lambda path: write_json(path, command_document(run))),
        (junit, lambda path: write_junit(path, [Suite(f"pgfeatures run {run.subject}", run.results)])),
        (step_summary(), lambda _: append_step_summary(run, reruns)),
    )
    console.print(table(run))
    for line in difference_lines(run.results, reruns, alone=True):
        console.print(line, style="red", markup=False, highlight=False, soft_wrap=True)
    if run.failures():
        raise SystemExit(EXIT_FAILED)


def _compare(
    pg: str | None,
    arguments: tuple[str, ...],
    not_with: list[str],
    json_file: Path | None,
    junit: Path | None,
) -> None:
    """Compare the statements that a command sends to neighboring versions, by the stage ``suite`` of
    ``pgfeatures readiness``.

    Raises:
        PgFeaturesError: there is only one version, or an unsupported option is given.
    """
    from pytest_pgfeatures.cli.readiness import look_and_report
    from pytest_pgfeatures.readiness.options import read_options
    from pytest_pgfeatures.workbench import Workbench

    if not_with:
        raise PgFeaturesError(f"--compare takes no {not_with[0]}", remedy="leave one of them out")
    cells = Workbench(pg).cells
    if len(cells) < 2:
        raise PgFeaturesError("--compare needs two versions", remedy="name them: --pg 14,18")
    *old, new = (str(cell.request) for cell in cells)
    given = {"old": ",".join(old), "new": new, "run": shlex.join(arguments), "stages": ["suite"]}
    look_and_report(read_options(None, given), json_file=json_file, junit=junit)
