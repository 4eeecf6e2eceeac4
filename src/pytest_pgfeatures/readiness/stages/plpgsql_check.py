"""Check functions in PL/pgSQL by the extension plpgsql_check, if an install has it.

It knows the types of variables and follows records, and it reads statements that EXECUTE concatenates from
constants (https://github.com/okbob/plpgsql_check).
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, NamedTuple

import psycopg
from psycopg import sql

from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.proofs import with_schema
from pytest_pgfeatures.readiness.remedies import remedy_of
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.stages.bodies import line_in, shown_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.readiness.stages.bodies import Function

_NAME = "plpgsql_check"
_OWN_SCHEMA = "pgfeatures_plpgsql_check"
_HAS = "SELECT 1 FROM pg_available_extensions WHERE name = 'plpgsql_check'"
_CREATED = """
    SELECT extversion, extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'plpgsql_check'
"""
_CREATE = (
    "LOAD 'plpgsql'",
    f"CREATE SCHEMA {_OWN_SCHEMA}",
    f"CREATE EXTENSION {_NAME} SCHEMA {_OWN_SCHEMA}",
    f"GRANT USAGE ON SCHEMA {_OWN_SCHEMA} TO PUBLIC",
)
_ON_TABLES = """
    SELECT DISTINCT tgrelid::bigint, to_jsonb(t)->>'tgoldtable', to_jsonb(t)->>'tgnewtable'
      FROM pg_trigger t
     WHERE NOT tgisinternal AND tgfoid = %s::regprocedure
     ORDER BY 1
"""
_CHECK = """
    SELECT lineno, sqlstate, message, hint, position, query, %s::oid::regclass::text
      FROM {schema}.plpgsql_check_function_tb(%s::regprocedure, %s::oid::regclass, fatal_errors := false,
           other_warnings := false, extra_warnings := false, performance_warnings := false{tables})
     WHERE level = 'error'
"""
_QUOTED = re.compile(r'"([^"]+)"')
_NONE = "-"
"""The text of regclass for no table."""
_EXPRESSION = "SELECT "
"""The word that PL/pgSQL before 14 puts before an expression."""


class _Error(NamedTuple):
    """An error that plpgsql_check found: its line in the body, the position in a query, the trigger's table."""

    line: int | None
    sqlstate: str
    message: str
    hint: str | None
    position: int | None
    query: str | None
    table: str


def look_with_plpgsql_check(
    trial: Trial, statements: Sequence[Query], functions: Sequence[Function]
) -> StageReport:
    """The errors that plpgsql_check finds on the new server only, and where it was not used.

    Parameters:
        functions: those that both servers have.
    """
    functions = [each for each in functions if each.language == "plpgsql"]
    if not functions:
        return StageReport("schema")
    missed: list[NotLookedAt] = []
    with contextlib.ExitStack() as ends:
        old, new = (ends.enter_context(_extension(side, missed)) for side in trial.sides)
        answers = trial.each(functions, _errors)
    missed = missed or _lacking(trial, old, new)
    findings: list[Finding] = []
    checked = 0
    for function, before, after in zip(functions, *answers, strict=True):
        missed += (
            NotLookedAt(f"plpgsql_check of {function.name}", each.message)
            for each in (before, after)
            if isinstance(each, Refusal)
        )
        checked += not isinstance(after, Refusal)
        if not isinstance(before, Refusal) and not isinstance(after, Refusal):
            known = {(each.line, each.sqlstate) for each in before}
            findings += (
                _finding(trial, statements, function, error, is_certain=old == new)
                for error in dict.fromkeys(after)
                if (error.line, error.sqlstate) not in known
            )
    on = f"{trial.pair.old.major} and {trial.pair.new.major}" if old else trial.pair.new.major
    counts = ((f"functions checked by plpgsql_check on {on}", checked),) if new else ()
    return StageReport("schema", tuple(findings), counts, not_looked_at=tuple(dict.fromkeys(missed)))


def _lacking(trial: Trial, old: str | None, new: str | None) -> list[NotLookedAt]:
    """The reason why the extension was not used on both servers, in the same version.

    Parameters:
        old, new: the versions of the extension; None where the install lacks it.
    """
    if old == new and old is not None:
        return []
    if old and new:
        why = (
            f"{old} on the old version and {new} on the new one may find other errors in the same function:"
            " what only the new one finds may be there before the upgrade"
        )
        return [NotLookedAt(_NAME, why)]
    why = "records and strings that functions execute are looked at only as far as their text shows"
    if new:
        why = "it was used on the new version only, so its errors may be there on the old one, too"
    elif old:
        why = "it was not used, because the errors of the new version are what matters"
    without = (
        str(each.install.version) for each, has in zip(trial.sides, (old, new), strict=True) if not has
    )
    return [NotLookedAt(_NAME, f"it is not in the install of {' and of '.join(without)}: {why}")]


@contextlib.contextmanager
def _extension(side: Side, missed: list[NotLookedAt]) -> Iterator[str | None]:
    """Yield the extension's version; None if the install does not have it or can't create it. A superuser creates
    it, unless the application has it, and drops it at the end.

    Parameters:
        missed: gets the reason why it can't be created.
    """
    with side.superuser() as superuser:
        found = superuser.execute(_CREATED).fetchone()
        if found or superuser.execute(_HAS).fetchone() is None:
            yield found[0] if found else None
            return
        try:
            with superuser.transaction():
                for statement in _CREATE:
                    superuser.execute(statement.encode())
                ((version, _),) = superuser.execute(_CREATED).fetchall()
        except psycopg.Error as error:
            missed.append(NotLookedAt(_NAME, f"{side.install.version}: {Refusal.of(error).message}"))
            yield None
            return
        try:
            yield version
        finally:
            superuser.execute(f"DROP SCHEMA IF EXISTS {_OWN_SCHEMA} CASCADE".encode())


def _errors(connection: psycopg.Connection, function: Function) -> list[_Error]:
    """The errors in a function; none without the extension. A trigger's function is checked with each table that
    has the trigger."""
    created = connection.execute(_CREATED).fetchone()
    if created is None:
        return []
    connection.execute("DO LANGUAGE plpgsql 'BEGIN END'")  # the extension's library needs PL/pgSQL's
    found: list[_Error] = []
    uses = connection.execute(_ON_TABLES, [function.name]).fetchall()
    for table, old_table, new_table in uses or [(0, None, None)]:
        named = (("oldtable", old_table), ("newtable", new_table))
        tables = "".join(f", {name} := {sql.quote(value)}" for name, value in named if value)
        query = _CHECK.format(schema=created[1], tables=tables.replace("%", "%%"))
        rows = connection.execute(query.encode(), [table, function.name, table]).fetchall()
        found += (_Error(*row) for row in rows)
    return found


def _finding(
    trial: Trial, statements: Sequence[Query], function: Function, error: _Error, *, is_certain: bool
) -> Finding:
    refusal = Refusal(error.sqlstate, error.message, hint=error.hint or "")
    table = f", {sql.quote(error.table)}" if error.table != _NONE else ""
    call = f"SELECT * FROM plpgsql_check_function({sql.quote(function.name)}{table})"
    return Finding(
        "schema",
        "error" if is_certain else "warning",
        "affects" if is_certain else "may affect",
        f"plpgsql_check finds an error on {trial.pair.new}: {refusal.said}",
        remedy_of(refusal),
        object=f"function {function.name}",
        proof=with_schema(trial, f"CREATE EXTENSION IF NOT EXISTS {_NAME}; {call}") if is_certain else "",
        sqlstate=error.sqlstate,
        **shown_in(statements, function, lambda body: _place(body, error)),
    )


def _place(body: str, error: _Error) -> int:
    """The index of the error's word: in its query, if the body contains that unchanged, or of the name in the
    message; else of the line. plpgsql_check replaces INTO and its variables by spaces in the query."""
    begin = line_in(body, error.line or 1)
    asked, position = error.query or "", (error.position or 0) - 1
    for prefix in ("", _EXPRESSION):
        if position >= len(prefix) and asked.startswith(prefix):
            wanted = asked.removeprefix(prefix)
            pattern = "".join("(?s:.)" if letter.isspace() else re.escape(letter) for letter in wanted)
            if match := re.compile(pattern).search(body, begin):
                return match.start() + position - len(prefix)
    line = body[begin:].partition("\n")[0]
    for name in reversed(_QUOTED.findall(error.message)):
        if match := re.search(rf"\b{re.escape(name)}\b", line):
            return begin + match.start()
    return begin + len(line) - len(line.lstrip())
