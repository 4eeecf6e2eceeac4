"""``pgfeatures extension``: take an extension through all stages on every major."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pytest_pgfeatures.cli.arguments import named, pg_option
from pytest_pgfeatures.cli.main import EXIT_INTERRUPTED
from pytest_pgfeatures.cli.result_files import file_option, json_option, result_directory, write_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console

    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.install import Cell
    from pytest_pgfeatures.results.model import JobResults, Result

EXIT_FAILED = 1
_OUTPUT = frozenset({"json_file", "junit", "html", "keep", "shell", "verbose"})
"""The parameters that don't affect what is run."""
_OF_A_STAGE = frozenset({"pg", "stages", "jobs"})
"""The parameters that don't apply to a repetition of one stage on one major, or that it sets itself."""


@click.command("extension")
@click.argument("path", type=Path)
@pg_option()
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    help="How many majors at the same time (default: two per processor).",
)
@click.option(
    "--stage",
    "stages",
    multiple=True,
    metavar="STAGE",
    help="Run this stage, and those it comes after; repeatable.",
)
@click.option(
    "--preload-library",
    "preload_libraries",
    multiple=True,
    metavar="LIBRARY",
    help="Add to shared_preload_libraries; repeatable.",
)
@click.option(
    "--setting", "settings", multiple=True, metavar="NAME=VALUE", help="A server setting; repeatable."
)
@click.option("--make", multiple=True, metavar="NAME=VALUE", help="A variable for make; repeatable.")
@click.option(
    "--data",
    metavar="FILE",
    default="",
    help="A file of SQL. Dump and upgrade must preserve what it creates.",
)
@click.option(
    "--mode",
    "modes",
    multiple=True,
    metavar="MODE",
    help="A mode of pg_upgrade: copy, link, swap; repeatable.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="The deadline for each program (default: 600).",
)
@click.option(
    "--known-failure",
    "known_failures",
    multiple=True,
    metavar="STAGE:VERSIONS[:OBJECT]:REASON",
    help="Expect a failure of a stage, or of one object, such as table:public.cache. If it passes, the run fails."
    " Repeatable.",
)
@click.option(
    "--exclude",
    "excluded",
    multiple=True,
    metavar="OBJECT:REASON",
    help="Don't count objects that were not run, such as script:*--1.*. Repeatable.",
)
@click.option(
    "--keep",
    type=result_directory,
    metavar="DIRECTORY",
    help="Keep regression.diffs and other results of tests, and logs, in this directory.",
)
@click.option(
    "--shell",
    is_flag=True,
    help="After a failure, open a shell in the live server, with the extension created.",
)
@click.option(
    "--requires",
    multiple=True,
    metavar="DIRECTORY",
    help="Build and install this extension before, as tests need it; repeatable.",
)
@click.option(
    "--test", multiple=True, metavar="COMMAND", help="Run this command as a test, on each server; repeatable."
)
@click.option(
    "--previous",
    metavar="RELEASE",
    default="",
    help="Update from this earlier release: a tag, a directory or a tarball.",
)
@click.option("--tcp", is_flag=True, help="Servers listen on 127.0.0.1, too, for tests that connect there.")
@click.option("--allow-missing", is_flag=True, help="Don't fail the run if something is unavailable.")
@click.option(
    "--strict/--no-strict",
    default=None,
    help="Fail the run if something that exists was not run (default: in CI).",
)
@json_option("the results")
@file_option("--junit", "the results", "JUnit XML")
@file_option("--html", "the matrix and its evidence", "a page")
@click.option("-v", "--verbose", is_flag=True, help="Explain each stage, passed ones too.")
def command(
    path: Path,
    pg: str | None,
    jobs: int | None,
    stages: tuple[str, ...],
    preload_libraries: tuple[str, ...],
    settings: tuple[str, ...],
    make: tuple[str, ...],
    data: str,
    modes: tuple[str, ...],
    timeout: float | None,
    known_failures: tuple[str, ...],
    excluded: tuple[str, ...],
    keep: Path | None,
    shell: bool,
    requires: tuple[str, ...],
    test: tuple[str, ...],
    previous: str,
    tcp: bool,
    allow_missing: bool,
    strict: bool | None,
    json_file: Path | None,
    junit: Path | None,
    html: Path | None,
    verbose: bool,
) -> None:
    """Try an extension on each major: build, install, create, update, regress, dump, upgrade, drop.

    PATH is the directory of its sources, with a Makefile for PGXS and a control file, or the name of an extension
    that the installs have. Options are also read from pgfeatures.toml, or
    [tool.pgfeatures.extension] in pyproject.toml, beside the sources.

    The exit status is 0 if nothing failed and nothing was unavailable; with --strict, if nothing was left out
    either.
    """
    from rich.console import Console

    from pytest_pgfeatures.extension.options import read_options
    from pytest_pgfeatures.extension.previous import check_release
    from pytest_pgfeatures.extension.run import Interrupted, try_extension
    from pytest_pgfeatures.extension.source import find_source
    from pytest_pgfeatures.extension.verdict import failing, strict_by_default
    from pytest_pgfeatures.page.jobs import write_run
    from pytest_pgfeatures.progress import work_bar
    from pytest_pgfeatures.report.document import extension_document
    from pytest_pgfeatures.report.extension import append_step_summary, suites
    from pytest_pgfeatures.report.github import step_summary
    from pytest_pgfeatures.report.junit import write_junit
    from pytest_pgfeatures.workbench import Workbench

    if shell:
        _check_terminal(in_ci=strict_by_default())
    given = {
        "pg": pg,
        "stages": stages,
        "shared_preload_libraries": preload_libraries,
        "settings": dict(named(text, "--setting") for text in settings),
        "make": dict(named(text, "--make") for text in make),
        "data": data,
        "modes": modes,
        "timeout": timeout,
        "known_failures": known_failures,
        "excluded": excluded,
        "keep": str(keep.absolute()) if keep else "",
        "strict": strict,
        "requires": requires,
        "test": test,
        "previous": previous,
        "tcp": tcp or None,
    }
    options = read_options(path.resolve() if path.is_dir() else None, given)
    source = find_source(path, root=options.root, has_commands=bool(options.build))
    if options.previous:
        check_release(source.directory, options.previous)
    console = Console()
    workspaces: Mapping[str, Workspace] = {}
    interrupted = False
    with Workbench(options.pg or None) as workbench:
        cells = workbench.cells
        with work_bar() as progress:
            try:
                tried = try_extension(
                    source,
                    options,
                    cells,
                    workbench.clusters,
                    jobs=jobs,
                    report=_report_result,
                    progress=progress,
                )
                run, workspaces = tried.results, tried.workspaces
            except Interrupted as error:
                run, interrupted = error.results, True
        if not shell:
            workbench.close()
        run = _with_commands(run, path, cells)
        strictly = strict_by_default() if options.strict is None else options.strict
        failed = interrupted or bool(failing(run, allow_missing=allow_missing, strict=strictly))
        again = shlex.join(("pgfeatures", "extension", str(path), *_given_options(_OUTPUT)))
        title = f"{run.subject} by version"
        write_files(
            (
                json_file,
                lambda file: write_json(file, extension_document(run, path=str(path), failed=failed)),
            ),
            (junit, lambda file: write_junit(file, suites(run))),
            (html, lambda file: write_run(file, replace(run, subject=again), title=title)),
            (step_summary(), lambda _: append_step_summary(run)),
        )
        show(console, run, source.directory, verbose=verbose, strictly=strictly)
        if shell:
            _open_shell(run, workspaces)
    if interrupted:
        raise SystemExit(EXIT_INTERRUPTED)
    if failed:
        raise SystemExit(EXIT_FAILED)


def _check_terminal(*, in_ci: bool) -> None:
    """Refuse a shell that nobody could use, before anything is built."""
    if in_ci:
        raise click.UsageError("--shell is for a person at a terminal, and the variable CI is set")
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if not stream.isatty():
            raise click.UsageError(f"--shell needs a terminal, and the standard {name} isn't one")


def _open_shell(run: JobResults, workspaces: Mapping[str, Workspace]) -> None:
    """Open a shell for the first stage that failed."""
    from pytest_pgfeatures.extension.shell import open_shell
    from pytest_pgfeatures.results.model import FAILURES

    failed = next(
        (each for each in run.results if each.outcome in FAILURES and each.cell in workspaces), None
    )
    if failed is None:
        click.echo("No shell: nothing failed.")
        return
    try:
        open_shell(workspaces[failed.cell], failed.item.area, click.echo)
    except PgFeaturesError as error:
        click.echo(f"No shell: {error}", err=True)


def _with_commands(run: JobResults, path: Path, cells: Sequence[Cell]) -> JobResults:
    """Add to each result the command that repeats its stage, with the options of this run."""
    from pytest_pgfeatures.page.rerun import rerun_command

    named = replace(run, subject=str(path))
    asked = {cell.id: str(cell.request) for cell in cells}
    options = shlex.join(_given_options(_OUTPUT | _OF_A_STAGE))
    results = [
        replace(result, again=f"{rerun_command(result, named, asked)} {options}".rstrip())
        for result in run.results
    ]
    return replace(run, results=tuple(results))


def _given_options(without: frozenset[str]) -> Iterator[str]:
    """Yield the options of the command line, with some exceptions.

    Parameters:
        without: the names of the excluded parameters.
    """
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not given or name in without or not isinstance(option, click.Option):
            continue
        value = context.params[name]
        if isinstance(value, bool):
            yield (option.opts if value else option.secondary_opts)[0]
            continue
        for each in value if isinstance(value, tuple) else (value,):
            yield from (option.opts[0], str(each))


def show(console: Console, run: JobResults, directory: Path | None, *, verbose: bool, strictly: bool) -> None:
    """Print the messages about the results, and the matrix."""
    from pytest_pgfeatures.extension.verdict import left_out
    from pytest_pgfeatures.report import extension as shown
    from pytest_pgfeatures.report.github import reads_annotations
    from pytest_pgfeatures.results.model import Outcome

    for block in shown.explained(run, verbose=verbose):
        console.rule(block.title, align="left")
        for line in block.lines:
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    if (compiled := shown.compiler_warnings(run)) is not None:
        console.print(compiled, "")
    console.print(shown.table(run))
    if count := sum(
        each.outcome is Outcome.NOTHING_TO_DO and each.item.id != each.item.area for each in run.results
    ):
        click.echo(f"{count} excluded")
    if count := len(left_out(run)):
        click.echo(f"{count} not run{'' if strictly else '; --strict makes the run fail for that'}")
    for warning in run.warnings:
        click.echo(f"pgfeatures: warning: {warning}", err=True)
    if reads_annotations():
        for line in shown.annotation_lines(run, directory):
            click.echo(line)


def _report_result(result: Result) -> None:
    """Report the end of a stage on standard error, because a run takes minutes."""
    # Not by click, whose output would not go above the bar.
    print(f"{result.cell} {result.item.id}: {result.outcome} ({result.seconds:.1f} s)", file=sys.stderr)
