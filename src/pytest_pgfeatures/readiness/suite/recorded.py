"""Statements that a suite sent to a server, with their outcome: the server's log in CSV, read line by line.

The key of a statement is its text without constants. The sessions that sent it don't matter: suites run in
parallel, in databases of their own, and in another order each time.

https://www.postgresql.org/docs/current/runtime-config-logging.html
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pytest_pgfeatures.readiness.inputs.queries import rows_of_log, sent_in, values_in
from pytest_pgfeatures.readiness.suite.sessions import SessionState, logged_path

MOST = 100_000  # the number of different statements that are kept. Any later ones are only counted
_LONGEST = 1 << 20  # the number of characters up to which a statement is kept as it is
_LONGEST_KEY = 1 << 12  # the number of characters from which on a digest stands for a statement
_MOST_CHARACTERS = 64 << 20  # the number of characters of statements that are kept, and of definitions
_MOST_INSERTED, _MOST_OF_INSERTED = 10_000, 8 << 20  # INSERTs that are kept, and their characters
_LONGEST_INSERT = 1 << 16
_MOST_PATHS = 8  # the search paths that are kept of a statement: each may be that of other tables
_CONSTANT = re.compile(
    r"(?P<comment>--[^\n]*+|/\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)(?:\*/|\Z))"
    r"|(?:\b[eEbBxX])?'(?>(?:[^']++|'')*)'|(?<![\w.])[-+]?\d++(?:\.\d++)?(?:[eE][-+]?\d++)?\b|\$\d++"
)
_GIVEN_NAME = re.compile(
    r"(?:\b|_)(?=[a-f]*+\d)[0-9a-f]{8,}+(?![A-Za-z0-9])|_\d{2,}+(?![A-Za-z0-9])|(?<=[a-z])\d{4,}+(?![A-Za-z0-9])"
)
"""A number in a name that a suite generates anew each time: ``test_4711``, ``"s_9f86d081884c"``."""
_SPACE = re.compile(r"\s++")
_LISTED = re.compile(r"\?(?>(?: ?, ?\?)+)")
_ROWS = re.compile(r"(\( ?\? ?\))(?>(?: ?, ?\( ?\? ?\))+)")
_NODE = re.compile(r"^( *+)(?:->  )?([^\n]*?)  \(cost=[0-9.]++ rows=\d++ width=\d++\)$", re.MULTILINE)
_ALIAS = re.compile(r'( on (?:"[^"]++"|[^\s"]++)) .*')
_INSERTS = re.compile(r"\s*+insert\s", re.IGNORECASE)
_PARAMETER = re.compile(r"\$\d")
# Fields of a line: https://www.postgresql.org/docs/current/runtime-config-logging.html#RUNTIME-CONFIG-LOGGING-CSVLOG
_USER, _DATABASE, _SESSION, _SEVERITY, _STATE, _MESSAGE = 1, 2, 5, 11, 12, 13
_DETAIL, _QUERY, _AT = 14, 19, 20


def known_by(sql: str) -> str:
    """The key of a statement: its text without constants, comments, white space, and numbers in names; of a long
    one, its beginning and a digest."""
    return _key(sql) if len(sql) < _LONGEST_KEY else _key.__wrapped__(sql)


@functools.lru_cache(1 << 14)
def _key(sql: str) -> str:
    text = _CONSTANT.sub(lambda found: " " if found["comment"] else "?", sql)
    text = _SPACE.sub(" ", text).strip().rstrip("; ")
    text = _ROWS.sub(r"\1", _LISTED.sub("?", _GIVEN_NAME.sub("_?", text)))
    if len(text) < _LONGEST_KEY:
        return text
    return f"{text[:_LONGEST_KEY]} {hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()}"


class Execution(NamedTuple):
    """A statement that a session sent, with the values of its parameters, the search path, which is empty for the
    default, and the definitions of the session's temporary objects that it names."""

    sql: str
    values: tuple[str | None, ...] = ()
    path: str = ""
    temporary: tuple[str, ...] = ()


class ServerMessage(NamedTuple):
    """An error or a warning, with the statement that caused it first, and its index there, if that is known."""

    message: str
    sql: str
    position: int | None = None


@dataclass(slots=True)
class SentStatement:
    """A statement of the suite, as it was sent first."""

    sql: str
    values: tuple[str | None, ...]
    executions: int = 0
    errors: Counter[str] = field(default_factory=Counter)  # how often it got each, by SQLSTATE
    warnings: Counter[str] = field(default_factory=Counter)
    examples: dict[str, ServerMessage] = field(default_factory=dict)
    plans: Counter[tuple[str, ...]] = field(default_factory=Counter)  # how often it had each; see shape_of
    paths: dict[str, Execution] = field(default_factory=dict)
    """By search path, the first execution that the server accepted with it."""


@dataclass(slots=True)
class Recorded:
    """The statements that a suite sent to one server."""

    statements: dict[str, SentStatement] = field(default_factory=dict)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)  # connections, by SQLSTATE and message
    databases: Counter[str] = field(default_factory=Counter)  # how many statements were sent in each
    paths: Counter[str] = field(default_factory=Counter)  # how many were accepted with each search path
    definitions: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """By database, those that were committed, in their order, with the search path of each."""
    inserted: dict[Execution, None] = field(default_factory=dict)  # INSERTs that the server accepted
    left_out: int = 0  # statements beyond MOST different ones
    not_inserted: int = 0  # INSERTs beyond those that are kept, and those whose values are cut off
    planned: bool = False

    @property
    def executions(self) -> int:
        """The number of statements that were sent."""
        return self.databases.total()


@dataclass(slots=True)
class _Session:
    """A session, up to the line that was read last."""

    state: SessionState
    sent: Execution  # the last statement, or an empty one after its error
    current: SentStatement | None = None


def read_recorded(path: Path, *, paths: bool = False) -> Recorded:
    """Read the log of a server that only the suite used, which may have the search path of each plan."""
    reading = _Reading(paths=paths)
    for _, row in rows_of_log(path, path.name):
        if row[_DATABASE]:
            reading.take(row)
    for database, sql, used, state in reading.committed:
        reading.found.definitions.setdefault(database, []).append((sql, state.meant(used)))
    return reading.found


class _Room:
    """Room for a number of texts, with a number of characters in all."""

    def __init__(self, texts: int, characters: int) -> None:
        self._texts, self._characters = texts, characters

    def takes(self, *texts: str | None) -> bool:
        """Whether there is room for some texts, which belong together."""
        self._texts -= 1
        self._characters -= sum(len(text or "") for text in texts)
        return self._texts >= 0 and self._characters >= 0


class _Reading:
    """The state of reading a log."""

    def __init__(self, *, paths: bool) -> None:
        self.found = Recorded()
        self.committed: list[tuple[str, str, str | None, SessionState]] = []
        self._paths = paths
        self._sessions: dict[str, _Session] = {}
        self._definitions: dict[str, str] = {}
        self._for_statements = _Room(MOST, _MOST_CHARACTERS)
        self._for_definitions = _Room(MOST, _MOST_CHARACTERS)
        self._for_inserted = _Room(_MOST_INSERTED, _MOST_OF_INSERTED)

    def take(self, row: list[str]) -> None:
        """Take a row of the log."""
        severity, message = row[_SEVERITY], row[_MESSAGE]
        session = self._sessions.get(row[_SESSION])
        if severity == "LOG":
            sql, plan = sent_in(message)
            if plan is not None:
                # The server logs it when its portal is closed, which the next statement may cause.
                self.found.planned = True
                if session is not None and self._paths:
                    session.state.planned(logged_path(plan))
                if (sent := self.found.statements.get(known_by(sql or ""))) is not None:
                    sent.plans[shape_of(plan)] += 1
            elif sql is not None:
                self._sent(row, sql, values_in(row[_DETAIL]))
            elif message.startswith("disconnection: ") and session is not None:
                self._keep(self._sessions.pop(row[_SESSION]), row[_DATABASE])
        elif severity in ("ERROR", "FATAL", "PANIC"):
            self._failed(session, row)
        elif severity == "WARNING" and session is not None and session.current is not None:
            _count(session.current, session.current.warnings, row)

    def _sent(self, row: list[str], sql: str, values: tuple[str | None, ...]) -> _Session:
        if (session := self._sessions.get(row[_SESSION])) is None:
            session = self._sessions[row[_SESSION]] = _Session(SessionState(user=row[_USER]), Execution(""))
        self._keep(session, row[_DATABASE])
        session.sent = Execution(sql, values, temporary=session.state.named_in(sql))
        session.state.follow(sql, values)
        self.found.databases[row[_DATABASE]] += 1
        statements, key = self.found.statements, known_by(sql)
        if key not in statements and self._for_statements.takes(sql[:_LONGEST], *values):
            statements[key] = SentStatement(sql[:_LONGEST], values)
        session.current = statements.get(key)
        if session.current is None:
            self.found.left_out += 1
        else:
            session.current.executions += 1
        return session

    def _keep(self, session: _Session, database: str) -> None:
        """Keep the committed definitions, and if the server accepted the last statement, its path and an INSERT."""
        for sql, path in session.state.committed():
            # The databases of parallel workers have the same.
            if sql in self._definitions or self._for_definitions.takes(sql):
                self.committed.append((database, self._definitions.setdefault(sql, sql), path, session.state))
            else:
                self.found.left_out += 1
        sent, current = session.sent._replace(path=session.state.path), session.current
        if current is None or not sent.sql:
            return
        self.found.paths[sent.path] += 1
        if sent.path not in current.paths and len(current.paths) < _MOST_PATHS:
            shared = sent._replace(sql=current.sql, values=current.values)
            current.paths[sent.path] = shared if len(sent.sql) >= _LONGEST_KEY else sent
        if sent.temporary or sent in self.found.inserted or not _INSERTS.match(sent.sql):
            return
        is_cut = len(sent.sql) > _LONGEST_INSERT or (not sent.values and _PARAMETER.search(sent.sql))
        if is_cut or not self._for_inserted.takes(sent.sql, *sent.values):
            self.found.not_inserted += 1
        else:
            self.found.inserted[sent] = None

    def _failed(self, session: _Session | None, row: list[str]) -> None:
        if not (sql := row[_QUERY]):
            if session is None and row[_SEVERITY] == "FATAL":
                self.found.refused[row[_STATE], known_by(row[_MESSAGE])] += 1
            return
        if session is None or known_by(session.sent.sql) != known_by(sql):
            # The server logged a statement that it could not parse by its error alone.
            session = self._sent(row, sql, ())
        session.sent = Execution("")
        session.state.refuse()
        if session.current is not None:
            _count(session.current, session.current.errors, row)


def _count(sent: SentStatement, counted: Counter[str], row: list[str]) -> None:
    state = row[_STATE]
    counted[state] += 1
    if state not in sent.examples:
        at = int(row[_AT]) - 1 if row[_AT].isdecimal() else None
        sql = row[_QUERY] if 0 < len(row[_QUERY]) < _LONGEST_KEY else sent.sql
        sent.examples[state] = ServerMessage(row[_MESSAGE], sql, at)


def shape_of(plan: str) -> tuple[str, ...]:
    """The nodes of a plan as text, a line each, with the tables and indexes that they read."""
    nodes = ((indent, _ALIAS.sub(r"\1", label)) for indent, label in _NODE.findall(plan))
    return tuple(indent + _GIVEN_NAME.sub("_?", label) for indent, label in nodes)
