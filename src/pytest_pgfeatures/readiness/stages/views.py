"""The views of the application as statements: both servers read all their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.stages.places import definitions_in

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.trial import Trial

_VIEWS = """
    SELECT c.relname, format('%I.%I', n.nspname, c.relname), pg_catalog.pg_get_viewdef(c.oid)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'v' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
       AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e'
                          AND e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass)
     ORDER BY c.oid
"""


def views_of(trial: Trial) -> list[Query]:
    """The queries of the views that files define, as the old server prints them, at the places of the
    definitions."""
    defining = {
        name.removeprefix("view "): query
        for query in trial.application.queries
        if query.kind == "schema" and "view" in query.sql.lower()
        for name in definitions_in([query])
        if name.startswith("view ")
    }
    with trial.sides[0].connect() as connection:
        found = connection.execute(_VIEWS).fetchall()
    return [
        replace(defining[name], sql=text, kind="view", inside=f"view {full}", columns=())
        for name, full, text in found
        if name in defining
    ]


def executed(query: Query) -> Query:
    """The statement to execute: it reads the view, because servers print a view's query differently."""
    if query.kind != "view":
        return query
    return replace(query, sql=f"SELECT * FROM {(query.inside or '').removeprefix('view ')}")
