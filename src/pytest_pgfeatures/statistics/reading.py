"""Read the planner's knowledge from a server: in one read-only transaction, by a role with any privileges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.rows import namedtuple_row

from pytest_pgfeatures.statistics.columns import columns_of, listed
from pytest_pgfeatures.statistics.ends import with_ends
from pytest_pgfeatures.statistics.extended import extended_of
from pytest_pgfeatures.statistics.locales import locale_of
from pytest_pgfeatures.statistics.metapages import METHODS, counts_in, height_in, metapages
from pytest_pgfeatures.statistics.model import BLOCK, UNKNOWN_IS_NEGATIVE, RelationStatistics, Statistics
from pytest_pgfeatures.statistics.own import foreign_types
from pytest_pgfeatures.statistics.schema import (
    Dumping,
    dumped_schema,
    unreadable_sequences,
    unreadable_tables,
)
from pytest_pgfeatures.statistics.session import reading
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Resolver

_HAS_ALL_FROZEN = VersionSet(">=18")  # https://www.postgresql.org/docs/release/18.0/
_RELATIONS = """
    SELECT c.oid::bigint AS oid, n.nspname AS schema, c.relname AS name, c.relkind::text AS kind,
           coalesce(m.amname, '') AS method, c.relpages, c.reltuples, c.relallvisible, {frozen} AS relallfrozen,
           {pages} AS pages
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_am m ON m.oid = c.relam AND c.relkind = 'i'
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relpersistence <> 't'
       AND c.relkind IN ('r', 'i', 'm', 'f', 'p', 'I')
     ORDER BY n.nspname, c.relname
"""
_PAGES = "CASE WHEN c.relkind IN ('r', 'i', 'm') THEN pg_relation_size(c.oid) / {block} ELSE 0 END"
_SETTINGS = """
    SELECT name, current_setting(name)
      FROM pg_settings
     WHERE (category LIKE 'Query Tuning%%' OR name = ANY(%s))
       AND source NOT IN ('default', 'override', 'session', 'client', 'interactive', 'test')
     ORDER BY name
"""
_OTHER_SETTINGS = (
    "work_mem", "hash_mem_multiplier", "effective_io_concurrency", "max_parallel_workers_per_gather",
    "max_parallel_workers", "parallel_leader_participation",
)  # fmt: skip
"""Settings that affect the planner, but belong to other categories in pg_settings."""
_ROLES = "SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_' ORDER BY 1"


def export(
    dsn: str, *, resolver: Resolver | None = None, timeout: float = 60.0, schema: bool = True
) -> Statistics:
    """Export the statistics and the schema of a database. Nothing is written there.

    Parameters:
        dsn: a connection string or URI, as psql takes it. Parameters that it omits come from libpq's environment.
        resolver: finds an install whose pg_dump fits the server; None to find one in the user's store.
        timeout: the time limit of each statement, in seconds. The wait for a lock ends after 5 seconds.
        schema: whether pg_dump is run for the schema.

    Raises:
        StatisticsError: the server refuses the connection, or closes it; or pg_dump can't read the schema.
    """
    with reading(dsn, timeout=timeout) as connection:
        statistics = read(connection)
        if schema:
            statistics = statistics.with_schema(dumped_schema(connection, Dumping(dsn, resolver, timeout)))
        return statistics


def read(connection: psycopg.Connection[Any]) -> Statistics:
    """Read the statistics, without the schema, by a connection in a :func:`reading` block."""
    version = PgVersion.from_num(connection.info.server_version)
    unseen: list[str] = []
    block = int(_value(connection, "SELECT current_setting('block_size')"))
    if block != BLOCK:
        unseen.append(f"the server has pages of {block} bytes; ours have {BLOCK}: costs will differ")
    known = _relations(connection, version, unseen)
    foreign = foreign_types(connection)
    columns = with_ends(connection, known, columns_of(connection, version, foreign, unseen), unseen)
    first = metapages(connection, [oid for oid, each in known.items() if each.method in METHODS])
    relations = tuple(
        RelationStatistics(
            each.schema, each.name, each.kind, each.method, int(each.pages), each.relpages, _tuples(each, version),
            each.relallvisible, each.relallfrozen,
            height_in(first.get(oid), int(each.pages)) if each.method == "btree" else None,
            counts_in(each.method, first.get(oid), int(each.pages)), tuple(columns.get(oid, ())),
        )
        for oid, each in known.items()
    )  # fmt: skip
    if unreadable := [f"{schema}.{name}" for schema, name in unreadable_tables(connection)]:
        unseen.append(
            f"the role {connection.info.user} may not SELECT from {listed(unreadable)}: their columns'"
            " statistics and their definitions are missing"
        )
    if unreadable := [f"{schema}.{name}" for schema, name in unreadable_sequences(connection)]:
        unseen.append(
            f"the role {connection.info.user} may not SELECT from {listed(unreadable)}: the definitions of"
            " tables that own these sequences are missing"
        )
    locale = locale_of(connection)
    return Statistics(
        version=version,
        dbname=connection.info.dbname,
        encoding=locale.encoding,
        collate=locale.collate,
        ctype=locale.ctype,
        provider=locale.provider,
        locale=locale.name,
        rules=locale.rules,
        settings=tuple(connection.execute(_SETTINGS.encode(), [list(_OTHER_SETTINGS)]).fetchall()),
        roles=tuple(
            name for (name,) in connection.execute(_ROLES)
        ),
        extensions=tuple(
            connection.execute("SELECT extname::text, extversion FROM pg_extension ORDER BY 1").fetchall()
        ),
        relations=relations,
        extended=tuple(extended_of(connection, version, foreign, unseen)),
        unseen=tuple(unseen),
    )  # fmt: skip


def _relations(connection: psycopg.Connection[Any], version: PgVersion, unseen: list[str]) -> dict[int, Any]:
    """The rows of pg_class by OID. The size of a file is read under the relation's lock."""
    frozen = "c.relallfrozen" if version in _HAS_ALL_FROZEN else "NULL::integer"
    for pages in (_PAGES.format(block=BLOCK), "c.relpages"):
        try:
            with connection.transaction(), connection.cursor(row_factory=namedtuple_row) as cursor:
                rows: list[Any] = cursor.execute(
                    _RELATIONS.format(frozen=frozen, pages=pages).encode()
                ).fetchall()
                break
        except psycopg.errors.LockNotAvailable:
            unseen.append("a relation is locked: the sizes of files are those of the last VACUUM or ANALYZE")
    return {row.oid: row for row in rows if row.pages is not None}


def _tuples(row: Any, version: PgVersion) -> float:
    """The number of rows in the form of 14: -1 if it is unknown.

    Before 14 it was 0 then, as for an empty table. A table without pages counts as analyzed: 14 and later
    assume the same after an upgrade.
    """
    if version not in UNKNOWN_IS_NEGATIVE and row.relpages == 0 and row.reltuples == 0 and row.pages > 0:
        return -1.0
    return float(row.reltuples)


def _value(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]
