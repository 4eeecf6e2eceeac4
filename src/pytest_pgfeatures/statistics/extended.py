"""Read the data of extended statistics, and write it in the server's format."""

from __future__ import annotations

import json
import re
import struct
from typing import TYPE_CHECKING, Any

from psycopg.rows import namedtuple_row

from pytest_pgfeatures.statistics.columns import SLOT_COLUMNS, column, listed, slots, slots_of_view
from pytest_pgfeatures.statistics.model import Combination, ExtendedStatistics
from pytest_pgfeatures.statistics.own import array_of
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import psycopg

    from pytest_pgfeatures.statistics.model import ColumnStatistics
    from pytest_pgfeatures.statistics.own import ForeignTypes

    _Data = tuple[list[Combination], list[ColumnStatistics]]

Groups = tuple[tuple[tuple[str, ...], float], ...]
HAVE = VersionSet(">=10")
HAVE_DATA_CATALOG = VersionSet(">=12")  # before, the data was in pg_statistic_ext; MCV lists were added in 12
HAVE_EXPRESSIONS = VersionSet(">=14")
HAVE_INHERITED = VersionSet(">=15")
_MAGICS = {"ndistinct": (0xA352BFA4, 1), "dependencies": (0xB4549A2C, 1)}
"""The magic numbers of the two kinds in src/include/statistics/statistics.h, with their types."""
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
           s.stawidth AS avg_width, s.stadistinct AS n_distinct, {SLOT_COLUMNS.format(own="true")}
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
_VIEW = "JOIN pg_stats_ext v ON v.statistics_schemaname = n.nspname AND v.statistics_name = x.stxname"
"""The view that shows the data of statistics to the owner of their table
(https://www.postgresql.org/docs/current/view-pg-stats-ext.html)."""
_EXPRESSIONS_OF_VIEW = """
    SELECT array_position(v.exprs, e.expr)::text AS name, '' AS type, false AS inherited, e.null_frac, e.avg_width,
           e.n_distinct, e.correlation::text AS correlation, e.most_common_vals::text AS mcv,
           e.most_common_freqs::text AS frequencies, e.histogram_bounds::text AS bounds,
           e.most_common_elems::text AS elements, e.most_common_elem_freqs::text AS element_frequencies,
           e.elem_count_histogram::text AS counts, NULL::text AS lengths, NULL::text AS empty,
           NULL::text AS range_bounds
      FROM pg_stats_ext_exprs e JOIN pg_stats_ext v USING (statistics_schemaname, statistics_name{same})
     WHERE (e.statistics_schemaname, e.statistics_name) = (%s, %s) {inherited} AND e.null_frac IS NOT NULL
     ORDER BY array_position(v.exprs, e.expr)
"""
_COMBINATIONS_OF_VIEW = """
    SELECT most_common_vals AS combinations, most_common_freqs AS frequencies,
           most_common_base_freqs AS base_frequencies
      FROM pg_stats_ext v WHERE (statistics_schemaname, statistics_name) = (%s, %s) {inherited}
"""
_HIDDEN = """
    SELECT n.nspname || '.' || x.stxname FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = x.stxnamespace
     WHERE NOT EXISTS (
        SELECT 1 FROM pg_stats_ext v WHERE (v.statistics_schemaname, v.statistics_name) = (n.nspname, x.stxname))
     ORDER BY 1
"""
_OF_FOREIGN_TYPES = """
    SELECT n.nspname || '.' || x.stxname FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = x.stxnamespace
     WHERE x.oid = ANY (%s::oid[]) ORDER BY 1
"""
_GROUP = re.compile(r"-?\d+")


def extended_of(
    connection: psycopg.Connection[Any], version: PgVersion, foreign: ForeignTypes, unseen: list[str]
) -> Iterator[ExtendedStatistics]:
    """The data of all extended statistics, from pg_statistic_ext_data if the role may read it, else from
    pg_stats_ext.

    Parameters:
        foreign: the types whose values are left out.
        unseen: what the role may not see, and what is left out, is added.
    """
    if version not in HAVE:
        return
    by_view = False
    left_out = [name for (name,) in connection.execute(_OF_FOREIGN_TYPES, [array_of(foreign.objects)])]
    if left_out:
        unseen.append(
            f"the values of the extended statistics {listed(left_out)}, which functions print that are not"
            " PostgreSQL's own"
        )
    if version in HAVE_DATA_CATALOG:
        may = connection.execute("SELECT has_table_privilege('pg_statistic_ext_data', 'SELECT')").fetchone()
        by_view = may != (True,)
        if by_view and (hidden := [name for (name,) in connection.execute(_HIDDEN.encode())]):
            unseen.append(
                f"the role {connection.info.user} may not read pg_statistic_ext_data, and pg_stats_ext shows the"
                f" statistics of tables that it owns: {listed(hidden)} are missing"
            )
    if by_view and left_out:  # a view shows those of all objects, or may show them
        unseen.append("all extended statistics, which pg_stats_ext shows together with these")
        return
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        rows: list[Any] = cursor.execute(_objects_query(version, by_view).encode()).fetchall()
        for row in rows:
            names = dict(zip(row.keys, row.names, strict=True))
            read = _of_view if by_view else _of_catalog
            common, expressions = ([], []) if row.oid in foreign.objects else read(cursor, version, row)
            yield ExtendedStatistics(
                row.schema, row.name, row.table_schema, row.table, row.inherited,
                groups(row.ndistinct, names), groups(row.dependencies, names), tuple(row.names),
                tuple(common), tuple(expressions),
            )  # fmt: skip


def _objects_query(version: PgVersion, by_view: bool) -> str:
    split = version in HAVE_DATA_CATALOG
    inherited = ("v.inherited" if by_view else "d.stxdinherit") if version in HAVE_INHERITED else "false"
    if by_view:
        return _OBJECTS.format(
            inherited=inherited,
            ndistinct="v.n_distinct",
            dependencies="v.dependencies",
            mcv="v.most_common_vals IS NOT NULL",
            expressions="v.exprs IS NOT NULL" if version in HAVE_EXPRESSIONS else "false",
            data=f"{_VIEW} AND {inherited} IS NOT NULL",
        )
    return _OBJECTS.format(
        inherited=inherited,
        ndistinct="d.stxdndistinct" if split else "x.stxndistinct",
        dependencies="d.stxddependencies" if split else "x.stxdependencies",
        mcv="d.stxdmcv IS NOT NULL" if split else "false",
        expressions="d.stxdexpr IS NOT NULL" if version in HAVE_EXPRESSIONS else "false",
        data="JOIN pg_statistic_ext_data d ON d.stxoid = x.oid" if split else "",
    )


def _of_catalog(cursor: psycopg.Cursor[Any], version: PgVersion, row: Any) -> _Data:
    """The combinations and the expressions' statistics of an object."""
    inherited = "AND d.stxdinherit = %s" if version in HAVE_INHERITED else "AND NOT %s"

    def data(query: str) -> list[Any]:
        return cursor.execute(query.format(inherited=inherited).encode(), [row.oid, row.inherited]).fetchall()

    common = data(_COMBINATIONS) if row.has_mcv else []
    expressions = data(_EXPRESSIONS) if row.has_expressions else []
    return (
        [Combination(tuple(each.values), each.frequency, each.base_frequency) for each in common],
        [column(each, tuple(slots(each))) for each in expressions],
    )


def _of_view(cursor: psycopg.Cursor[Any], version: PgVersion, row: Any) -> _Data:
    """The same, from the views."""
    split = version in HAVE_INHERITED
    inherited, same = ("AND v.inherited = %s", ", inherited") if split else ("AND NOT %s", "")

    def data(query: str) -> list[Any]:
        text = query.format(inherited=inherited, same=same)
        return cursor.execute(text.encode(), [row.schema, row.name, row.inherited]).fetchall()

    common = [
        Combination(tuple(values), frequency, base)
        for each in (data(_COMBINATIONS_OF_VIEW) if row.has_mcv else [])
        for values, frequency, base in zip(
            each.combinations, each.frequencies, each.base_frequencies, strict=True
        )
    ]
    expressions = data(_EXPRESSIONS_OF_VIEW) if row.has_expressions else []
    return common, [column(each, tuple(slots_of_view(each))) for each in expressions]


def groups(text: str | None, names: Mapping[int, str]) -> Groups:
    """The groups of columns that the server prints: ``{"1, 2": 10}``, ``{"1 => 2": 0.5}``, and since 19 a
    list of objects.

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
    """Groups in the server's format; None if there are none.

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
