"""Load statements into a database, and continue after those that the server rejects."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.readiness.trial.watchdog import Watchdog
from pytest_pgfeatures.scripts.load import PREAMBLE
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable

_NOT_HERE = re.compile(
    r"(?:(?:create|drop|alter)\s+(?:database|tablespace|subscription)\b|alter\s+system\b|prepare\s+transaction\b)",
    re.IGNORECASE,
)
"""Statements that are not run, because they concern other databases, directories or hosts. COPY from or to files
and programs is not run, either."""
_FILE_OR_PROGRAM = re.compile(r"\b(?:from|to)\s+(?:program\b|'|e')", re.IGNORECASE)
_TRANSACTION = re.compile(
    r"(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release)\b", re.IGNORECASE
)
_DEMOTING = re.compile(
    r"alter\s+(?:role|user)\s+(?P<role>\"[^\"]+\"|\w+)\s[^;]*\b(?:nosuperuser|nologin|rename)\b",
    re.IGNORECASE,
)
"""Statements after which the role that they name might no longer load the rest, or not by this name."""
_NO_ROLE = re.compile(r'role "(?P<name>(?:[^"]|"")+)" does not exist')
_LINE_OF_DATA = re.compile(r"COPY [^\n]*, line (\d+)")
_UNKNOWN_PREAMBLE = {each.statement: each.versions for each in PREAMBLE}
_ALL = VersionSet("all")
CANCELED = "57014"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
NO_OBJECT = "42704"
NO_ROLE = "22023"
"""For SET SESSION AUTHORIZATION of a missing role; other settings have other messages."""
LOST = "08006"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A server's error.

    Parameters:
        sqlstate: the error code.
        message: the message, without DETAIL and HINT.
        position: the index in the statement; None if the error has none.
        row: the line of COPY's data, counted from 1.
        hint, context: the HINT and CONTEXT of the error.
    """

    sqlstate: str
    message: str
    position: int | None = None
    row: int | None = None
    hint: str = ""
    context: str = ""

    @classmethod
    def of(cls, error: psycopg.Error) -> Refusal:
        """Convert psycopg's error."""
        said = error.diag
        row = _LINE_OF_DATA.search(said.context or "")
        position = said.statement_position
        return cls(
            error.sqlstate or LOST,
            said.message_primary or str(error).strip(),
            int(position) - 1 if position else None,
            int(row[1]) if row else None,
            said.message_hint or "",
            said.context or "",
        )

    @property
    def timed_out(self) -> bool:
        """Whether we canceled the statement because it ran too long."""
        return self.sqlstate == CANCELED


NONE_LOST: Mapping[int, Refusal] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading a sequence of statements.

    Parameters:
        refusals: for each statement, the server's error; None if it was accepted or not run.
        roles: missing roles that were created.
    """

    refusals: tuple[Refusal | None, ...]
    roles: tuple[str, ...] = ()


def load(
    connection: psycopg.Connection,
    sent: Sequence[Loadable],
    *,
    timeout: float,
    told: Callable[[int], object] = lambda _: None,
    lost: Mapping[int, Refusal] = NONE_LOST,
) -> Loaded:
    """Load statements, and continue after errors, even inside transactions.

    If a statement names a role that does not exist, the role is created, because a dump does not contain roles.

    Parameters:
        connection: a connection in autocommit mode.
        sent: the statements.
        timeout: the time that each statement may run, in seconds.
        told: called with the number of finished statements.
        lost: by number, statements that end the connection or the server. They are not run.

    Raises:
        psycopg.OperationalError: the connection is lost.
    """
    version = PgVersion.from_num(connection.info.server_version)
    refusals: list[Refusal | None] = []
    roles: list[str] = []
    with Watchdog(connection, timeout) as watchdog:
        for number, each in enumerate(sent):
            told(number)
            if number in lost:
                refusals.append(lost[number])
                continue
            if not is_run(each.query.sql, version):
                refusals.append(None)
                continue
            while True:
                with watchdog.statement():
                    refusal = _try(connection, each)
                role = (
                    refusal and refusal.sqlstate in (NO_OBJECT, NO_ROLE) and _NO_ROLE.search(refusal.message)
                )
                if not role or role["name"] in roles:
                    break
                roles.append(role["name"])
                _in_savepoint(
                    connection,
                    psycopg.sql.SQL("CREATE ROLE {}")
                    .format(psycopg.sql.Identifier(role["name"].replace('""', '"')))
                    .as_string(connection)
                    .encode(),
                )
            refusals.append(refusal)
    told(len(sent))
    if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        connection.execute("COMMIT")
    return Loaded(tuple(refusals), tuple(roles))


def is_run(sql: str, version: PgVersion) -> bool:
    """Whether to run a statement of a schema: whether it concerns only the database itself."""
    bare = without_comments(sql)
    if _NOT_HERE.match(bare) or version not in _UNKNOWN_PREAMBLE.get(" ".join(bare.split()), _ALL):
        return False
    return not (bare[:4].lower() == "copy" and _FILE_OR_PROGRAM.search(bare))


def without_comments(sql: str) -> str:
    """A statement without the comments before its first word."""
    for token in tokens(sql, psql=True):
        if token.significant:
            return sql[token.start :]
    return ""


def _try(connection: psycopg.Connection, sent: Loadable) -> Refusal | None:
    sql = encoded(sent.query.sql)
    try:
        if sent.reads:
            _copy(connection, sql, encoded(sent.data))
        elif sent.writes:
            with connection.cursor().copy(sql) as rows:
                for _ in rows:
                    pass
        elif _TRANSACTION.match(without_comments(sent.query.sql)):
            connection.execute(sql, prepare=False)
        elif _demotes(connection, sent.query.sql):
            with connection.transaction(force_rollback=True):
                connection.execute(sql, prepare=False)
        else:
            _in_savepoint(connection, sql)
    except psycopg.Error as error:
        if connection.closed:
            raise
        return Refusal.of(error)
    return None


def _demotes(connection: psycopg.Connection, sql: str) -> bool:
    """Whether a statement takes the rights of the role that loads everything. It is run, and undone."""
    found = _DEMOTING.match(without_comments(sql))
    ours = (connection.info.user, "current_user", "session_user", "current_role")
    return found is not None and found["role"].strip('"').lower() in ours


def _copy(connection: psycopg.Connection, sql: bytes, data: bytes) -> None:
    with connection.cursor().copy(sql) as sink:
        if data:
            sink.write(data)


def _in_savepoint(connection: psycopg.Connection, sql: bytes) -> None:
    """Run a statement. Inside a transaction, an error undoes only this statement."""
    status = psycopg.pq.TransactionStatus
    if connection.info.transaction_status == status.INERROR:
        connection.execute("ROLLBACK")
    if connection.info.transaction_status != status.INTRANS:
        connection.execute(sql, prepare=False)
        return
    connection.execute("SAVEPOINT pgfeatures_statement")
    try:
        connection.execute(sql, prepare=False)
    except psycopg.Error:
        if not connection.closed:
            connection.execute("ROLLBACK TO pgfeatures_statement")
        raise
    if connection.info.transaction_status == status.INTRANS:
        connection.execute("RELEASE pgfeatures_statement")
