"""Ask a server whether it accepts each statement of a script.

A query is only parsed: the server looks up its names and types, and runs nothing. A definition is run in a scratch
database, so that later statements find its tables and functions. The role for both is not a superuser:
parsing evaluates constants of domains, and definitions run their own code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.errors import ScriptError
from pytest_pgfeatures.scripts.privileges import (
    CLEAN_SESSION,
    LOADER,
    Definer,
    as_role,
    hand_over,
    is_held_back,
)
from pytest_pgfeatures.server.watchdog import SessionEndedError, Watchdog
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.sql import Statement, Token

PARSED = frozenset({"select", "insert", "update", "delete", "merge", "values", "with", "table", "("})
"""First words of statements that the server parses without running them."""
NOT_RUN = frozenset(
    {
        "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release", "prepare", "copy", "vacuum",
        "analyze", "cluster", "reindex", "checkpoint", "listen", "notify", "unlisten", "load", "lock", "fetch",
        "move", "close", "declare", "call", "do", "execute", "deallocate", "discard", "explain", "refresh",
    }
)  # fmt: skip
"""First words of commands that define nothing: only their syntax is checked."""
_CLUSTER_WIDE = frozenset({"database", "tablespace", "role", "user", "group", "subscription", "system"})
"""Second words of definitions that concern the whole cluster, and are not run either."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A server's response to one statement.

    Parameters:
        sqlstate: the error's SQLSTATE; None if the server accepts the statement.
        message: the error's message.
        position: the error's position, as an index in the statement; None if the error has no position.
        unknown: why the server can't tell, although the statement has no syntax error; empty if it can.
    """

    sqlstate: str | None = None
    message: str = ""
    position: int | None = None
    unknown: str = ""


ACCEPTED = Verdict()
NOT_TRUSTED = "it needs a superuser; --trust runs it as one"
_LONGEST_PLACEHOLDER = 5
"""Tokens of ``%(id)s``."""
DBNAME = "pgfeatures_needs"
SECONDS = 60.0
"""The time limit of a statement, in seconds."""


def ask(
    cluster: Cluster,
    name: str,
    statements: Sequence[Statement],
    *,
    trusted: bool = False,
) -> list[Verdict]:
    """Ask a server about each statement, in a scratch database that is dropped afterwards.

    Parameters:
        cluster: a server created as :data:`~pytest_pgfeatures.server.guarded.GUARDED` says.
        name: the script's name, for errors.
        trusted: whether the role that runs the definitions is a superuser.

    Raises:
        ScriptError: a statement did not end when it was canceled, or ended the connection.
    """
    with cluster.connect(options=CLEAN_SESSION) as maintenance:
        maintenance.execute(f"CREATE DATABASE {DBNAME}".encode())
        try:
            with cluster.connect(DBNAME, options=CLEAN_SESSION) as superuser:
                hand_over(superuser, trusted=trusted)
                with cluster.connect(DBNAME, user=LOADER, prepare_threshold=None) as connection:
                    connection.execute("SET client_min_messages = error")
                    connection.execute("SET check_function_bodies = on")
                    definer = None if trusted else Definer(superuser)
                    return _verdicts(connection, definer, name, statements)
        finally:
            maintenance.execute(f"DROP DATABASE IF EXISTS {DBNAME}".encode())


def _verdicts(
    connection: psycopg.Connection,
    definer: Definer | None,
    name: str,
    statements: Sequence[Statement],
) -> list[Verdict]:
    verdicts: list[Verdict] = []
    with Watchdog(connection, SECONDS) as watchdog:
        for statement in statements:
            try:
                with watchdog.statement():
                    verdicts.append(_verdict(connection, definer, statement))
            except psycopg.errors.QueryCanceled:
                verdicts.append(Verdict(unknown=f"it had not finished after {SECONDS:.0f} s"))
            except psycopg.OperationalError as error:
                if (
                    not connection.closed
                ):  # a limit of ours, or a full disk, which says nothing about the version
                    verdicts.append(Verdict(unknown=error.diag.message_primary or str(error)))
                    continue
                ended = isinstance(error, SessionEndedError)
                raise ScriptError(
                    "it did not end when it was canceled" if ended else f"it ended its session: {error}",
                    file=name,
                    line=statement.line,
                    remedy="take the statement out of the script",
                ) from error
    return verdicts


def _verdict(connection: psycopg.Connection, definer: Definer | None, statement: Statement) -> Verdict:
    sql = with_parameters(statement.sql)
    words = [token.text.lower() for token in statement.tokens if token.significant][:2]
    first = words[0] if words else ""
    if first in PARSED:
        return _parse(connection, sql)
    if first in NOT_RUN or not _CLUSTER_WIDE.isdisjoint(words[1:]) or is_held_back(sql):
        return _check_syntax(connection, sql)
    return _run(connection, definer, sql)


def with_parameters(sql: str) -> str:
    """A statement with a parameter in place of each psql variable and each placeholder of a Python driver.

    Variables are written ``:id``, placeholders ``%s`` or ``%(id)s``. A variable in double quotes becomes a name.
    """
    numbers: dict[str, int] = {}
    parts: list[str] = []
    found = list(tokens(sql, psql=True))
    at = 0
    while at < len(found):
        token = found[at]
        length, name = _placeholder(found[at : at + _LONGEST_PLACEHOLDER])
        at += length
        if name is not None:
            parts.append(f"${numbers.setdefault(name, len(numbers) + 1)}")
        elif token.kind == "variable":
            parts.append(token.text[1:])
        else:
            parts.append(token.text)
    return "".join(parts)


def _placeholder(rest: Sequence[Token]) -> tuple[int, str | None]:
    """The number of tokens of the placeholder at the beginning, and its name; 1 and None if there is none."""
    token = rest[0]
    if token.kind == "parameter":
        return 1, token.text
    if token.kind == "variable" and not token.text.startswith(':"'):
        return 1, token.text
    if token.text == "%" and len(rest) > 1 and rest[1].text == "s":
        return 2, f"%{token.start}"
    if token.text == "%" and [each.text for each in (*rest[1:2], *rest[3:5])] == ["(", ")", "s"]:
        return 5, f"%{rest[2].text}"
    return 1, None


def _parse(connection: psycopg.Connection, sql: str) -> Verdict:
    """Have the server parse a query, by preparing it without executing it."""
    result = connection.pgconn.prepare(b"", sql.encode())
    if result.status != psycopg.pq.ExecStatus.FATAL_ERROR:
        return ACCEPTED
    error = psycopg.errors.error_from_result(result)
    if isinstance(error, psycopg.OperationalError):
        raise error
    return _refused(error)


def _check_syntax(connection: psycopg.Connection, sql: str) -> Verdict:
    """Check only the syntax of a command: the server reports syntax errors before it executes anything."""
    refused = _parse(connection, sql)
    return refused if refused.sqlstate == "42601" else ACCEPTED


def _run(connection: psycopg.Connection, definer: Definer | None, sql: str) -> Verdict:
    def run(statement: bytes) -> None:
        connection.execute(statement, prepare=False)

    try:
        run((as_role(sql) if definer else sql).encode())
    except psycopg.OperationalError:
        raise
    except psycopg.errors.InsufficientPrivilege as error:
        return _refused(error) if definer is None else _defined(connection, definer, sql, error, run)
    except psycopg.Error as error:
        return _refused(error)
    return ACCEPTED


def _defined(
    connection: psycopg.Connection,
    definer: Definer,
    sql: str,
    error: psycopg.errors.InsufficientPrivilege,
    run: Callable[[bytes], None],
) -> Verdict:
    """Have a superuser run the safe part of a statement that the role may not run."""
    try:
        helped = definer.helps(connection, sql, error.diag.message_primary or "", run)
    except psycopg.errors.InsufficientPrivilege:
        helped = False
    except psycopg.Error as refused:
        if connection.closed or definer.connection.closed:
            raise
        return _refused(refused)
    return ACCEPTED if helped else Verdict(unknown=NOT_TRUSTED)


def _refused(error: psycopg.Error) -> Verdict:
    position = error.diag.statement_position
    return Verdict(
        error.sqlstate or "XX000",
        error.diag.message_primary or str(error),
        int(position) - 1 if position else None,
    )
