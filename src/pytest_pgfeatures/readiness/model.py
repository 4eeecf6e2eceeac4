"""What an application consists of, as its inputs show it, and what is found in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgVersion

Stage = Literal["settings", "schema", "queries", "plans", "incompatibilities", "results", "upgrade"]
STAGES: tuple[Stage, ...] = (
    "settings",
    "schema",
    "queries",
    "plans",
    "incompatibilities",
    "results",
    "upgrade",
)
Certainty = Literal["affects", "may affect"]
Severity = Literal["error", "warning", "note"]
Input = Literal["schema", "queries", "config", "hba", "ident", "scripts", "data", "statistics", "database"]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a user's file.

    Parameters:
        file: the path as it was given, or as it was found below a given directory.
        line, column: counted from 1.
    """

    file: str
    line: int
    column: int = 1


@dataclass(frozen=True, slots=True)
class Query:
    """A statement of the application, from a schema, a query file, a log, source code, or a function's body.

    Parameters:
        sql: the text for the server; placeholders of drivers are written as ``$1``.
        kind: where it comes from.
        file: the user's file.
        lines: for each line of ``sql``, the line of the file, counted from 1.
        columns: for each line of ``sql``, the column in the file at which it begins, counted from 1.
        inside: the object whose definition contains it: ``function public.total(integer)``.
        settings: settings under which it is read, such as ``standard_conforming_strings``.
        names: of ``$1``, ``$2``, ...: ``since`` for ``:since``; empty for a placeholder without a name.
        values: of ``$1``, ``$2``, ... as a log has them; None for NULL.
    """

    sql: str
    kind: Literal["schema", "query", "log", "statistics", "source code", "body", "view", "script", "data"]
    file: str
    lines: tuple[int, ...]
    columns: tuple[int, ...] = ()
    inside: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    values: tuple[str | None, ...] = ()

    def place(self, index: int) -> Place:
        """The place of a character of ``sql``, by its index."""
        before = self.sql[:index]
        line = before.count("\n")
        within = index - (before.rfind("\n") + 1)
        last = len(self.lines) - 1
        column = self.columns[min(line, last)] if self.columns else 1
        return Place(self.file, self.lines[min(line, last)], column + within)


@dataclass(frozen=True, slots=True)
class SettingUse:
    """A setting that the application gives a value.

    Parameters:
        name: as it was written.
        value: without quotes.
        kind: ``file`` (postgresql.conf and what it includes, postgresql.auto.conf), ``statement`` (ALTER SYSTEM,
            ALTER ROLE or DATABASE ... SET, SET, a function's SET clause), or ``option`` (``-c`` in a script).
        place: where the name is.
        text: the line or statement, for excerpts.
    """

    name: str
    value: str
    kind: Literal["file", "statement", "option"]
    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class AccessLine:
    """A line of ``pg_hba.conf`` or ``pg_ident.conf``.

    Parameters:
        fields: its fields, without quotes; includes and ``@files`` are followed.
        quoted: for each field, whether it was quoted: a quoted ``all`` is a name.
    """

    fields: tuple[str, ...]
    quoted: tuple[bool, ...]
    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command, as a shell would pass it."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call of one of PostgreSQL's programs, or of any command that a script contains.

    Parameters:
        program: its name without directory: ``pg_dump``.
        words: the program and its arguments.
        environment: variables that are set for it, by name.
        text: the line, for excerpts.
    """

    program: str
    words: tuple[Word, ...]
    text: str
    environment: tuple[tuple[str, Word], ...] = ()


@dataclass(frozen=True, slots=True)
class Application:
    """All that the inputs show of an application.

    Parameters:
        given: the inputs that were given. What an input that is missing would show was not looked at.
        queries: its statements in the order of files and lines, those of schema files included; not those inside
            function bodies, which :mod:`pytest_pgfeatures.readiness.embedded` takes out of them.
        invocations: calls of programs in its scripts.
        texts: whole texts of its scripts by file, for words outside of calls, such as the names of directories.
    """

    given: frozenset[Input] = frozenset()
    queries: tuple[Query, ...] = ()
    settings: tuple[SettingUse, ...] = ()
    hba: tuple[AccessLine, ...] = ()
    ident: tuple[AccessLine, ...] = ()
    invocations: tuple[Invocation, ...] = ()
    texts: tuple[tuple[str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that an upgrade breaks or changes, or may.

    Parameters:
        stage: the stage that found it.
        severity: ``error`` for what fails, ``warning`` for what changes, ``note`` for the rest.
        items: keys of entries of the release notes.
        behavior: the id of the behavior that explains it.
        place: the word that is the trigger; None for what is only in the database.
        object: what it is in the database: ``table public.orders``.
        excerpt: the line, without secrets.
        proof: the command that proves it.
        sqlstate: of a refusal.
        weight: among findings of one stage and severity, those with more come first.
    """

    stage: Stage
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


@dataclass(frozen=True, slots=True)
class NotLookedAt:
    """Something that no stage could look at.

    Parameters:
        what: a behavior's id, a statement's place, a setting.
        why: which input or server is missing, or what happened.
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
class BehaviorAnswer:
    """Whether a behavior that breaks something concerns the application.

    Parameters:
        behavior: its id; an entry's key if no behavior observes the entry.
        items: keys of entries of the release notes.
        title: what changed, in a line.
        answer: ``affects``, ``may affect``, ``does not`` or ``not looked at``.
        reason: what was looked at, or which input is missing, or that no input shows it.
    """

    behavior: str
    items: tuple[str, ...]
    title: str
    answer: str
    reason: str


@dataclass(frozen=True, slots=True)
class StageReport:
    """What one stage found for one pair.

    Parameters:
        counts: what was counted, in the order of reports: ``("statements", 310)``.
        problems: what went wrong and is no finding, a line each.
        answers: one for each behavior that breaks something between the two versions.
        afterwards: the script to run after the upgrade.
        executed: the statements that were executed on both servers and change nothing.
    """

    stage: Stage
    findings: tuple[Finding, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    problems: tuple[str, ...] = ()
    not_looked_at: tuple[NotLookedAt, ...] = ()
    answers: tuple[BehaviorAnswer, ...] = ()
    afterwards: str = ""
    executed: tuple[Executed, ...] = ()


@dataclass(frozen=True, slots=True)
class VersionPair:
    """Two versions, and the installs' versions that stand for them."""

    old: PgVersion
    new: PgVersion
