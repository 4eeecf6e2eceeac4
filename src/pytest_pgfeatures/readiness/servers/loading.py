"""Load statements into a database, and continue after those that the server rejects."""

from __future__ import annotations

import contextlib
import functools
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from pytest_pgfeatures.readiness.servers.pipeline import error_in, results
from pytest_pgfeatures.scripts.load import is_known
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED, as_role, is_held_back
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, Watchdog, too_large
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.scripts.privileges import Definer

T = TypeVar("T")
_TRANSACTION = re.compile(
    r"(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release)\b", re.IGNORECASE
)
_INSERT = re.compile(r"\s*+insert\s++into\b", re.IGNORECASE)
_SENT_ALONE = re.compile(r"\$|role", re.IGNORECASE)
"""With a parameter, the server's error would be a different one. A statement that names a missing role is run
again."""
_LONGEST_INSERT = 10_000
"""The number of characters up to which an INSERT is sent together with others. With longer ones this saves
nothing."""
_MOST_INSERTS = 200
_SAVEPOINT = b"SAVEPOINT pgfeatures_statement"
_ROLLBACK = b"ROLLBACK TO pgfeatures_statement"
_RELEASE = b"RELEASE pgfeatures_statement"
_NO_ROLE = re.compile(r'role "(?P<name>(?:[^"]|"")+)" does not exist')
_LINE_OF_DATA = re.compile(r"COPY [^\n]*, line (\d+)")
NO_OBJECT = "42704"
NO_ROLE = "22023"
"""The message of SET SESSION AUTHORIZATION to a missing role; other settings have other messages."""
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
        inside: the index in the query that the statement runs, such as a function's body.
    """

    sqlstate: str
    message: str
    position: int | None = None
    row: int | None = None
    hint: str = ""
    context: str = ""
    inside: int | None = None

    @classmethod
    def of(cls, error: psycopg.Error) -> Refusal:
        """Convert psycopg's error."""
        said = error.diag
        row = _LINE_OF_DATA.search(said.context or "")
        position, inside = (
            int(each) - 1 if each else None for each in (said.statement_position, said.internal_position)
        )
        return cls(
            error.sqlstate or LOST,
            said.message_primary or str(error).strip(),
            position,
            int(row[1]) if row else None,
            said.message_hint or "",
            said.context or "",
            inside,
        )

    def known_to(self, watchdog: Watchdog) -> Refusal:
        """The refusal; of a statement that was canceled because its data was too large, with that reason."""
        return Refusal(OUT_OF_MEMORY, too_large()) if self.timed_out and watchdog.was_memory else self

    @property
    def said(self) -> str:
        """The code with its condition, and the message."""
        return f"{SqlState(self.sqlstate)}: {self.message}"

    @property
    def timed_out(self) -> bool:
        """Whether we canceled the statement because it ran too long."""
        return self.sqlstate == CANCELED

    @property
    def lacks_object(self) -> bool:
        """Whether the statement names an object that another one may create."""
        return self.sqlstate in ("3F000", "42703", NO_OBJECT, "42883", "42P01")

    @property
    def is_limit(self) -> bool:
        """Whether the statement met one of our limits, of time or of memory: another run may not."""
        return self.sqlstate in (CANCELED, OUT_OF_MEMORY)


def tried(connection: psycopg.Connection, run: Callable[..., T], *given: object) -> T | Refusal:
    """Call a function that asks the server. Return its result, or why the server refuses it.

    Parameters:
        given: the function's arguments.

    Raises:
        psycopg.Error: the connection is lost.
    """
    try:
        return run(*given)
    except psycopg.Error as error:
        if connection.closed:
            raise
        return Refusal.of(error)


def refused(connection: psycopg.Connection, run: Callable[..., object], *given: object) -> Refusal | None:
    """Call a function that asks the server, as :func:`tried` does. Return why the server refuses it; None if it
    does not."""
    answer = tried(connection, run, *given)
    return answer if isinstance(answer, Refusal) else None


def helped(
    connection: psycopg.Connection,
    definer: Definer,
    sql: str,
    refusal: Refusal,
    run: Callable[[bytes], object],
    *,
    keep: bool = True,
) -> Refusal | None:
    """Have a superuser run what the server refuses to the loading role, as :meth:`Definer.helps` does. Return why
    it is refused still; None if it is not."""
    try:
        return None if definer.helps(connection, sql, refusal.message, run, keep=keep) else refusal
    except psycopg.Error as error:
        if connection.closed or definer.connection.closed:
            raise
        return Refusal.of(error)


NONE_LOST: Mapping[int, Refusal] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading a sequence of statements.

    Parameters:
        refusals: for each statement, the server's error; None if it was accepted or not run.
        roles: missing roles that were created.
        defined: the numbers of the statements that a superuser ran.
    """

    refusals: tuple[Refusal | None, ...]
    roles: tuple[str, ...] = ()
    defined: tuple[int, ...] = ()


def load(
    connection: psycopg.Connection,
    sent: Sequence[Loadable],
    *,
    timeout: float,
    definer: Definer | None = None,
    progress: Callable[[int], object] = lambda _: None,
    lost: Mapping[int, Refusal] = NONE_LOST,
) -> Loaded:
    """Load statements, and continue after errors, even inside transactions.

    If a statement names a role that does not exist, the role is created, because a dump does not contain
    roles.

    Parameters:
        connection: a connection in autocommit mode, of the role that loads.
        sent: the statements.
        timeout: the time that each statement may run, in seconds.
        definer: runs statements that need a superuser, if the server refuses them to this role; None if the
            role is a superuser.
        progress: called with the number of finished statements.
        lost: by number, statements that end the connection or the server. They are not run.

    Raises:
        psycopg.OperationalError: the connection is lost.
    """
    version = PgVersion.from_num(connection.info.server_version)
    refusals: list[Refusal | None] = []
    loading = _Loading(connection, definer)
    with Watchdog(connection, timeout) as watchdog:
        while (number := len(refusals)) < len(sent):
            progress(number)
            if number in lost:
                refusals.append(lost[number])
            elif len(inserts := list(loading.inserts(sent, number, lost))) > 1:
                refusals += loading.together(number, inserts, watchdog, progress)
            elif not is_run(sent[number].query.sql, version, connection):
                refusals.append(None)
            else:
                refusals.append(loading.refusal(number, sent[number], watchdog))
        progress(len(sent))
        if connection.info.transaction_status != TransactionStatus.IDLE:
            with watchdog.statement():  # deferred triggers run now
                connection.execute("COMMIT")
    return Loaded(tuple(refusals), tuple(loading.roles), tuple(loading.defined))


class _Loading:
    """Runs statements, and as superuser what they need."""

    def __init__(self, connection: psycopg.Connection, definer: Definer | None) -> None:
        self._connection = connection
        self._definer = definer
        self.roles: list[str] = []
        self.defined: list[int] = []
        self._alone = False

    def inserts(
        self, sent: Sequence[Loadable], first: int, lost: Mapping[int, Refusal]
    ) -> Iterator[Loadable]:
        """The INSERTs, beginning with a number, that can be sent at once."""
        status = self._connection.info.transaction_status
        self._alone = self._alone and status != TransactionStatus.IDLE
        if self._alone or status == TransactionStatus.INERROR:
            return
        for number in range(first, min(first + _MOST_INSERTS, len(sent))):
            if number in lost or not self._is_plain(sent[number].query.sql):
                return
            yield sent[number]

    def _is_plain(self, sql: str) -> bool:
        """Whether it is a single INSERT whose result doesn't depend on how it is sent."""
        if len(sql) > _LONGEST_INSERT or not _INSERT.match(sql) or _SENT_ALONE.search(sql):
            return False
        conforming = self._connection.info.parameter_status("standard_conforming_strings") != "off"
        return ";" not in sql or all(
            token.text != ";" for token in tokens(sql, standard_conforming_strings=conforming)
        )

    def together(
        self, first: int, inserts: Sequence[Loadable], watchdog: Watchdog, progress: Callable[[int], object]
    ) -> list[Refusal | None]:
        """Send INSERTs at once.

        Returns:
            for each, why the server refuses it; None if it does not. Inside of a transaction, the server
            ignores what follows a refused one: the list ends there, and the rest of the transaction is sent
            one by one.
        """
        inside = self._connection.info.transaction_status == TransactionStatus.INTRANS
        around = ([_SAVEPOINT], [_RELEASE]) if inside else ([], [])
        send = self._connection.pgconn.send_query_params
        groups = [
            [functools.partial(send, sql, None) for sql in (*around[0], encoded(each.query.sql), *around[1])]
            for each in inserts
        ]
        found: list[Refusal | None] = []
        answered = results(self._connection, groups)
        for number in range(len(groups)):
            progress(first + number)
            with watchdog.statement():
                error = error_in(self._connection, next(answered))
            found.append(Refusal.of(error) if error else None)
        next(answered, None)
        if inside and any(found):
            self._connection.execute(_ROLLBACK)
            self._alone = True
            found = found[: next(number for number, refusal in enumerate(found) if refusal) + 1]
        for number, refusal in enumerate(found):
            if refusal and (refusal.timed_out or self._lacks_role(refusal)):
                found[number] = self.refusal(first + number, inserts[number], watchdog)
        return found

    def refusal(self, number: int, sent: Loadable, watchdog: Watchdog) -> Refusal | None:
        """Run a statement. Return why the server refuses it; None if it does not."""
        while True:
            with watchdog.statement():
                refusal = refused(self._connection, self._run, sent)
                refusal = refusal and refusal.known_to(watchdog)
            definer = self._definer
            if refusal and refusal.sqlstate == NOT_ALLOWED and definer:
                taken = definer.takes(sent.query.sql)
                # a script may have chosen another role, which stays as it is
                if not taken or self._connection.execute("SELECT current_user").fetchone() == (definer.role,):
                    run = functools.partial(_in_savepoint, self._connection)
                    refusal = helped(self._connection, definer, sent.query.sql, refusal, run)
                    self.defined += [number] if taken and not refusal else []
            if refusal is None or not self._lacks_role(refusal):
                return refusal

    def _lacks_role(self, refusal: Refusal) -> bool:
        """Whether a statement was refused because it names a role that was missing and now exists."""
        found = refusal.sqlstate in (NO_OBJECT, NO_ROLE) and _NO_ROLE.search(refusal.message)
        if not found or found["name"] in self.roles:
            return False
        self.roles.append(found["name"])
        name = found["name"].replace('""', '"')
        if self._definer is None:
            statement = psycopg.sql.SQL("CREATE ROLE {}").format(psycopg.sql.Identifier(name))
            _in_savepoint(self._connection, statement.as_string(self._connection).encode())
        else:
            with contextlib.suppress(psycopg.Error):  # the statement then says what is wrong
                self._definer.create_role(name)
        return True

    def _run(self, sent: Loadable) -> None:
        connection = self._connection
        sql = encoded(as_role(sent.query.sql) if self._definer else sent.query.sql)
        if sent.reads or sent.writes:
            with connection.cursor().copy(sql) as copy:
                if sent.reads and sent.data:
                    copy.write(encoded(sent.data))
                for _ in () if sent.reads else copy:
                    pass
        elif _TRANSACTION.match(without_comments(sent.query.sql)):
            connection.execute(sql, prepare=False)
        else:
            _in_savepoint(connection, sql)


def is_run(sql: str, version: PgVersion, connection: psycopg.Connection) -> bool:
    """Whether to run a statement of a schema: whether it concerns only the database itself."""
    if not is_known(without_comments(sql), version):
        return False
    conforming = connection.info.parameter_status("standard_conforming_strings") != "off"
    return not is_held_back(sql, standard_conforming_strings=conforming)


def without_comments(sql: str) -> str:
    """A statement without the comments before its first word."""
    for token in tokens(sql):
        if token.significant:
            return sql[token.start :]
    return ""


def _in_savepoint(connection: psycopg.Connection, sql: bytes) -> None:
    """Run a statement. Inside a transaction, an error undoes only this statement."""
    if connection.info.transaction_status == TransactionStatus.INERROR:
        connection.execute("ROLLBACK")
    if connection.info.transaction_status != TransactionStatus.INTRANS:
        connection.execute(sql, prepare=False)
        return
    with connection.transaction():
        connection.execute(sql, prepare=False)
