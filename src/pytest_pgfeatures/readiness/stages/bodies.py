"""Have both servers check the bodies of functions, because a dump disables this check while it is loaded.

Each language has its validator (https://www.postgresql.org/docs/current/plhandler.html).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import psycopg

from pytest_pgfeatures.readiness.model import Finding
from pytest_pgfeatures.readiness.proofs import with_schema
from pytest_pgfeatures.readiness.remedies import remedy_of
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.stages.places import excerpt_at
from pytest_pgfeatures.readiness.statements.embedded import routine_of
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.readiness.model import Place, Query
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial

_FUNCTIONS = """
    SELECT p.oid::bigint, p.oid::regprocedure::text, p.proname, p.prosrc, v.oid::regproc::text, l.lanname
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN pg_proc v ON v.oid = l.lanvalidator
      JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND l.lanname NOT IN ('c', 'internal')
       AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.objid = p.oid AND e.classid = 'pg_proc'::regclass
                                                 AND e.deptype = 'e')
     ORDER BY 2
"""
_LINE = re.compile(r"\bline (\d+)")


class Function(NamedTuple):
    """A function of the application, on one of the servers.

    Parameters:
        name: with its schema, if that is needed, and the types of its arguments.
        plain: the name alone.
        source: the body.
        validator: the function that checks it.
    """

    oid: int
    name: str
    plain: str
    source: str
    validator: str
    language: str


def functions_of(connection: psycopg.Connection) -> list[Function]:
    """The application's functions, without those of extensions and those in C."""
    return [Function(*row) for row in connection.execute(_FUNCTIONS).fetchall()]


def look_at_bodies(trial: Trial, statements: Sequence[Query]) -> tuple[list[Finding], int]:
    """The functions that only the new server rejects, and the number of functions checked."""
    old, new = trial.both(_validate)
    findings = []
    for name, (function, refusal) in new.items():
        if refusal is None or name not in old or old[name][1] is not None:
            continue
        place, excerpt = _place(statements, function, refusal)
        findings.append(
            Finding(
                "schema", "error", "affects",
                f"{trial.pair.new} refuses the function's body: {SqlState(refusal.sqlstate)}: {refusal.message}",
                remedy_of(refusal), place=place, object=f"function {name}", excerpt=excerpt,
                proof=with_schema(trial, f"SET check_function_bodies = on; DO $$BEGIN EXECUTE pg_get_functiondef("
                                         f"{psycopg.sql.quote(name)}::regprocedure); END$$"),
                sqlstate=refusal.sqlstate,
            )
        )  # fmt: skip
    return findings, len(old.keys() & new.keys())


def _validate(side: Side) -> dict[str, tuple[Function, Refusal | None]]:
    """For each function, by its name, why the server rejects its body."""
    with side.connect() as connection:
        connection.execute("SET check_function_bodies = on")
        return {
            each.name: (each, _refusal(connection, f"SELECT {each.validator}({each.oid}::oid)"))
            for each in functions_of(connection)
        }


def _refusal(connection: psycopg.Connection, query: str) -> Refusal | None:
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(query.encode())
    except psycopg.Error as error:
        if connection.closed:
            raise
        inside = error.diag.internal_position  # in the body, which is the internal query
        return replace(Refusal.of(error), position=int(inside) - 1 if inside else None)
    return None


def body_in(statements: Sequence[Query], function: Function) -> Query | None:
    """The body of a function in the statement that creates it; for one without a constant, the statement."""
    named = (query for query in reversed(statements) if function.plain in query.sql)
    created = ((query, routine_of(query)) for query in named)
    bodies = [
        routine.body or query for query, routine in created if routine and routine.name == function.plain
    ]
    return next((each for each in bodies if each.sql == function.source), next(iter(bodies), None))


def _place(statements: Sequence[Query], function: Function, refusal: Refusal) -> tuple[Place | None, str]:
    """The place of the error in the body, within the statement that creates the function."""
    body = body_in(statements, function)
    if body is None:
        return None, ""
    line = _LINE.search(refusal.context)
    at = line_in(body.sql, int(line[1])) if line else min(refusal.position or 0, len(body.sql))
    return body.place(at), excerpt_at(body.sql, at)


def line_in(text: str, number: int) -> int:
    """The index at which a line of a body begins.

    Parameters:
        number: the line, counted from 1.
    """
    at = 0
    for _ in range(number - 1):
        at = text.find("\n", at) + 1 or at
    return at
