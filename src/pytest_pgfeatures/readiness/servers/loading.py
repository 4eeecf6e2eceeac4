"""Send statements to a server, many at once, and continue after those that it refuses; load them into a database.

https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
import select
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import psycopg
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.scripts.load import is_known, take
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED, Definer, as_role, is_held_back
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.scripts.steps import Step
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, SessionEndedError, Watchdog
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import PgVersion

T = TypeVar("T")
Progress = Callable[[int], object]  # called with the number of finished items
SYNTAX_ERROR = "42601"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_TRANSACTION = re.compile(r"(?i)(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release)\b")
_INSERT = re.compile(r"\s*+insert\s++into\b(?!.{,10000}?role).{,10000}", re.IGNORECASE | re.DOTALL)
"""INSERTs that are sent together. Longer ones save nothing; one that names a missing role is run again."""
_MOST_INSERTS = 200
_AS_SENT = frozenset({SYNTAX_ERROR, "42P18", "08P01"})
"""Errors before a text is run. If it is sent alone, several statements in it, or parameters, cause others."""
_ROLE = "SELECT current_user"
_NO_ROLE = re.compile(r'role "(?P<name>(?:[^"]|"")+)" does not exist')
_LINE_OF_DATA = re.compile(r"COPY [^\n]*, line (\d+)")
NO_OBJECT = "42704"
NO_ROLE = "22023"  # of SET SESSION AUTHORIZATION to a missing role; for other settings, the messages differ
LOST = "08006"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A server's error."""

    sqlstate: str
    message: str  # without DETAIL and HINT
    position: int | None = None  # the index in the statement
    row: int | None = None  # the line of COPY's data, counted from 1
    hint: str = ""
    context: str = ""
    inside: int | None = None  # the index in the query that the statement runs, such as a function's body

    @classmethod
    def of(cls, error: psycopg.Error) -> Refusal:
        """Convert psycopg's error."""
        said = error.diag
        row = _LINE_OF_DATA.search(said.context or "")
        indexes = (said.statement_position, said.internal_position)
        position, inside = (int(each) - 1 if each else None for each in indexes)
        return cls(
            error.sqlstate or LOST, said.message_primary or str(error).strip(), position,
            int(row[1]) if row else None, said.message_hint or "", said.context or "", inside,
        )  # fmt: skip

    @classmethod
    def of_lost(cls, error: psycopg.OperationalError) -> Refusal:
        """The error of a lost connection."""
        if isinstance(error, SessionEndedError):
            return cls(CANCELED, "it did not end when it was canceled, so that its session was terminated")
        return cls(error.sqlstate or LOST, "the server ended the connection, or crashed")

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


def tried(watchdog: Watchdog, run: Callable[..., T], *given: object) -> T | Refusal:
    """Call a function that sends one statement. Return its result, or why the server refuses the statement. The
    error of a lost connection is raised."""
    try:
        with watchdog.statement():
            return run(*given)
    except psycopg.Error as error:
        if watchdog.connection.closed:
            raise
        return Refusal.of(error)


def undone(watchdog: Watchdog, run: Callable[..., T], *given: object) -> T | Refusal:
    """Call a function with the connection as :func:`tried` does, in a transaction that is rolled back."""

    def rolled_back() -> T:
        with watchdog.connection.transaction(force_rollback=True):
            return run(watchdog.connection, *given)

    return tried(watchdog, rolled_back)


def results(
    watchdog: Watchdog, groups: Sequence[Sequence[Callable[[], None]]], most: int | None = None
) -> Iterator[list[PGresult] | Refusal]:
    """Send all groups of libpq's commands; then yield for each its results, or the error that ends only this group.

    Outside of a transaction, each group is one, which may fail at its end, after the results of its commands. When
    libpq has read that end, it has what the server says of the next group: whoever has to tell these apart reads
    the results of the commands alone. The caller has to take all groups.
    """
    connection = watchdog.connection
    server = connection.pgconn

    def taken(of_group: Iterator[PGresult]) -> list[PGresult]:
        found = list(itertools.islice(of_group, most))
        for each in found:
            if each.status == ExecStatus.FATAL_ERROR:
                raise error_from_result(each, connection.info.encoding)
        return found

    server.enter_pipeline_mode()
    for group in groups:
        for send in group:
            send()
        server.pipeline_sync()
    for _ in groups:
        of_group = _until_sync(connection)
        yield tried(watchdog, taken, of_group)
        for _ in of_group:
            pass  # an end that was not read
    server.exit_pipeline_mode()


def _until_sync(connection: psycopg.Connection) -> Iterator[PGresult]:
    server = connection.pgconn
    reason: psycopg.Error | None = None
    while True:
        try:
            while server.is_busy():  # send what has not been sent yet, until a result arrives
                poll = select.poll()
                poll.register(server.socket, select.POLLIN | (select.POLLOUT if server.flush() else 0))
                poll.poll()
                server.consume_input()
            result = server.get_result()
            if server.status != ConnStatus.OK:
                raise psycopg.OperationalError("the server closed the connection")
        except psycopg.OperationalError as lost:
            raise (reason if isinstance(reason, psycopg.OperationalError) else lost) from None
        if result is None:
            continue  # the end of one command's
        if result.status == ExecStatus.PIPELINE_SYNC:
            return
        if result.status == ExecStatus.FATAL_ERROR:
            reason = error_from_result(result, connection.info.encoding)
        yield result


@dataclass(slots=True)
class Runner:
    """Runs statements; as superuser those that need one, and again those that name a role that is missing."""

    watchdog: Watchdog
    definer: Definer | None  # None if the connection's role is a superuser
    keep: bool  # whether what statements change stays; otherwise, their callers roll it back
    roles: list[str] = field(default_factory=list)  # missing roles that were created
    defined: list[Query] = field(default_factory=list)  # the statements that a superuser ran

    def refusal(self, query: Query, run: Callable[..., object], *given: object) -> Refusal | None:
        """Call a function that runs a statement. Return why the server refuses it; None if it does not."""
        while True:
            answer = tried(self.watchdog, run, *given)
            refusal = answer if isinstance(answer, Refusal) else None
            if refusal and refusal.sqlstate == NOT_ALLOWED and self.definer:
                refusal = self._helped(self.definer, query, refusal)
            if refusal is None or not self.lacks_role(refusal):
                return refusal

    def _helped(self, definer: Definer, query: Query, refusal: Refusal) -> Refusal | None:
        """Have a superuser run what the server refuses to the loading role. Return why it is still refused."""
        connection, taken = self.watchdog.connection, definer.takes(query.sql)
        try:
            # a script may have chosen another role, which stays as it is
            helps = connection.execute(_ROLE).fetchone() == (definer.role,) if taken else self.keep
            run = functools.partial(_in_savepoint, connection)
            if not helps or not definer.helps(connection, query.sql, refusal.message, run, keep=self.keep):
                return refusal
        except psycopg.Error as error:
            if connection.closed or definer.connection.closed:
                raise
            return Refusal.of(error)
        self.defined += [query] if taken else []
        return None

    def lacks_role(self, refusal: Refusal) -> bool:
        """Whether a statement was refused because it names a role that was missing and now exists."""
        found = refusal.sqlstate in (NO_OBJECT, NO_ROLE) and _NO_ROLE.search(refusal.message)
        if not found or found["name"] in self.roles:
            return False
        self.roles.append(found["name"])
        name = found["name"].replace('""', '"')
        with contextlib.suppress(psycopg.Error):  # the statement then says what is wrong
            if self.definer is not None:
                self.definer.create_role(name)
            else:
                create = f"CREATE ROLE {Identifier(name).as_string()}"
                _in_savepoint(self.watchdog.connection, create.encode())
        return True


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading a sequence of statements."""

    refusals: tuple[Refusal | None, ...]  # for each statement; None if it was accepted or not run
    roles: tuple[str, ...] = ()  # missing roles that were created
    defined: tuple[int, ...] = ()  # the numbers of the statements that a superuser ran


def load(
    connection: psycopg.Connection,
    sent: Sequence[Loadable],
    *,
    timeout: float,
    definer: Definer | None = None,
    progress: Progress = lambda _: None,
    lost: dict[int, Refusal] | None = None,
) -> Loaded:
    """Load statements on a connection in autocommit mode, and continue after errors, even inside transactions.
    Roles that they name are created, because a dump does not contain roles. The error of a lost connection is
    raised; the statement that ended it is added to those that are not run (``lost``, by number)."""
    lost = {} if lost is None else lost
    refusals: list[Refusal | None] = []
    with Watchdog(connection, timeout) as watchdog:
        runner = Runner(watchdog, definer, keep=True)
        try:
            while (number := len(refusals)) < len(sent):
                progress(number)
                numbers = itertools.takewhile(lambda at: at not in lost, range(number, len(sent)))
                some = (sent[each] for each in itertools.islice(numbers, _MOST_INSERTS))
                inserts = list(itertools.takewhile(lambda each: _INSERT.fullmatch(each.query.sql), some))
                if number in lost:
                    refusals.append(lost[number])
                elif len(inserts) > 1 and connection.info.transaction_status != TransactionStatus.INERROR:
                    _insert(runner, inserts, refusals, progress)
                else:
                    refusals.append(_alone(runner, sent[number]))
        except psycopg.OperationalError as error:
            lost.setdefault(len(refusals), Refusal.of_lost(error))
            raise
        progress(len(sent))
        if connection.info.transaction_status != TransactionStatus.IDLE:
            with watchdog.statement():  # deferred triggers run now
                connection.execute("COMMIT")
    defined = (number for number, each in enumerate(sent) if each.query in runner.defined)
    return Loaded(tuple(refusals), tuple(runner.roles), tuple(defined))


def _insert(
    runner: Runner, inserts: Sequence[Loadable], found: list[Refusal | None], progress: Progress
) -> None:
    """Send INSERTs at once, and add why the server refuses each. Inside a transaction, it alone is undone."""
    connection, name = runner.watchdog.connection, b"pgfeatures_insert"
    inside = connection.info.transaction_status == TransactionStatus.INTRANS
    if inside:
        connection.execute(b"SAVEPOINT " + name)
    before = [b"ROLLBACK TO " + name] if inside else []
    after = [b"RELEASE " + name, b"SAVEPOINT " + name] if inside else []
    send = connection.pgconn.send_query_params
    texts = ([*before, encoded(each.query.sql), *after] for each in inserts)
    groups = [[functools.partial(send, sql, None) for sql in each] for each in texts]
    for answer in results(runner.watchdog, groups):
        found.append(answer if isinstance(answer, Refusal) else None)
        progress(len(found))
    if inside:
        connection.execute(b"ROLLBACK TO " + name + b"; RELEASE " + name)
    for at, each in enumerate(inserts, len(found) - len(inserts)):
        refusal = found[at]
        if refusal and (refusal.is_limit or refusal.sqlstate in _AS_SENT or runner.lacks_role(refusal)):
            found[at] = _alone(runner, each)


def _alone(runner: Runner, sent: Loadable) -> Refusal | None:
    """Run a statement, unless it concerns other databases. Return why the server refuses it, if it does."""
    connection = runner.watchdog.connection
    if not is_run(sent.query.sql, connection):
        return None
    sql = as_role(sent.query.sql) if runner.definer else sent.query.sql
    if sent.reads or sent.writes or _TRANSACTION.match(without_comments(sql)):
        step = Step("", 0, sql, sent.reads, sent.writes, data=sent.data)
        return runner.refusal(sent.query, take, connection, step)
    return runner.refusal(sent.query, _in_savepoint, connection, encoded(sql))


def is_run(sql: str, connection: psycopg.Connection) -> bool:
    """Whether to run a statement of a schema: whether it concerns only the database itself."""
    known = is_known(without_comments(sql), PgVersion.from_num(connection.info.server_version))
    conforming = connection.info.parameter_status("standard_conforming_strings") != "off"
    return known and not is_held_back(sql, standard_conforming_strings=conforming)


def without_comments(sql: str) -> str:
    """A statement without the comments before its first word."""
    start = next((token.start for token in tokens(sql) if token.significant), len(sql))
    return sql[start:]


def _in_savepoint(connection: psycopg.Connection, sql: bytes) -> None:
    """Run a statement. Inside a transaction, an error undoes only this statement."""
    if connection.info.transaction_status == TransactionStatus.INERROR:
        connection.execute("ROLLBACK")
    inside = connection.info.transaction_status == TransactionStatus.INTRANS
    with connection.transaction() if inside else contextlib.nullcontext():
        connection.execute(sql, prepare=False)
