"""The queries about the objects that a server created from a schema. Properties that a major lacks aren't compared.

``row_to_json(x) ->> 'column'`` is null where a major has no such column
(https://www.postgresql.org/docs/current/catalogs.html).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from psycopg.sql import quote

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class ObjectQuestion(NamedTuple):
    """A query about the objects of one kind.

    Parameters:
        catalog: the catalog that lists them, and its alias.
        key: the columns that identify an object: its OID or that of its table, with the type that writes it as a
            name; its name, without a type.
        properties: expressions, by what they are; with a shorter one that shows a difference, too.
        name: an expression; null if the key is the name.
    """

    kind: str
    catalog: str
    key: Mapping[str, str]
    where: str
    properties: Mapping[str, str | tuple[str, str]]
    versions: VersionSet = VersionSet("all")
    name: str = "NULL"

    @property
    def sql(self) -> str:
        """The query: the key, the name, and the values of the properties."""
        key = ", ".join(f"{column}::{type_ or 'text'}::text" for column, type_ in self.key.items())
        expressions = (each if isinstance(each, str) else each[0] for each in self.properties.values())
        values = ", ".join(f"({expression})::text" for expression in expressions)
        columns = f"ARRAY[{key}], {self.name}, ARRAY[{values}]"
        return f"SELECT {columns} FROM {self.catalog} WHERE {self.where} ORDER BY 1"

    def only(self, properties: Iterable[str], key: Sequence[str]) -> str:
        """The shortest query for some properties of the object with a key."""
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


def own(oid: str) -> str:
    """The condition that an object is neither the system's nor an extension's.

    https://www.postgresql.org/docs/current/system-catalog-initial-data.html: all others have OIDs from 16384 on.
    """
    of_extension = f"SELECT 1 FROM pg_depend e WHERE e.objid = {oid} AND e.deptype = 'e'"
    return f"{oid} >= 16384 AND NOT EXISTS ({of_extension})"


def _granted(acl: str, owner: str) -> tuple[str, str]:
    """The privileges on the object, without the owner's; all of them."""
    text = f"""
        coalesce((SELECT string_agg(CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee) END
                         || ': ' || g.privilege_type, ', ' ORDER BY g.grantee = 0, pg_get_userbyid(g.grantee)::text,
                         g.privilege_type)
                    FROM aclexplode({acl}) g WHERE g.grantee <> {owner}
                     AND (g.grantee = 0 OR pg_get_userbyid(g.grantee) !~ '^pg_')), 'none')"""
    return text, acl


_OF_CONSTRAINT = {
    "definition": "pg_get_constraintdef(o.oid)", "valid": "o.convalidated",
    "enforced": "row_to_json(o) ->> 'conenforced'",
}  # fmt: skip
QUESTIONS: tuple[ObjectQuestion, ...] = (
    ObjectQuestion(
        "schema", "pg_namespace n", {"n.nspname": ""}, "n.nspname <> 'information_schema'",
        {"privileges": _granted("n.nspacl", "n.nspowner")},
    ),
    ObjectQuestion(
        "table", "pg_class c", {"c.oid": "regclass"},
        f"{own('c.oid')} AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')",
        {
            "kind": "c.relkind", "persistence": "c.relpersistence", "options": "c.reloptions",
            "row security": "row_to_json(c) ->> 'relrowsecurity'",
            "forced row security": "row_to_json(c) ->> 'relforcerowsecurity'",
            "replica identity": "row_to_json(c) ->> 'relreplident'",
            "privileges": _granted("c.relacl", "c.relowner"),
        },
    ),
    ObjectQuestion(
        "view", "pg_class c", {"c.oid": "regclass"}, f"{own('c.oid')} AND c.relkind IN ('v', 'm')",
        {"definition": "pg_get_viewdef(c.oid)"},
    ),
    ObjectQuestion(
        "column", "pg_attribute a", {"a.attrelid": "regclass", "a.attname": ""},
        f"""{own("a.attrelid")} AND a.attnum > 0 AND NOT a.attisdropped
        AND (SELECT relkind FROM pg_class WHERE oid = a.attrelid) IN ('r', 'p', 'f', 'v', 'm')""",
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
            "privileges": _granted("a.attacl", "(SELECT relowner FROM pg_class WHERE oid = a.attrelid)"),
        },
    ),
    ObjectQuestion(
        "constraint", "pg_constraint o", {"o.conrelid": "regclass", "o.conname": ""},
        f"{own('o.conrelid')} AND o.contype IN ('c', 'f', 'p', 'u', 'x')", _OF_CONSTRAINT,
    ),
    ObjectQuestion(
        "constraint", "pg_constraint o", {"o.contypid": "regtype", "o.conname": ""},
        f"{own('o.contypid')} AND o.contype = 'c'", _OF_CONSTRAINT,
    ),
    ObjectQuestion(
        "index", "pg_index i", {"i.indexrelid": "regclass"}, own("i.indrelid"),
        {"definition": "pg_get_indexdef(i.indexrelid)", "valid": "i.indisvalid"},
    ),
    ObjectQuestion(
        "function", "pg_proc p", {"p.oid": "regprocedure"}, own("p.oid"),
        {
            "result": "pg_get_function_result(p.oid)",
            "volatility": "p.provolatile", "security definer": "p.prosecdef", "strict": "p.proisstrict",
            "settings": "p.proconfig",
            "parallel": "row_to_json(p) ->> 'proparallel'",
            "what its name means without a schema": (
                """CASE WHEN EXISTS (
                SELECT 1 FROM pg_proc b, pg_namespace n WHERE b.pronamespace = 11 AND b.proname = p.proname
                AND b.proargtypes = p.proargtypes AND n.oid = p.pronamespace
                AND n.nspname = ANY (current_setting('pgfeatures.path')::name[]))
                THEN 'the one of PostgreSQL' ELSE 'this one' END""",
                "pg_function_is_visible(p.oid)",
            ),
            "privileges": _granted("p.proacl", "p.proowner"),
        },
        name="p.oid::regproc || '(' || pg_get_function_identity_arguments(p.oid) || ')'",
    ),
    ObjectQuestion(
        "trigger", "pg_trigger t", {"t.tgrelid": "regclass", "t.tgname": ""},
        f"{own('t.tgrelid')} AND NOT t.tgisinternal",
        {"definition": "pg_get_triggerdef(t.oid)", "enabled": "t.tgenabled"},
    ),
    ObjectQuestion(
        "policy", "pg_policy p", {"p.polrelid": "regclass", "p.polname": ""}, own("p.polrelid"),
        {
            "command": "p.polcmd",
            "USING": "pg_get_expr(p.polqual, p.polrelid)",
            "WITH CHECK": "pg_get_expr(p.polwithcheck, p.polrelid)",
        },
        VersionSet(">=9.5"),
    ),
    ObjectQuestion(
        "rule", "pg_rewrite r", {"r.ev_class": "regclass", "r.rulename": ""},
        f"{own('r.ev_class')} AND r.rulename <> '_RETURN'", {"definition": "pg_get_ruledef(r.oid)"},
    ),
    ObjectQuestion(
        "type", "pg_type t", {"t.oid": "regtype"}, f"{own('t.oid')} AND t.typtype IN ('d', 'e', 'r')",
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
        "sequence", "pg_sequence s", {"s.seqrelid": "regclass"}, own("s.seqrelid"),
        {
            "type": "format_type(s.seqtypid, NULL)", "start": "s.seqstart", "increment": "s.seqincrement",
            "maximum": "s.seqmax", "minimum": "s.seqmin", "cycle": "s.seqcycle",
        },
        VersionSet(">=10"),
    ),
    ObjectQuestion(
        "role", "pg_roles r", {"r.rolname": ""}, "r.rolname <> current_user",
        {
            "superuser": "r.rolsuper", "inherit": "r.rolinherit", "createrole": "r.rolcreaterole",
            "createdb": "r.rolcreatedb", "login": "r.rolcanlogin", "replication": "r.rolreplication",
            "member of": """(SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
                             JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid)""",
        },
    ),
    ObjectQuestion(
        "publication", "pg_publication p", {"p.pubname": ""}, "true",
        {
            "all tables": "p.puballtables",
            "tables": """(SELECT string_agg(t.schemaname || '.' || t.tablename, ', '
                          ORDER BY t.schemaname, t.tablename) FROM pg_publication_tables t
                          WHERE t.pubname = p.pubname)""",
        },
        VersionSet(">=10"),
    ),
)  # fmt: skip
