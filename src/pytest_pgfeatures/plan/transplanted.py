"""Transplants: databases with the statistics of another one, whose tables are empty files of its size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanOptionError

if TYPE_CHECKING:
    import psycopg

MARK = "pgfeatures.transplant"
"""The setting that marks a database as a transplant. It is set for the database, not for the server."""
_MARKED = """
    SELECT EXISTS (
        SELECT 1 FROM pg_catalog.pg_db_role_setting s
          JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
         WHERE d.datname = pg_catalog.current_database() AND s.setconfig::text LIKE '%pgfeatures.transplant=%')
"""


def check_executes(connection: psycopg.Connection[Any]) -> None:
    """Check that the database of a connection has its data, so that statements can be executed.

    Raises:
        PlanOptionError: it is a transplant.
    """
    from psycopg.rows import tuple_row

    with connection.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(_MARKED.encode()).fetchone()
    if row is not None and row[0]:
        raise PlanOptionError(
            "EXPLAIN ANALYZE has nothing to execute on: this database is a transplant, whose tables are empty files"
            " of production's size; its figures would say nothing, and reading them takes as long as real ones",
            remedy="explain without analyze: plans and estimated costs are those of production",
        )
