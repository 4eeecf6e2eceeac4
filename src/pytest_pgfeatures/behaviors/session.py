"""A connection of a lab, which records its statements and their answers."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from pytest_pgfeatures import settings
from pytest_pgfeatures.errors import LabError, WaitTimeoutError
from pytest_pgfeatures.results.transcript import ROWS_KEPT, Entry, Transcript, as_text
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import psycopg

    from pytest_pgfeatures.plan import Plan
    from pytest_pgfeatures.version import PgVersion

STATEMENT_DEADLINE = 60
"""The time limit of a lab's statement, in seconds; the server cancels it, so that a lock can't block a run
forever."""

POLLING_DEADLINE = 180
"""The time that a lab waits for a condition, in seconds, unless given otherwise; the same as in PostgreSQL's
own tests.

Subscriptions of 16.0 needed up to 55 s on a machine with other work.
"""

_QUERY_CANCELED = "57014"
_WAL_AND_LSN = VersionSet(">=10")
"""Servers that use the words wal and lsn instead of xlog and location
(https://www.postgresql.org/docs/release/10.0/)."""

Tried = TypeVar("Tried")
Awaited = TypeVar("Awaited")


class Session:
    """A connection of a lab, in autocommit mode. Everything done on it is recorded in the transcript."""

    def __init__(
        self, name: str, connection: psycopg.Connection[Any], version: PgVersion, transcript: Transcript
    ) -> None:
        self.name = name
        self.version = version
        self.transcript = transcript
        self._notices: list[str] = []
        self._in_transaction = False
        self._connect(connection)

    def _connect(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        connection.execute(f"SET statement_timeout = '{STATEMENT_DEADLINE}s'")
        connection.add_notice_handler(self._note)

    def _note(self, notice: psycopg.errors.Diagnostic) -> None:
        self._notices.append(f"{notice.severity}:  {notice.message_primary}")

    def sql(self, query: str, params: Sequence[object] | None = None) -> list[tuple[Any, ...]]:
        """Run a statement that must succeed.

        Parameters:
            query: one statement; ``%s`` marks where ``params`` go (then a literal ``%`` is written ``%%``).

        Returns:
            the rows, none for a statement that returns none.

        Raises:
            LabError: the server refused it. The behavior's outcome then is ``error``, not ``deviates``.
        """
        return self._run(query, params)

    def value(self, query: str, params: Sequence[object] | None = None) -> Any:
        """The only column of the only row that ``query`` returns.

        Raises:
            LabError: the server refused it, or returned another number of rows or columns.
        """
        rows = self._run(query, params)
        if len(rows) != 1 or len(rows[0]) != 1:
            shape = f"{len(rows)} rows of {len(rows[0]) if rows else 0} columns"
            raise LabError(f"expected one value but got {shape} from: {_tidy(query)}")
        return rows[0][0]

    def notices(self, query: str) -> tuple[str, ...]:
        """The server's messages for a statement: ``SEVERITY: message`` of each notice, warning and INFO.

        Such as what ``VACUUM (VERBOSE)`` reports.

        Raises:
            LabError: the server refused the statement.
        """
        self._run(query, None)
        return self.transcript.entries[-1].notices

    def poll_query_until(
        self, query: str, expected: object = True, *, timeout: float = POLLING_DEADLINE
    ) -> None:
        """Repeat a query until the only column of its only row is ``expected``.

        Parameters:
            timeout: the time limit in seconds.

        Raises:
            LabError: the value still differs at the deadline. The message shows it.
        """
        what = f"{expected!r} from: {_tidy(query)}"
        self.wait_until(lambda: bool(self.value(query) == expected), what, timeout=timeout)

    def wait_until(
        self, condition: Callable[[], Awaited | None], what: str, *, timeout: float = POLLING_DEADLINE
    ) -> Awaited:
        """Call a function repeatedly until it returns a true value, and return that value.

        The transcript has the statements of its last call only.

        Parameters:
            condition: asks the server, or looks into its log.
            what: a description of the condition, for the error's message.
            timeout: the time limit in seconds.

        Raises:
            LabError: it returned no true value before the deadline. The error has the last answer.
        """
        from pytest_pgfeatures.server.waiting import wait_until

        recorded = len(self.transcript)

        def asked() -> Awaited | None:
            del self.transcript.entries[recorded:]
            return condition()

        try:
            return wait_until(asked, what, timeout=timeout)
        except WaitTimeoutError:
            last = "\n".join(entry.render() for entry in self.transcript.entries[recorded:])
            raise LabError(
                f"waited {timeout:g} seconds in vain for {what}", details=tuple(last.splitlines())
            ) from None

    def sqlstate(self, query: str, params: Sequence[object] | None = None) -> SqlState | None:
        """The SQLSTATE with which the server refuses a statement, or None if it accepts it.

        For errors that are themselves the observation
        (https://www.postgresql.org/docs/current/errcodes-appendix.html). Message texts change between
        releases; codes don't.

        Returns:
            the code, which equals its text (``"42601"``) and prints with its condition (``42601 syntax_error``).

        Raises:
            LabError: the statement failed for a reason outside of it: its time limit passed, or the
                connection was lost.
        """
        tried = self._try(lambda: self._run(query, params))
        return _sqlstate(tried) if isinstance(tried, LabError) else None

    def value_or_sqlstate(self, query: str, params: Sequence[object] | None = None) -> Any:
        """The only value that ``query`` returns, or the SQLSTATE with which the server refuses it.

        For features that older or newer servers lack: the refusal is then the observation.

        Raises:
            LabError: as :meth:`value` and :meth:`sqlstate` raise it.
        """
        tried = self._try(lambda: self.value(query, params))
        return _sqlstate(tried) if isinstance(tried, LabError) else tried

    def answer(self, query: str, params: Sequence[object] | None = None) -> Any:
        """The server's answer in its shortest complete form.

        Returns:
            a single value as it is; a column of several rows as a list; several columns as a list for each row, or
            as one list if there is one row; None for a command that succeeds without rows; the SQLSTATE of a
            refusal. Values that are neither text, whole numbers nor booleans, such as ``numeric`` and dates, are
            text.

        Raises:
            LabError: the statement failed for a reason outside of it, as in :meth:`sqlstate`.
        """
        tried = self._try(lambda: self._run(query, params))
        if isinstance(tried, LabError):
            return _sqlstate(tried)
        if not self.transcript.entries[-1].columns:
            return None
        answers: list[Any] = [[_plain(value) for value in row] for row in tried]
        if all(len(row) == 1 for row in answers):
            answers = [row[0] for row in answers]
        return answers[0] if len(answers) == 1 else answers

    def pipeline(self, *queries: str) -> list[str | None]:
        """Send several statements at once, before one Sync message, as drivers do with batches.

        Returns:
            for each, the SQLSTATE with which the server refuses it, or None; ``skipped`` after the first refusal.
        """
        server = self._connection.pgconn
        server.enter_pipeline_mode()
        try:
            for query in queries:
                server.send_query_params(query.encode(), None)
            server.pipeline_sync()
            states = [_state_in_pipeline(server) for _ in queries]
            server.get_result()  # the result of the Sync message
        finally:
            server.exit_pipeline_mode()
        shown = "; ".join(map(_tidy, queries))
        numbers = tuple(map(str, range(1, len(states) + 1)))
        row = tuple(map(as_text, states))
        self._record(Entry(self.name, f"-- in a pipeline: {shown}", columns=numbers, rows=(row,)))
        return states

    def wal_bytes(self, query: str) -> int:
        """The number of bytes of WAL that the server writes while a statement runs.

        For behaviors with ``isolation="cluster"``: other sessions' WAL counts, too. A page's first change
        after a checkpoint writes the whole page.

        Raises:
            LabError: the server refused the statement.
        """
        names = ("pg_current_wal_insert_lsn", "pg_wal_lsn_diff")
        if self.version not in _WAL_AND_LSN:
            names = ("pg_current_xlog_insert_location", "pg_xlog_location_diff")
        position, difference = names
        before = self.value(f"SELECT {position}()::text")
        self._run(query, None)
        return int(self.value(f"SELECT {difference}({position}(), '{before}')"))

    def explain(self, query: str, **options: Any) -> Plan:
        """The plan of a query.

        Parameters:
            options: ``params``, ``analyze``, ``settings`` and others, as :func:`pytest_pgfeatures.explain`
                takes them.

        Raises:
            LabError: the server refused the query.
        """
        import psycopg

        from pytest_pgfeatures.plan import explain, render

        shown = f"EXPLAIN {'(ANALYZE) ' if options.get('analyze') else ''}{_tidy(query)}"
        try:
            plan = explain(self._connection, query, **options)
        except psycopg.Error as error:
            raise self._refused(shown, error) from None
        self._record(Entry(self.name, shown, plan=render(plan)))
        return plan

    def set(self, **values: str | int | bool) -> None:
        """``SET`` settings, named as the newest major names them.

        A setting that the server's major doesn't have yet, because its feature came later, is left out, and
        the transcript says so: ``enable_incremental_sort`` before 13. A misspelt one is an error.

        Raises:
            LabError: the server refused one.
        """
        from psycopg import sql

        for name, value in values.items():
            if not settings.exists(name, self.version):
                self._record(Entry(self.name, f"-- {name} is not in {self.version.major}"))
                continue
            quoted = sql.quote(settings.as_setting(value), self._connection)
            self._run(f"SET {settings.name_for(name, self.version)} = {quoted}", None)

    def copy_in(self, statement: str, data: str | bytes | Iterable[str | bytes]) -> int:
        """Run a ``COPY ... FROM STDIN`` with this data.

        Returns:
            the number of rows copied.

        Raises:
            LabError: the server refused the statement or the data.
        """

        def copy(cursor: psycopg.Cursor[Any]) -> None:
            with cursor.copy(statement.encode()) as sink:
                for piece in (data,) if isinstance(data, str | bytes) else data:
                    sink.write(piece)

        return self._copy(statement, copy)

    def copy_out(self, statement: str) -> bytes:
        """The data that a ``COPY ... TO STDOUT`` sends.

        Raises:
            LabError: the server refused it.
        """
        pieces: list[bytes] = []

        def copy(cursor: psycopg.Cursor[Any]) -> None:
            with cursor.copy(statement.encode()) as source:
                pieces.extend(map(bytes, source))

        self._copy(statement, copy)
        return b"".join(pieces)

    def remark(self, text: str) -> None:
        """Add a line to the transcript."""
        self._record(Entry(self.name, f"-- {text}"))

    def close(self) -> None:
        """Close the connection. This happens automatically at the end of the observation."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _superuser_is_idle(self) -> bool:
        """Whether the session is a superuser's outside of a transaction: other statements don't disturb it."""
        from psycopg.pq import TransactionStatus

        info = self._connection.info
        idle = info.transaction_status == TransactionStatus.IDLE
        return idle and info.parameter_status("is_superuser") == "on"

    def _begin(self) -> None:
        """Do everything in one transaction from here on; closing the session undoes it."""
        self._connection.execute("BEGIN")
        self._in_transaction = True

    def _try(self, run: Callable[[], Tried]) -> Tried | LabError:
        """The result of ``run``, or the error with which the server refuses a statement, which is then undone.

        Raises:
            LabError: it failed for another reason.
        """
        if self._in_transaction:
            self._connection.execute("SAVEPOINT attempt")
        try:
            return run()
        except LabError as error:
            if error.sqlstate is None or error.sqlstate == _QUERY_CANCELED:
                raise
            if self._in_transaction:
                self._connection.execute("ROLLBACK TO SAVEPOINT attempt")
            return error

    def _run(self, query: str, params: Sequence[object] | None) -> list[tuple[Any, ...]]:
        import psycopg

        shown = _tidy(query) + (f"  -- {list(params)!r}" if params else "")
        try:
            cursor = self._connection.cursor()
            cursor.execute(query.encode(), params)
            while cursor.nextset():  # of several statements, the answer to the last one counts
                pass
            rows = cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            raise self._refused(shown, error) from None
        self._record(
            Entry(
                self.name,
                shown,
                columns=tuple(column.name for column in cursor.description or ()),
                rows=tuple(tuple(map(as_text, row)) for row in rows[:ROWS_KEPT]),
                row_count=len(rows) if cursor.description else cursor.rowcount,
                status=cursor.statusmessage,
            )
        )
        return rows

    def _copy(self, statement: str, copy: Callable[[psycopg.Cursor[Any]], None]) -> int:
        import psycopg

        try:
            cursor = self._connection.cursor()
            copy(cursor)
        except psycopg.Error as error:
            raise self._refused(_tidy(statement), error) from None
        self._record(
            Entry(self.name, _tidy(statement), row_count=cursor.rowcount, status=f"COPY {cursor.rowcount}")
        )
        return cursor.rowcount

    def _record(self, entry: Entry) -> None:
        if self._notices:
            entry = msgspec.structs.replace(entry, notices=tuple(self._notices))
            self._notices.clear()
        self.transcript.add(entry)

    def _refused(self, statement: str, error: psycopg.Error) -> LabError:
        message = error.diag.message_primary or str(error).strip()
        self._record(Entry(self.name, statement, sqlstate=error.sqlstate, error=message))
        return LabError(
            f"the server refused: {statement}",
            sqlstate=error.sqlstate,
            details=(f"{SqlState(error.sqlstate) if error.sqlstate else 'no SQLSTATE'}: {message}",),
        )


def _state_in_pipeline(server: psycopg.pq.abc.PGconn) -> str | None:
    """The outcome of the next statement of a pipeline."""
    from psycopg.pq import DiagnosticField, ExecStatus

    result = server.get_result()
    assert result is not None
    server.get_result()  # nothing: the end of the answers
    if result.status == ExecStatus.PIPELINE_ABORTED:
        return "skipped"
    sqlstate = result.error_field(DiagnosticField.SQLSTATE)
    return sqlstate.decode() if sqlstate else None


def _plain(value: object) -> object:
    """Convert a value to a type that an observation may have."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    return value if value is None or isinstance(value, str | int) else str(value)


def _sqlstate(refused: LabError) -> SqlState:
    assert refused.sqlstate is not None
    return SqlState(refused.sqlstate)


def _tidy(query: str) -> str:
    """A statement without the indentation it has in its source file."""
    return textwrap.dedent(query).strip()
