"""The parts of an application, as its inputs show them, and the findings about it."""

from __future__ import annotations

import bisect
import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from pytest_pgfeatures.version import PgVersion

StageName = Literal[
    "suite", "settings", "schema", "queries", "plans", "incompatibilities", "results", "upgrade"
]
STAGES: tuple[StageName, ...] = get_args(StageName)
Certainty = Literal["affects", "may affect"]
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
FailOn = Literal["never", "affects", "may"]
FAIL_ON: tuple[FailOn, ...] = get_args(FailOn)
"""The findings that make a run fail, from the mildest to the strictest."""
Input = Literal[
    "run", "schema", "queries", "config", "hba", "ident", "scripts", "data", "statistics", "database"
]


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Files of a given directory that were not read.

    Parameters:
        option: the option that names the directory, without its dashes.
        suffix: of the files, such as ``.php``, or empty; for directories that were not entered, ``vendor/``.
        why: the reason.
    """

    option: Input
    directory: str
    suffix: str
    count: int
    why: str


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in a user's file.

    Parameters:
        file: the path as given, or as found below a given directory.
        line, column: counted from 1.
    """

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.where}:{self.column}"

    @property
    def where(self) -> str:
        """The file and the line: ``db/structure.sql:3``."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Query:
    """A statement of the application."""

    sql: str  # the text for the server, with $1 in place of a driver's placeholder
    kind: Literal[
        "schema", "query", "log", "statistics", "source code", "body", "view", "script", "data", "expression"
    ]
    file: str
    lines: tuple[int, ...]
    columns: tuple[int, ...] = ()  # where each line of sql begins in the file, counted from 1
    inside: str | None = None  # the object whose definition contains it: function public.total(integer)
    settings: tuple[tuple[str, str], ...] = ()  # for parsing it, such as standard_conforming_strings
    names: tuple[str, ...] = ()  # of $1, $2, ...: since for :since; empty for a placeholder without a name
    values: tuple[str | None, ...] = ()  # values of $1, $2, ... as a log has them; None for NULL
    variables: tuple[tuple[str, str], ...] = ()  # those of the function that has it, with their types
    target: str | None = None  # the variable that gets its value, or return
    temporary: tuple[str, ...] | None = None
    """The definitions of its session's temporary objects that are run before it; None if the session is unknown."""

    def place(self, index: int | None = None) -> Place:
        """The place in the file of a character of ``sql``; by default, of the first one that is no white space."""
        index = len(self.sql) - len(self.sql.lstrip()) if index is None else min(index, len(self.sql))
        begins = line_begins(self.sql)
        number = bisect.bisect_right(begins, index) - 1
        line, column = self._begin(number)
        # an expression is sent with SELECT before it, which the file does not have
        return Place(self.file, line, max(column + index - begins[number], 1))

    def _begin(self, number: int) -> tuple[int, int]:
        """The line and column in the file at which a line of ``sql`` begins, or else the last one."""
        number = min(number, len(self.lines) - 1)
        return self.lines[number], self.columns[number] if self.columns else 1

    def part(self, start: int, end: int, prefix: str = "") -> Query:
        """The text between two indexes, at its place in the file, with a prefix that the file does not have."""
        text = self.sql[start:end]
        begins = line_begins(self.sql)
        first = bisect.bisect_right(begins, start) - 1
        lines, columns = zip(*map(self._begin, range(first, first + text.count("\n") + 1)), strict=True)
        column = columns[0] + start - begins[first] - len(prefix)
        return replace(self, sql=prefix + text, lines=lines, columns=(column, *columns[1:]))


@functools.lru_cache(maxsize=4)
def line_begins(text: str) -> list[int]:
    """The index of the beginning of each line in a text."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


class SettingUse(NamedTuple):
    """A setting that the application sets."""

    name: str
    value: str
    kind: Literal["file", "statement", "option"]
    """``statement`` for ALTER SYSTEM, SET or a function's SET clause, ``option`` for ``-c`` in a script."""
    place: Place
    text: str  # the line or statement, for excerpts
    is_known: bool = True  # whether value is the value, and not an expression of a template


class AccessLine(NamedTuple):
    """A line of ``pg_hba.conf`` or ``pg_ident.conf``. Includes and ``@files`` are followed."""

    fields: tuple[str, ...]  # as they are written: a quoted all is a name
    place: Place
    text: str


class Word(NamedTuple):
    """A word of a command, as a shell would pass it to the program."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call of one of PostgreSQL's programs, or of any command that a script contains."""

    program: str  # without its directory, such as pg_dump
    words: tuple[Word, ...]  # the program and its arguments
    text: str
    environment: tuple[tuple[str, Word], ...] = ()


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The answers of both servers to one statement, side by side.

    Parameters:
        versions: the old server's and the new one's.
        rows: the old server's line; ``<`` only there, ``>`` only on the new one, ``|`` changed, or blank; the new
            server's line.
        figures: a name, and the values on both servers, such as ``("estimated cost", "12.50", "8.30")``.
        changes: the differences in words.
        causes: the explanations, each with the id of the behavior that shows it, or an empty text.
    """

    kind: Literal["plans", "answers"]
    versions: tuple[str, str]
    rows: tuple[tuple[str, str, str], ...]
    figures: tuple[tuple[str, str, str], ...] = ()
    changes: tuple[str, ...] = ()
    causes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that an upgrade breaks or changes, or may break or change.

    Parameters:
        severity: ``error`` for a failure, ``warning`` for a change, ``note`` for anything else.
        items: keys of entries of the release notes.
        behavior: the id of the behavior that explains it.
        place: the place of the trigger word; None for something that is only in the database.
        object: the object in the database, such as ``table public.orders``.
        excerpt: the line, without secrets.
        proof: a command that proves it.
        sqlstate: of the server's error.
        weight: among findings of one stage and severity, those with more come first.
        comparison: the plans or the answers of both servers, if they differ.
    """

    stage: StageName
    severity: Severity
    certainty: Certainty
    message: str
    remedy: str
    items: tuple[str, ...] = ()
    behavior: str | None = None
    place: Place | None = None
    object: str | None = None
    excerpt: str = ""
    proof: str = ""
    sqlstate: str | None = None
    weight: float = 0.0
    comparison: SideBySide | None = None


@dataclass(frozen=True, slots=True)
class NotLookedAt:
    """Something that no stage could look at.

    Parameters:
        what: a behavior's id, a statement's place, or a setting.
        why: the missing input or server, or what happened.
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Executed:
    """A statement that was executed on both servers, and changes nothing.

    Parameters:
        sql: with ``$1``, ``$2``, ...
        values: of these, as text; None for NULL.
        same: whether both servers sent the same.
        indexes: the indexes that the new server's plan uses.
    """

    place: Place
    sql: str
    values: tuple[str | None, ...]
    same: bool
    indexes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BehaviorVerdict:
    """The verdict on whether a behavior that breaks something affects the application.

    Parameters:
        behavior: the behavior's id, or the key of a release notes entry that no behavior observes.
        items: keys of entries of the release notes.
        title: what changed, in one line.
        reason: the inputs that were looked at, or the missing input.
    """

    behavior: str
    items: tuple[str, ...]
    title: str
    answer: Literal["affects", "may affect", "does not", "not looked at"]
    reason: str


class Afterwards(NamedTuple):
    """A script to run after the upgrade."""

    script: str


@dataclass(frozen=True, slots=True)
class StageReport:
    """The result of one stage for one pair.

    Parameters:
        counts: numbers to report, in this order, such as ``("statements", 310)``.
        problems: errors that are not findings, one line each.
        answers: one verdict for each behavior that breaks something between the two versions.
        afterwards: the script to run after the upgrade.
        named: the behaviors and entries of the release notes that findings of the stage name as their causes, each
            with the file and line that shows it.
    """

    stage: StageName
    findings: tuple[Finding, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    problems: tuple[str, ...] = ()
    not_looked_at: tuple[NotLookedAt, ...] = ()
    answers: tuple[BehaviorVerdict, ...] = ()
    afterwards: str = ""
    executed: tuple[Executed, ...] = ()
    named: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def of(cls, stage: StageName, found: Iterable[Found]) -> StageReport:
        """The report of what the parts of a stage yield: pairs are counts, which are added, triples are causes."""
        by_type: defaultdict[type, list[Any]] = defaultdict(list)
        counts: Counter[str] = Counter()
        for each in found:
            match each:
                case str(name), int(count):
                    counts[name] += count
                case _:
                    by_type[type(each)].append(each)
        kinds = Finding, str, NotLookedAt, BehaviorVerdict, Executed, tuple
        findings, problems, missed, answers, executed, named = (tuple(by_type[kind]) for kind in kinds)
        script = "".join(each.script for each in by_type[Afterwards])
        return cls(stage, findings, tuple(counts.items()), problems, missed, answers, script, executed, named)


Found = Finding | NotLookedAt | BehaviorVerdict | Executed | Afterwards | str | tuple[str | int, ...]


class VersionPair(NamedTuple):
    """Two requested versions, and the versions of the installs that represent them."""

    old: PgVersion
    new: PgVersion
