"""The smallest and the largest value of a column, which the planner reads from a B-tree on the column.

Where a query compares with a value beyond the histogram, or in its first or last bin, the planner reads the end of
the index (get_actual_variable_range in src/backend/utils/adt/selfuncs.c). So production's ends are exported, and a
transplant's index gets them.

Only these statements read users' tables, and planning them evaluates constant parts of all indexes of the
table. So they read a table only if nothing but PostgreSQL's own code runs for it; see
:mod:`~pytest_pgfeatures.statistics.own`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from psycopg.rows import namedtuple_row

from pytest_pgfeatures.statistics.columns import listed
from pytest_pgfeatures.statistics.model import HISTOGRAM
from pytest_pgfeatures.statistics.own import FIRST_OF_USERS, array_of, trusted_roles
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.statistics.model import ColumnStatistics

_INDEXES = """
    SELECT i.indexrelid::bigint AS oid, i.indrelid::bigint AS relation, a.attname IS NULL AS expression,
           coalesce(a.attname, x.attname)::text AS name, r.rolname AS owner,
           t.relowner::bigint = ANY (%(trusted)s::bigint[]) AND n.nspowner::bigint = ANY (%(trusted)s::bigint[])
               AS trusted,
           i.indrelid <> ALL (%(calling)s::oid[]) AS own
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_class t ON t.oid = i.indrelid AND t.relkind IN ('r', 'm')
      JOIN pg_namespace n ON n.oid = t.relnamespace
      JOIN pg_roles r ON r.oid = CASE WHEN t.relowner::bigint = ANY (%(trusted)s::bigint[])
                                      THEN n.nspowner ELSE t.relowner END
      JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree' AND m.oid < {first}
      JOIN pg_opclass o ON o.oid = i.indclass[0] AND o.opcdefault AND o.oid < {first}
      JOIN pg_attribute x ON x.attrelid = i.indexrelid AND x.attnum = 1 AND x.atttypid < {first}
      LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] AND i.indkey[0] > 0
     WHERE i.indpred IS NULL AND i.indisvalid AND c.relkind = 'i' AND i.indcollation[0] < {first}
       AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
       AND (a.attname IS NOT NULL OR i.indexprs::text !~ ':varattno 0 ' AND NOT EXISTS (
            SELECT 1 FROM pg_depend d
              JOIN pg_attribute u ON u.attrelid = d.refobjid AND u.attnum = d.refobjsubid
             WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid AND u.atttypid >= {first}
               AND d.refclassid = 'pg_class'::regclass AND d.refobjid = i.indrelid))
       AND {readable}{stored}
     ORDER BY i.indexrelid
"""
"""The B-trees that the planner may look into, each with its first key: a column, or an expression."""
_CALLING = """
    SELECT DISTINCT h.relation::bigint FROM ({hung}) AS h
      LEFT JOIN pg_type e ON h.refclassid = 'pg_type'::regclass AND e.oid = h.refobjid AND e.typtype = 'e'
     WHERE e.oid IS NULL AND h.refclassid <> ALL (ARRAY[
        'pg_class'::regclass, 'pg_constraint'::regclass, 'pg_namespace'::regclass, 'pg_extension'::regclass])
"""
"""Tables with an index or statistics that call code other than PostgreSQL's own.

Objects that initdb created are pinned, or older than users' objects. pg_depend shows all other code that an index
calls, and the columns that it reads, unless it reads whole rows. An enumeration consists of its labels, and calls
nothing.
"""
_HUNG = """
    SELECT g.indrelid AS relation, d.refclassid, d.refobjid FROM pg_index g
      JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = g.indexrelid
"""
_HUNG_STATISTICS = """
    UNION ALL SELECT s.stxrelid, d.refclassid, d.refobjid FROM pg_statistic_ext s
      JOIN pg_depend d ON d.classid = 'pg_statistic_ext'::regclass AND d.objid = s.oid
"""
_HAS_EXTENDED = VersionSet(">=10")
_READABLE = "has_table_privilege(t.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE')"
_NO_POLICIES = " AND NOT row_security_active(t.oid)"
_HAS_ROW_SECURITY = VersionSet(">=9.5")
_STORED = " AND a.attgenerated IS DISTINCT FROM 'v'"
_HAS_VIRTUAL = VersionSet(">=18")
_EXPRESSION = "SELECT pg_get_indexdef(%s::bigint::oid, 1, true)"
_END = "(SELECT v::text FROM (SELECT {x} AS v FROM ONLY {table} WHERE {x} IS NOT NULL ORDER BY 1 %s LIMIT 1) AS e)"
_DIRECTIONS = ("ASC", "DESC")
_BY_INDEX = (
    "SET LOCAL enable_seqscan = off",
    "SET LOCAL enable_sort = off",
    "SET LOCAL enable_bitmapscan = off",
    "SET LOCAL statement_timeout = 1000",
    "SET LOCAL lock_timeout = 200",
)
"""The time limit for an index with many dead entries to skip. Its ends are then not read."""
_LONGEST = 1000
"""Longer values are left out."""
_AT_ONCE = 40

_GIVES_UP = VersionSet("11.19..11,12.14..12,13.10..13,14.7..14,>=15.2")
"""Servers whose planner uses the histogram's bound if it would visit too many pages for an end:
https://www.postgresql.org/docs/release/15.2/ and the other releases of that day."""
_PAGES = 100
"""The number of pages with only dead rows that the planner visits in a table to find an end
(VISITED_PAGES_LIMIT in src/backend/utils/adt/selfuncs.c)."""
_PLANNING = "SELECT 1 FROM ONLY {table} WHERE {x} {operator} {bound}"
"""A query for which the planner looks for an end, because the value is in the last bin of the histogram."""
_BOUNDS = """
    SELECT (v::text[])[1], (v::text[])[array_upper(v::text[], 1)]
      FROM unnest(%s::text[]) WITH ORDINALITY AS each (v, number) ORDER BY number
"""
_FETCHED = """
    SELECT pg_stat_get_xact_blocks_fetched(oid::oid)
      FROM unnest(%s::bigint[]) WITH ORDINALITY AS each (oid, number) ORDER BY number
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """The first key of a B-tree: a column of its table, or an expression.

    Parameters:
        relation: the relation with the key's statistics: the table, or the index.
        table, at: the table's OID, and its name.
        value: the column or the expression.
        histogram: the histogram's bounds as text.
    """

    relation: int
    name: str
    table: int
    at: sql.Identifier
    value: sql.Composable
    histogram: str


Ends = tuple[str, str]


def with_ends(
    connection: psycopg.Connection[Any],
    relations: Mapping[int, Any],
    columns: Mapping[int, Sequence[ColumnStatistics]],
    unseen: list[str],
) -> Mapping[int, Sequence[ColumnStatistics]]:
    """The statistics of columns, with the ends of those that are the first key of a B-tree.

    Parameters:
        connection: a connection in a transaction.
        relations: the names of relations, by OID.
        columns: the statistics, by the relation's OID. Only columns with a histogram have ends.
        unseen: gets a line for everything that may not be read.
    """
    found: dict[tuple[int, str], Ends] = {}
    version = PgVersion.from_num(connection.info.server_version)
    wanted = list(_wanted(connection, version, relations, columns, unseen))
    bounds = _bounds(connection, wanted)
    with connection.transaction(force_rollback=True):
        for setting in _BY_INDEX:
            connection.execute(setting.encode())
        given_up = _given_up(connection, wanted, bounds) if version in _GIVES_UP else set()
        lost: set[str] = set()
        for begin in range(0, len(wanted), _AT_ONCE):
            for each, ends in _ends(connection, wanted[begin : begin + _AT_ONCE], given_up, lost).items():
                read = [ends[end] if (each, end) not in given_up else bounds[each][end] for end in (0, 1)]
                if all(value is not None and len(value) <= _LONGEST for value in read):
                    found[each.relation, each.name] = (read[0], read[1])
    if lost:
        unseen.append(f"the ends of indexes, for which the histogram counts then: {listed(sorted(lost))}")
    return {
        oid: [
            each if each.inherited else replace(each, ends=found.get((oid, each.name))) for each in statistics
        ]
        for oid, statistics in columns.items()
    }


def _wanted(
    connection: psycopg.Connection[Any],
    version: PgVersion,
    relations: Mapping[int, Any],
    columns: Mapping[int, Sequence[ColumnStatistics]],
    unseen: list[str],
) -> Iterator[_Column]:
    seen: set[tuple[int, str]] = set()
    distrusted: set[str] = set()
    foreign: set[str] = set()
    hung = _HUNG + (_HUNG_STATISTICS if version in _HAS_EXTENDED else "")
    calling = tuple(oid for (oid,) in connection.execute(_CALLING.format(hung=hung).encode()))
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        indexes: list[Any] = cursor.execute(
            _indexes_query(version).encode(),
            {"trusted": list(trusted_roles(connection)), "calling": array_of(calling)},
        ).fetchall()
    for index in indexes:
        relation = index.oid if index.expression else index.relation
        table = relations.get(index.relation)
        histograms = [_histogram(each) for each in columns.get(relation, ()) if each.name == index.name]
        histogram = next(filter(None, histograms), None)
        if table is None or (relation, index.name) in seen or histogram is None:
            continue
        if not index.trusted:
            distrusted.add(index.owner)
        elif not index.own:
            foreign.add(f"{table.schema}.{table.name}")
        else:
            seen.add((relation, index.name))
            value: sql.Composable = sql.Identifier(index.name)
            if index.expression:
                row = connection.execute(_EXPRESSION, [index.oid]).fetchone()
                value = sql.SQL(f"({row[0] if row else 'NULL'})")
            at = sql.Identifier(table.schema, table.name)
            yield _Column(relation, index.name, index.relation, at, value, histogram)
    if distrusted:
        unseen.append(
            f"the ends of indexes of {listed(sorted(distrusted))}: reading them could run another role's code with"
            f" the rights of {connection.info.user}, so the histogram counts; export as the owner to have them"
        )
    if foreign:
        unseen.append(
            f"the ends of indexes on {listed(sorted(foreign))}: an index or statistics there call code that is not"
            " PostgreSQL's own, so the histogram counts"
        )


def _indexes_query(version: PgVersion) -> str:
    return _INDEXES.format(
        first=FIRST_OF_USERS,
        readable=_READABLE + (_NO_POLICIES if version in _HAS_ROW_SECURITY else ""),
        stored=_STORED if version in _HAS_VIRTUAL else "",
    )


def _histogram(column: ColumnStatistics) -> str | None:
    values = (slot.values for slot in column.slots if slot.kind == HISTOGRAM and not column.inherited)
    return next(values, None)


def _bounds(connection: psycopg.Connection[Any], wanted: Sequence[_Column]) -> Mapping[_Column, Ends]:
    """The first and the last bound of each histogram."""
    found = connection.execute(_BOUNDS, [[each.histogram for each in wanted]]).fetchall()
    return {each: (first, last) for each, (first, last) in zip(wanted, found, strict=True)}


def _given_up(
    connection: psycopg.Connection[Any], wanted: Sequence[_Column], bounds: Mapping[_Column, Ends]
) -> set[tuple[_Column, int]]:
    """The ends that the planner does not find, because it would visit too many pages with only dead rows.

    We ask the planner itself. Reading the end would remove the dead entries that it has to skip.
    """
    turns: dict[int, list[tuple[_Column, int]]] = {}
    of_table: dict[int, int] = {}
    for each in wanted:  # fetched pages are counted for each table, so one end of each table at a time
        for end in (0, 1):
            turn = of_table[each.table] = of_table.get(each.table, -1) + 1
            turns.setdefault(turn, []).append((each, end))
    found = set()
    for asked in turns.values():
        for begin in range(0, len(asked), _AT_ONCE):
            some = asked[begin : begin + _AT_ONCE]
            query = sql.SQL(" UNION ALL ").join(
                sql.SQL(_PLANNING).format(
                    table=each.at,
                    x=each.value,
                    operator=sql.SQL("<>"[end]),
                    bound=sql.Literal(bounds[each][end]),
                )
                for each, end in some
            )
            before = _fetched(connection, some)
            try:
                with connection.transaction():
                    connection.execute(sql.SQL("EXPLAIN ") + query)
            except psycopg.Error:  # reading the range's ends will fail, too, and be reported
                if connection.broken:
                    raise
                continue
            after = _fetched(connection, some)
            found |= {one for one, was, now in zip(some, before, after, strict=True) if now - was > _PAGES}
    return found


def _fetched(connection: psycopg.Connection[Any], some: Sequence[tuple[_Column, int]]) -> list[int]:
    """The number of pages of each table that our transaction has fetched so far."""
    return [pages for (pages,) in connection.execute(_FETCHED, [[each.table for each, _ in some]])]


def _ends(
    connection: psycopg.Connection[Any],
    wanted: Sequence[_Column],
    given_up: set[tuple[_Column, int]],
    lost: set[str],
) -> dict[_Column, Ends]:
    """The ends of columns, except for the abandoned ones. If a query fails, each end is read by a query of
    its own."""
    wanted = [each for each in wanted if not given_up.issuperset({(each, 0), (each, 1)})]
    if not wanted:
        return {}
    queries = [
        sql.SQL("SELECT {}, {}").format(
            *(
                sql.SQL(_END % direction).format(x=each.value, table=each.at)
                if (each, end) not in given_up
                else sql.SQL("NULL")
                for end, direction in enumerate(_DIRECTIONS)
            )
        )
        for each in wanted
    ]
    try:
        with connection.transaction():
            rows = connection.execute(sql.SQL(" UNION ALL ").join(queries)).fetchall()
    except psycopg.Error as error:
        if connection.broken:
            raise
        if len(wanted) == 1:
            lost.add(f"{wanted[0].name} ({error.diag.message_primary})")
            return {}
        found: dict[_Column, Ends] = {}
        for each in wanted:
            found |= _ends(connection, [each], given_up, lost)
        return found
    return dict(zip(wanted, rows, strict=True))
