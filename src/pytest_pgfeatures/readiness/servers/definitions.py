"""Run the definitions of an application's statements, such as CREATE and GRANT, and roll them back."""

from __future__ import annotations

import contextlib
import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg
from psycopg.sql import SQL, Identifier

from pytest_pgfeatures.readiness.servers.loading import helped, is_run, refused, without_comments
from pytest_pgfeatures.readiness.servers.side import as_in_session
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.scripts.source import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.scripts.privileges import Definer
    from pytest_pgfeatures.server.watchdog import Watchdog

_IN_NO_TRANSACTION = frozenset({"25001", "25P02", "0A000"})
_TEMPORARY = re.compile(r"create\s+(?:(?:global|local)\s+)?(?:temp|temporary)\b", re.IGNORECASE)
_AROUND = re.compile(r'(role|schema) "(.*)" does not exist')
"""Objects that many schemas name and do not create."""
_DEFINING = re.compile(
    r"(?:create|drop|alter|comment|grant|revoke|security|reassign|import)\b", re.IGNORECASE
)


def is_definition(query: Query) -> bool:
    """Whether a statement is run and rolled back, because servers look up its names only when they run it."""
    return _DEFINING.match(without_comments(query.sql)) is not None


def rows_of(connection: psycopg.Connection, query: str) -> list[tuple[object, ...]]:
    """The rows of a query on catalogs; none if the server lacks such a catalog or column."""
    try:
        with connection.transaction():
            return connection.execute(query.encode()).fetchall()
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
        return []


def rows_after(
    watchdog: Watchdog, queries: Iterable[Query], asked: Callable[[Query], Iterable[str]]
) -> Iterator[tuple[Query, str, tuple[object, ...]]]:
    """Run the definitions of each file in order, and roll them back. A schema's have been loaded.

    Parameters:
        asked: the queries on catalogs to run after a definition that the server accepts.

    Yields:
        a definition, a query, and one of its rows.
    """
    definitions = Definitions(watchdog, None)
    run = [query for query in queries if query.kind not in ("schema", "data") and is_definition(query)]
    for _, some in itertools.groupby(run, lambda query: query.file):
        with definitions.rolled_back():
            for query in some:
                refusal = definitions.keep(query)
                for sql in asked(query) if refusal is None else ():
                    for row in rows_of(watchdog.connection, sql):
                        yield query, sql, row


class Definitions:
    """Runs definitions on a connection in autocommit mode, and as superuser those that need one."""

    def __init__(self, watchdog: Watchdog, definer: Definer | None) -> None:
        self._watchdog = watchdog
        self._connection = watchdog.connection
        self._definer = definer
        self._around: dict[str, None] = {}
        """Statements that create the roles and schemas that definitions name."""

    def refusal(self, query: Query) -> Refusal | None:
        """Run a definition and roll it back. A temporary table of an unknown session stays: later statements may
        use it. Roles and schemas that it names are created."""
        around: dict[str, None] = {}
        definer = self._definer
        while True:
            refusal = refused(self._watchdog, self._run, query, around)
            if refusal and refusal.sqlstate == NOT_ALLOWED and definer and definer.takes(query.sql):
                run = self._connection.execute
                refusal = helped(self._connection, definer, query.sql, refusal, run, keep=False)
            if refusal and refusal.sqlstate in _IN_NO_TRANSACTION and "transaction" in refusal.message:
                return None
            if refusal is None or not self._create_around(refusal, around):
                return refusal

    def _run(self, query: Query, around: Iterable[str]) -> None:
        sql = encoded(query.sql)
        if query.temporary is None and _TEMPORARY.match(without_comments(query.sql)):
            self._connection.execute(sql, prepare=False)
            return
        with self.rolled_back(around):
            as_in_session(self._connection, query)
            self._connection.execute(sql, prepare=False)

    @contextlib.contextmanager
    def rolled_back(self, around: Iterable[str] | None = None) -> Iterator[None]:
        """A transaction that is rolled back, with the roles and schemas that definitions name.

        Parameters:
            around: the statements that create them; by default those of all definitions until now.
        """
        with self._connection.transaction(force_rollback=True):
            for statement in self._around if around is None else around:
                with contextlib.suppress(psycopg.Error), self._connection.transaction():
                    self._connection.execute(statement.encode())
            yield

    def keep(self, query: Query) -> Refusal | None:
        """Run a definition in the transaction of :meth:`rolled_back`, unless it concerns other databases."""
        if not is_run(query.sql, self._connection):
            return None

        def run() -> None:
            with self._connection.transaction():
                as_in_session(self._connection, replace(query, temporary=None))
                self._connection.execute(encoded(query.sql), prepare=False)

        return refused(self._watchdog, run)

    def _create_around(self, refusal: Refusal, around: dict[str, None]) -> bool:
        """Create the role or schema that a definition names. Return whether it was missing until now."""
        missing = _AROUND.fullmatch(refusal.message)
        if missing is None:
            return False
        kind, name = missing.groups()
        statement = SQL(f"CREATE {kind} {{}}").format(Identifier(name)).as_string(self._connection)
        if statement in around:
            return False
        around[statement] = self._around[statement] = None
        if kind == "role" and self._definer is not None:
            with contextlib.suppress(psycopg.Error):  # the definition then says what is wrong
                self._definer.create_role(name)
        return True
