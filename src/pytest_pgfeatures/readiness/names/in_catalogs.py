"""Read the application's own names from the catalogs of a server that has loaded its schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.readiness.names.model import OwnRelation
from pytest_pgfeatures.readiness.statements.nodes import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_pgfeatures.readiness.names.model import Names

_OWN = """n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = o.oid AND d.deptype = 'e')"""
_FUNCTIONS = f"""
    SELECT n.nspname::text, o.proname::text, o.pronargs - o.pronargdefaults,
        CASE WHEN o.provariadic <> 0 THEN 1000 ELSE o.pronargs END,
        ARRAY(SELECT pg_catalog.format_type(t, NULL) FROM pg_catalog.unnest(o.proargtypes) AS t)
    FROM pg_catalog.pg_proc AS o JOIN pg_catalog.pg_namespace AS n ON n.oid = o.pronamespace WHERE {_OWN}
"""
_COLUMNS = f"""
    SELECT n.nspname::text, o.relname::text, o.relkind::text, a.attname::text,
        pg_catalog.format_type(a.atttypid, NULL)
    FROM pg_catalog.pg_class AS o JOIN pg_catalog.pg_namespace AS n ON n.oid = o.relnamespace
        LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE o.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND {_OWN}
"""
_TYPES = """
    SELECT t.typname::text FROM pg_catalog.pg_type AS t
        JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
"""
_OPERATORS = f"""
    SELECT o.oprname::text FROM pg_catalog.pg_operator AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.oprnamespace WHERE {_OWN}
"""
_EXTENSIONS = "SELECT extname::text FROM pg_catalog.pg_extension"
_PARENTS = """
    SELECT DISTINCT c.relname::text FROM pg_catalog.pg_inherits AS i
        JOIN pg_catalog.pg_class AS c ON c.oid = i.inhparent WHERE c.relkind = 'r'
"""
_KINDS = {
    "r": "table", "p": "table", "v": "view", "m": "view", "f": "foreign table", "S": "sequence", "c": "type",
}  # fmt: skip


def read_catalogs(own: Names, query: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
    """Add the objects in the old server's catalogs, except for those of extensions."""
    for schema, name, low, high, types in query(_FUNCTIONS):
        own.arguments[name].add(tuple(types))
        own.functions[name].append((schema, low, high))
    known: dict[tuple[object, object], OwnRelation] = {}
    for schema, name, kind, column, type_name in query(_COLUMNS):
        relation = known.get((schema, name))
        if relation is None:
            relation = OwnRelation(schema, _KINDS[kind], {}, partitioned=kind == "p")
            known[schema, name] = relation
            own.relations[name].append(relation)
        if column is not None and relation.columns is not None:
            relation.columns[column] = short(type_name)
    for names, sql in (
        (own.types, _TYPES),
        (own.operators, _OPERATORS),
        (own.extensions, _EXTENSIONS),
        (own.parents, _PARENTS),
    ):
        names.update(name for (name,) in query(sql))
    own.types.difference_update(str(name) for _, name in known)
