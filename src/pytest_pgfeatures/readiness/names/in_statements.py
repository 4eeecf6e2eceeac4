"""Read the application's own names from its CREATE and ALTER TABLE statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.names.model import OwnRelation
from pytest_pgfeatures.readiness.statements.reading import qualified

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.names.model import Names
    from pytest_pgfeatures.readiness.statements.reading import StatementReading

SYSTEM_SCHEMAS = frozenset({"pg_catalog", "information_schema"})
_MANY = 1000
_MODIFIERS = frozenset({
    "or", "replace", "temp", "temporary", "unlogged", "global", "local", "recursive", "materialized", "foreign",
    "if", "not", "exists", "unique", "concurrently", "constraint", "trusted", "procedural",
})  # fmt: skip
_CONSTRAINTS = frozenset({"constraint", "check", "unique", "primary", "foreign", "exclude", "like", "period"})
_ALIASES = {
    "int4": "integer", "int": "integer", "serial": "integer", "int8": "bigint", "bigserial": "bigint",
    "int2": "smallint", "float8": "double", "float": "double", "float4": "real", "bool": "boolean",
    "decimal": "numeric", "character": "char",
}  # fmt: skip


def read_statement(own: Names, reading: StatementReading) -> None:
    """Add the names that a CREATE or ALTER TABLE statement creates."""
    at = 1
    first = reading.keyword(0)
    if first not in ("create", "alter"):
        return
    while reading.keyword(at) in _MODIFIERS:
        at += 1
    kind = reading.keyword(at)
    at += 1
    while reading.keyword(at) in ("if", "not", "exists", "only"):
        at += 1
    name, schema, after = qualified(reading, at)
    if name is None:
        if kind == "operator" and first == "create":
            own.operators.update(
                token.text for token in reading.tokens[at : at + 3] if token.kind == "operator"
            )
        return
    if kind == "operator" and first == "create":
        own.operators.update(
            token.text for token in reading.tokens[at : after + 1] if token.kind == "operator"
        )
    elif first == "create":
        _created(own, reading, kind, name, schema, after)
    elif kind == "table":
        _altered(own, reading, name, after)


def _created(
    own: Names, reading: StatementReading, kind: str, name: str, schema: str | None, after: int
) -> None:
    if kind in ("function", "procedure", "aggregate"):
        if reading.keyword(after) == "(" and schema not in SYSTEM_SCHEMAS:
            low, high = _counted(reading, after)
            own.functions[name].append((schema, low, high))
            own.signatures[name].add(_signature(reading, after))
    elif kind in ("table", "view", "sequence"):
        if {"temp", "temporary"} & {reading.keyword(at) for at in range(1, 5)}:
            own.temporary.add(name)
        _related(own, reading, kind, OwnRelation(schema, kind), name, after)
    elif kind in ("type", "domain"):
        own.types.add(name)
    elif kind == "extension":
        own.extensions.add(name)
    elif kind == "index":
        if any(reading.keyword(at + 1) == "not" for at in reading.positions.get("nulls", ())):
            own.null_indexes.add(name)
    elif kind == "trigger":
        _triggered(own, reading)


def _related(
    own: Names, reading: StatementReading, kind: str, relation: OwnRelation, name: str, after: int
) -> None:
    """CREATE TABLE, VIEW or SEQUENCE."""
    if kind == "table":
        relation.columns = _columns(reading, after)
        relation.partitioned = any(
            reading.keyword(at + 1) == "by" and reading.enclosing[at] == -1
            for at in reading.positions.get("partition", ())
        )
        if "foreign" in (reading.keyword(1), reading.keyword(2)):
            relation.kind = "foreign table"
    own.relations[name].append(relation)
    for at in reading.positions.get("inherits", ()):
        for start, end in reading.split(at + 2, min(reading.closing(at + 1), len(reading.tokens))):
            if (parent := reading.name(end - 1)) is not None and end > start:
                own.parents.add(parent)


def _triggered(own: Names, reading: StatementReading) -> None:
    """CREATE TRIGGER: the events, the table, and the function."""
    table = next((qualified(reading, at + 1)[0] for at in reading.positions.get("on", ())), None)
    for at in reading.positions.get("execute", ()):
        name, _, _ = qualified(reading, at + 2)
        if name is not None:
            own.events[name].update({"insert", "update", "delete"} & reading.positions.keys())
            if table is not None:
                own.triggered[name].add(table)


def _altered(own: Names, reading: StatementReading, name: str, after: int) -> None:
    """ALTER TABLE ... ADD COLUMN."""
    for at in reading.positions.get("add", ()):
        following = at + 1
        while reading.keyword(following) in ("column", "if", "not", "exists"):
            following += 1
        column = reading.name(following)
        if column is None or reading.keyword(following) in _CONSTRAINTS:
            continue
        for relation in own.relations.get(name, ()):
            if relation.columns is not None:
                relation.columns[column] = _type(reading, following + 1, len(reading.tokens))


def _counted(reading: StatementReading, opening: int) -> tuple[int, int]:
    """The number of arguments that a function takes, by its definition."""
    low = high = 0
    for start, end in reading.split(opening + 1, min(reading.closing(opening), len(reading.tokens))):
        words = {reading.keyword(at) for at in range(start, end)}
        if reading.keyword(start) == "out" or (reading.keyword(start) == "*" and end == start + 1):
            continue
        if reading.keyword(start) == "variadic":
            high += _MANY
            continue
        high += 1
        low += not words & {"default", "="}
    return low, high


def _signature(reading: StatementReading, opening: int) -> str:
    """The arguments of a function's definition, without their defaults."""
    parts = []
    for start, end in reading.split(opening + 1, min(reading.closing(opening), len(reading.tokens))):
        words = [reading.keyword(at) or reading.tokens[at].text for at in range(start, end)]
        stop = next((at for at, word in enumerate(words) if word in ("default", "=")), len(words))
        parts.append(" ".join(words[:stop]))
    return ", ".join(parts)


def _columns(reading: StatementReading, after: int) -> dict[str, str] | None:
    """The columns of CREATE TABLE, with their types; None if the statement does not list them."""
    if reading.keyword(after) != "(":
        return None
    found = {}
    for start, end in reading.split(after + 1, min(reading.closing(after), len(reading.tokens))):
        name = reading.name(start)
        if name is None or (reading.tokens[start].kind == "word" and name in _CONSTRAINTS):
            continue
        found[name] = _type(reading, start + 1, end)
    return found


def _type(reading: StatementReading, start: int, end: int) -> str:
    """The type that begins at a token, without its schema and modifiers."""
    name, _, after = qualified(reading, start)
    if name in ("timestamp", "time") and "with" in {
        reading.keyword(at) for at in range(after, min(end, after + 4))
    }:
        name += "tz"
    name = _ALIASES.get(name or "", name)
    array = (
        "[]" if any(reading.keyword(at) in ("[", "array") for at in range(start, min(end, start + 6))) else ""
    )
    return (name or "") + array if start < end else ""
