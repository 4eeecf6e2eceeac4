"""The rows of a suite: those that it left in the largest database, and its INSERTs into other tables.

Most suites roll back, truncate or drop what they inserted, so that nothing is left at their end. Their INSERTs are
in the log, with the values of parameters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.server.dump import dumped_rows
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.server import Cluster, Clusters

MOST_BYTES = 32 << 20
"""The size of the tables whose rows are taken along, the smallest first."""
_SECONDS = 120.0
_UNSEEN = (
    "-c log_statement=none -c log_min_messages=panic -c auto_explain.log_min_duration=-1 -c lock_timeout=5s"
)
"""Keeps our own statements out of the suite's log."""
_LARGEST = """
SELECT datname FROM pg_catalog.pg_database WHERE datallowconn AND datname NOT IN ('template0', 'template1')
ORDER BY pg_catalog.pg_database_size(oid) DESC, datname LIMIT 1
"""
_TABLES = """
SELECT pg_catalog.format('%I.%I', nspname, relname), pg_catalog.pg_table_size(c.oid)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
 WHERE relkind = 'r' AND relpersistence <> 't' AND c.oid >= 16384
 ORDER BY 2, 1
"""
_KEPT = re.compile(r"\s*+(?:COPY|SELECT pg_catalog\.setval|REFRESH)\b")
"""Those statements of pg_dump's script that bring rows; the others are settings of its session."""
_TABLE = re.compile(
    r'\b(?:into|copy)\s++(?:[^\s(".]++\.|"[^"]*+"\.)?(?P<table>"[^"]*+"|[^\s(".]++)', re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that were left.

    Parameters:
        script: that pg_dump wrote.
        problems: what is missing of them, a line each.
    """

    script: str = field(default="", repr=False)
    problems: tuple[str, ...] = ()


def rows_left(clusters: Clusters, cluster: Cluster) -> Rows:
    """The rows in the largest database of a running server, but those of tables that are too large."""
    try:
        with cluster.connect(options=_UNSEEN) as connection:
            ((dbname,),) = connection.execute(_LARGEST).fetchall()
        with cluster.connect(dbname, options=_UNSEEN) as connection:
            tables = connection.execute(_TABLES).fetchall()
        kept, total = [], 0
        for table, size in tables:
            total += size
            if total <= MOST_BYTES:
                kept.append(table)
        if not kept:
            return Rows(problems=_too_large(dbname, tables))
        without = [table for table, _ in tables[len(kept) :]]
        script = dumped_rows(clusters, cluster, dbname, without=without, options=_UNSEEN, timeout=_SECONDS)
        return Rows(script, _too_large(dbname, tables[len(kept) :]))
    except (PgFeaturesError, psycopg.Error) as error:
        first = str(error).splitlines()[0]
        return Rows(problems=(f"the rows that the suite left can't be read: {first}",))


def _too_large(dbname: str, tables: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(
        f"the rows of {table} in {dbname} ({size / 1e6:.0f} MB) are not taken along: with those of smaller tables"
        f" they are more than {MOST_BYTES >> 20} MB; name --data"
        for table, size in tables
    )


def brings_rows(sent: Loadable) -> bool:
    """Whether a statement of pg_dump's script brings rows, or sets a sequence."""
    return bool(sent.data.strip()) if sent.reads else _KEPT.match(sent.query.sql) is not None


def table_of(sql: str) -> str:
    """The name of the table that an INSERT or a COPY fills, without its schema."""
    found = _TABLE.search(sql)
    if found is None:
        return ""
    name = found["table"]
    return name[1:-1] if name.startswith('"') else name.lower()


def inserting(inserted: Iterable[tuple[str, tuple[str | None, ...]]], filled: Set[str]) -> Iterator[str]:
    """Statements that repeat a suite's INSERTs, without those into tables that are filled otherwise.

    Tests insert the same key again and again, after they have removed it: what a constraint refuses is left out.
    """
    for sql, values in inserted:
        if table_of(sql) in filled:
            continue
        text = with_values(sql, values)
        tag = "$row$"
        while tag in text:
            tag = f"{tag[:-1]}_$"
        yield (
            f"DO $do{tag[1:]}BEGIN EXECUTE {tag}{text}{tag};"
            f" EXCEPTION WHEN integrity_constraint_violation THEN NULL; END$do{tag[1:]}"
        )


def with_values(sql: str, values: tuple[str | None, ...]) -> str:
    """A statement with constants in place of its parameters."""
    if not values:
        return sql

    def constant(number: int) -> str:
        value = values[number - 1] if 0 < number <= len(values) else None
        if value is None:
            return "NULL"
        quoted = value.replace("'", "''")
        return f"'{quoted}'" if "\\" not in quoted else " E'" + quoted.replace("\\", "\\\\") + "'"

    return "".join(
        constant(int(each.text[1:])) if each.kind == "parameter" else each.text for each in tokens(sql)
    )
