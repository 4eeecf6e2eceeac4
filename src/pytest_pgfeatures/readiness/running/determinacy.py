"""Whether a statement determines the order of its rows, and which rows it returns.

ORDER BY is total if it contains a unique key of each table, or all columns of GROUP BY or DISTINCT.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.running.reading import name_of, relations_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlglot import exp

    from pytest_pgfeatures.readiness.running.keys import Keys


@dataclass(frozen=True, slots=True)
class Determinacy:
    """The properties of a result that its statement determines.

    Parameters:
        ordered: whether it determines the order of all its rows.
        left_open: why the rows or values that it returns may differ from run to run; empty if they may not.
        drawn_by: the volatile function that chooses its rows, so that two runs prove nothing; empty if none does.
        adds_up: whether it aggregates values, of which floating-point ones depend on the order of rows.
    """

    ordered: bool = False
    left_open: str = ""
    drawn_by: str = ""
    adds_up: bool = False


def determinacy_of(tree: exp.Expression | None, keys: Keys, volatile: Collection[str] = ()) -> Determinacy:
    """Find the properties of the result that a statement determines.

    Parameters:
        tree: as sqlglot parses it; None if it can't.
        keys: the unique keys of the tables.
        volatile: the names of the volatile functions that the statement calls.
    """
    from sqlglot import exp

    if tree is None:
        return Determinacy()
    ordered = isinstance(tree, exp.Select) and _is_total(tree, keys)
    return Determinacy(
        ordered, next(_open(tree, keys), ""), next(_drawing(tree, volatile), ""), any(_adding(tree))
    )


def _adding(tree: exp.Expression) -> Iterator[bool]:
    """For each aggregate, whether it rounds while it aggregates."""
    from sqlglot import exp

    for call in tree.find_all(exp.AggFunc):
        yield not isinstance(call, exp.Min | exp.Max | exp.Count)
    for unknown in tree.find_all(exp.Anonymous):
        yield str(unknown.this).lower().startswith("regr_")


def _drawing(tree: exp.Expression, volatile: Collection[str]) -> Iterator[str]:
    """The volatile functions by which rows are sorted, if only some rows are returned."""
    from sqlglot import exp

    for select in tree.find_all(exp.Select) if volatile else ():
        order, distinct = select.args.get("order"), select.args.get("distinct")
        some = any(select.args.get(name) is not None for name in ("limit", "offset"))
        if order is None or not (some or (distinct is not None and distinct.args.get("on") is not None)):
            continue
        labels = _labels(select)
        for each in order.expressions:
            sorted_by = (
                labels.get(each.this.name, each.this) if isinstance(each.this, exp.Column) else each.this
            )
            for call in sorted_by.find_all(exp.Func):
                name = call.sql("postgres").partition("(")[0].lower()
                if name in volatile:
                    yield name


def _open(tree: exp.Expression, keys: Keys) -> Iterator[str]:
    from sqlglot import exp

    for select in tree.find_all(exp.Select):
        if _is_total(select, keys) or _is_one_row(select):
            continue
        if any(select.args.get(name) is not None for name in ("limit", "offset")):
            yield "LIMIT without an ORDER BY that no two rows share"
        distinct = select.args.get("distinct")
        if distinct is not None and distinct.args.get("on") is not None:
            yield "DISTINCT ON without an ORDER BY that no two rows share"
    for call in tree.find_all(exp.ArrayAgg, exp.GroupConcat, exp.JSONArrayAgg):
        if call.find(exp.Order) is None:
            yield "an aggregate that depends on the order of rows, without ORDER BY"
    for unknown in tree.find_all(exp.Anonymous):
        if str(unknown.this).lower() in _ORDER_DEPENDENT and unknown.find(exp.Order) is None:
            yield "an aggregate that depends on the order of rows, without ORDER BY"
    for window in tree.find_all(exp.Window):
        if isinstance(window.this, exp.RowNumber) and not _window_is_total(window, keys):
            yield "row_number() over rows that share their place"


_ORDER_DEPENDENT = frozenset(
    {"json_agg", "jsonb_agg", "json_object_agg", "jsonb_object_agg", "xmlagg", "array_agg", "string_agg"}
)


def _is_one_row(select: exp.Select) -> bool:
    """Whether a query returns one row at most: it aggregates without GROUP BY, or reads no table."""
    from sqlglot import exp

    if select.args.get("from_") is None:
        return True
    return select.args.get("group") is None and all(
        each.find(exp.AggFunc) is not None and each.find(exp.Window) is None for each in select.expressions
    )


def _is_total(select: exp.Select, keys: Keys) -> bool:
    order = select.args.get("order")
    if order is None:
        return False
    sorted_by = _columns(select, [each.this for each in order.expressions])
    group = select.args.get("group")
    if group is not None:
        return bool(group.expressions) and _columns(select, group.expressions) <= sorted_by
    distinct = select.args.get("distinct")
    if distinct is not None and distinct.args.get("on") is None:
        return _columns(select, select.expressions) <= sorted_by
    return _has_keys(select, sorted_by | _compared(select), keys)


def _window_is_total(window: exp.Window, keys: Keys) -> bool:
    from sqlglot import exp

    select = window.find_ancestor(exp.Select)
    order = window.args.get("order")
    if order is None or select is None:
        return False
    columns = [each.this for each in order.expressions] + list(window.args.get("partition_by") or ())
    return _has_keys(select, _columns(select, columns) | _compared(select), keys)


def _has_keys(select: exp.Select, columns: set[tuple[str | None, str]], keys: Keys) -> bool:
    """Whether the columns contain a unique key of each relation."""
    from sqlglot import exp

    sources = [select.args.get("from_"), *(select.args.get("joins") or ())]
    if any(source is not None and not isinstance(source.this, exp.Table) for source in sources):
        return False
    relations = relations_in(select)
    common = _common(select)
    for schema, name, alias in relations:
        known = keys.get(f"{schema}.{name}" if schema else name, ())
        own = {
            column for table, column in columns if table == alias or (table is None and len(relations) == 1)
        }
        if name in common or not any(key <= own for key in known):
            return False
    return bool(relations)


def _common(select: exp.Select) -> set[str | None]:
    """The names of common table expressions around a query."""
    from sqlglot import exp

    return {name_of(each.args["alias"].this) for each in select.root().find_all(exp.CTE)}


def _columns(select: exp.Select, expressions: list[exp.Expression]) -> set[tuple[str | None, str]]:
    """The columns that expressions refer to; numbers and labels lead to the select list, others are their own
    text."""
    from sqlglot import exp

    found: set[tuple[str | None, str]] = set()
    labels = _labels(select)
    for each in expressions:
        target = each.this if isinstance(each, exp.Alias) else each
        if isinstance(target, exp.Literal) and not target.is_string:
            number = int(str(target.this)) if str(target.this).isdecimal() else 0
            if 1 <= number <= len(select.expressions):
                target = select.expressions[number - 1]
                target = target.this if isinstance(target, exp.Alias) else target
        if isinstance(target, exp.Column) and target.args.get("table") is None:
            target = labels.get(name_of(target.this), target)
        if isinstance(target, exp.Column):
            found.add((name_of(target.args.get("table")), name_of(target.this) or ""))
        else:
            found.add((None, f"({target.sql('postgres').lower()})"))
    return found


def _labels(select: exp.Select) -> dict[str | None, exp.Expression]:
    """The expressions of the select list that have a name."""
    from sqlglot import exp

    named = [each for each in select.expressions if isinstance(each, exp.Alias)]
    return {name_of(each.args["alias"]): each.this for each in named}


def _compared(select: exp.Select) -> set[tuple[str | None, str]]:
    """The columns that WHERE compares with one value by ``=``."""
    from sqlglot import exp

    where = select.args.get("where")
    found: set[tuple[str | None, str]] = set()
    for part in (
        where.this.flatten()
        if where is not None and isinstance(where.this, exp.And)
        else ([where.this] if where is not None else [])
    ):
        if isinstance(part, exp.EQ):
            sides = (part.this, part.expression)
            for column, value in (sides, sides[::-1]):
                if isinstance(column, exp.Column) and isinstance(value, exp.Literal | exp.Placeholder):
                    found.add((name_of(column.args.get("table")), name_of(column.this) or ""))
    return found
