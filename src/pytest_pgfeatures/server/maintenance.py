"""Maintenance after an upgrade, which finds indexes and materialized views that no longer work; the statements that
remain to be run, and what is corrupt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import psycopg

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


_STATEMENTS = (
    ("all", """
SELECT format('ALTER EXTENSION %I UPDATE', name), format('%s is %s, and %s is installed', name, installed_version,
    default_version)
FROM pg_catalog.pg_available_extensions WHERE installed_version <> default_version ORDER BY name
"""),
    ("all", """
SELECT format('REINDEX INDEX %s', c.oid::pg_catalog.regclass), 'the upgrade left it invalid'
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i'
WHERE NOT i.indisvalid ORDER BY c.oid
"""),
    # https://www.postgresql.org/docs/current/sql-altercollation.html
    (">=10", """
SELECT DISTINCT format('REINDEX INDEX %s', c.oid::pg_catalog.regclass),
    format('the library of %s has version %s, and was %s', o.collname,
        pg_catalog.pg_collation_actual_version(o.oid), o.collversion)
FROM pg_catalog.pg_collation o
JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_collation'::regclass AND d.refobjid = o.oid
    AND d.classid = 'pg_catalog.pg_class'::regclass
JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind = 'i'
WHERE o.collversion <> pg_catalog.pg_collation_actual_version(o.oid)
"""),
    (">=10", """
SELECT format('ALTER COLLATION %I.%I REFRESH VERSION', n.nspname, o.collname), 'after its indexes are rebuilt'
FROM pg_catalog.pg_collation o JOIN pg_catalog.pg_namespace n ON n.oid = o.collnamespace
WHERE o.collversion <> pg_catalog.pg_collation_actual_version(o.oid) AND n.nspname <> 'pg_catalog'
"""),
    # https://www.postgresql.org/docs/release/15.0/
    (">=15", """
SELECT unnest(ARRAY[format('REINDEX DATABASE %I', datname),
        format('ALTER DATABASE %I REFRESH COLLATION VERSION', datname)]),
    format('its collation has version %s, and was %s', pg_catalog.pg_database_collation_actual_version(oid),
        datcollversion)
FROM pg_catalog.pg_database
WHERE datname = current_database() AND datcollversion <> pg_catalog.pg_database_collation_actual_version(oid)
"""),
    ("all", """
SELECT 'ANALYZE', 'pg_upgrade takes no statistics along up to 17, and none of CREATE STATISTICS from 18 on'
"""),
)  # fmt: skip
"""By versions: what to run, and why."""
_INDEXES = """
SELECT format('index %s.%I', c.relnamespace::regnamespace, c.relname),
    format('SELECT pgfeatures_amcheck.bt_index_check(%s{})', c.oid)
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i'
JOIN pg_catalog.pg_am a ON a.oid = c.relam
WHERE a.amname = 'btree' AND i.indisvalid AND c.relpersistence = 'p'
    AND c.relnamespace::regnamespace::text NOT IN ('information_schema', 'pg_toast')
ORDER BY c.relnamespace::regnamespace::text = 'pg_catalog', c.oid
"""
_CHECKS = (
    # https://www.postgresql.org/support/security/CVE-2022-1552/: before, it runs code of indexes as superuser
    ("<11.16,12..12.10,13..13.6,14..14.2", _INDEXES.format("")),
    ("11.16..11,12.11..12,13.7..13,>=14.3", _INDEXES.format(", true")),
    # https://www.postgresql.org/docs/release/14.0/
    (">=14", """
SELECT format('table %s.%I', c.relnamespace::regnamespace, c.relname),
    format('SELECT msg FROM pgfeatures_amcheck.verify_heapam(%s)', c.oid)
FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', 'm') AND c.relpersistence = 'p'
    AND c.relnamespace::regnamespace::text NOT IN ('information_schema', 'pg_catalog')
ORDER BY c.oid
"""),
)  # fmt: skip
"""By versions: the indexes and tables, each with the query that checks it."""


def _rows(connection: psycopg.Connection, queries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    version = PgVersion.from_num(connection.info.server_version)
    chosen = (query for versions, query in queries if version in VersionSet(versions))
    return [row for query in chosen for row in connection.execute(query.encode())]


def statements_after(connection: psycopg.Connection) -> list[tuple[str, str]]:
    """The statements to run in the database of a connection to the upgraded server, each with the reason."""
    return _rows(connection, _STATEMENTS)


def script_of(statements: list[tuple[str, str]], dbname: str, versions: str) -> str:
    """The statements as a script for psql."""
    lines = [f"-- to run by psql, as superuser, after the upgrade from {versions}", f"\\connect {dbname}"]
    for sql, why in statements:
        lines += [f"-- {why}", f"{sql};"]
    return "\n".join(lines) + "\n"


def amcheck(connection: psycopg.Connection) -> list[tuple[str, str]] | None:
    """Find what is corrupt, with what the extension amcheck says of it: it checks all B-trees, and from 14 on all
    tables, and is taken away again. None if the install has no amcheck."""
    available = "SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'amcheck'"
    if connection.execute(available).fetchone() is None:
        return None
    import psycopg

    found = []
    with connection.transaction(force_rollback=True):
        connection.execute("CREATE SCHEMA pgfeatures_amcheck")
        connection.execute("CREATE EXTENSION amcheck SCHEMA pgfeatures_amcheck")
        for name, check in _rows(connection, _CHECKS):
            try:
                with connection.transaction():
                    said = [message for (message,) in connection.execute(check.encode()).fetchall()]
            except psycopg.Error as error:
                if connection.closed:
                    raise
                # Maintenance tells the errors other than data_corrupted and index_corrupted.
                said = str(error).splitlines()[:1] if error.sqlstate in ("XX001", "XX002") else []
            found += [(name, message) for message in said if message]
    return found
