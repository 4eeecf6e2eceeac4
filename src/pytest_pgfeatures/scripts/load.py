"""Run scripts and dumps on a connection, statement by statement, as psql does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError, ScriptError
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.scripts.steps import Step, shown, steps_of, steps_of_text
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import psycopg

    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.scripts.privileges import Definer

_TEXT = "pg_template"
"""The name, in errors, of SQL that is given as text."""
_LINE_OF_DATA = re.compile(r"COPY [^\n]*, line (\d+)")
_SHOWN = 200
_NO_OBJECT = "42704"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_ALL = VersionSet("all")


_PREAMBLE = {
    # https://www.postgresql.org/docs/release/12.0/
    "SET default_with_oids = false": VersionSet("<12"),
    "SET row_security = off": VersionSet(">=9.5"),  # https://www.postgresql.org/docs/release/9.5.0/
    "SET idle_in_transaction_session_timeout = 0": VersionSet(">=9.6"),
    "SET default_table_access_method = heap": VersionSet(">=12"),
    # https://www.postgresql.org/docs/release/17.0/
    "SET transaction_timeout = 0": VersionSet(">=17"),
}
"""Settings that pg_dump switches off at the beginning of a script, and the majors that have them. psql ignores the
error on others: there, they are off anyway."""
_LONGEST_PREAMBLE = 100


def is_known(sql: str, version: PgVersion) -> bool:
    """Whether a statement is not one of pg_dump's about a setting that a version does not have."""
    return version in _PREAMBLE.get(" ".join(sql[:_LONGEST_PREAMBLE].split()), _ALL)


def load(
    connection: psycopg.Connection,
    *sources: str | Path,
    root: Path | None = None,
    resolver: Callable[[], Resolver] | None = None,
    definer: Definer | None = None,
) -> None:
    """Load scripts and dumps into the database of a connection, one after the other.

    Parameters:
        connection: a connection in autocommit mode.
        sources: SQL files, directories of migrations, dumps in any of pg_dump's formats, or SQL as text. The
            session is reset after each source, as if a separate psql had run it.
        root: the directory that relative file names start from; by default the working directory.
        resolver: returns the resolver that finds an install with pg_restore. Only dumps in formats other than plain
            need it. By default it finds the installs of the user's store.
        definer: runs statements that the server refuses to the connection's role, if a superuser can run them
            safely.

    Raises:
        ScriptError: a statement failed, with the file, the line and the server's message. Everything before it is
            loaded.
    """
    Script(sources, root or Path.cwd(), resolver).load(connection, definer)


class Script:
    """Scripts and dumps that are read once, and loaded into any number of databases.

    It takes the same parameters as :func:`load`.
    """

    def __init__(
        self, sources: Iterable[str | Path], root: Path, resolver: Callable[[], Resolver] | None = None
    ) -> None:
        self._sources = tuple(sources)
        self._root = root
        self._resolver = resolver or _default_resolver
        self._steps: list[list[Step]] | None = None

    def load(self, connection: psycopg.Connection, definer: Definer | None = None) -> None:
        """Load the scripts; see :func:`load`."""
        if self._steps is None:
            self._steps = [self._read(source) for source in self._sources]
        if not connection.autocommit:
            raise PgFeaturesError(
                "scripts are loaded on connections in autocommit mode, where each statement is one transaction",
                remedy="connect with autocommit=True, as this plugin's connections do",
            )
        for steps in self._steps:
            _run(connection, steps, definer)
            connection.execute("DISCARD ALL")

    def _read(self, source: str | Path) -> list[Step]:
        if isinstance(source, str):
            return steps_of_text(source, _TEXT, self._resolver, self._root)
        path = self._root / source
        return steps_of(path, shown(path, self._root), self._resolver, self._root)


def _run(connection: psycopg.Connection, steps: Sequence[Step], definer: Definer | None) -> None:
    import psycopg

    version = PgVersion.from_num(connection.info.server_version)
    for step in steps:
        if not is_known(step.sql, version):
            continue
        try:
            _take(connection, step, definer)
        except psycopg.Error as error:
            raise _explained(step, error) from error
    if steps and connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        connection.execute("ROLLBACK")
        raise ScriptError(
            "the script ends inside of a transaction, so that nothing of it remains",
            file=steps[-1].file,
            line=steps[-1].line,
            remedy="add COMMIT",
        )


def _take(connection: psycopg.Connection, step: Step, definer: Definer | None) -> None:
    import psycopg

    if definer is not None:
        from pytest_pgfeatures.scripts.privileges import as_role

        if (sql := as_role(step.sql)) != step.sql:
            connection.execute(encoded(sql))
            return
    try:
        take(connection, step)
    except psycopg.errors.InsufficientPrivilege as error:
        idle = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        if definer is None or not idle:
            raise
        if not definer.helps(connection, step.sql, error.diag.message_primary or "", connection.execute):
            raise


def take(connection: psycopg.Connection, step: Step) -> str:
    """Send a step to the server, with its data.

    Returns:
        the command tag.
    """
    cursor = connection.cursor()
    if step.reads:
        with cursor.copy(encoded(step.sql)) as sink:
            if step.data:
                sink.write(encoded(step.data))
    elif step.writes:
        with cursor.copy(encoded(step.sql)) as printed:
            for _ in printed:
                pass
    else:
        cursor.execute(encoded(step.sql), prepare=False)
    return cursor.statusmessage or ""


def _explained(step: Step, error: psycopg.Error) -> ScriptError:
    """The error of a step, with its position in the script."""
    said = error.diag
    line, excerpt = step.line, _line_at(step.sql, step.begins)
    if step.reads and (row := _LINE_OF_DATA.search(said.context or "")):
        number = int(row[1])
        line = step.data_line + number - 1 if step.data_line else line
        excerpt = "".join((step.data or "").split("\n")[number - 1 : number])
    elif said.statement_position:
        position = int(said.statement_position)
        line = step.lines[step.sql.count("\n", 0, position - 1)]
        excerpt = _line_at(step.sql, position - 1)
    details = [f"{line} | {_cut(excerpt)}"]
    more = {"DETAIL": said.message_detail, "HINT": said.message_hint, "CONTEXT": said.context}
    details += [f"{name}:  {_cut(text)}" for name, text in more.items() if text]
    code = f"{SqlState(error.sqlstate)}: " if error.sqlstate else ""
    return ScriptError(
        f"{code}{said.message_primary or str(error).strip()}",
        file=step.file,
        line=line,
        sqlstate=error.sqlstate,
        details=tuple(details),
        remedy=_remedy(error),
    )


def _remedy(error: psycopg.Error) -> str:
    if error.sqlstate == _NO_OBJECT and (error.diag.message_primary or "").startswith("role "):
        return "dump with --no-owner and --no-privileges, or create the role in a file that is loaded first"
    return "correct the script; what this major does not know yet, or no more, pgfeatures needs shows"


def _line_at(text: str, index: int) -> str:
    start = text.rfind("\n", 0, index) + 1
    end = text.find("\n", index)
    return text[start : end if end >= 0 else len(text)]


def _cut(text: str) -> str:
    text = encoded(text.strip()).decode("utf-8", "replace")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _default_resolver() -> Resolver:
    from pytest_pgfeatures.install import Resolver

    return Resolver()
