"""Read the data of extended statistics, and write it as a server stores it."""

from __future__ import annotations

import json
import re
import struct
from typing import TYPE_CHECKING, Any

from psycopg.rows import namedtuple_row

from pytest_pgfeatures.statistics.columns import SLOT_COLUMNS, column, slots
from pytest_pgfeatures.statistics.model import Combination, ExtendedStatistics
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import psycopg

Groups = tuple[tuple[tuple[str, ...], float], ...]
HAVE = VersionSet(">=10")
HAVE_DATA_CATALOG = VersionSet(">=12")  # before, the data is in pg_statistic_ext; MCV lists came with 12
HAVE_EXPRESSIONS = VersionSet(">=14")
HAVE_INHERITED = VersionSet(">=15")
_MAGICS = {"ndistinct": (0xA352BFA4, 1), "dependencies": (0xB4549A2C, 1)}
"""How src/include/statistics/statistics.h marks the two kinds: a number, and the type."""
_OBJECTS = """
    SELECT x.oid::bigint AS oid, n.nspname AS schema, x.stxname AS name, tn.nspname AS table_schema,
           c.relname AS table, {inherited} AS inherited, x.stxrelid::bigint AS relation,
           k.keys, k.names, {ndistinct}::text AS ndistinct, {dependencies}::text AS dependencies,
           {mcv} AS has_mcv, {expressions} AS has_expressions
      FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = x.stxnamespace
      JOIN pg_class c ON c.oid = x.stxrelid JOIN pg_namespace tn ON tn.oid = c.relnamespace
      {data}
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(a.attnum::int ORDER BY a.attnum), '{{}}') AS keys,
               coalesce(array_agg(a.attname::text ORDER BY a.attnum), '{{}}') AS names
          FROM pg_attribute a WHERE a.attrelid = x.stxrelid AND a.attnum = ANY (x.stxkeys)) k
     WHERE tn.nspname !~ '^pg_' AND tn.nspname <> 'information_schema'
     ORDER BY 2, 3, 6
"""
_EXPRESSIONS = f"""
    SELECT s.ordinality::text AS name, '' AS type, false AS inherited, s.stanullfrac AS null_frac,
           s.stawidth AS avg_width, s.stadistinct AS n_distinct, {SLOT_COLUMNS}
      FROM pg_statistic_ext_data d, unnest(d.stxdexpr) WITH ORDINALITY AS s
     WHERE d.stxoid = %s {{inherited}} AND s.stanullfrac IS NOT NULL
     ORDER BY s.ordinality
"""
_COMBINATIONS = """
    SELECT m.values, m.frequency, m.base_frequency
      FROM pg_statistic_ext_data d, pg_mcv_list_items(d.stxdmcv) m
     WHERE d.stxoid = %s {inherited}
     ORDER BY m.index
"""
_GROUP = re.compile(r"-?\d+")


def extended_of(
    connection: psycopg.Connection[Any], version: PgVersion, unseen: list[str]
) -> Iterator[ExtendedStatistics]:
    """The data of all extended statistics.

    Parameters:
        unseen: what the role may not see is added.
    """
    if version not in HAVE:
        return
    if version in HAVE_DATA_CATALOG:
        some = connection.execute("SELECT 1 FROM pg_statistic_ext LIMIT 1").fetchone()
        may = connection.execute("SELECT has_table_privilege('pg_statistic_ext_data', 'SELECT')").fetchone()
        if some is None or may != (True,):
            if some is not None:
                unseen.append(
                    f"the role {connection.info.user} may not read pg_statistic_ext_data:"
                    " extended statistics are missing"
                )
            return
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        rows: list[Any] = cursor.execute(_objects_query(version).encode()).fetchall()
        for row in rows:
            names = dict(zip(row.keys, row.names, strict=True))
            expressions = _data(cursor, _EXPRESSIONS, version, row) if row.has_expressions else []
            common = _data(cursor, _COMBINATIONS, version, row) if row.has_mcv else []
            yield ExtendedStatistics(
                row.schema, row.name, row.table_schema, row.table, row.inherited,
                groups(row.ndistinct, names), groups(row.dependencies, names), tuple(row.names),
                tuple(Combination(tuple(each.values), each.frequency, each.base_frequency) for each in common),
                tuple(column(each, tuple(slots(each))) for each in expressions),
            )  # fmt: skip


def _objects_query(version: PgVersion) -> str:
    split = version in HAVE_DATA_CATALOG
    inherited = "d.stxdinherit" if version in HAVE_INHERITED else "false"
    return _OBJECTS.format(
        inherited=inherited,
        ndistinct="d.stxdndistinct" if split else "x.stxndistinct",
        dependencies="d.stxddependencies" if split else "x.stxdependencies",
        mcv="d.stxdmcv IS NOT NULL" if split else "false",
        expressions="d.stxdexpr IS NOT NULL" if version in HAVE_EXPRESSIONS else "false",
        data="JOIN pg_statistic_ext_data d ON d.stxoid = x.oid" if split else "",
    )


def _data(cursor: psycopg.Cursor[Any], query: str, version: PgVersion, row: Any) -> list[Any]:
    inherited = "AND d.stxdinherit = %s" if version in HAVE_INHERITED else "AND NOT %s"
    return cursor.execute(query.format(inherited=inherited).encode(), [row.oid, row.inherited]).fetchall()


def groups(text: str | None, names: Mapping[int, str]) -> Groups:
    """The groups that the server prints: ``{"1, 2": 10}``, ``{"1 => 2": 0.5}``, and since 19 a list of objects.

    Parameters:
        names: the names of columns by their numbers; an expression has a negative number.
    """
    if not text:
        return ()

    def name(number: int) -> str:
        return str(-number) if number < 0 else names[number]

    printed = json.loads(text)
    if isinstance(printed, dict):
        return tuple(
            (tuple(name(int(number)) for number in _GROUP.findall(key)), float(value))
            for key, value in printed.items()
        )
    return tuple(
        (
            tuple(map(name, [*each["attributes"], *([each["dependency"]] if "dependency" in each else [])])),
            float(each["ndistinct"] if "ndistinct" in each else each["degree"]),
        )
        for each in printed
    )


def stored(kind: str, found: Groups, numbers: Mapping[str, int]) -> bytes | None:
    """Groups as the server stores them; None for none.

    Parameters:
        kind: ``ndistinct`` or ``dependencies``.
        numbers: the columns' numbers by name, and those of expressions.
    """
    if not found:
        return None
    parts = [struct.pack("=III", *_MAGICS[kind], len(found))]
    for columns, value in found:
        attributes: Sequence[int] = [numbers[each] for each in columns]
        count = "i" if kind == "ndistinct" else "h"
        parts.append(struct.pack(f"=d{count}{len(attributes)}h", value, len(attributes), *attributes))
    return b"".join(parts)
