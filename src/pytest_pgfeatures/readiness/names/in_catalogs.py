"""Read the application's own names from the catalogs of a server that has loaded its schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.names.model import OwnRelation
from pytest_pgfeatures.readiness.statements.nodes import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_pgfeatures.readiness.names.model import Names

_FUNCTIONS = """
    SELECT n.nspname::text, p.proname::text, p.pronargs - p.pronargdefaults,
        CASE WHEN p.provariadic <> 0 THEN 1000 ELSE p.pronargs END,
        ARRAY(SELECT pg_catalog.format_type(t, NULL) FROM pg_catalog.unnest(p.proargtypes) AS t)
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = p.oid AND d.deptype = 'e')
"""
_COLUMNS = """
    SELECT n.nspname::text, c.relname::text, c.relkind::text, a.attname::text,
        pg_catalog.format_type(a.atttypid, NULL)
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
        AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c')
        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
"""
_TYPES = """
    SELECT n.nspname::text, t.typname::text
    FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
"""
_OPERATORS = """
    SELECT o.oprname::text FROM pg_catalog.pg_operator AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.oprnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = o.oid AND d.deptype = 'e')
"""
_EXTENSIONS = "SELECT extname::text FROM pg_catalog.pg_extension"
_PARENTS = """
    SELECT DISTINCT c.relname::text FROM pg_catalog.pg_inherits AS i
        JOIN pg_catalog.pg_class AS c ON c.oid = i.inhparent WHERE c.relkind = 'r'
"""
_KINDS = {
    "r": "table", "p": "table", "v": "view", "m": "view", "f": "foreign table", "S": "sequence", "c": "type",
}  # fmt: skip


def read_catalogs(own: Names, query: Callable[[str], Iterable[tuple[object, ...]]]) -> None:
    """Add the objects in the old server's catalogs, except for those of extensions."""
    for schema, name, low, high, types in query(_FUNCTIONS):
        assert isinstance(types, list)
        own.arguments[str(name)].add(tuple(types))
        own.functions[str(name)].append((str(schema), int(str(low)), int(str(high))))
    known: dict[tuple[object, object], OwnRelation] = {}
    for schema, name, kind, column, type_name in query(_COLUMNS):
        relation = known.get((schema, name))
        if relation is None:
            relation = OwnRelation(str(schema), _KINDS[str(kind)], {}, partitioned=kind == "p")
            known[schema, name] = relation
            own.relations[str(name)].append(relation)
        if column is not None:
            assert relation.columns is not None
            relation.columns[str(column)] = short(str(type_name))
    relations = {name for _, name in known}
    own.types.update(str(name) for _, name in query(_TYPES) if name not in relations)
    own.operators.update(str(name) for (name,) in query(_OPERATORS))
    own.extensions.update(str(name) for (name,) in query(_EXTENSIONS))
    own.parents.update(str(name) for (name,) in query(_PARENTS))
