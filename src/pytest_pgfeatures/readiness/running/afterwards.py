"""Statements to run after an upgrade: found in the new server's catalogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    # https://www.postgresql.org/support/security/CVE-2022-1552/: it evaluates expressions of indexes as superuser
    ("<14.3", _INDEXES.format("")),
    (">=14.3", _INDEXES.format(", true")),
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
    """What is corrupt, and what the extension amcheck says of it: it checks all B-trees, and from 14 on all tables,
    and is taken away again. None if the install has no amcheck."""
    available = "SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'amcheck'"
    if connection.execute(available).fetchone() is None:
        return None
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
