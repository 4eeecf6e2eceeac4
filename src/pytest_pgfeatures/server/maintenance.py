"""Maintenance after an upgrade, which finds indexes and materialized views that no longer work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import psycopg

    from pytest_pgfeatures.version import PgVersion

_DATABASES = "SELECT datname FROM pg_database WHERE datallowconn AND NOT datistemplate ORDER BY datname"
_RELATIONS = """
SELECT c.relkind, format('%I.%I', n.nspname, c.relname)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE (c.relkind IN ('r', 'p') OR c.relkind = 'm' AND c.relispopulated)
    AND c.relpersistence <> 't' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
ORDER BY c.relkind = 'm', c.oid
"""
"""Materialized views come last, the oldest first, because a newer one may read an older one."""
_REFRESH = "REFRESH MATERIALIZED VIEW {}"
MAINTENANCE = {
    "r": ("VACUUM (ANALYZE) {}", "REINDEX TABLE {}"),
    "p": ("ANALYZE {}",),  # its partitions are in the list as tables
    "m": (_REFRESH, "VACUUM (ANALYZE) {}", "REINDEX TABLE {}"),
}
"""By a relation's kind, as pg_class has it: the statements of maintenance."""
ANALYZE = dict.fromkeys(MAINTENANCE, ("ANALYZE {}",))
REFRESH = {"m": (_REFRESH,)}
_SAFE_SEARCH_PATH = VersionSet(">=17")
_NAME_NOT_FOUND = {"42P01", "42883", "42704", "3F000"}
"""SQLSTATEs of a relation, function, type or schema that does not exist or is not on the search path."""


class Maintained(Protocol):
    """The server to maintain: any :class:`~pytest_pgfeatures.server.Cluster`."""

    name: str

    @property
    def version(self) -> PgVersion:
        """The server's version."""

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        """Run a statement, and return its rows."""

    def connect(self, dbname: str) -> psycopg.Connection:
        """Connect to a database, in autocommit mode."""


def maintain(cluster: Maintained) -> None:
    """Maintain all databases; see :meth:`ClientSide.maintain`."""
    failures: list[tuple[str, str]] = []
    ran = 0
    for (dbname,) in cluster.sql(_DATABASES):
        with cluster.connect(dbname) as connection:
            for statement, failure in maintain_database(connection):
                ran += 1
                if failure is not None:
                    sqlstate, message = failure
                    failures.append((sqlstate, f"{dbname}: {statement}: {sqlstate} {message}"))
    if failures:
        raise ServerError(
            f"{cluster.name} (PostgreSQL {cluster.version}) "
            f"refused {len(failures)} of {ran} maintenance statements",
            details=tuple(line for _, text in failures for line in text.splitlines()),
            remedy=remedy({sqlstate for sqlstate, _ in failures}, cluster.version),
        )


def maintain_database(
    connection: psycopg.Connection, statements: Mapping[str, tuple[str, ...]] = MAINTENANCE
) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """Maintain each relation of the database of a connection, which is in autocommit mode.

    Parameters:
        statements: for each kind of relation, what to run.

    Yields:
        each statement, with the SQLSTATE and message if the server refused it.
    """
    for kind, name in connection.execute(_RELATIONS).fetchall():
        for each in statements.get(kind, ()):
            statement = each.replace("{}", name)
            yield statement, refusal(connection, statement)


def refusal(connection: psycopg.Connection, statement: str) -> tuple[str, str] | None:
    """Run a statement in autocommit mode. Return the SQLSTATE and message if the server refuses it; else None."""
    import psycopg

    try:
        connection.execute(statement.encode())
    except psycopg.Error as error:
        if connection.closed:
            raise
        context = (error.diag.context or "").splitlines()[:1]
        message = "\n    ".join([error.diag.message_primary or str(error), *context])
        return error.sqlstate or "", message
    return None


def remedy(sqlstates: set[str], version: PgVersion) -> str:
    """The remedy if maintenance failed with these SQLSTATEs."""
    if version in _SAFE_SEARCH_PATH and sqlstates & _NAME_NOT_FOUND:
        # https://www.postgresql.org/docs/release/17.0/
        return (
            "from 17 on, maintenance runs with search_path = pg_catalog, pg_temp: qualify the names in functions "
            "that indexes and materialized views use, or give those functions a SET search_path"
        )
    return "correct what the server refuses"
