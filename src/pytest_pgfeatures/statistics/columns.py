"""Read the statistics of columns from pg_statistic if the role may read it, else from the view pg_stats."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from psycopg.rows import namedtuple_row

from pytest_pgfeatures.statistics.model import (
    CORRELATION,
    DECHIST,
    HISTOGRAM,
    KINDS,
    MCELEM,
    MCV,
    RANGE_BOUNDS,
    RANGE_LENGTHS,
    ColumnStatistics,
    Slot,
)
from pytest_pgfeatures.statistics.own import array_of
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import psycopg

    from pytest_pgfeatures.statistics.own import ForeignTypes

SLOTS = range(1, 6)
_VIEW_HAS_RANGES = VersionSet(">=17")  # https://www.postgresql.org/docs/release/17.0/
SLOT_COLUMNS = ", ".join(
    f"CASE WHEN s.stavalues{n} IS NULL OR s.stakind{n} >= {KINDS.stop} OR {{own}} THEN s.stakind{n} ELSE 0 END"
    f" AS kind{n}, s.stanumbers{n}::text AS numbers{n},"
    f" CASE WHEN s.stakind{n} < {KINDS.stop} AND {{own}} THEN s.stavalues{n}::text END AS values{n},"
    f" CASE WHEN s.stakind{n} > {KINDS.stop - 1} AND s.staop{n} <> 0"
    f" THEN s.staop{n}::regoperator::text END AS operator{n}"
    for n in SLOTS
)
"""The select list for the slots of ``pg_statistic AS s``; :func:`slots` reads it. Where ``own`` is false, it
leaves out slots with values."""
_OWN = (
    "((c.relkind IN ('i', 'I') OR a.atttypid <> ALL (%(types)s::oid[]))"
    " AND {relation} <> ALL (%(objects)s::oid[]))"
)
"""An index's column may have its operator class's storage type, such as gtrgm. Its statistics are those of
its expression, on whose type the index depends."""
_STATISTIC = f"""
    SELECT s.starelid::bigint AS relation, a.attname AS name, format_type(a.atttypid, NULL) AS type,
           s.stainherit AS inherited, s.stanullfrac AS null_frac, s.stawidth AS avg_width,
           s.stadistinct AS n_distinct, {{own}} AS own, {SLOT_COLUMNS}
      FROM pg_statistic s
      JOIN pg_attribute a ON a.attrelid = s.starelid AND a.attnum = s.staattnum AND NOT a.attisdropped
      JOIN pg_class c ON c.oid = s.starelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     ORDER BY s.starelid, s.staattnum, s.stainherit
"""
_VIEW = """
    SELECT c.oid::bigint AS relation, s.attname AS name, format_type(a.atttypid, NULL) AS type, s.inherited,
           s.null_frac, s.avg_width, s.n_distinct, {own} AS own, s.correlation::text AS correlation,
           CASE WHEN {own} THEN s.most_common_vals::text END AS mcv, s.most_common_freqs::text AS frequencies,
           CASE WHEN {own} THEN s.histogram_bounds::text END AS bounds,
           CASE WHEN {own} THEN s.most_common_elems::text END AS elements,
           s.most_common_elem_freqs::text AS element_frequencies, s.elem_count_histogram::text AS counts,
           {lengths} AS lengths, {empty} AS empty, {range_bounds} AS range_bounds
      FROM pg_stats s JOIN pg_namespace n ON n.nspname = s.schemaname
      JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = s.tablename
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = s.attname
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     ORDER BY c.oid, a.attnum, s.inherited
"""
_NAMES_SHOWN = 5
_HAS_ROW_SECURITY = VersionSet(">=9.5")  # https://www.postgresql.org/docs/release/9.5.0/
_HIDDEN = """
    SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p')
       AND has_table_privilege(c.oid, 'SELECT') AND row_security_active(c.oid)
     ORDER BY 1
"""
"""Tables whose statistics pg_stats hides, because policies hide rows."""
_ALL_OF_VIEW = {
    "lengths": "s.range_length_histogram::text",
    "empty": "s.range_empty_frac::text",
    "range_bounds": "CASE WHEN {own} THEN s.range_bounds_histogram::text END",
}


def columns_of(
    connection: psycopg.Connection[Any], version: PgVersion, foreign: ForeignTypes, unseen: list[str]
) -> Mapping[int, list[ColumnStatistics]]:
    """The statistics of all columns by the relation's OID.

    Parameters:
        foreign: the types whose values are left out.
        unseen: gets a line for everything that the role may not see, or that is left out.
    """
    may = connection.execute("SELECT has_table_privilege('pg_catalog.pg_statistic', 'SELECT')").fetchone()
    found: dict[int, list[ColumnStatistics]] = defaultdict(list)
    if may == (True,):
        query, read = _STATISTIC.format(own=_OWN.format(relation="s.starelid")), slots
    else:
        query, read = _view_query(version), slots_of_view
        without = "" if version in _VIEW_HAS_RANGES else ", nor those of ranges, which pg_stats has since 17"
        unseen.append(
            f"the role {connection.info.user} may not read pg_statistic: the statistics are those of the view"
            f" pg_stats, which has none of expression indexes of other roles{without}"
        )
        if version in _HAS_ROW_SECURITY and (
            hidden := [name for (name,) in connection.execute(_HIDDEN.encode())]
        ):
            unseen.append(
                f"policies hide rows of {listed(hidden)} from the role {connection.info.user}, and so pg_stats has"
                " no statistics of them: use a role with BYPASSRLS, or that may read pg_statistic"
            )
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        own = {"types": array_of(foreign.types), "objects": array_of(foreign.objects)}
        rows: list[Any] = cursor.execute(query.encode(), own).fetchall()
        for row in rows:
            found[row.relation].append(column(row, tuple(read(row))))
    if lacking := sorted({row.type for row in rows if not row.own}):
        unseen.append(
            f"the values of columns that have or may have the types {listed(lacking)}, which functions print that"
            " are not PostgreSQL's own: most common values and histograms"
        )
    return found


def _view_query(version: PgVersion) -> str:
    parts = _ALL_OF_VIEW if version in _VIEW_HAS_RANGES else dict.fromkeys(_ALL_OF_VIEW, "NULL::text")
    own = _OWN.format(relation="c.oid")
    return _VIEW.format(own=own, **{name: part.format(own=own) for name, part in parts.items()})


def column(row: Any, found: Sequence[Slot]) -> ColumnStatistics:
    """The statistics of a column, from a query's row."""
    return ColumnStatistics(
        row.name, row.type, row.inherited, row.null_frac, row.avg_width, row.n_distinct, tuple(found)
    )


def slots(row: Any) -> Iterator[Slot]:
    """The slots of a row of pg_statistic."""
    for n in SLOTS:
        kind = getattr(row, f"kind{n}")
        if kind:
            yield Slot(
                kind, getattr(row, f"numbers{n}"), getattr(row, f"values{n}"), getattr(row, f"operator{n}")
            )


def slots_of_view(row: Any) -> Iterator[Slot]:
    """The slots in a row of pg_stats."""
    if row.mcv is not None:
        yield Slot(MCV, row.frequencies, row.mcv)
    if row.bounds is not None:
        yield Slot(HISTOGRAM, None, row.bounds)
    if row.correlation is not None:
        yield Slot(CORRELATION, f"{{{row.correlation}}}")
    if row.elements is not None:
        yield Slot(MCELEM, row.element_frequencies, row.elements)
    if row.counts is not None:
        yield Slot(DECHIST, row.counts)
    if row.lengths is not None:
        yield Slot(RANGE_LENGTHS, f"{{{row.empty}}}" if row.empty is not None else None, row.lengths)
    if row.range_bounds is not None:
        yield Slot(RANGE_BOUNDS, None, row.range_bounds)


def listed(names: Sequence[str]) -> str:
    """Some names, and the number of the others."""
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
