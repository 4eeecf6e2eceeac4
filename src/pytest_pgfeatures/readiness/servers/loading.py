"""Load statements into a database, and continue after those that the server rejects."""

from __future__ import annotations

import contextlib
import itertools
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.readiness.servers.pipeline import answers, is_supported
from pytest_pgfeatures.scripts.load import PREAMBLE
from pytest_pgfeatures.scripts.privileges import NO_PLACE, NOT_ALLOWED, as_role, is_held_back, new_owner
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, Watchdog, too_large
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.scripts.privileges import Definer

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
_WEAKENING = frozenset({"nosuperuser", "nologin", "rename"})
"""Statements after which a role that loads everything might no longer load the rest, or not under its name."""
_SESSION_USERS = frozenset({"current_user", "session_user", "current_role"})
_NO_ROLE = re.compile(r'role "(?P<name>(?:[^"]|"")+)" does not exist')
_LINE_OF_DATA = re.compile(r"COPY [^\n]*, line (\d+)")
_UNKNOWN_PREAMBLE = {each.statement: each.versions for each in PREAMBLE}
_LONGEST_PREAMBLE = 100
_WORDS = 100
"""Tokens of a statement that show what it does to a role."""
_ALL = VersionSet("all")
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

    def known_to(self, watchdog: Watchdog) -> Refusal:
        """The refusal; of a statement that was canceled because its data was too large, with that reason."""
        return Refusal(OUT_OF_MEMORY, too_large()) if self.timed_out and watchdog.was_memory else self

    @property
    def timed_out(self) -> bool:
        """Whether we canceled the statement because it ran too long."""
        return self.sqlstate == CANCELED

    @property
    def is_limit(self) -> bool:
        """Whether the statement met one of our limits, of time or of memory: another run may not."""
        return self.sqlstate in (CANCELED, OUT_OF_MEMORY)


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
        if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
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
        if status == psycopg.pq.TransactionStatus.IDLE:
            self._alone = False
        elif status != psycopg.pq.TransactionStatus.INTRANS:
            return
        if self._alone or not is_supported():
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
        inside = self._connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        groups = [[encoded(each.query.sql)] for each in inserts]
        if inside:
            groups = [[_SAVEPOINT, *group, _RELEASE] for group in groups]
        found: list[Refusal | None] = []
        answered = answers(self._connection, groups)
        for number in range(len(groups)):
            progress(first + number)
            with watchdog.statement():
                error = next(answered)
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
        """Run a statement.

        Returns:
            why the server refuses it; None if it does not.
        """
        while True:
            with watchdog.statement():
                refusal = self._try(sent)
                refusal = refusal and refusal.known_to(watchdog)
            if refusal and refusal.sqlstate == NOT_ALLOWED and self._definer:
                if self._definer.takes(sent.query.sql):
                    refusal = self._define(sent.query.sql, refusal)
                    self.defined += [] if refusal else [number]
                elif owner := new_owner(sent.query.sql):
                    refusal = self._give(sent, owner, refusal)
            if refusal is None or not self._lacks_role(refusal):
                return refusal

    def _lacks_role(self, refusal: Refusal) -> bool:
        """Whether a statement was refused because it names a role that was missing and now exists."""
        found = refusal.sqlstate in (NO_OBJECT, NO_ROLE) and _NO_ROLE.search(refusal.message)
        if not found or found["name"] in self.roles:
            return False
        self.roles.append(found["name"])
        self._create_role(found["name"].replace('""', '"'))
        return True

    def _create_role(self, name: str) -> None:
        if self._definer is not None:
            with contextlib.suppress(psycopg.Error):  # the statement then says what is wrong
                self._definer.create_role(name)
            return
        statement = psycopg.sql.SQL("CREATE ROLE {}").format(psycopg.sql.Identifier(name))
        _in_savepoint(self._connection, statement.as_string(self._connection).encode())

    def _give(self, sent: Loadable, owner: str, refusal: Refusal) -> Refusal | None:
        """As a superuser, give an object to a role that may not create anything itself."""
        place = NO_PLACE.fullmatch(refusal.message)
        if place is None:
            return refusal
        name = psycopg.sql.Identifier(place["name"]).as_string(self._connection)
        try:
            _in_savepoint(self._connection, encoded(f"GRANT CREATE ON {place['kind']} {name} TO {owner}"))
            refusal_now = self._try(sent)
            _in_savepoint(self._connection, encoded(f"REVOKE CREATE ON {place['kind']} {name} FROM {owner}"))
        except psycopg.Error as error:
            if self._connection.closed:
                raise
            return Refusal.of(error)
        return refusal_now

    def _define(self, sql: str, refusal: Refusal) -> Refusal | None:
        """As superuser, run a statement that the loading role may not run. A role that the script has chosen
        stays as it is."""
        assert self._definer is not None
        query = "SELECT current_user, pg_catalog.current_setting('search_path')"
        role, search_path = self._connection.execute(query).fetchone() or ("", "")
        if role != self._definer.role:
            return refusal
        try:
            self._definer.define(encoded(sql), search_path)
        except psycopg.Error as error:
            if self._definer.connection.closed:
                raise
            return Refusal.of(error)
        return None

    def _try(self, sent: Loadable) -> Refusal | None:
        connection = self._connection
        sql = encoded(as_role(sent.query.sql) if self._definer else sent.query.sql)
        try:
            if sent.reads:
                _copy(connection, sql, encoded(sent.data))
            elif sent.writes:
                with connection.cursor().copy(sql) as rows:
                    for _ in rows:
                        pass
            elif _TRANSACTION.match(without_comments(sent.query.sql)):
                connection.execute(sql, prepare=False)
            elif self._definer is None and _weakens(connection, sent.query.sql):
                with connection.transaction(force_rollback=True):
                    connection.execute(sql, prepare=False)
            else:
                _in_savepoint(connection, sql)
        except psycopg.Error as error:
            if connection.closed:
                raise
            return Refusal.of(error)
        return None


def is_run(sql: str, version: PgVersion, connection: psycopg.Connection) -> bool:
    """Whether to run a statement of a schema: whether it concerns only the database itself."""
    bare = without_comments(sql)
    if version not in _UNKNOWN_PREAMBLE.get(" ".join(bare[:_LONGEST_PREAMBLE].split()), _ALL):
        return False
    conforming = connection.info.parameter_status("standard_conforming_strings") != "off"
    return not is_held_back(sql, standard_conforming_strings=conforming)


def without_comments(sql: str) -> str:
    """A statement without the comments before its first word."""
    for token in tokens(sql):
        if token.significant:
            return sql[token.start :]
    return ""


def _weakens(connection: psycopg.Connection, sql: str) -> bool:
    """Whether a statement takes rights away from the loading role. It is run, and undone."""
    found = [token for token in itertools.islice(tokens(sql), _WORDS) if token.significant]
    words = [token.keyword for token in found]
    return (
        words[:1] == ["alter"]
        and words[1:2] in (["role"], ["user"])
        and found[2].text.strip('"').lower() in (connection.info.user, *_SESSION_USERS)
        and not _WEAKENING.isdisjoint(words)
    )


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
    connection.execute(_SAVEPOINT)
    try:
        connection.execute(sql, prepare=False)
    except psycopg.Error:
        if not connection.closed:
            connection.execute(_ROLLBACK)
        raise
    if connection.info.transaction_status == status.INTRANS:
        connection.execute(_RELEASE)
