"""Usual values of types, and of arguments of PostgreSQL's own functions that don't accept every value of
their type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.statements.reading import StatementReading

OF_TYPES = {
    "boolean": "true", "smallint": "1", "integer": "1", "bigint": "1", "numeric": "1", "real": "1",
    "double precision": "1", "money": "1", "oid": "1",
    "text": "a", "character varying": "a", "character": "a", '"char"': "a", "name": "a", "citext": "a",
    "date": "2024-01-01", "timestamp with time zone": "2024-01-01 00:00:00+00",
    "timestamp without time zone": "2024-01-01 00:00:00", "time without time zone": "12:00:00",
    "time with time zone": "12:00:00+00", "interval": "1 day",
    "uuid": "00000000-0000-0000-0000-000000000001", "bytea": "\\x00", "bit": "1", "bit varying": "1",
    "json": "{}", "jsonb": "{}", "jsonpath": "$", "xml": "<a/>", "hstore": "",
    "inet": "127.0.0.1", "cidr": "127.0.0.0/8", "macaddr": "08:00:2b:01:02:03",
    "tsquery": "a", "tsvector": "a", "regconfig": "simple", "regdictionary": "simple", "regtype": "integer",
    "point": "(0,0)", "box": "(0,0),(1,1)", "circle": "<(0,0),1>", "ltree": "a", "lquery": "*",
    "int4range": "[1,10)", "int8range": "[1,10)", "numrange": "[1,10)", "daterange": "[2024-01-01,2024-02-01)",
    "tsrange": "[2024-01-01,2024-02-01)", "tstzrange": "[2024-01-01,2024-02-01)",
}  # fmt: skip
WHOLE_NUMBERS = frozenset({"smallint", "integer", "bigint"})
_WORDS = frozenset({"text", "character varying", "name", "unknown"})
_OF_WORDS = {
    ("date_trunc", 0): "day", ("date_trunc", 2): "UTC", ("date_part", 0): "day", ("timezone", 0): "UTC",
    ("to_char", 1): "YYYY-MM-DD", ("to_date", 0): "2024-01-01", ("to_date", 1): "YYYY-MM-DD",
    ("to_timestamp", 0): "2024-01-01", ("to_timestamp", 1): "YYYY-MM-DD", ("to_number", 0): "12",
    ("to_number", 1): "99", ("encode", 1): "hex", ("decode", 0): "00", ("decode", 1): "hex",
    ("split_part", 1): " ", ("string_to_array", 1): ",", ("array_to_string", 1): ",", ("string_agg", 1): ",",
    ("regexp_replace", 3): "g", ("current_setting", 0): "TimeZone", ("digest", 1): "sha256",
    ("ts_headline", 3): "MaxFragments=1",
}  # fmt: skip
"""https://www.postgresql.org/docs/current/functions.html; arguments are counted from 0."""
_OF_NUMBERS = {
    ("generate_series", 1): "3", ("generate_series", 2): "1", ("repeat", 1): "2", ("lpad", 1): "5",
    ("rpad", 1): "5",
    ("left", 1): "3", ("right", 1): "3", ("substr", 1): "1", ("substr", 2): "3", ("substring", 1): "1",
    ("substring", 2): "3", ("split_part", 2): "1", ("ntile", 0): "4", ("lag", 1): "1", ("lead", 1): "1",
    ("round", 1): "2", ("trunc", 1): "2",
}  # fmt: skip
OF_SEQUENCES = frozenset({"nextval", "currval", "setval", "pg_get_serial_sequence"})


def argument_at(reading: StatementReading, number: int) -> tuple[str, int] | None:
    """The function whose argument is ``$number``, alone or with a cast, and the argument's index; None if
    there is none."""
    for at in reading.kinds.get("parameter", ()):
        opening = reading.enclosing[at]
        if reading.tokens[at].text != f"${number}" or opening < 1:
            continue
        name = reading.name(opening - 1)
        arguments = reading.split(opening + 1, reading.closing(opening))
        for place, (first, end) in enumerate(arguments):
            if first == at and name is not None and (end == at + 1 or reading.keyword(at + 1) == "::"):
                return name, place
    return None


def of_argument(reading: StatementReading, number: int, type_: str) -> str | None:
    """A value for an argument of one of PostgreSQL's own functions; None if any value of its type will do."""
    if type_ in _WORDS and _is_time_zone(reading, number):
        return "UTC"
    found = argument_at(reading, number)
    if found is None:
        return None
    return (
        _OF_WORDS.get(found)
        if type_ in _WORDS
        else _OF_NUMBERS.get(found)
        if type_ in WHOLE_NUMBERS
        else None
    )


def _is_time_zone(reading: StatementReading, number: int) -> bool:
    return any(
        reading.tokens[at].text == f"${number}"
        and [reading.keyword(at - 3), reading.keyword(at - 2), reading.keyword(at - 1)]
        == ["at", "time", "zone"]
        for at in reading.kinds.get("parameter", ())
    )
