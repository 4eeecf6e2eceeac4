"""Fill the tables of a database with rows made by a rule: for ``--data-command "python devtools/fill.py"``.

Row ``n`` of each table has values that follow from ``n`` and the column's type, so that two servers get the same
rows. Foreign keys and triggers are off meanwhile. Foreign keys of integers or texts still match a row, as the
same rule makes both sides. A table whose checks refuse the rows stays empty, and its name is printed.
"""

from __future__ import annotations

import os
import sys

import psycopg
from psycopg import sql

ROWS = int(os.environ.get("FILL_ROWS", "300"))
TABLES = """
SELECT n.nspname, c.relname, array_agg(a.attname::text ORDER BY a.attnum),
    array_agg(coalesce(nullif(t.typcategory, 'U')::text || ':', '') || format_type(t.oid, NULL) ORDER BY a.attnum)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
JOIN pg_type b ON b.oid = a.atttypid JOIN pg_type t ON t.oid = coalesce(nullif(b.typbasetype, 0), b.oid)
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')
GROUP BY n.nspname, c.relname ORDER BY n.nspname, c.relname
"""
RULES = {
    "N:numeric": "n * 1.25",
    "N:double precision": "n * 0.1",
    "N:real": "n * 0.1",
    "B:boolean": "n % 3 = 0",
    "D:date": "date '2024-01-01' + n",
    "D:timestamp with time zone": "timestamptz '2024-01-01 00:00:00+00' + n * interval '1 hour'",
    "D:timestamp without time zone": "timestamp '2024-01-01' + n * interval '1 hour'",
    "T:interval": "n * interval '1 minute'",
    "json": "json_build_object('n', n)",
    "jsonb": "jsonb_build_object('n', n, 'tags', jsonb_build_array(n % 7))",
    "bytea": "decode(md5(n::text), 'hex')",
    "uuid": "md5(n::text)::uuid",
    "tsvector": "to_tsvector('simple', 'word' || n % 50)",
}

FORM = """
INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM generate_series(1, {}) n ON CONFLICT DO NOTHING
"""


def value(type_: str) -> str:
    """Return the expression for a column of a type."""
    category, _, name = type_.rpartition(":")
    if type_ in RULES:
        return RULES[type_]
    if category == "A":
        return "'{}'"
    if category == "E":
        return f"(enum_range(NULL::{name}))[1 + n % array_length(enum_range(NULL::{name}), 1)]"
    return f"(n % 32000)::{name}" if category == "N" else f"('value ' || n)::{name}"


def main() -> None:
    """Fill the database that PGHOST, PGDATABASE and libpq's other variables name."""
    with psycopg.connect("", autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        for schema, table, columns, types in connection.execute(TABLES.encode()).fetchall():
            target = sql.Identifier(schema, table)
            refused: psycopg.Error | None = None
            for boolean in (RULES["B:boolean"], "false"):  # a check may allow only some of them
                rules = [boolean if each == "B:boolean" else value(each) for each in types]
                try:
                    connection.execute(statement(target, columns, rules))
                    break
                except psycopg.Error as error:
                    refused = error
            else:
                print(f"{schema}.{table} stays empty: {refused}".split("\n")[0], file=sys.stderr)


def statement(target: sql.Identifier, columns: list[str], rules: list[str]) -> sql.Composed:
    """Return the statement that fills a table."""
    return sql.SQL(FORM).format(
        target,
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.SQL(", ").join(map(sql.SQL, rules)),
        ROWS,
    )


if __name__ == "__main__":
    main()
