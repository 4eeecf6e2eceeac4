"""Have both servers check the bodies of functions, because a dump disables this check while it is loaded.

Each language has its validator (https://www.postgresql.org/docs/current/plhandler.html). If the install has the
extension plpgsql_check, it also checks the statements in PL/pgSQL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.readiness.loading import Refusal
from pytest_pgfeatures.readiness.model import Finding
from pytest_pgfeatures.readiness.proofs import with_schema
from pytest_pgfeatures.readiness.remedies import remedy_of
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.readiness.model import Place, Query
    from pytest_pgfeatures.readiness.trial import PairTrial, Side

_FUNCTIONS = """
    SELECT p.oid::bigint, p.oid::regprocedure::text, p.proname, v.oid::regproc::text, l.lanname,
           p.prorettype = 'trigger'::regtype
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN pg_proc v ON v.oid = l.lanvalidator
      JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND l.lanname NOT IN ('c', 'internal')
       AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.classid = 'pg_proc'::regclass
                                                 AND e.deptype = 'e')
     ORDER BY 2
"""
_LINE = re.compile(r"\bline (\d+)")
_AVAILABLE = "SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'plpgsql_check'"


def look_at_bodies(trial: PairTrial, statements: Sequence[Query]) -> tuple[list[Finding], int]:
    """The functions that only the new server rejects, and the number of functions checked."""
    old, new = trial.both(_validate)
    findings = []
    for name, (plain, refusal) in new.items():
        if refusal is None or name not in old or old[name][1] is not None:
            continue
        place, excerpt = _place(statements, plain, refusal)
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


def _validate(side: Side) -> dict[str, tuple[str, Refusal | None]]:
    """For each function, its name without schema, and why the server rejects its body."""
    answers: dict[str, tuple[str, Refusal | None]] = {}
    with side.connect() as connection:
        connection.execute("SET check_function_bodies = on")
        has_check = _create_plpgsql_check(connection)
        for oid, name, plain, validator, language, is_trigger in connection.execute(_FUNCTIONS).fetchall():
            query = f"SELECT {validator}({oid}::oid)"
            refusal = _refusal(connection, query)
            if refusal is None and has_check and language == "plpgsql" and not is_trigger:
                refusal = _refusal(
                    connection, f"SELECT plpgsql_check_function({oid}::oid, fatal_errors := true)"
                )
            answers[name] = plain, refusal
    return answers


def _refusal(connection: psycopg.Connection, query: str) -> Refusal | None:
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(query.encode())
    except psycopg.Error as error:
        if connection.closed:
            raise
        return Refusal.of(error)
    return None


def _create_plpgsql_check(connection: psycopg.Connection) -> bool:
    """Create the extension plpgsql_check; return whether the install has it."""
    if connection.execute(_AVAILABLE).fetchone() is None:
        return False
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS plpgsql_check")
    except psycopg.Error:
        return False
    return True


def _place(statements: Sequence[Query], name: str, refusal: Refusal) -> tuple[Place | None, str]:
    """The line of the error in the body, within the statement that creates the function."""
    wanted = re.compile(
        rf'\b(?:function|procedure)\s+(?:"?\w+"?\s*\.\s*)?"?{re.escape(name)}"?\s*\(', re.IGNORECASE
    )
    for query in reversed(statements):
        match = wanted.search(query.sql, 0, 2000)
        if match is None or query.sql[:6].lower() != "create":
            continue
        body = next(
            (token for token in tokens(query.sql) if token.kind == "string" and token.start > match.end()),
            None,
        )
        at = match.start()
        line = _LINE.search(refusal.context)
        if body is not None:
            at = body.start
            if line:
                for _ in range(int(line[1]) - 1):
                    at = query.sql.find("\n", at) + 1 or at
            elif refusal.position is not None:
                at = min(body.start + refusal.position, body.end)
        end = query.sql.find("\n", at)
        return query.place(at), query.sql[at : end if end >= 0 else len(query.sql)].strip()[:160]
    return None, ""
