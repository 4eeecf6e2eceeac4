"""Check functions in PL/pgSQL by the extension plpgsql_check, if an install has it.

It knows the types of variables and follows records, and it reads statements that EXECUTE concatenates from
constants (https://github.com/okbob/plpgsql_check).
"""

from __future__ import annotations

import contextlib
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import psycopg
from psycopg import sql

from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.proofs import with_schema
from pytest_pgfeatures.readiness.remedies import remedy_of
from pytest_pgfeatures.readiness.servers.loading import Refusal, tried
from pytest_pgfeatures.readiness.stages.bodies import functions_of, line_in, shown_in
from pytest_pgfeatures.server.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
_ON_TABLES = """
    SELECT DISTINCT tgrelid::bigint, to_jsonb(t)->>'tgoldtable', to_jsonb(t)->>'tgnewtable'
      FROM pg_trigger t
     WHERE NOT tgisinternal AND tgfoid = %s
     ORDER BY 1
"""
_CHECK = """
    SELECT lineno, sqlstate, message, hint, position, query, %s::oid::regclass::text
      FROM {schema}.plpgsql_check_function_tb(%s::oid::regprocedure, %s::oid::regclass, fatal_errors := false,
           other_warnings := false, extra_warnings := false, performance_warnings := false{tables})
     WHERE level = 'error'
"""
_QUOTED = re.compile(r'"([^"]+)"')
_GAP = re.compile(r"\s")
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


class _Checked(NamedTuple):
    """The findings of plpgsql_check on one server.

    Parameters:
        functions: the number of functions in PL/pgSQL.
        version: the version of the extension; None if the install does not have it.
        errors: the errors in each function, by its name.
        failed: why the extension, or a function, could not be checked.
    """

    functions: int
    version: str | None = None
    errors: Mapping[str, tuple[Function, list[_Error]]] = MappingProxyType({})
    failed: Sequence[NotLookedAt] = ()


def look_with_plpgsql_check(trial: Trial, statements: Sequence[Query]) -> StageReport:
    """The errors that plpgsql_check finds on the new server only, and where it was not used."""
    old, new = trial.both(lambda side: _checked(side, trial.timeout))
    if not max(old.functions, new.functions):
        return StageReport("schema")
    missed = (*dict.fromkeys((*old.failed, *new.failed)), *_lacking(trial, old, new))
    if new.version is None:
        return StageReport("schema", not_looked_at=missed)
    findings: list[Finding] = []
    for name, (function, errors) in new.errors.items():
        if old.version and name not in old.errors:
            continue  # only one server has this function, or could check it
        known = {(each.line, each.sqlstate) for each in old.errors[name][1]} if old.version else set()
        findings += [
            _finding(trial, statements, function, error, is_certain=old.version == new.version)
            for error in dict.fromkeys(errors)
            if (error.line, error.sqlstate) not in known
        ]
    on = f"{trial.pair.old.major} and {trial.pair.new.major}" if old.version else trial.pair.new.major
    counts = ((f"functions checked by plpgsql_check on {on}", len(new.errors)),)
    return StageReport("schema", tuple(findings), counts, not_looked_at=missed)


def _lacking(trial: Trial, old: _Checked, new: _Checked) -> Iterator[NotLookedAt]:
    """The reason why the extension was not used on both servers, in the same version."""
    without = [
        (version, checked)
        for version, checked in ((trial.pair.old, old), (trial.pair.new, new))
        if checked.version is None
    ]
    if any(checked.failed for _, checked in without):
        return  # the install has it, but could not create it
    if without:
        why = (
            "it was used on the new version only, so its errors may be there on the old one, too"
            if new.version
            else "it was not used, because the errors of the new version are what matters"
            if old.version
            else "records and strings that functions execute are looked at only as far as their text shows"
        )
        versions = " and of ".join(str(version) for version, _ in without)
        yield NotLookedAt(_NAME, f"it is not in the install of {versions}: {why}")
    elif old.version != new.version:
        yield NotLookedAt(
            _NAME, f"{old.version} on the old version and {new.version} on the new one may find other errors in the"
            " same function: what only the new one finds may be there before the upgrade",
        )  # fmt: skip


def _checked(side: Side, timeout: float) -> _Checked:
    """Check all functions in PL/pgSQL, as the role that loaded them."""
    with side.connect() as connection, Watchdog(connection, timeout) as watchdog:
        functions = [each for each in functions_of(connection) if each.language == "plpgsql"]
        if not functions or connection.execute(_HAS).fetchone() is None:
            return _Checked(len(functions))
        with contextlib.ExitStack() as ends:
            extension = tried(connection, ends.enter_context, _extension(side, connection))
            if isinstance(extension, Refusal):
                why = NotLookedAt(_NAME, f"{side.install.version}: {extension.message}")
                return _Checked(len(functions), failed=[why])
            version, schema = extension
            errors, failed = {}, []
            for each in functions:
                with watchdog.statement():
                    found = tried(connection, _errors, connection, schema, each)
                if isinstance(found, Refusal):
                    failed.append(NotLookedAt(f"plpgsql_check of {each.name}", found.message))
                else:
                    errors[each.name] = each, found
        return _Checked(len(functions), version, errors, failed)


@contextlib.contextmanager
def _extension(side: Side, connection: psycopg.Connection) -> Iterator[tuple[str, str]]:
    """Yield the extension's version and schema. A superuser creates it, unless the application has it, and drops it
    at the end."""
    row = connection.execute(_CREATED).fetchone()
    if row is not None:
        yield row[0], row[1]
        return
    with side.superuser() as superuser:
        try:
            with superuser.transaction():
                superuser.execute("LOAD 'plpgsql'")
                superuser.execute(f"CREATE SCHEMA {_OWN_SCHEMA}".encode())
                superuser.execute(f"CREATE EXTENSION {_NAME} SCHEMA {_OWN_SCHEMA}".encode())
                superuser.execute(f"GRANT USAGE ON SCHEMA {_OWN_SCHEMA} TO PUBLIC".encode())
                row = superuser.execute(_CREATED).fetchone()
            assert row is not None
            connection.execute("DO LANGUAGE plpgsql 'BEGIN END'")  # the extension's library needs PL/pgSQL's
            yield row[0], row[1]
        finally:
            superuser.execute(f"DROP SCHEMA IF EXISTS {_OWN_SCHEMA} CASCADE".encode())


def _errors(connection: psycopg.Connection, schema: str, function: Function) -> list[_Error]:
    """The errors in a function. A trigger's function is checked with each table that has the trigger."""
    found: list[_Error] = []
    with connection.transaction(force_rollback=True):
        uses = connection.execute(_ON_TABLES, [function.oid]).fetchall()
        for table, old_table, new_table in uses or [(0, None, None)]:
            named = (("oldtable", old_table), ("newtable", new_table))
            tables = "".join(f", {name} := {sql.quote(value)}" for name, value in named if value)
            query = _CHECK.format(schema=schema, tables=tables.replace("%", "%%"))
            rows = connection.execute(query.encode(), [table, function.oid, table]).fetchall()
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
    message; else of the line."""
    begin = line_in(body, error.line or 1)
    text = body[begin:]
    line = text.partition("\n")[0]
    named = (rf"\b{re.escape(name)}\b" for name in reversed(_QUOTED.findall(error.message)))
    found = (match.start() for each in named if (match := re.search(each, line)))
    at = _in_query(text, error)
    return begin + (at if at is not None else next(found, len(line) - len(line.lstrip())))


def _in_query(text: str, error: _Error) -> int | None:
    """The place of the error in its query. plpgsql_check replaces INTO and its variables by spaces."""
    asked, position = error.query or "", (error.position or 0) - 1
    for prefix in ("", _EXPRESSION):
        if position >= len(prefix) and asked.startswith(prefix):
            wanted = asked.removeprefix(prefix)
            pattern = "".join("(?s:.)" if _GAP.match(letter) else re.escape(letter) for letter in wanted)
            if match := re.search(pattern, text):
                return match.start() + position - len(prefix)
    return None
