"""Have both servers check the bodies of functions, because a dump disables this check while it is loaded: by the
validator of each language, and for PL/pgSQL by the extension plpgsql_check, if an install has it.

https://www.postgresql.org/docs/current/plhandler.html
https://github.com/okbob/plpgsql_check: it knows the types of variables and follows records, and it reads statements
that EXECUTE concatenates from constants.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import psycopg
from psycopg.sql import quote

from pytest_pgfeatures.readiness.advice import proof_of, remedy_of
from pytest_pgfeatures.readiness.model import Finding, Found, NotLookedAt, Query, line_begins
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.side import Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.created_objects import own
from pytest_pgfeatures.readiness.stages.places import shown_at
from pytest_pgfeatures.readiness.statements.embedded import routine_of

_FUNCTIONS = f"""
    SELECT p.oid::regprocedure::text, p.proname, p.prosrc, v.oid::regproc::text, l.lanname
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN pg_proc v ON v.oid = l.lanvalidator
     WHERE {own("p.oid")} AND l.lanname NOT IN ('c', 'internal')
     ORDER BY 1
"""
_LINE = re.compile(r"\bline (\d+)")
_NAME = "plpgsql_check"
_OWN_SCHEMA = "pgfeatures_plpgsql_check"
_HAS = "SELECT 1 FROM pg_available_extensions WHERE name = 'plpgsql_check'"
_CREATED = (
    "SELECT extversion, extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'plpgsql_check'"
)
_CREATE = f"""
    LOAD 'plpgsql'; CREATE SCHEMA {_OWN_SCHEMA}; CREATE EXTENSION {_NAME} SCHEMA {_OWN_SCHEMA};
    GRANT USAGE ON SCHEMA {_OWN_SCHEMA} TO PUBLIC
"""
_CHECK = """
    SELECT lineno, sqlstate, message, hint, position, query, coalesce(tgrelid, 0)::regclass::text
      FROM (SELECT %s::regprocedure) AS f (oid) LEFT JOIN pg_trigger t ON tgfoid = f.oid AND NOT tgisinternal,
           {}.plpgsql_check_function_tb(f.oid, coalesce(tgrelid, 0)::regclass, fatal_errors := false,
           other_warnings := false, extra_warnings := false, performance_warnings := false,
           oldtable := (to_jsonb(t)->>'tgoldtable')::name, newtable := (to_jsonb(t)->>'tgnewtable')::name)
     WHERE level = 'error' ORDER BY tgrelid
"""
"""A trigger's function is checked with each table that has the trigger."""
_QUOTED = re.compile(r'"([^"]+)"')


class Function(NamedTuple):
    """A function of the application."""

    name: str  # with the types of its arguments
    plain: str  # the name alone
    source: str  # the body
    validator: str  # the function that checks this
    language: str


class _Error(NamedTuple):
    """An error in a function's body."""

    refusal: Refusal
    line: int
    query: str  # in which the error's position is: the body, or a part of it
    table: str = "-"  # the trigger's


def look_at_bodies(trial: Trial, statements: Sequence[Query]) -> Iterator[Found]:
    """The errors that only the new server finds in functions that both have, without extensions' and those in C."""

    def ask(side: Side) -> dict[str, Function]:
        with side.connect() as connection:
            return {row[0]: Function(*row) for row in connection.execute(_FUNCTIONS.encode()).fetchall()}

    old, new = trial.both(ask)
    functions = [each for name, each in new.items() if name in old]
    yield "function bodies checked", len(functions)
    known = set()
    for function, before, after in zip(functions, *trial.each(functions, _validate), strict=True):
        if before is None and after is not None and not after.is_limit:
            line = _LINE.search(after.context)
            error = _Error(after, int(line[1]) if line else 1, function.source)
            run = f"DO $$BEGIN EXECUTE pg_get_functiondef({quote(function.name)}::regprocedure); END$$"
            proof = proof_of(trial, f"SET check_function_bodies = on; {run}", trial.inputs.schema)
            said = f"{trial.pair.new} refuses the function's body"
            finding = _finding(statements, function, error, said, proof, is_certain=True)
            known.add((finding.object, finding.place))
            yield finding
    for found in _look_with_plpgsql_check(trial, statements, functions):
        if not isinstance(found, Finding) or (found.object, found.place) not in known:
            yield found


def _validate(connection: psycopg.Connection, function: Function) -> None:
    """Have the language's validator check a function's body."""
    connection.execute("SET LOCAL check_function_bodies = on")
    connection.execute(f"SELECT {function.validator}({quote(function.name)}::regprocedure)".encode())


def _finding(
    statements: Sequence[Query], function: Function, error: _Error, said: str, proof: str, *, is_certain: bool
) -> Finding:
    """The finding about an error, at its place in the statement that creates the function."""
    created = ((query, routine_of(query)) for query in reversed(statements) if function.plain in query.sql)
    bodies = (each.body or query for query, each in created if each and each.name == function.plain)
    body = max(bodies, key=lambda each: each.sql == function.source, default=None)
    return Finding(
        "schema", "error" if is_certain else "warning", "affects" if is_certain else "may affect",
        f"{said}: {error.refusal.said}", remedy_of(error.refusal),
        object=f"function {function.name}", sqlstate=error.refusal.sqlstate, proof=proof if is_certain else "",
        **(shown_at(body, _index(body.sql, error)) if body else {}),
    )  # fmt: skip


def _index(body: str, error: _Error) -> int:
    """The index of the error's word: in its query, if the body contains that unchanged, or of the name in the
    message; else of the line. plpgsql_check replaces INTO and its variables by spaces in the query."""
    begins = line_begins(body)
    begin = begins[min(error.line, len(begins)) - 1]
    position = -1 if error.refusal.inside is None else error.refusal.inside
    for prefix in ("", "SELECT "):  # which PL/pgSQL before 14 puts before an expression
        if position >= len(prefix) and error.query.startswith(prefix):
            wanted = error.query.removeprefix(prefix)
            pattern = "".join("(?s:.)" if letter.isspace() else re.escape(letter) for letter in wanted)
            if match := re.compile(pattern).search(body, begin):
                return match.start() + position - len(prefix)
    line = body[begin:].partition("\n")[0]
    for name in reversed(_QUOTED.findall(error.refusal.message)):
        if match := re.search(rf"\b{re.escape(name)}\b", line):
            return begin + match.start()
    return begin + len(line) - len(line.lstrip())


def _look_with_plpgsql_check(
    trial: Trial, statements: Sequence[Query], functions: Sequence[Function]
) -> Iterator[Found]:
    """The errors that plpgsql_check finds on the new server only, and where it was not used."""
    functions = [each for each in functions if each.language == "plpgsql"]
    if not functions:
        return
    missed: list[NotLookedAt] = []
    with _extension(trial.sides[0], missed) as old, _extension(trial.sides[1], missed) as new:
        answers = trial.each(functions, _errors)
    yield from missed or _lacking(trial, old, new)
    if new:
        on = f"{trial.pair.old.major} and {trial.pair.new.major}" if old else trial.pair.new.major
        checked = sum(not isinstance(each, Refusal) for each in answers[1])
        yield f"functions checked by plpgsql_check on {on}", checked
    for function, before, after in zip(functions, *answers, strict=True):
        for why in dict.fromkeys(each.message for each in (before, after) if isinstance(each, Refusal)):
            yield NotLookedAt(f"plpgsql_check of {function.name}", why)
        if isinstance(before, Refusal) or isinstance(after, Refusal):
            continue
        known = {(each.line, each.refusal.sqlstate) for each in before}
        for error in dict.fromkeys(each for each in after if (each.line, each.refusal.sqlstate) not in known):
            table = f", {quote(error.table)}" if error.table != "-" else ""
            call = f"SELECT * FROM plpgsql_check_function({quote(function.name)}{table})"
            proof = proof_of(trial, f"CREATE EXTENSION IF NOT EXISTS {_NAME}; {call}", trial.inputs.schema)
            said = f"plpgsql_check finds an error on {trial.pair.new}"
            yield _finding(statements, function, error, said, proof, is_certain=old == new)


def _lacking(trial: Trial, old: str | None, new: str | None) -> Iterator[NotLookedAt]:
    """Why the extension was not used on both servers in the same version, given its versions there."""
    why = "records and strings that functions execute are looked at only as far as their text shows"
    if old and new:
        said = f"{old} on the old version and {new} on the new one may find other errors in the same function"
        why = f"{said}: what only the new one finds may be there before the upgrade"
    elif new:
        why = "it was used on the new version only, so its errors may be there on the old one, too"
    elif old:
        why = "it was not used, because the errors of the new version are what matters"
    lacking = [str(version) for version, has in zip(trial.pair, (old, new), strict=True) if not has]
    if old != new or lacking:
        where = f"it is not in the install of {' and of '.join(lacking)}: " if lacking else ""
        yield NotLookedAt(_NAME, where + why)


@contextlib.contextmanager
def _extension(side: Side, missed: list[NotLookedAt]) -> Iterator[str | None]:
    """Create the extension, unless the application has it, and yield its version; None if the install lacks it."""
    with side.superuser() as superuser, contextlib.ExitStack() as ends:
        found = superuser.execute(_CREATED).fetchone()
        if found is None and superuser.execute(_HAS).fetchone():  # else no event trigger may run
            try:
                with superuser.transaction():
                    superuser.execute(_CREATE.encode())
            except psycopg.Error as error:
                missed.append(NotLookedAt(_NAME, f"{side.install.version}: {Refusal.of(error).message}"))
            else:
                ends.callback(superuser.execute, f"DROP SCHEMA IF EXISTS {_OWN_SCHEMA} CASCADE".encode())
                found = superuser.execute(_CREATED).fetchone()
        yield found[0] if found else None


def _errors(connection: psycopg.Connection, function: Function) -> list[_Error]:
    """The errors in a function; none without the extension."""
    created = connection.execute(_CREATED).fetchone()
    if created is None:
        return []
    connection.execute("DO LANGUAGE plpgsql 'BEGIN END'")  # the extension's library needs PL/pgSQL's
    rows = connection.execute(_CHECK.format(created[1]).encode(), [function.name]).fetchall()
    return [
        _Error(Refusal(state, said, hint=hint or "", inside=at and at - 1), line or 1, query or "", table)
        for line, state, said, hint, at, query, table in rows
    ]
