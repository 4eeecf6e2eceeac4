"""The keys of tables: columns whose values no two rows share, and none of which is NULL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg

    Keys = dict[str, tuple[frozenset[str], ...]]
    """For each table's name, with and without its schema."""

_KEYS = """
SELECT n.nspname, c.relname, array_agg(a.attname), bool_and(a.attnotnull)
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
WHERE i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
GROUP BY n.nspname, c.relname, i.indexrelid
"""


def keys_in(connection: psycopg.Connection) -> Keys:
    """The unique keys of all tables. A key counts for a name only if all tables of that name have it."""
    found: dict[str, list[frozenset[str]]] = {}
    for schema, name, columns, not_null in connection.execute(_KEYS.encode()):
        if not_null:
            for known in (name, f"{schema}.{name}"):
                found.setdefault(known, []).append(frozenset(columns))
    return {name: tuple(keys) for name, keys in found.items()}
