"""``pgfeatures readiness --from 14 --to 18``: show how an upgrade affects an application."""

from __future__ import annotations

import itertools
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_pgfeatures.cli.arguments import named_versions
from pytest_pgfeatures.cli.main import EXIT_ERROR
from pytest_pgfeatures.cli.result_files import file_option, json_option, write_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.readiness.inputs.table import INPUTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import Readiness, StageRun
    from pytest_pgfeatures.report.readiness_document import ReadinessAsked

EXIT_FINDINGS = 1
_WORD = re.compile(r"[()]|[^\s()]+")


def expression(
    _context: click.Context, _parameter: click.Parameter, given: str | None
) -> Callable[[str], bool]:
    """Whether a stage's name matches ``-k``: parts of names, joined by and, or, not and parentheses."""
    if given is None:
        return lambda _: True
    words = _WORD.findall(given)

    def matches(name: str) -> bool:
        said = [
            word if word in ("(", ")", "and", "or", "not") else str(word.lower() in name) for word in words
        ]
        return bool(eval(" ".join(said), {"__builtins__": {}}))  # it contains only these words

    try:
        matches("")
    except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError):
        raise click.BadParameter(f"{given!r}: write parts of names, and, or, not, and parentheses") from None
    return matches


def at_once(_context: click.Context, _parameter: click.Parameter, given: str) -> int:
    """The number of pairs and stages that run side by side."""
    if given in ("auto", "logical"):
        return os.cpu_count() or 1
    if not given.isdecimal() or not int(given):
        raise PgFeaturesError(f"-n {given} is no number", remedy="write a number above 0, or auto")
    return int(given)


class ManyArguments(click.Command):
    """A command with options that take several paths each: ``--queries db/queries app/``."""

    several = frozenset({"--behaviors", *(row.flag for row in INPUTS if row.is_paths)})

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


def input_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that give inputs."""
    for row in reversed(INPUTS):
        add = click.option(row.flag, multiple=row.several, metavar=row.takes, help=row.text)
        function = add(function)
    return function


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
@input_options
@click.option(
    "--behaviors", multiple=True, metavar="FILE...", help="Python files with behaviors of your own."
)
@click.option("--parameters", metavar="FILE", help="Values for the parameters of statements, as TOML.")
@click.option("--search-path", metavar="PATH", help="The search_path for parsing queries.")
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
@click.option("--baseline", metavar="FILE", help="Accepted findings, each with a reason.")
@click.option("--fail-on", metavar="WHAT", help="Exit status 1 for: affects (the default), may, or never.")
@click.option(
    "-k",
    "chosen",
    callback=expression,
    metavar="EXPRESSION",
    help="Run the stages that match: 'queries or schema', '14-15 and not upgrade'.",
)
@click.option(
    "-n",
    "at_once",
    default="1",
    callback=at_once,
    metavar="NUMBER",
    help="Run pairs and stages side by side, or auto.",
)
@json_option("the findings")
@file_option("--junit", "the stages", "JUnit XML")
@file_option("--sarif", "the findings", "SARIF 2.1.0")
@file_option("--html", "the findings and stages", "a page")
@click.option(
    "--write-tests", "tests", type=Path, metavar="DIR", help="Write the findings to DIR as tests of yours."
)
@click.option("-v", "--verbose", is_flag=True, help="Show all notes, and everything that was not looked at.")
def command(
    chosen: Callable[[str], bool], at_once: int, tests: Path | None, *, verbose: bool, **given: Any
) -> None:
    """Show how an upgrade affects your application: its schema, queries, configuration and scripts.

    Real servers of both versions load the schema, parse the queries and start with the configuration. This command
    reads only the files that you name, and runs only the schema, the data and your commands.

    Options are also read from pgfeatures.toml, or [tool.pgfeatures.readiness] in pyproject.toml.

    The exit status is 0, 1 if there are findings (see --fail-on), or 2 for wrong usage.
    """
    from pytest_pgfeatures.readiness.options import read_options
    from pytest_pgfeatures.readiness.written_tests import check_free

    if tests is not None:
        check_free(tests)
    files = {name: given.pop(name) for name in ("json_file", "junit", "sarif", "html")}
    options = read_options(Path.cwd(), given)
    look_and_report(options, chosen, at_once, tests=tests, verbose=verbose, **files)


def look_and_report(
    options: ReadinessOptions,
    chosen: Callable[[str], bool] = lambda _: True,
    at_once: int = 1,
    *,
    tests: Path | None = None,
    verbose: bool = False,
    **files: Path | None,
) -> None:
    """Run the stages, print their findings, write the files of :func:`write_results`, and exit with the status for
    the findings."""
    from pytest_pgfeatures.readiness.written_tests import write_tests

    found, interrupted = _run(options, chosen, at_once)
    from pytest_pgfeatures.report.readiness_document import ReadinessAsked

    asked = ReadinessAsked.by(options, found.runs, interrupted=interrupted)
    written: list[Path] = []
    wanted = None if interrupted else tests
    write_results(found, asked, **files)
    write_files((wanted, lambda path: written.append(write_tests(found, options, path))))
    report(found, verbose=verbose)
    for file in written:
        click.echo(f"wrote {file}; run it: pytest {file}")
    if interrupted:
        raise KeyboardInterrupt
    if status := exit_status(found, options.fail_on):
        if status == EXIT_ERROR:
            unread = [line for run in found.runs for line in (run.error, *run.unread) if line]
            click.echo(f"pgfeatures: {[*unread, *found.problems][0].partition(chr(10))[0]}", err=True)
        raise SystemExit(status)


def exit_status(found: Readiness, fail_on: str) -> int:
    """Return the exit status for the findings; ``fail_on`` is ``affects``, ``may`` or ``never``."""
    nothing = bool(found.problems) and all(run.nothing for run in found.runs)
    if nothing or any(run.error or run.unread for run in found.runs):
        return EXIT_ERROR
    failing = {"affects": found.affects, "may": found.findings, "never": ()}[fail_on]
    return EXIT_FINDINGS if failing else 0


def _run(options: ReadinessOptions, chosen: Callable[[str], bool], at_once: int) -> tuple[Readiness, bool]:
    """Run the stages. Results from before an interrupt are kept."""
    # before the modules of the stages are loaded, and servers or files take their time
    print(f"{options.old} -> {options.new}: reading the inputs", file=sys.stderr, flush=True)
    from pytest_pgfeatures.progress import work_bar
    from pytest_pgfeatures.readiness.pairs import Trials, pairs
    from pytest_pgfeatures.workbench import Workbench

    runs: list[StageRun] = []

    def ended(run: StageRun) -> None:
        """Report the end of a stage on standard error, because a run may take minutes."""
        from pytest_pgfeatures.report.readiness import inputs_not_read

        runs.append(run)
        count = len(run.report.findings)
        found = f"{count} finding{'' if count == 1 else 's'} ({run.seconds:.1f} s)"
        said = "could not look" if run.error else "nothing given" if run.nothing else found
        if run.unread and not run.error:
            said += f"; {inputs_not_read(run)}"
        # Not by click, whose output would not go above the bar.
        print(f"{run.pair} {run.stage}: {said}", file=sys.stderr)

    try:
        with Workbench() as workbench:
            asked = pairs(options, workbench.resolver)
            for cell in itertools.chain.from_iterable(asked):
                workbench.resolver.resolve(cell.request)
            with work_bar() as progress:
                trials = Trials(workbench.clusters, progress)
                trials.begin(asked[0])
                from pytest_pgfeatures.readiness.run import look_for

                found = look_for(options, trials, chosen=chosen, ended=ended, at_once=at_once)
    except KeyboardInterrupt:
        from pytest_pgfeatures.readiness.run import summed_up

        return summed_up(runs, options), True
    if not found.runs:
        raise PgFeaturesError("no stage ran", remedy="correct -k, which selects stages by their names")
    return found, False


def write_results(found: Readiness, asked: ReadinessAsked, **files: Path | None) -> None:
    """Write the requested files: ``json_file``, ``junit``, ``sarif`` and ``html``."""
    from pytest_pgfeatures.page.jobs import write_readiness
    from pytest_pgfeatures.report import readiness as shown
    from pytest_pgfeatures.report.github import step_summary
    from pytest_pgfeatures.report.junit import write_junit
    from pytest_pgfeatures.report.readiness_document import readiness_document
    from pytest_pgfeatures.report.sarif import sarif_document

    write_files(
        (files.get("json_file"), lambda path: write_json(path, readiness_document(found, asked))),
        (files.get("junit"), lambda path: write_junit(path, shown.suites(found))),
        (files.get("sarif"), lambda path: write_json(path, sarif_document(found))),
        (files.get("html"), lambda path: write_readiness(path, found, asked)),
        (step_summary(), lambda _: shown.append_step_summary(found)),
    )


def report(found: Readiness, *, verbose: bool = False) -> None:
    """Print the findings."""
    from rich.console import Console

    from pytest_pgfeatures.report import readiness as shown
    from pytest_pgfeatures.report.github import reads_annotations

    console = Console(highlight=False)
    for part in shown.render(found, verbose=verbose):
        console.print(part)
    if reads_annotations():
        for line in shown.annotation_lines(found):
            click.echo(line)
