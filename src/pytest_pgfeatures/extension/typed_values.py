"""Values of an extension's types: stored before dumps and upgrades, and written and read back as pg_dump does."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.left_out import beginning, directories
from pytest_pgfeatures.extension.model import Object, StageError
from pytest_pgfeatures.extension.objects import cut
from pytest_pgfeatures.extension.refusals import details_of, first_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_ACCEPTED = 10
"""The number of texts in the tests that become values of a type; the same number again have longer numbers."""
_TRIED = 2000
_LENGTH = 2000
_CHECKED = 200
"""The number of values of a column that are written and read back."""
_LITERAL = re.compile(r"'((?:[^'\n]|'')*)'")
_NUMBER = re.compile(r"(?<![\w.])(\d+)(\.\d+)?(?![\d.])")
_TYPES = """
SELECT t.oid::regtype::text,
    ARRAY(SELECT enumlabel FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder)::text[]
FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid
JOIN pg_type t ON d.objid = t.oid LEFT JOIN pg_class c ON t.typrelid = c.oid
WHERE d.classid = 'pg_type'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    AND e.extname = ANY(%s) AND t.typtype IN ('b', 'c', 'd', 'e', 'r', 'm') AND t.typcategory <> 'A'
    AND (c.relkind IS NULL OR c.relkind = 'c')
ORDER BY 1
"""
_ACCEPTS = """
CREATE FUNCTION pg_temp.accepted(type text, texts text[], count int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    each text;
    found int := 0;
BEGIN
    FOREACH each IN ARRAY texts LOOP
        EXIT WHEN found = count;
        BEGIN
            EXECUTE format('SELECT %L::%s', each, type);
            found := found + 1;
            RETURN NEXT each;
        EXCEPTION WHEN others THEN
            NULL;  -- it is no value of this type
        END;
    END LOOP;
END $$
"""
_AS_PG_DUMP = (
    "SET search_path = ''; SET extra_float_digits = 3; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'"
)
_COLUMNS = """
SELECT t.oid::regtype::text, n.nspname, c.relname, a.attname, t.typinput::text, t.typoutput::text,
    (SELECT pronargs FROM pg_proc WHERE oid = t.typinput) > 1,
    (SELECT o.oprnamespace::regnamespace::text FROM pg_operator o
        WHERE o.oprname = '=' AND o.oprleft = t.oid AND o.oprright = t.oid),
    ARRAY(SELECT p.oid::regproc::text FROM pg_proc p JOIN pg_type r ON p.prorettype = r.oid
        WHERE p.pronargs = 1 AND p.proargtypes[0] = t.oid AND NOT p.proretset AND r.typtype <> 'p'
            AND (p.provolatile = 'i' OR p.oid = t.typsend)
            AND NOT EXISTS (SELECT FROM pg_aggregate WHERE aggfnoid = p.oid)
        ORDER BY p.oid <> t.typsend, 1)
FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid JOIN pg_type t ON d.objid = t.oid
JOIN pg_attribute a ON a.atttypid = t.oid AND NOT a.attisdropped JOIN pg_class c ON a.attrelid = c.oid
JOIN pg_namespace n ON c.relnamespace = n.oid
WHERE d.classid = 'pg_type'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    AND e.extname = ANY(%s) AND t.typtype = 'b' AND c.relkind = 'r' AND c.relpersistence <> 't'
ORDER BY 1, 2, 3, a.attnum
"""


def store(connection: psycopg.Connection, names: Collection[str], directory: Path | None) -> tuple[str, ...]:
    """Create a table with a column of each type of the extensions, and store values: texts of the tests that the
    type's input accepts, and the same with numbers of 17 digits, which a type that stores double precision keeps.

    Parameters:
        names: the extensions.
        directory: the sources.

    Returns:
        the types for which no text is a valid value, so that only NULL is stored.

    Raises:
        StageError: the server did not survive the input of a type.
    """
    types = connection.execute(_TYPES, [list(names)]).fetchall()
    texts = list(islice(_texts(directory), _TRIED)) if directory and types else []
    connection.execute(_ACCEPTS)
    values: dict[str, list[str | None]] = {}
    for name, labels in types:
        found = _accepted(connection, name, [*labels, *texts])
        longer = [text for each in found if each and (text := _NUMBER.sub(_longer, each)) != each]
        values[name] = [*found, *_accepted(connection, name, longer), *_accepted(connection, name, [None])]
    stored = {name: each for name, each in values.items() if each}  # a domain may refuse even NULL
    columns = "".join(f", c{number} {name}" for number, name in enumerate(stored, 1))
    connection.execute(f"CREATE TABLE one_of_each_type (id int{columns})".encode())
    for row in range(max(map(len, stored.values()), default=2)):
        given = [sql.Literal(each[min(row, len(each) - 1)]).as_string() for each in stored.values()]
        connection.execute(f"INSERT INTO one_of_each_type VALUES ({', '.join((str(row), *given))})".encode())
    return tuple(name for name, each in values.items() if each in ([], [None]))


def check(connection: psycopg.Connection, names: Collection[str]) -> Iterator[Object]:
    """Write the values of the extensions' base types in all tables as pg_dump does, and read them back. Yield
    the types with a value that changes. The type's own ``=`` decides. Without ``=``, a value counts as
    changed if its send function, or another immutable function with this single argument, returns a different
    result. Other kinds of types are written and read by PostgreSQL itself.

    Raises:
        StageError: the input of a type refuses what its output writes, so that a dump can't be restored.
    """
    connection.execute(_AS_PG_DUMP)
    lost: dict[str, list[str]] = {}
    for type, schema, table, column, reads, writes, with_oid, equals, functions in connection.execute(
        _COLUMNS, [list(names)]
    ).fetchall():
        name = sql.Identifier(column).as_string()
        more = f", {sql.Literal(type).as_string()}::pg_catalog.regtype, -1" if with_oid else ""
        pairs = (
            f"SELECT v, {reads}({writes}(v){more}) AS w FROM (SELECT {name} AS v"
            f" FROM ONLY {sql.Identifier(schema, table).as_string()} WHERE {name} IS NOT NULL LIMIT {_CHECKED})"
            " AS stored OFFSET 0"
        )
        place = f"{schema}.{table}.{column}"
        try:
            connection.execute(f"SELECT pg_catalog.count(w) FROM ({pairs}) AS pairs".encode())
        except psycopg.Error as error:
            raise StageError(
                f"the input of the type {type} refuses what its output writes, so that a dump of {place} can't be"
                f" restored: {first_line(error)}",
                details_of(error),
            ) from None
        condition = f"v OPERATOR({equals}.=) v AND NOT v OPERATOR({equals}.=) w" if equals else "true"
        seen = [line for each in functions for line in _differing(connection, pairs, writes, each, condition)]
        if equals and not seen:
            seen = list(_differing(connection, pairs, writes, "", condition))
        if seen:
            lost.setdefault(type, []).extend(f"{place}: {line}" for line in seen)
    for type, lines in lost.items():
        yield Object(
            f"type:{type}", f"values of the type {type} change when pg_dump writes them", cut(lines, 10)
        )


def _differing(
    connection: psycopg.Connection, pairs: str, writes: str, function: str, condition: str
) -> Iterator[str]:
    """Show the values that change when they are written and read.

    Parameters:
        pairs: the query of values before and after.
        writes: the type's output function.
        function: the function that shows the difference; if empty, the type's ``=`` shows it.
        condition: a condition on a pair that must be true.
    """
    shown = f"{writes}(v)::pg_catalog.text"
    before, after = (f"pg_catalog.format('%s', {function}({each}))" for each in "vw")
    columns = f"{shown}, {before}, {after}" if function else f"{shown}, '', ''"
    differ = f"AND {before} <> {after}" if function else ""
    query = f"SELECT {columns} FROM ({pairs}) AS pairs WHERE {condition} {differ} LIMIT 3"
    try:
        for text, was, now in connection.execute(query.encode()).fetchall():
            yield (
                f"{text}: {function} was {was}, is {now}"
                if function
                else f"{text}: not equal to what is read back"
            )
    except psycopg.Error:
        return  # the function refuses such a value, so it shows nothing


def _accepted(connection: psycopg.Connection, type: str, texts: list[str] | list[None]) -> list[str | None]:
    """The texts that the input of a type accepts, and NULL if it is among them and the type accepts it."""
    query = "SELECT accepted FROM pg_temp.accepted(%s, %s::text[], %s)"
    try:
        return [text for (text,) in connection.execute(query, [type, texts, _ACCEPTED])]
    except psycopg.OperationalError as error:
        raise StageError(
            f"the server crashed in the input of the type {type}, with a text of the tests", details_of(error)
        ) from None
    except psycopg.Error as error:
        raise StageError(
            f"the input of the type {type} fails with a text of the tests: {first_line(error)}",
            details_of(error),
        ) from None


def _longer(number: re.Match[str]) -> str:
    """A number with 17 significant digits."""
    digits = "123456789" * 2
    return f"{number[1]}{number[2] or '.'}{digits}"[:18]


def _texts(directory: Path) -> Iterator[str]:
    """The literals in the tests' scripts, and then the cells in their expected output, each once."""
    scripts, outputs = [], []
    for place in directories(directory):
        scripts += [beginning(path) for path in sorted((place / "sql").glob("*.sql"))]
        outputs += [beginning(path) for path in sorted((place / "expected").glob("*.out"))]
    literals = (match[1].replace("''", "'") for text in scripts for match in _LITERAL.finditer(text))
    cells = (cell.strip() for text in outputs for line in text.splitlines() for cell in line.split("|"))
    return (
        text for text in dict.fromkeys((*literals, *cells)) if 0 < len(text) <= _LENGTH and "\0" not in text
    )
