"""Leave out most common values and histogram bounds, which may be people's data."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StatisticsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.statistics.model import ColumnStatistics, ExtendedStatistics, Statistics

TEXT = "text"
"""The name for all columns of text types or of types that aren't PostgreSQL's own, and for expressions of
indexes whose type is unknown."""
_TEXT_TYPE = re.compile(
    r'(?:text|character varying|character|name|"char"|tsvector|jsonb?|xml|[^.]++\..++)(?:\[\])?'
)
"""A type with a schema before its name is not PostgreSQL's own, and may be a domain over text."""
_OTHER_KEYS = frozenset({"gin", "gist", "hash", "spgist"})
"""Access methods whose indexes store something other than their expression; it may be text, whatever the
expression's type is."""
COST = (
    "without them, the planner takes each value of such a column for equally common, and a range for a third"
    " of the rows (0.5% between two bounds): where values are uneven, estimates and plans will differ"
)


def without_values(statistics: Statistics, columns: Sequence[str]) -> tuple[Statistics, tuple[str, ...]]:
    """The statistics without the values of some columns. Fractions, widths and counts remain. An expression
    of an index is named after the index: ``orders_lower_idx.lower``.

    Parameters:
        columns: as ``table.column`` or ``schema.table.column``, or ``text`` for all columns of text types.

    Returns:
        The statistics, and the columns whose values were left out, as ``schema.table.column``.

    Raises:
        StatisticsError: there is no such column.
    """
    wanted = set(columns)
    found: set[str] = set()
    dropped: list[str] = []
    relations = []
    for relation in statistics.relations:
        kept = []
        for column in relation.columns:
            full = f"{relation}.{column.name}"
            names = {full, f"{relation.name}.{column.name}"} & wanted
            if TEXT in wanted and (relation.method in _OTHER_KEYS or _TEXT_TYPE.fullmatch(column.type)):
                names.add(TEXT)
            found |= names
            if names and (column.ends or any(slot.values is not None for slot in column.slots)):
                dropped.append(full)
            kept.append(_without(column) if names else column)
        relations.append(replace(relation, columns=tuple(kept)))
    if missing := sorted(wanted - found - {TEXT}):
        raise StatisticsError(
            f"--without-values {missing[0]}: there are no statistics of such a column",
            remedy="write table.column or schema.table.column, or text for all columns of text types",
        )
    extended = (
        tuple(_without_combinations(each) for each in statistics.extended) if wanted else statistics.extended
    )
    return replace(statistics, relations=tuple(relations), extended=extended), tuple(dict.fromkeys(dropped))


def _without(column: ColumnStatistics) -> ColumnStatistics:
    return replace(column, slots=tuple(slot for slot in column.slots if slot.values is None), ends=None)


def _without_combinations(extended: ExtendedStatistics) -> ExtendedStatistics:
    """Lists of combinations are left out as a whole, if any of their columns is."""
    return replace(extended, mcv=(), expressions=tuple(map(_without, extended.expressions)))
