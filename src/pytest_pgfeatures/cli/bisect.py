"""``pgfeatures bisect "SELECT 0x1F"``: the first major that answers differently."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import pg_option, read_standard_input
from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from pytest_pgfeatures.behaviors.bisect import Bisection
    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.scripts.steps import Step
    from pytest_pgfeatures.workbench import Workbench

EXIT_CHANGES = 1
_OPTION = re.compile(r"(--[\w-]+)(?:=|\Z)")
_FILE_NAME = re.compile(r"[^\s;()'\"]+\.[A-Za-z]\w*")
_STDIN = "standard input"


class SqlCommand(click.Command):
    """A command whose arguments are SQL. An argument such as ``-- why`` is a comment, not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put a space before comments, so that click does not parse them as options."""
        return super().parse_args(ctx, [f" {arg}" if self._is_comment(arg) else arg for arg in args])

    def _is_comment(self, arg: str) -> bool:
        if not arg.startswith("--") or arg == "--":
            return False
        match = _OPTION.match(arg)
        known = {name for parameter in self.params for name in parameter.opts} | {"--help"}
        return match is None or (match[1] not in known and any(character.isspace() for character in arg))


@click.command("bisect", cls=SqlCommand)
@click.argument("sql", nargs=-1, required=True, metavar="SQL|FILE...")
@pg_option("Versions, such as 14..18 (default: every major at hand).")
@click.option(
    "--only",
    metavar="last|FILE:LINE",
    help="Compare the answers to one statement: the last, or the one at a line. Those before it prepare it.",
)
@json_option("the changes and all answers")
def command(sql: tuple[str, ...], pg: str | None, only: str | None, json_file: Path | None) -> None:
    """Find the first major at which the result, error or plan of a statement changes.

    Each argument is SQL, a file of SQL, or - for standard input, with any number of statements. They are executed
    in order on a fresh server of each version, so that the first statements can create the objects that the last
    one needs. All changes are listed, followed by the answers side by side.

    If two servers of one version give different answers, such as to SELECT now(), the statement is reported as
    volatile instead of changed.

    The exit status is 0 if nothing changes and 1 if something does.
    """
    from rich.console import Console
    from rich.rule import Rule

    from pytest_pgfeatures.behaviors.bisect import bisect
    from pytest_pgfeatures.report.bisect_document import BisectDocument, StatementObject
    from pytest_pgfeatures.report.transcripts import side_by_side
    from pytest_pgfeatures.workbench import Workbench

    with Workbench(pg) as workbench:
        prepared_by, steps = _selected(_steps(sql, workbench), only)
        installs = newest_installs(workbench, (step.sql for step in (*prepared_by, *steps)))
        found = bisect(steps, installs, workbench.clusters, prepared_by=prepared_by)
    statements = [StatementObject(step.file, step.line, step.sql) for step in steps]
    write_files((json_file, lambda path: write_json(path, BisectDocument.of(statements, found))))
    console = Console(highlight=False)
    _print_turns(console, steps, found)
    console.print(Rule(style="dim"))
    transcripts = {str(each.install.version.major): each.transcript for each in found.asked}
    for part in side_by_side(transcripts, console):
        console.print(part)
    if found.turns:
        raise SystemExit(EXIT_CHANGES)


def _steps(arguments: Iterable[str], workbench: Workbench) -> list[Step]:
    """Return the statements of all arguments.

    Raises:
        PgFeaturesError: a file can't be read, has unsupported psql meta-commands, or there is no statement.
    """
    from pytest_pgfeatures.scripts.steps import steps_of, steps_of_text

    resolver = workbench.find_resolver
    steps: list[Step] = []
    here = Path.cwd()
    for number, argument in enumerate(arguments, 1):
        if argument == "-":
            steps += steps_of_text(read_standard_input(), _STDIN, resolver, here)
        elif _FILE_NAME.fullmatch(argument) or _is_file(argument):
            steps += steps_of(here / argument, argument, resolver, here)
        else:
            steps += steps_of_text(_sql(argument, number), _argument(number), resolver, here)
    if not steps:
        raise PgFeaturesError("there is no statement in it", remedy='write SQL, such as "SELECT 0x1F"')
    return steps


def _selected(steps: list[Step], only: str | None) -> tuple[list[Step], list[Step]]:
    """Return the statements that only prepare, and those whose answers are compared: all that begin on one line.

    Raises:
        PgFeaturesError: no statement is at the place that ``only`` names.
    """
    if only is None:
        return [], steps
    if only == "last":
        return steps[:-1], steps[-1:]
    file, _, line = only.rpartition(":")
    if not (file and line.isdecimal()):
        raise PgFeaturesError(
            f"--only {only!r} names no statement", remedy="write last, or a file and a line, such as a.sql:12"
        )
    lines = [step.line if step.file == file and step.line <= int(line) else 0 for step in steps]
    if not any(lines):
        raise PgFeaturesError(
            f"no statement begins at or before {only}",
            remedy="name the file as it was given, and a line of it that a statement is on",
        )
    first = lines.index(max(lines))  # a file may be read twice: as itself, and included by another one
    together = itertools.takewhile(lambda each: each == lines[first], lines[first:])
    return steps[:first], steps[first : first + len(list(together))]


def _sql(argument: str, number: int) -> str:
    """Return the SQL of an argument, which is UTF-8 in any locale.

    Raises:
        PgFeaturesError: it is not text in UTF-8.
    """
    try:
        return os.fsencode(argument).decode()
    except UnicodeDecodeError as error:
        raise PgFeaturesError(
            f"{_argument(number)} is no text in UTF-8 (byte {error.start})", remedy="convert it"
        ) from error


def _argument(number: int) -> str:
    return f"argument {number}"


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except (OSError, ValueError):  # too long for a file name, or with a zero byte
        return False


def newest_installs(workbench: Workbench, sql: Iterable[str]) -> tuple[Install, ...]:
    """Return one install for each major of ``--pg``, or else for each available major; oldest first.

    Parameters:
        workbench: has the versions.
        sql: what is to run there: some of it may need an install with ICU.
    """
    from pytest_pgfeatures.behaviors.bisect import newest_of_each_major
    from pytest_pgfeatures.scripts.icu import resolve, uses_icu

    resolver, icu = workbench.resolver, uses_icu(sql)
    if workbench.requests:
        return newest_of_each_major(resolve(resolver, cell.request, icu=icu) for cell in workbench.cells)
    found = list(resolver.inventory.at_hand())
    able = [install for install in found if icu and "icu" in install.capabilities]
    majors = {install.version.major for install in able}
    return newest_of_each_major(able + [install for install in found if install.version.major not in majors])


def _print_turns(console: Console, steps: Sequence[Step], found: Bisection) -> None:
    from rich.text import Text

    if not found.turns:
        first, last = found.asked[0].install.version, found.asked[-1].install.version
        console.print(f"Nothing changes from {first} to {last}.")
    for turn in found.turns:
        line = Text.assemble((str(turn.since.version.major), "bold cyan"), f": {turn.what}: ")
        line.append(_shown(steps[turn.number]))
        console.print(line.append(f"  ({turn.before.version} and {turn.since.version})", "dim"))
    for number in found.volatile:
        line = Text.assemble(("volatile", "yellow"), f": {_shown(steps[number])}")
        console.print(line.append("  (another server of the same version answers differently, too)", "dim"))


def _shown(step: Step) -> str:
    """Return a statement on one line, with its location if it comes from a file."""
    place = "" if step.file.startswith("argument ") else f"{step.file}:{step.line}: "
    return place + " ".join(step.sql.split())
