"""The queries about the objects that a server created from a schema. Properties that a major lacks aren't compared.

``row_to_json(x) ->> 'column'`` is null where a major has no such column
(https://www.postgresql.org/docs/current/catalogs.html).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg.sql import quote

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SCHEMAS = r"n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"
_ALL = VersionSet("all")


@dataclass(frozen=True, slots=True)
class ObjectQuestion:
    """A query about the objects of one kind.

    Parameters:
        kind: the kind of object.
        catalog: the catalog that lists them, and its alias.
        key: the columns that identify an object: its OID or that of its table, with the type that writes it as a
            name; its name, without a type.
        joins: FROM beside the catalog, and WHERE.
        name: the parts of the name.
        defined: the objects whose definitions are the place to report, the first one that a file has.
        properties: expressions, by what they are; with a shorter one that shows a difference, too.
    """

    kind: str
    catalog: str
    key: Mapping[str, str]
    joins: str
    name: Sequence[str]
    defined: Sequence[str]
    properties: Mapping[str, str | tuple[str, str]]
    versions: VersionSet = _ALL

    @property
    def sql(self) -> str:
        """The query: the name, the key, the objects whose definitions are the place, the properties and their
        values."""
        name = " || '.' || ".join(self.name)
        key = ", ".join(f"{column}::{type_ or 'text'}::text" for column, type_ in self.key.items())
        expressions = (each if isinstance(each, str) else each[0] for each in self.properties.values())
        values = ", ".join(f"({expression})::text" for expression in expressions)
        return (
            f"SELECT {name}, ARRAY[{key}], ARRAY[{', '.join(self.defined)}]::text[],"
            f" ARRAY{list(self.properties)}, ARRAY[{values}] FROM {self.catalog} {self.joins} ORDER BY 1"
        )

    def only(self, properties: Iterable[str], key: Sequence[str]) -> str:
        """The shortest query for some properties of one object.

        Parameters:
            key: the values of the key's columns.
        """
        expressions = (self.properties[each] for each in properties)
        shortest = (each if isinstance(each, str) else each[1] for each in expressions)
        asked = ", ".join(" ".join(each.split()) for each in shortest)
        values = {
            column: quote(value) + (f"::{type_}" if type_ else "")
            for (column, type_), value in zip(self.key.items(), key, strict=True)
        }
        for column, value in values.items():
            if f"{self.catalog.split()[1]}." not in asked.replace(column, ""):
                return f"SELECT {asked.replace(column, value)}"
        where = " AND ".join(f"{column} = {value}" for column, value in values.items())
        return f"SELECT {asked} FROM {self.catalog} WHERE {where}"


def _own(oid: str, catalog: str) -> str:
    """The condition that the object does not belong to an extension."""
    return (
        f"NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.objid = {oid} AND e.classid = '{catalog}'::regclass"
        " AND e.deptype = 'e')"
    )


def _granted(acl: str, owner: str) -> tuple[str, str]:
    """The privileges on the object, without the owner's; all of them."""
    text = f"""
        coalesce((SELECT string_agg(CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee) END
                         || ': ' || g.privilege_type, ', ' ORDER BY g.grantee = 0, pg_get_userbyid(g.grantee)::text,
                         g.privilege_type)
                    FROM aclexplode({acl}) g WHERE g.grantee <> {owner}
                     AND (g.grantee = 0 OR pg_get_userbyid(g.grantee) !~ '^pg_')), 'none')"""
    return text, acl


def in_schema(namespace: str, oid: str, catalog: str) -> str:
    """The joins of objects that schemas have."""
    return f"JOIN pg_namespace n ON n.oid = {namespace} WHERE {_SCHEMAS} AND {_own(oid, catalog)}"


_OF_CLASS = in_schema("c.relnamespace", "c.oid", "pg_class")


def _of_table(table: str) -> str:
    """The joins of the parts of a table."""
    return f"JOIN pg_class c ON c.oid = {table} {_OF_CLASS}"


_TABLE_OR_VIEW = "CASE WHEN c.relkind IN ('v', 'm') THEN 'view ' ELSE 'table ' END || c.relname"
_RELATION = ("n.nspname", "c.relname")

QUESTIONS: tuple[ObjectQuestion, ...] = (
    ObjectQuestion(
        "schema", "pg_namespace n", {"n.nspname": ""}, f"WHERE {_SCHEMAS}", ["n.nspname"],
        ["'schema ' || n.nspname"], {"privileges": _granted("n.nspacl", "n.nspowner")},
    ),
    ObjectQuestion(
        "table", "pg_class c", {"c.oid": "regclass"},
        f"{_OF_CLASS} AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')", _RELATION,
        [_TABLE_OR_VIEW, "'sequence ' || c.relname"],
        {
            "kind": "c.relkind", "persistence": "c.relpersistence", "options": "c.reloptions",
            "row security": "row_to_json(c) ->> 'relrowsecurity'",
            "forced row security": "row_to_json(c) ->> 'relforcerowsecurity'",
            "replica identity": "row_to_json(c) ->> 'relreplident'",
            "privileges": _granted("c.relacl", "c.relowner"),
        },
    ),
    ObjectQuestion(
        "view", "pg_class c", {"c.oid": "regclass"}, f"{_OF_CLASS} AND c.relkind IN ('v', 'm')", _RELATION,
        ["'view ' || c.relname"], {"definition": "pg_get_viewdef(c.oid)"},
    ),
    ObjectQuestion(
        "column", "pg_attribute a", {"a.attrelid": "regclass", "a.attname": ""},
        f"""{_of_table("a.attrelid")} AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND a.attnum > 0
        AND NOT a.attisdropped""",
        [*_RELATION, "a.attname"], [_TABLE_OR_VIEW],
        {
            "type": "format_type(a.atttypid, a.atttypmod)",
            "NOT NULL": "a.attnotnull",
            "default": """coalesce((SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d
                          WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum), 'none')""",
            "identity": """CASE row_to_json(a) ->> 'attidentity' WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default'
                           WHEN '' THEN 'none' END""",
            "generated": """CASE row_to_json(a) ->> 'attgenerated' WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual'
                            WHEN '' THEN 'none' END""",
            "collation": """coalesce((SELECT l.collname FROM pg_collation l WHERE l.oid = a.attcollation),
                            'none')""",
            "storage": """(SELECT a.attstorage FROM pg_class c WHERE c.oid = a.attrelid
                           AND c.relkind NOT IN ('v', 'S'))""",
            "compression": "row_to_json(a) ->> 'attcompression'",
            "statistics target": "coalesce(nullif(row_to_json(a) ->> 'attstattarget', '-1'), 'default')",
            "privileges": _granted("a.attacl", "c.relowner"),
        },
    ),
    ObjectQuestion(
        "constraint", "pg_constraint o", {"o.conrelid": "regclass", "o.conname": ""},
        f"""JOIN pg_namespace n ON n.oid = o.connamespace LEFT JOIN pg_class c ON c.oid = o.conrelid
        LEFT JOIN pg_type t ON t.oid = o.contypid
        WHERE {_SCHEMAS} AND o.contype IN ('c', 'f', 'p', 'u', 'x') AND {_own("o.conrelid", "pg_class")}""",
        ["n.nspname", "coalesce(c.relname, t.typname)", "o.conname"],
        ["'constraint ' || o.conname", "coalesce('table ' || c.relname, 'domain ' || t.typname)"],
        {
            "definition": "pg_get_constraintdef(o.oid)",
            "valid": "o.convalidated",
            "enforced": "row_to_json(o) ->> 'conenforced'",
        },
    ),
    ObjectQuestion(
        "index", "pg_index i", {"i.indexrelid": "regclass"},
        f"""JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE {_SCHEMAS} AND {_own("i.indrelid", "pg_class")}""",
        _RELATION, ["'index ' || c.relname", "'constraint ' || c.relname"],
        {"definition": "pg_get_indexdef(i.indexrelid)", "valid": "i.indisvalid"},
    ),
    ObjectQuestion(
        "function", "pg_proc p", {"p.oid": "regprocedure"}, in_schema("p.pronamespace", "p.oid", "pg_proc"),
        ["n.nspname", "p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')'"],
        ["'function ' || p.proname"],
        {
            "result": "pg_get_function_result(p.oid)",
            "volatility": "p.provolatile", "security definer": "p.prosecdef", "strict": "p.proisstrict",
            "settings": "p.proconfig",
            "parallel": "row_to_json(p) ->> 'proparallel'",
            "what its name means without a schema": (
                """CASE WHEN n.nspname = ANY (current_setting('pgfeatures.path')::name[]) AND EXISTS (
                SELECT 1 FROM pg_proc b WHERE b.pronamespace = 11 AND b.proname = p.proname
                AND b.proargtypes = p.proargtypes) THEN 'the one of PostgreSQL' ELSE 'this one' END""",
                "pg_function_is_visible(p.oid)",
            ),
            "privileges": _granted("p.proacl", "p.proowner"),
        },
    ),
    ObjectQuestion(
        "trigger", "pg_trigger t", {"t.tgrelid": "regclass", "t.tgname": ""},
        f"{_of_table('t.tgrelid')} AND NOT t.tgisinternal", [*_RELATION, "t.tgname"],
        ["'trigger ' || t.tgname"],
        {"definition": "pg_get_triggerdef(t.oid)", "enabled": "t.tgenabled"},
    ),
    ObjectQuestion(
        "policy", "pg_policy p", {"p.polrelid": "regclass", "p.polname": ""}, _of_table("p.polrelid"),
        [*_RELATION, "p.polname"], ["'policy ' || p.polname"],
        {
            "command": "p.polcmd",
            "USING": "pg_get_expr(p.polqual, p.polrelid)",
            "WITH CHECK": "pg_get_expr(p.polwithcheck, p.polrelid)",
        },
        versions=VersionSet(">=9.5"),
    ),
    ObjectQuestion(
        "rule", "pg_rewrite r", {"r.ev_class": "regclass", "r.rulename": ""},
        f"{_of_table('r.ev_class')} AND r.rulename <> '_RETURN'", [*_RELATION, "r.rulename"],
        ["'rule ' || r.rulename"], {"definition": "pg_get_ruledef(r.oid)"},
    ),
    ObjectQuestion(
        "type", "pg_type t", {"t.oid": "regtype"},
        f"{in_schema('t.typnamespace', 't.oid', 'pg_type')} AND t.typtype IN ('d', 'e', 'r')",
        ["n.nspname", "t.typname"], ["CASE t.typtype WHEN 'd' THEN 'domain ' ELSE 'type ' END || t.typname"],
        {
            "kind": "t.typtype",
            "base": "format_type(nullif(t.typbasetype, 0), t.typtypmod)",
            "NOT NULL": "t.typnotnull",
            "default": "t.typdefault",
            "labels": """(SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e
                          WHERE e.enumtypid = t.oid)""",
        },
    ),
    ObjectQuestion(
        "sequence", "pg_sequence s", {"s.seqrelid": "regclass"}, _of_table("s.seqrelid"), _RELATION,
        ["'sequence ' || c.relname"],
        {
            "type": "format_type(s.seqtypid, NULL)", "start": "s.seqstart", "increment": "s.seqincrement",
            "maximum": "s.seqmax", "minimum": "s.seqmin", "cycle": "s.seqcycle",
        },
        versions=VersionSet(">=10"),
    ),
    ObjectQuestion(
        "role", "pg_roles r", {"r.rolname": ""}, "WHERE r.rolname !~ '^pg_' AND r.rolname <> current_user",
        ["r.rolname"], ["'role ' || r.rolname"],
        {
            "superuser": "r.rolsuper", "inherit": "r.rolinherit", "createrole": "r.rolcreaterole",
            "createdb": "r.rolcreatedb", "login": "r.rolcanlogin", "replication": "r.rolreplication",
            "member of": """(SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
                             JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid)""",
        },
    ),
    ObjectQuestion(
        "publication", "pg_publication p", {"p.pubname": ""}, "", ["p.pubname"],
        ["'publication ' || p.pubname"],
        {
            "all tables": "p.puballtables",
            "tables": """(SELECT string_agg(t.schemaname || '.' || t.tablename, ', '
                          ORDER BY t.schemaname, t.tablename) FROM pg_publication_tables t
                          WHERE t.pubname = p.pubname)""",
        },
        versions=VersionSet(">=10"),
    ),
)  # fmt: skip
