"""The queries about the objects that a server created from a schema.

``row_to_json(x) ->> 'column'`` is null where a major has no such column
(https://www.postgresql.org/docs/current/catalogs.html), which is then not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from psycopg.sql import quote

from pytest_pgfeatures.version import VersionSet


class ObjectQuestion(NamedTuple):
    """A query about the objects of one kind."""

    kind: str
    catalog: str  # lists them, as ``o``
    key: Sequence[
        str
    ]  # the columns that identify an object: its OID or that of its table, as a name; its name
    where: str
    properties: Mapping[str, str | tuple[str, str]]
    """Columns and expressions, by what they are; with a shorter one that shows a difference, too."""
    versions: VersionSet = VersionSet("all")
    name: str = "NULL"  # an expression; null if the key is the name

    @property
    def sql(self) -> str:
        """The query: the key, the name, and the values of the properties."""
        key = ", ".join(f"{column}::text" for column in self.key)
        texts = (each if isinstance(each, str) else each[0] for each in self.properties.values())
        values = (
            f"row_to_json(o) ->> '{each}'" if each.isidentifier() else f"({each})::text" for each in texts
        )
        columns = f"ARRAY[{key}], {self.name}, ARRAY[{', '.join(values)}]"
        return f"SELECT {columns} FROM {self.catalog} o WHERE {self.where} ORDER BY 1"

    def only(self, properties: Iterable[str], key: Sequence[str]) -> str:
        """The shortest query for some properties of the object with a key."""
        texts = (self.properties[each] for each in properties)
        shortest = (each if isinstance(each, str) else each[1] for each in texts)
        asked = ", ".join(f"o.{each}" if each.isidentifier() else " ".join(each.split()) for each in shortest)
        split = [(each.partition("::"), value) for each, value in zip(self.key, key, strict=True)]
        values = {column: f"{quote(value)}{colons}{type_}" for (column, colons, type_), value in split}
        for column, value in values.items():
            if "o." not in asked.replace(column, ""):
                return f"SELECT {asked.replace(column, value)}"
        where = " AND ".join(f"{column} = {value}" for column, value in values.items())
        return f"SELECT {asked} FROM {self.catalog} o WHERE {where}"


def own(oid: str) -> str:
    """The condition that an object is neither an extension's nor the system's, which has OIDs below 16384:
    https://www.postgresql.org/docs/current/system-catalog-initial-data.html."""
    return f"{oid} >= 16384 AND {oid} NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e')"


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
    "definition": "pg_get_constraintdef(o.oid)", "valid": "convalidated", "enforced": "conenforced",
}  # fmt: skip
QUESTIONS: tuple[ObjectQuestion, ...] = (
    ObjectQuestion(
        "schema", "pg_namespace", ["o.nspname"], "o.nspname <> 'information_schema'",
        {"privileges": _granted("o.nspacl", "o.nspowner")},
    ),
    ObjectQuestion(
        "table", "pg_class", ["o.oid::regclass"],
        f"{own('o.oid')} AND o.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')",
        {
            "kind": "relkind", "persistence": "relpersistence", "options": "o.reloptions",
            "row security": "relrowsecurity", "forced row security": "relforcerowsecurity",
            "replica identity": "relreplident", "privileges": _granted("o.relacl", "o.relowner"),
        },
    ),
    ObjectQuestion(
        "view", "pg_class", ["o.oid::regclass"], f"{own('o.oid')} AND o.relkind IN ('v', 'm')",
        {"definition": "pg_get_viewdef(o.oid)"},
    ),
    ObjectQuestion(
        "column", "pg_attribute", ["o.attrelid::regclass", "o.attname"],
        f"""{own("o.attrelid")} AND o.attnum > 0 AND NOT o.attisdropped
        AND (SELECT relkind FROM pg_class WHERE oid = o.attrelid) IN ('r', 'p', 'f', 'v', 'm')""",
        {
            "type": "format_type(o.atttypid, o.atttypmod)",
            "NOT NULL": "attnotnull",
            "default": """coalesce((SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d
                          WHERE d.adrelid = o.attrelid AND d.adnum = o.attnum), 'none')""",
            "identity": """CASE row_to_json(o) ->> 'attidentity' WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default'
                           WHEN '' THEN 'none' END""",
            "generated": """CASE row_to_json(o) ->> 'attgenerated' WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual'
                            WHEN '' THEN 'none' END""",
            "collation": "coalesce((SELECT collname FROM pg_collation WHERE oid = o.attcollation), 'none')",
            "storage": """(SELECT o.attstorage FROM pg_class c WHERE c.oid = o.attrelid
                           AND c.relkind NOT IN ('v', 'S'))""",
            "compression": "attcompression",
            "statistics target": "coalesce(nullif(row_to_json(o) ->> 'attstattarget', '-1'), 'default')",
            "privileges": _granted("o.attacl", "(SELECT relowner FROM pg_class WHERE oid = o.attrelid)"),
        },
    ),
    ObjectQuestion(
        "constraint", "pg_constraint", ["o.conrelid::regclass", "o.conname"],
        f"{own('o.conrelid')} AND o.contype IN ('c', 'f', 'p', 'u', 'x')", _OF_CONSTRAINT,
    ),
    ObjectQuestion(
        "constraint", "pg_constraint", ["o.contypid::regtype", "o.conname"],
        f"{own('o.contypid')} AND o.contype = 'c'", _OF_CONSTRAINT,
    ),
    ObjectQuestion(
        "index", "pg_index", ["o.indexrelid::regclass"], own("o.indrelid"),
        {"definition": "pg_get_indexdef(o.indexrelid)", "valid": "indisvalid"},
    ),
    ObjectQuestion(
        "function", "pg_proc", ["o.oid::regprocedure"], own("o.oid"),
        {
            "result": "pg_get_function_result(o.oid)", "settings": "o.proconfig",
            "volatility": "provolatile", "security definer": "prosecdef", "strict": "proisstrict",
            "parallel": "proparallel",
            "what its name means without a schema": (
                """CASE WHEN EXISTS (
                SELECT 1 FROM pg_proc b, pg_namespace n WHERE b.pronamespace = 11 AND b.proname = o.proname
                AND b.proargtypes = o.proargtypes AND n.oid = o.pronamespace
                AND n.nspname = ANY (current_setting('pgfeatures.path')::name[]))
                THEN 'the one of PostgreSQL' ELSE 'this one' END""",
                "pg_function_is_visible(o.oid)",
            ),
            "privileges": _granted("o.proacl", "o.proowner"),
        },
        name="o.oid::regproc || '(' || pg_get_function_identity_arguments(o.oid) || ')'",
    ),
    ObjectQuestion(
        "trigger", "pg_trigger", ["o.tgrelid::regclass", "o.tgname"],
        f"{own('o.tgrelid')} AND NOT o.tgisinternal",
        {"definition": "pg_get_triggerdef(o.oid)", "enabled": "tgenabled"},
    ),
    ObjectQuestion(
        "policy", "pg_policy", ["o.polrelid::regclass", "o.polname"], own("o.polrelid"),
        {
            "command": "polcmd", "USING": "pg_get_expr(o.polqual, o.polrelid)",
            "WITH CHECK": "pg_get_expr(o.polwithcheck, o.polrelid)",
        },
        VersionSet(">=9.5"),
    ),
    ObjectQuestion(
        "rule", "pg_rewrite", ["o.ev_class::regclass", "o.rulename"],
        f"{own('o.ev_class')} AND o.rulename <> '_RETURN'", {"definition": "pg_get_ruledef(o.oid)"},
    ),
    ObjectQuestion(
        "type", "pg_type", ["o.oid::regtype"], f"{own('o.oid')} AND o.typtype IN ('d', 'e', 'r')",
        {
            "kind": "typtype", "base": "format_type(nullif(o.typbasetype, 0), o.typtypmod)",
            "NOT NULL": "typnotnull", "default": "typdefault",
            "labels": """(SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e
                          WHERE e.enumtypid = o.oid)""",
        },
    ),
    ObjectQuestion(
        "sequence", "pg_sequence", ["o.seqrelid::regclass"], own("o.seqrelid"),
        {
            "type": "format_type(o.seqtypid, NULL)", "start": "seqstart", "increment": "seqincrement",
            "maximum": "seqmax", "minimum": "seqmin", "cycle": "seqcycle",
        },
        VersionSet(">=10"),
    ),
    ObjectQuestion(
        "role", "pg_roles", ["o.rolname"], "o.rolname <> current_user",
        {
            "superuser": "rolsuper", "inherit": "rolinherit", "createrole": "rolcreaterole",
            "createdb": "rolcreatedb", "login": "rolcanlogin", "replication": "rolreplication",
            "member of": """(SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
                             JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = o.oid)""",
        },
    ),
    ObjectQuestion(
        "publication", "pg_publication", ["o.pubname"], "true",
        {
            "all tables": "puballtables",
            "tables": """(SELECT string_agg(t.schemaname || '.' || t.tablename, ', '
                          ORDER BY t.schemaname, t.tablename) FROM pg_publication_tables t
                          WHERE t.pubname = o.pubname)""",
        },
        VersionSet(">=10"),
    ),
)  # fmt: skip
