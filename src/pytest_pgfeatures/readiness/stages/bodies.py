"""Have both servers check the bodies of functions, because a dump disables this check while it is loaded.

Each language has its validator (https://www.postgresql.org/docs/current/plhandler.html).
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from psycopg.sql import quote

from pytest_pgfeatures.readiness.model import Finding, StageReport
from pytest_pgfeatures.readiness.proofs import with_schema
from pytest_pgfeatures.readiness.remedies import remedy_of
from pytest_pgfeatures.readiness.stages.object_questions import in_schema
from pytest_pgfeatures.readiness.stages.places import shown_at
from pytest_pgfeatures.readiness.statements.embedded import routine_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.readiness.stages.places import Shown

_FUNCTIONS = f"""
    SELECT p.oid::regprocedure::text, p.proname, p.prosrc, v.oid::regproc::text, l.lanname
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN pg_proc v ON v.oid = l.lanvalidator
      {in_schema("p.pronamespace", "p.oid", "pg_proc")} AND l.lanname NOT IN ('c', 'internal')
     ORDER BY 1
"""
_LINE = re.compile(r"\bline (\d+)")


class Function(NamedTuple):
    """A function of the application.

    Parameters:
        name: with its schema, if that is needed, and the types of its arguments.
        plain: the name alone.
        source: the body.
        validator: the function that checks it.
    """

    name: str
    plain: str
    source: str
    validator: str
    language: str


def functions_of(trial: Trial) -> list[Function]:
    """The application's functions that both servers have, without those of extensions and those in C."""

    def ask(side: Side) -> dict[str, Function]:
        with side.connect() as connection:
            return {row[0]: Function(*row) for row in connection.execute(_FUNCTIONS.encode()).fetchall()}

    old, new = trial.both(ask)
    return [each for name, each in new.items() if name in old]


def look_at_bodies(trial: Trial, statements: Sequence[Query], functions: Sequence[Function]) -> StageReport:
    """The functions that only the new server rejects."""
    findings = tuple(
        Finding(
            "schema", "error", "affects",
            f"{trial.pair.new} refuses the function's body: {refusal.said}", remedy_of(refusal),
            object=f"function {function.name}", sqlstate=refusal.sqlstate,
            proof=with_schema(trial, f"SET check_function_bodies = on; DO $$BEGIN EXECUTE pg_get_functiondef("
                                     f"{quote(function.name)}::regprocedure); END$$"),
            **shown_in(statements, function, functools.partial(_refused_at, refusal)),
        )
        for function, before, refusal in zip(functions, *trial.each(functions, _validate), strict=True)
        if before is None and refusal is not None and not refusal.is_limit
    )  # fmt: skip
    return StageReport("schema", findings, (("function bodies checked", len(functions)),))


def _validate(connection: psycopg.Connection, function: Function) -> None:
    """Have the language's validator check a function's body."""
    connection.execute("SET LOCAL check_function_bodies = on")
    connection.execute(f"SELECT {function.validator}({quote(function.name)}::regprocedure)".encode())


def shown_in(statements: Sequence[Query], function: Function, at: Callable[[str], int]) -> Shown:
    """The place of an error in a function's body, within the statement that creates the function.

    Parameters:
        at: the index of the error in the body.
    """
    created = ((query, routine_of(query)) for query in reversed(statements) if function.plain in query.sql)
    bodies = [each.body or query for query, each in created if each and each.name == function.plain]
    body = next((each for each in bodies if each.sql == function.source), next(iter(bodies), None))
    return {} if body is None else shown_at(body, at(body.sql))


def _refused_at(refusal: Refusal, body: str) -> int:
    """The line in the error's context; else, its position in the body, which is the internal query."""
    line = _LINE.search(refusal.context)
    return line_in(body, int(line[1])) if line else min(refusal.inside or 0, len(body))


def line_in(text: str, number: int) -> int:
    """The index at which a line of a body begins.

    Parameters:
        number: the line, counted from 1.
    """
    return sum(len(line) + 1 for line in text.split("\n")[: min(number, text.count("\n") + 1) - 1])
