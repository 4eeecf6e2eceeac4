"""Statements to run after an upgrade: found in the new server's catalogs."""

from __future__ import annotations

import psycopg

from pytest_pgfeatures.version import PgVersion, VersionSet

_EXTENSIONS = """
SELECT format('ALTER EXTENSION %I UPDATE', name), format('%s is %s, and %s is installed', name, installed_version,
    default_version)
FROM pg_catalog.pg_available_extensions WHERE installed_version <> default_version ORDER BY name
"""
_INVALID = """
SELECT format('REINDEX INDEX %I.%I', n.nspname, c.relname), 'the upgrade left it invalid'
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i'
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE NOT i.indisvalid ORDER BY c.oid
"""
# https://www.postgresql.org/docs/current/sql-altercollation.html
_COLLATIONS = """
SELECT DISTINCT format('REINDEX INDEX %I.%I', n.nspname, c.relname),
    format('the library of %s has version %s, and was %s', o.collname,
        pg_catalog.pg_collation_actual_version(o.oid), o.collversion)
FROM pg_catalog.pg_collation o
JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_collation'::regclass AND d.refobjid = o.oid
    AND d.classid = 'pg_catalog.pg_class'::regclass
JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind = 'i'
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE o.collversion <> pg_catalog.pg_collation_actual_version(o.oid)
"""
_REFRESHED = """
SELECT format('ALTER COLLATION %I.%I REFRESH VERSION', n.nspname, o.collname), 'after its indexes are rebuilt'
FROM pg_catalog.pg_collation o JOIN pg_catalog.pg_namespace n ON n.oid = o.collnamespace
WHERE o.collversion <> pg_catalog.pg_collation_actual_version(o.oid) AND n.nspname <> 'pg_catalog'
"""
# https://www.postgresql.org/docs/release/15.0/
_DATABASE = """
SELECT unnest(ARRAY[format('REINDEX DATABASE %I', datname),
        format('ALTER DATABASE %I REFRESH COLLATION VERSION', datname)]),
    format('its collation has version %s, and was %s', pg_catalog.pg_database_collation_actual_version(oid),
        datcollversion)
FROM pg_catalog.pg_database
WHERE datname = current_database() AND datcollversion <> pg_catalog.pg_database_collation_actual_version(oid)
"""
_QUERIES = (
    (_EXTENSIONS, VersionSet("all")),
    (_INVALID, VersionSet("all")),
    (_COLLATIONS, VersionSet(">=10")),
    (_REFRESHED, VersionSet(">=10")),
    (_DATABASE, VersionSet(">=15")),
)
_CORRUPT = frozenset({"XX001", "XX002"})
"""SQLSTATEs of corrupt data and corrupt indexes."""
_INDEXES = """
SELECT format('index %I.%I', n.nspname, c.relname),
    format('SELECT pgfeatures_amcheck.bt_index_check({}::regclass{})', n.nspname, c.relname)
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i'
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_am a ON a.oid = c.relam
WHERE a.amname = 'btree' AND i.indisvalid AND c.relpersistence = 'p'
    AND n.nspname NOT IN ('information_schema', 'pg_toast')
ORDER BY n.nspname = 'pg_catalog', c.oid
"""
_TABLES = """
SELECT format('table %I.%I', n.nspname, c.relname),
    format('SELECT msg FROM pgfeatures_amcheck.verify_heapam({}::regclass)', n.nspname, c.relname)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm') AND c.relpersistence = 'p' AND n.nspname NOT IN ('information_schema', 'pg_catalog')
ORDER BY c.oid
"""
_CHECKS = (
    (_INDEXES.format("%L", ""), VersionSet("10")),
    (_INDEXES.format("%L", ", true"), VersionSet(">=11")),
    (_TABLES.format("%L"), VersionSet(">=14")),  # https://www.postgresql.org/docs/release/14.0/
)


def statements_after(connection: psycopg.Connection) -> list[tuple[str, str]]:
    """The statements to run in the database of a connection to the upgraded server, each with the reason."""
    version = PgVersion.from_num(connection.info.server_version)
    found = [
        (sql, why)
        for query, versions in _QUERIES
        if version in versions
        for sql, why in connection.execute(query.encode()).fetchall()
    ]
    why = "pg_upgrade takes no statistics along up to 17, and none of CREATE STATISTICS from 18 on"
    return [*found, ("ANALYZE", why)]


def script_of(statements: list[tuple[str, str]], dbname: str, versions: str) -> str:
    """The statements as a script for psql."""
    lines = [f"-- to run by psql, as superuser, after the upgrade from {versions}", f"\\connect {dbname}"]
    for sql, why in statements:
        lines += [f"-- {why}", f"{sql};"]
    return "\n".join(lines) + "\n"


def amcheck(connection: psycopg.Connection) -> list[tuple[str, str]] | None:
    """Check all B-trees, and from 14 on all tables, by the extension amcheck, which is taken away again.

    Returns:
        what is corrupt, and what amcheck says; None if the install has no amcheck.
    """
    version = PgVersion.from_num(connection.info.server_version)
    queries = [query for query, versions in _CHECKS if version in versions]
    available = "SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'amcheck'"
    if not queries or connection.execute(available).fetchone() is None:
        return None
    found = []
    with connection.transaction(force_rollback=True):
        connection.execute("CREATE SCHEMA pgfeatures_amcheck")
        connection.execute("CREATE EXTENSION amcheck SCHEMA pgfeatures_amcheck")
        for name, check in [row for query in queries for row in connection.execute(query.encode())]:
            try:
                with connection.transaction():
                    said = [message for (message,) in connection.execute(check.encode()).fetchall()]
            except psycopg.Error as error:
                if connection.closed:
                    raise
                # maintenance tells the other errors
                said = str(error).splitlines()[:1] if error.sqlstate in _CORRUPT else []
            found += [(name, message) for message in said if message]
    return found
