"""The rows of a suite: those that it left in the largest database, and its INSERTs into other tables.

Most suites roll back, truncate or drop what they inserted, so that nothing is left at their end. Their INSERTs are
in the log, with the values of parameters.
"""

from __future__ import annotations

import graphlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.readiness.running.contents import sequences
from pytest_pgfeatures.readiness.statements.grammar import with_values
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Set

    from pytest_pgfeatures.server import Cluster

DEFAULT_PATH = '"$user", public'
MOST = 32 << 20
"""The number of characters of rows that are kept."""
_UNSEEN = (
    "-c log_statement=none -c log_min_messages=panic -c auto_explain.log_min_duration=-1 -c lock_timeout=5s"
    " -c statement_timeout=60s"
)
"""Keeps our own statements out of the suite's log."""
_LARGEST = """
SELECT datname FROM pg_catalog.pg_database WHERE datallowconn AND datname NOT IN ('template0', 'template1')
ORDER BY pg_catalog.pg_database_size(oid) DESC, datname LIMIT 1
"""
_GENERATED = VersionSet(">=12")  # https://www.postgresql.org/docs/release/12.0/
_TABLES = """
SELECT c.oid::bigint, relname::text, pg_catalog.format('%I.%I', nspname, relname),
       pg_catalog.string_agg(pg_catalog.quote_ident(attname), ', ' ORDER BY attnum)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
  JOIN pg_catalog.pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped{not_generated}
 WHERE relkind = 'r' AND relpersistence <> 't' AND c.oid >= 16384 AND nspname !~ '^pg_'
   AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend WHERE classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                   AND objid = c.oid AND deptype = 'e')
 GROUP BY c.oid, relname, nspname ORDER BY pg_catalog.pg_relation_size(c.oid), c.oid
"""
_REFERENCES = "SELECT conrelid::bigint, confrelid::bigint FROM pg_catalog.pg_constraint WHERE contype = 'f'"
_INTO = re.compile(
    r'\binto\s++(?:[^\s(".]++\.|"[^"]*+"\.)?(?P<table>"(?P<quoted>[^"]*+)"|[^\s(".]++)', re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The tables with rows; COPY statements that load those taken along, with their data; statements that put
    sequences where they stood; and what is missing, a line each."""

    tables: frozenset[str] = frozenset()
    copies: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    sequences: tuple[str, ...] = field(default=(), repr=False)
    problems: tuple[str, ...] = ()


def rows_left(cluster: Cluster) -> Rows:
    """The rows in the largest database of a running server, as far as they are not too many."""
    try:
        with cluster.connect(options=_UNSEEN) as connection:
            ((dbname,),) = connection.execute(_LARGEST).fetchall()
        return _rows_in(cluster, dbname)
    except psycopg.Error as error:
        return Rows(problems=(f"the rows that the suite left can't be read: {str(error).splitlines()[0]}",))


def _rows_in(cluster: Cluster, dbname: str) -> Rows:
    with cluster.connect(dbname, options=_UNSEEN) as connection:
        not_generated = " AND attgenerated = ''" if cluster.version in _GENERATED else ""
        query = _TABLES.format(not_generated=not_generated)
        tables = {oid: rest for oid, *rest in connection.execute(query.encode()).fetchall()}
        references = connection.execute(_REFERENCES).fetchall()
        moved = [
            f"SELECT pg_catalog.setval('{name.replace(chr(39), chr(39) * 2)}', {value}, {called})"
            for name, (value, called) in sequences(connection).items()
        ]
        found: dict[int, tuple[str, str]] = {}
        filled, problems = set(), []
        left = MOST
        for oid, (name, table, columns) in tables.items():
            size = (
                f"SELECT pg_catalog.sum(pg_catalog.octet_length(row_of_it::text)) FROM ONLY {table} row_of_it"
            )
            ((characters,),) = connection.execute(size.encode()).fetchall()
            if characters is not None:
                filled.add(name)
            if (characters or 0) > left:
                problems.append(
                    f"the rows of {table} in {dbname} are not taken along: with those of smaller tables they are"
                    f" more than {MOST >> 20} MB; name --data"
                )
            elif characters:
                with connection.cursor().copy(f"COPY {table} ({columns}) TO STDOUT".encode()) as rows:
                    data = b"".join(rows).decode("utf-8", "surrogateescape")
                found[oid] = f"COPY {table} ({columns}) FROM stdin", data
                left -= len(data)
    return Rows(
        frozenset(filled),
        tuple(found[oid] for oid in _in_order(found, references)),
        tuple(moved) if found else (),
        tuple(problems),
    )


def _in_order(found: Mapping[int, Any], references: Collection[tuple[int, ...]]) -> list[int]:
    """Tables after those that their foreign keys reference, as far as there is such an order."""
    graph = {oid: {other for table, other in references if oid == table != other} & {*found} for oid in found}
    try:
        return list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError:
        return list(found)


def inserting(inserted: Iterable[tuple[str, tuple[str | None, ...], str]], filled: Set[str]) -> Iterator[str]:
    """Statements that repeat a suite's INSERTs, without those into tables that are filled otherwise.

    Tests insert the same key again and again, after they have removed it. One that fails brings no row; the stage
    ``suite`` has reported it, if it fails on one server alone.
    """
    for sql, values, path in inserted:
        into = _INTO.search(sql)
        if into is not None and (into["quoted"] or into["table"].lower()) in filled:
            continue
        text = with_values(sql, values)
        tag = "$row$"
        while tag in text:
            tag = f"{tag[:-1]}_$"
        there = f"PERFORM{set_path(path, local=True).removeprefix('SELECT')}; " if path else ""
        yield (
            f"DO $do{tag[1:]}BEGIN {there}SET CONSTRAINTS ALL IMMEDIATE; EXECUTE {tag}{text}{tag};"
            f" EXCEPTION WHEN OTHERS THEN NULL; END$do{tag[1:]}"
        )


def set_path(path: str, *, local: bool = False) -> str:
    """The statement that sets a search path; an empty one is the default."""
    value = (path or DEFAULT_PATH).replace("'", "''")
    return f"SELECT pg_catalog.set_config('search_path', '{value}', {str(local).lower()})"
