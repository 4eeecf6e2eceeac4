"""``pgfeatures readiness --from 14 --to 18``: show how an upgrade affects an application."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_pgfeatures.cli.arguments import named_versions
from pytest_pgfeatures.cli.main import EXIT_ERROR
from pytest_pgfeatures.cli.result_files import result_file, write_files
from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.asked import ReadinessAsked
    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import Readiness, StageRun

EXIT_FINDINGS = 1
_INTERRUPTED = 2
"""pytest's exit status."""


class ManyArguments(click.Command):
    """A command with options that take several paths each: ``--queries db/queries app/``."""

    several = frozenset(
        {"--schema", "--queries", "--config", "--hba", "--ident", "--scripts", "--data", "--behaviors"}
    )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, because click expects one value for each option."""
        spread: list[str] = []
        option: str | None = None
        for number, arg in enumerate(args):
            if arg == "--":
                spread += args[number:]
                break
            if arg.startswith("-") and arg != "-":
                option = arg if arg in self.several else None
                fresh = True
            elif option is not None:
                if not fresh:
                    spread.append(option)
                fresh = False
            spread.append(arg)
        return super().parse_args(ctx, spread)


@click.command("readiness", cls=ManyArguments)
@click.option(
    "--from",
    "old",
    callback=named_versions,
    metavar="VERSIONS",
    help="The versions you come from, as for --pg: 14.",
)
@click.option("--to", "new", callback=named_versions, metavar="VERSIONS", help="The versions you go to: 18.")
@click.option("--direct", is_flag=True, help="Compare each old version with each new one, not neighbors.")
@click.option(
    "--schema", multiple=True, metavar="PATH...", help="Dumps, SQL files, directories of migrations."
)
@click.option("--setup", multiple=True, metavar="COMMAND", help="Creates the schema; gets PGHOST, ...")
@click.option(
    "--queries",
    multiple=True,
    metavar="PATH...",
    help="SQL files, pg_stat_statements as CSV or JSON, server logs, source code.",
)
@click.option("--config", multiple=True, metavar="FILE...", help="postgresql.conf.")
@click.option("--hba", multiple=True, metavar="FILE...", help="pg_hba.conf.")
@click.option("--ident", multiple=True, metavar="FILE...", help="pg_ident.conf.")
@click.option(
    "--scripts",
    multiple=True,
    metavar="PATH...",
    help="Shell, YAML, makefiles, Dockerfiles, units.",
)
@click.option("--data", multiple=True, metavar="PATH...", help="SQL or COPY files.")
@click.option("--data-command", multiple=True, metavar="COMMAND", help="Loads data; gets PGHOST, PGPORT, ...")
@click.option(
    "--behaviors", multiple=True, metavar="FILE...", help="Python files with behaviors of your own."
)
@click.option(
    "--parameters", default="", metavar="FILE", help="Values for the parameters of statements, as TOML."
)
@click.option(
    "--statistics", default="", metavar="FILE", help="What pgfeatures statistics exported, for plans."
)
@click.option("--database", default="", metavar="DSN", help="A live database, which is only read.")
@click.option("--search-path", default="", metavar="PATH", help="The search_path for parsing queries.")
@click.option("--stage", "stages", multiple=True, metavar="STAGE", help="Run this stage only; repeatable.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Per statement (default: 60).",
)
@click.option(
    "--trust",
    is_flag=True,
    help="Load the schema and run all statements as superuser. Without it, what you check can use the time, memory"
    " and disk of its servers, and no file, program or other host. With it, it can do all that you may on this"
    " machine.",
)
@click.option("--baseline", default="", metavar="FILE", help="Accepted findings, each with a reason.")
@click.option(
    "--fail-on", default="", metavar="WHAT", help="Exit status 1 for: affects (the default), may, or never."
)
@click.option(
    "-k", "expression", metavar="EXPRESSION", help="Run the stages that match, as pytest's -k does."
)
@click.option("-n", "processes", metavar="NUMBER", help="Run pairs in parallel, by pytest-xdist.")
@click.option(
    "--json", "json_file", type=result_file, metavar="FILE", help="Write the findings to FILE as JSON."
)
@click.option("--junit", type=result_file, metavar="FILE", help="Write the stages to FILE as JUnit XML.")
@click.option("--sarif", type=result_file, metavar="FILE", help="Write the findings to FILE as SARIF 2.1.0.")
@click.option(
    "--html", type=result_file, metavar="FILE", help="Write the findings and stages to FILE as a page."
)
@click.option(
    "--write-tests", "tests", type=Path, metavar="DIR", help="Write what was found to DIR as tests of yours."
)
@click.option("-v", "--verbose", is_flag=True, help="Show all notes, and everything that was not looked at.")
def command(
    expression: str | None,
    processes: str | None,
    json_file: Path | None,
    junit: Path | None,
    sarif: Path | None,
    html: Path | None,
    tests: Path | None,
    *,
    verbose: bool,
    **given: Any,
) -> None:
    """Show how an upgrade affects your application: its schema, queries, configuration and scripts.

    Real servers of both versions load the schema, parse the queries and start with the configuration. This command
    reads only the files that you name, and runs only the schema, the data and your commands.

    Options are also read from pgfeatures.toml, or [tool.pgfeatures.readiness] in pyproject.toml.

    The exit status is 0, 1 if there are findings (see --fail-on), or 2 for wrong usage.
    """
    from pytest_pgfeatures.readiness.asked import ReadinessAsked
    from pytest_pgfeatures.readiness.options import read_options
    from pytest_pgfeatures.readiness.written_tests import check_free, write_tests

    if tests is not None:
        check_free(tests)
    options = read_options(Path.cwd(), given)
    _check_versions(options)
    arguments = [*(["-k", expression] if expression else ()), *_distributed(processes)]
    found, interrupted = _run(options, arguments)
    asked = ReadinessAsked.by(options, found.runs, interrupted=interrupted)
    written: list[Path] = []
    wanted = None if interrupted else tests
    write_results(found, asked, json_file=json_file, junit=junit, sarif=sarif, html=html)
    write_files((wanted, lambda path: written.append(write_tests(found, options, path))))
    report(found, verbose=verbose)
    for file in written:
        click.echo(f"wrote {file}; run it: pytest {file}")
    if interrupted:
        raise PgFeaturesError("interrupted: some stages did not run", remedy="run it again")
    if status := exit_status(found, options.fail_on):
        if status == EXIT_ERROR:
            unread = [line for run in found.runs for line in (run.error, *run.unread) if line]
            click.echo(f"pgfeatures: {[*unread, *found.problems][0]}", err=True)
        raise SystemExit(status)


def exit_status(found: Readiness, fail_on: str) -> int:
    """Return the exit status for what was found.

    Parameters:
        fail_on: ``affects``, ``may`` or ``never``.
    """
    nothing = bool(found.problems) and all(run.nothing for run in found.runs)
    if nothing or any(run.error or run.unread for run in found.runs):
        return EXIT_ERROR
    failing = {"affects": found.affects, "may": found.findings, "never": ()}[fail_on]
    return EXIT_FINDINGS if failing else 0


def _check_versions(options: ReadinessOptions) -> None:
    """Resolve the versions before pytest starts, with a progress bar for downloads.

    Raises:
        PgFeaturesError: there is no such version.
    """
    from pytest_pgfeatures.install import Store
    from pytest_pgfeatures.install.resolve import Resolver, lock_in
    from pytest_pgfeatures.readiness.run import pairs
    from pytest_pgfeatures.report.progress import download_bars

    with download_bars() as progress:
        resolver = Resolver(Store.open(), lock=lock_in(Path.cwd()), progress=progress)
        for pair in pairs(options, resolver):
            for cell in pair:
                resolver.resolve(cell.request)


def _distributed(processes: str | None) -> list[str]:
    if processes is None:
        return []
    import importlib.util

    if not (processes.isdecimal() or processes in ("auto", "logical")):
        raise PgFeaturesError(f"-n {processes} is no number", remedy="write a number, or auto")
    if importlib.util.find_spec("xdist") is None:
        raise PgFeaturesError("-n needs pytest-xdist", remedy="pip install pytest-xdist")
    return ["-n", processes, "--dist=loadgroup"]


def _run(options: ReadinessOptions, arguments: list[str]) -> tuple[Readiness, bool]:
    from pytest_pgfeatures.cli.runner import run_readiness
    from pytest_pgfeatures.plugin.readiness import StageCollector
    from pytest_pgfeatures.readiness.run import summed_up
    from pytest_pgfeatures.report.progress import work_bar

    with work_bar() as progress:
        collector = StageCollector(_tell, progress)
        status = run_readiness(options, arguments, collector)
    if collector.errors:
        raise PgFeaturesError(
            "the stages could not run", details=tuple("\n".join(collector.errors).splitlines()[-20:])
        )
    interrupted = status == _INTERRUPTED
    if not collector.runs and not interrupted:
        raise PgFeaturesError("no stage ran", remedy="correct -k, which selects stages as pytest's -k does")
    return summed_up(collector.runs, options), interrupted


def _tell(run: StageRun) -> None:
    """Report the end of a stage on standard error, since a run may take minutes."""
    from pytest_pgfeatures.report.readiness import inputs_not_read

    count = len(run.report.findings)
    found = f"{count} finding{'' if count == 1 else 's'} ({run.seconds:.1f} s)"
    said = "nothing given" if run.nothing else found
    if run.unread:
        said += f"; {inputs_not_read(run)}"
    # Not by click, which writes past what puts it above the bar.
    print(f"{run.pair} {run.stage}: {'could not look' if run.error else said}", file=sys.stderr)


def write_results(
    found: Readiness,
    asked: ReadinessAsked,
    *,
    json_file: Path | None = None,
    junit: Path | None = None,
    sarif: Path | None = None,
    html: Path | None = None,
) -> None:
    """Write the files that are named."""
    from pytest_pgfeatures.page.jobs import write_readiness
    from pytest_pgfeatures.report import readiness as shown
    from pytest_pgfeatures.report.document import write_json
    from pytest_pgfeatures.report.github import step_summary
    from pytest_pgfeatures.report.junit import write_junit
    from pytest_pgfeatures.report.sarif import sarif_document

    write_files(
        (json_file, lambda path: write_json(path, shown.document(found, asked))),
        (junit, lambda path: write_junit(path, shown.suites(found))),
        (sarif, lambda path: write_json(path, sarif_document(found))),
        (html, lambda path: write_readiness(path, found, asked)),
        (step_summary(), lambda _: shown.append_step_summary(found)),
    )


def report(found: Readiness, *, verbose: bool = False) -> None:
    """Print what was found."""
    from rich.console import Console

    from pytest_pgfeatures.report import readiness as shown
    from pytest_pgfeatures.report.github import reads_annotations

    console = Console(highlight=False)
    for part in shown.render(found, verbose=verbose):
        console.print(part)
    if reads_annotations():
        for line in shown.annotation_lines(found):
            click.echo(line)
