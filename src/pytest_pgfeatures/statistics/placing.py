"""Write statistics into the catalogs of a database: by the server's own functions, else as rows of pg_statistic."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg

from pytest_pgfeatures.statistics.columns import SLOTS
from pytest_pgfeatures.statistics.model import (
    CORRELATION,
    DECHIST,
    HISTOGRAM,
    KINDS,
    MCELEM,
    MCV,
    RANGE_BOUNDS,
    RANGE_LENGTHS,
    UNKNOWN_IS_NEGATIVE,
)
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pgfeatures.statistics.differences import Counterpart
    from pytest_pgfeatures.statistics.model import ColumnStatistics, RelationStatistics, Slot
    from pytest_pgfeatures.statistics.types import Types

HAVE_FUNCTIONS = VersionSet(">=18")
"""pg_restore_relation_stats and pg_restore_attribute_stats: https://www.postgresql.org/docs/release/18.0/."""
HAVE_COLLATIONS = VersionSet(">=12")  # stacoll1, ...: https://www.postgresql.org/docs/release/12.0/
_ARGUMENTS: dict[int, tuple[str | None, str | None]] = {
    MCV: ("most_common_freqs", "most_common_vals"),
    HISTOGRAM: (None, "histogram_bounds"),
    MCELEM: ("most_common_elem_freqs", "most_common_elems"),
    DECHIST: ("elem_count_histogram", None),
    RANGE_LENGTHS: (None, "range_length_histogram"),
    RANGE_BOUNDS: (None, "range_bounds_histogram"),
}
"""The names of a kind's numbers and values as arguments of pg_restore_attribute_stats
(https://www.postgresql.org/docs/18/functions-admin.html#FUNCTIONS-ADMIN-STATSMOD)."""
_FIRST = {CORRELATION: "correlation", RANGE_LENGTHS: "range_empty_frac"}
"""The argument's name for the first number of the other kinds."""
_NOT_OF_DOMAINS = frozenset({MCELEM, DECHIST, RANGE_LENGTHS, RANGE_BOUNDS})
"""Kinds for which the function looks at a column's type, and not at the base type of a domain (in 18; it
finds arrays)."""


class Putting(NamedTuple):
    """A statement that restores the statistics of one object.

    Parameters:
        what: the object, for messages.
        by_owner: whether it needs no superuser.
    """

    sql: str
    values: tuple[Any, ...]
    what: str
    by_owner: bool = False


def put(
    connection: psycopg.Connection[Any],
    owner: psycopg.Connection[Any],
    relations: Iterable[tuple[RelationStatistics, Counterpart]],
    types: Types,
) -> list[str]:
    """Write the statistics of relations and their columns, in one transaction on each connection.

    Parameters:
        connection: a superuser's connection, in autocommit mode. It writes rows of pg_statistic.
        owner: the connection of the role that may run the database's code. It calls the server's functions,
            which read values of any type.
        relations: each with its place in the database.

    Returns:
        The statements that the server refused, one line each.
    """
    version = PgVersion.from_num(connection.info.server_version)
    statements: list[Putting] = []
    said: list[str] = []
    for relation, place in relations:
        statements.append(_relation(relation, place, version))
        for column in relation.columns:
            if column.name in place.columns:
                try:
                    statements.append(_column(relation, column, place, types, version))
                except KeyError:
                    said.append(f"{relation}.{column.name}: its type has no such statistics here")
                    continue
                if (
                    not statements[-1].by_owner
                    and without_code(column, place.columns[column.name].type, types) != column
                ):
                    said.append(left_out(f"{relation}.{column.name}"))
    by_owner = [each for each in statements if each.by_owner]
    others = [each for each in statements if not each.by_owner]
    return said + execute(owner, by_owner) + execute(connection, others)


def without_code(column: ColumnStatistics, type_: int, types: Types) -> ColumnStatistics:
    """The statistics of a column, without values that a superuser must not read."""
    slots = tuple(
        slot
        for slot in column.slots
        if slot.values is None
        or slot.kind not in KINDS
        or not types.runs_code(types.kind(slot.kind, type_, 0).values)
    )
    return column if slots == column.slots else replace(column, slots=slots)


def left_out(what: str) -> str:
    """A line that says that values of a type which runs code are left out."""
    return f"{what}: without its values, as reading them here runs a domain's CHECK as superuser; trust allows that"


def execute(connection: psycopg.Connection[Any], statements: Sequence[Putting]) -> list[str]:
    """Execute statements in one transaction: all at once, or if the server refuses one or warns of it, one by one.

    Returns:
        The refusals and warnings of the server, one line each.
    """
    warnings: list[str] = []
    if not statements:
        return warnings

    def noticed(diagnostic: psycopg.errors.Diagnostic) -> None:
        if diagnostic.severity_nonlocalized == "WARNING" or diagnostic.severity == "WARNING":
            warnings.append(f"{diagnostic.message_primary}")

    connection.add_notice_handler(noticed)
    try:
        try:
            with connection.transaction():
                _all(connection, statements)
        except psycopg.Error:
            if connection.broken:
                raise
        else:
            if not warnings:
                return []
        with connection.transaction():
            return list(_one_by_one(connection, statements, warnings))
    finally:
        connection.remove_notice_handler(noticed)


def _all(connection: psycopg.Connection[Any], statements: Iterable[Putting]) -> None:
    alike: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for statement in statements:
        alike[statement.sql].append(statement.values)
    with connection.cursor() as cursor:
        for sql, values in alike.items():
            cursor.executemany(sql.encode(), values)


def _one_by_one(
    connection: psycopg.Connection[Any], statements: Iterable[Putting], warnings: list[str]
) -> Iterator[str]:
    """Execute them, and tell which is refused.

    Parameters:
        warnings: the connection's notice handler adds the server's warnings to it.
    """
    for statement in statements:
        warnings.clear()
        try:
            with connection.transaction():
                connection.execute(statement.sql.encode(), statement.values)
        except psycopg.Error as error:
            if connection.broken:
                raise
            yield f"{statement.what}: {error.diag.message_primary or error}"
        yield from (f"{statement.what}: {warning}" for warning in warnings)


def _relation(relation: RelationStatistics, place: Counterpart, version: PgVersion) -> Putting:
    tuples = relation.reltuples
    if version not in UNKNOWN_IS_NEGATIVE:
        tuples = max(tuples, 0.0)
    relpages = max(relation.relpages, 0) if version not in UNKNOWN_IS_NEGATIVE else relation.relpages
    values: dict[str, tuple[str, Any]] = {
        "relpages": ("integer", relpages),
        "reltuples": ("real", tuples),
        "relallvisible": ("integer", relation.relallvisible),
    }
    if version not in HAVE_FUNCTIONS:
        changed = ", ".join(f"{name} = %s::{type_}" for name, (type_, _) in values.items())
        sql = f"UPDATE pg_catalog.pg_class SET {changed} WHERE oid = %s::oid"
        return Putting(sql, (*(value for _, value in values.values()), place.oid), str(relation))
    if relation.relallfrozen is not None:
        values["relallfrozen"] = ("integer", relation.relallfrozen)
    return _call("pg_restore_relation_stats", relation, values, str(relation))


def _column(
    relation: RelationStatistics,
    column: ColumnStatistics,
    place: Counterpart,
    types: Types,
    version: PgVersion,
) -> Putting:
    what = f"{relation}.{column.name}"
    attribute = place.columns[column.name]
    by_function = all(
        slot.kind in KINDS
        and not (slot.kind in _NOT_OF_DOMAINS and types.is_domain_over_no_array(attribute.type))
        for slot in column.slots
    )
    if version in HAVE_FUNCTIONS and by_function:
        values: dict[str, tuple[str, Any]] = {
            "attname": ("text", column.name),
            "inherited": ("boolean", column.inherited),
            "null_frac": ("real", column.null_frac),
            "avg_width": ("integer", column.avg_width),
            "n_distinct": ("real", column.n_distinct),
        }
        for slot in column.slots:
            values.update(_arguments(slot))
        return _call("pg_restore_attribute_stats", relation, values, what)
    row, values_of_row = row_of(
        column, (place.oid, attribute.number), (attribute.type, attribute.collation), types, version
    )
    return Putting(f"INSERT INTO pg_catalog.pg_statistic SELECT {row}", values_of_row, what)


def _arguments(slot: Slot) -> Iterator[tuple[str, tuple[str, Any]]]:
    numbers, values = _ARGUMENTS.get(slot.kind, (None, None))
    if numbers and slot.numbers is not None:
        yield numbers, ("real[]", slot.numbers)
    if values and slot.values is not None:
        yield values, ("text", slot.values)
    if slot.kind in _FIRST and slot.numbers is not None:
        yield _FIRST[slot.kind], ("real", float(slot.numbers.strip("{}").split(",")[0]))


def _call(
    function: str, relation: RelationStatistics, values: dict[str, tuple[str, Any]], what: str
) -> Putting:
    arguments = {"schemaname": ("text", relation.schema), "relname": ("text", relation.name), **values}
    pairs = ", ".join(f"'{name}', %s::{type_}" for name, (type_, _) in arguments.items())
    return Putting(
        f"SELECT pg_catalog.{function}({pairs})", tuple(value for _, value in arguments.values()), what, True
    )


def row_of(
    column: ColumnStatistics,
    of: tuple[int, int],
    described: tuple[int, int],
    types: Types,
    version: PgVersion,
) -> tuple[str, tuple[Any, ...]]:
    """The fields of a row of pg_statistic with placeholders, and their values.

    ``array_in`` makes arrays of any element type: https://www.postgresql.org/docs/current/catalog-pg-statistic.html.

    Parameters:
        of: the relation's OID and the column's number.
        described: the OIDs of the column's type and collation.
    """
    column = without_code(column, described[0], types)
    slots = [*column.slots, *(None for _ in SLOTS)][: len(SLOTS)]
    kinds = [
        types.kind(slot.kind, *described) if slot is not None and slot.kind in KINDS else None
        for slot in slots
    ]
    fields = ["%s::oid", "%s::int2", "%s::bool", "%s::real", "%s::int4", "%s::real"]
    values: list[Any] = [*of, column.inherited, column.null_frac, column.avg_width, column.n_distinct]
    for slot in slots:
        fields.append("%s::int2")
        values.append(slot.kind if slot else 0)
    for slot, kind in zip(slots, kinds, strict=True):
        if kind is None and slot is not None and slot.operator is not None:
            fields.append("%s::regoperator::oid")
            values.append(slot.operator)
        else:
            fields.append("%s::oid")
            values.append(kind.operator if kind else 0)
    if version in HAVE_COLLATIONS:
        fields += ["%s::oid" for _ in slots]
        values += [kind.collation if kind else 0 for kind in kinds]
    fields += ["%s::real[]" for _ in slots]
    values += [slot.numbers if slot else None for slot in slots]
    fields += ["array_in(%s::text::cstring, %s::oid, -1)" for _ in slots]
    for slot, kind in zip(slots, kinds, strict=True):
        values += [slot.values, kind.values] if slot and kind else [None, 0]
    return ", ".join(fields), tuple(values)
