"""The queries about the objects that a server created from a schema. Properties that a major lacks aren't compared.

``row_to_json(x) ->> 'column'`` is null where a major has no such column
(https://www.postgresql.org/docs/current/catalogs.html).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALL = VersionSet("all")


@dataclass(frozen=True, slots=True)
class ObjectQuestion:
    """A query about the objects of one kind.

    Parameters:
        kind: the kind of object.
        sql: the query. Its first column is the name, the second one the object whose definition is the place to
            report, and the others are properties.
    """

    kind: str
    sql: str
    versions: VersionSet = _ALL

    def only(self, properties: Sequence[str], name: str) -> str:
        """The query for some properties of one object.

        Parameters:
            name: the object's name, as a constant.
        """
        selected, rest = self._parts()
        asked = [each for each in selected[2:] if _alias(each) in properties]
        return " ".join(f"SELECT {', '.join(asked)} {rest} AND {selected[0]} = {name}".split())

    def _parts(self) -> tuple[list[str], str]:
        """The expressions after SELECT, and the rest of the query."""
        expressions, start, depth = [], 0, 0
        for token in tokens(self.sql):
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0 and token.keyword == "select":
                start = token.end
            elif depth == 0 and (token.text == "," or token.keyword == "from"):
                expressions.append(self.sql[start : token.start].strip())
                start = token.end
                if token.keyword == "from":
                    return expressions, self.sql[token.start :]
        raise AssertionError(f"no FROM: {self.sql}")


def _alias(expression: str) -> str:
    return [token.text for token in tokens(expression) if token.significant][-1].strip('"')


_SCHEMAS = r"n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"


def _own(oid: str, catalog: str) -> str:
    """The condition that the object does not belong to an extension."""
    return (
        f"NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.objid = {oid} AND e.classid = '{catalog}'::regclass"
        " AND e.deptype = 'e')"
    )


def _granted(acl: str, owner: str) -> str:
    """The privileges on the object, without the owner's."""
    return f"""
        coalesce((SELECT string_agg(CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee) END
                         || ': ' || g.privilege_type, ', ' ORDER BY g.grantee = 0, pg_get_userbyid(g.grantee)::text,
                         g.privilege_type)
                    FROM aclexplode({acl}) g WHERE g.grantee <> {owner}
                     AND (g.grantee = 0 OR pg_get_userbyid(g.grantee) !~ '^pg_')), 'none')"""


QUESTIONS: tuple[ObjectQuestion, ...] = (
    ObjectQuestion(
        "schema",
        f"""
        SELECT nspname, 'schema ' || nspname, {_granted("nspacl", "nspowner")} AS privileges
          FROM pg_namespace n WHERE {_SCHEMAS}
        """,
    ),
    ObjectQuestion(
        "table",
        f"""
        SELECT n.nspname || '.' || c.relname, CASE c.relkind WHEN 'v' THEN 'view ' WHEN 'm' THEN 'view '
               WHEN 'S' THEN 'sequence ' ELSE 'table ' END || c.relname,
               c.relkind::text AS kind, c.relpersistence::text AS persistence, c.reloptions::text AS options,
               row_to_json(c) ->> 'relrowsecurity' AS "row security",
               row_to_json(c) ->> 'relforcerowsecurity' AS "forced row security",
               row_to_json(c) ->> 'relreplident' AS "replica identity",
               {_granted("relacl", "relowner")} AS privileges
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS} AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S') AND {_own("c.oid", "pg_class")}
        """,
    ),
    ObjectQuestion(
        "view",
        f"""
        SELECT n.nspname || '.' || c.relname, 'view ' || c.relname, pg_get_viewdef(c.oid) AS definition
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS} AND c.relkind IN ('v', 'm') AND {_own("c.oid", "pg_class")}
        """,
    ),
    ObjectQuestion(
        "column",
        f"""
        SELECT n.nspname || '.' || c.relname || '.' || a.attname,
               CASE WHEN c.relkind IN ('v', 'm') THEN 'view ' ELSE 'table ' END || c.relname,
               format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "NOT NULL",
               coalesce((SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d
                          WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum), 'none') AS "default",
               CASE row_to_json(a) ->> 'attidentity' WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default'
                 WHEN '' THEN 'none' END AS identity,
               CASE row_to_json(a) ->> 'attgenerated' WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual'
                 WHEN '' THEN 'none' END AS generated,
               coalesce((SELECT l.collname FROM pg_collation l WHERE l.oid = a.attcollation), 'none') AS collation,
               CASE WHEN c.relkind NOT IN ('v', 'S') THEN a.attstorage::text END AS storage,
               row_to_json(a) ->> 'attcompression' AS compression,
               coalesce(nullif(row_to_json(a) ->> 'attstattarget', '-1'), 'default') AS "statistics target",
               {_granted("attacl", "relowner")} AS privileges
          FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS} AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped
           AND {_own("c.oid", "pg_class")}
        """,
    ),
    ObjectQuestion(
        "constraint",
        f"""
        SELECT n.nspname || '.' || coalesce(c.relname, t.typname) || '.' || o.conname, 'constraint ' || o.conname,
               pg_get_constraintdef(o.oid) AS definition, o.convalidated AS valid,
               row_to_json(o) ->> 'conenforced' AS enforced,
               CASE WHEN c.oid IS NULL THEN 'domain ' || t.typname ELSE 'table ' || c.relname END AS " of"
          FROM pg_constraint o JOIN pg_namespace n ON n.oid = o.connamespace
               LEFT JOIN pg_class c ON c.oid = o.conrelid LEFT JOIN pg_type t ON t.oid = o.contypid
         WHERE {_SCHEMAS} AND o.contype IN ('c', 'f', 'p', 'u', 'x') AND {_own("o.conrelid", "pg_class")}
        """,
    ),
    ObjectQuestion(
        "index",
        f"""
        SELECT n.nspname || '.' || c.relname, 'index ' || c.relname, pg_get_indexdef(i.indexrelid) AS definition,
               i.indisvalid AS valid, 'constraint ' || c.relname AS " of"
          FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS} AND {_own("i.indrelid", "pg_class")}
        """,
    ),
    ObjectQuestion(
        "function",
        f"""
        SELECT n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
               'function ' || p.proname, pg_get_function_result(p.oid) AS result, p.provolatile::text AS volatility,
               p.prosecdef AS "security definer", p.proisstrict AS strict, p.proconfig::text AS settings,
               row_to_json(p) ->> 'proparallel' AS parallel, {_granted("proacl", "proowner")} AS privileges,
               CASE WHEN EXISTS (SELECT 1 FROM pg_proc b WHERE b.pronamespace = 11
                                    AND b.proname = p.proname AND b.proargtypes = p.proargtypes)
                    THEN 'the one of PostgreSQL' ELSE 'this one' END AS "what its name means without a schema"
          FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
         WHERE {_SCHEMAS} AND {_own("p.oid", "pg_proc")}
        """,
    ),
    ObjectQuestion(
        "trigger",
        f"""
        SELECT n.nspname || '.' || c.relname || '.' || t.tgname, 'trigger ' || t.tgname,
               pg_get_triggerdef(t.oid) AS definition, t.tgenabled::text AS enabled
          FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS} AND NOT t.tgisinternal AND {_own("c.oid", "pg_class")}
        """,
    ),
    ObjectQuestion(
        "policy",
        f"""
        SELECT n.nspname || '.' || c.relname || '.' || p.polname, 'policy ' || p.polname,
               p.polcmd::text AS command, pg_get_expr(p.polqual, p.polrelid) AS "USING",
               pg_get_expr(p.polwithcheck, p.polrelid) AS "WITH CHECK"
          FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS}
        """,
        VersionSet(">=9.5"),
    ),
    ObjectQuestion(
        "rule",
        f"""
        SELECT n.nspname || '.' || c.relname || '.' || r.rulename, 'rule ' || r.rulename,
               pg_get_ruledef(r.oid) AS definition
          FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS} AND r.rulename <> '_RETURN' AND {_own("c.oid", "pg_class")}
        """,
    ),
    ObjectQuestion(
        "type",
        f"""
        SELECT n.nspname || '.' || t.typname,
               CASE t.typtype WHEN 'd' THEN 'domain ' ELSE 'type ' END || t.typname, t.typtype::text AS kind,
               format_type(nullif(t.typbasetype, 0), t.typtypmod) AS base, t.typnotnull AS "NOT NULL",
               t.typdefault AS "default",
               (SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e
                 WHERE e.enumtypid = t.oid) AS labels
          FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
         WHERE {_SCHEMAS} AND t.typtype IN ('d', 'e', 'r') AND {_own("t.oid", "pg_type")}
        """,
    ),
    ObjectQuestion(
        "sequence",
        f"""
        SELECT n.nspname || '.' || c.relname, 'sequence ' || c.relname, format_type(s.seqtypid, NULL) AS type,
               s.seqstart::text AS start, s.seqincrement::text AS increment, s.seqmax::text AS maximum,
               s.seqmin::text AS minimum, s.seqcycle AS cycle
          FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE {_SCHEMAS} AND {_own("c.oid", "pg_class")}
        """,
        VersionSet(">=10"),
    ),
    ObjectQuestion(
        "role",
        r"""
        SELECT rolname, 'role ' || rolname, rolsuper AS superuser, rolinherit AS inherit,
               rolcreaterole AS createrole, rolcreatedb AS createdb, rolcanlogin AS login,
               rolreplication AS replication,
               (SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
                  JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid) AS "member of"
          FROM pg_roles r WHERE rolname !~ '^pg_' AND rolname <> current_user
        """,
    ),
    ObjectQuestion(
        "publication",
        """
        SELECT pubname, 'publication ' || pubname, puballtables AS "all tables",
               (SELECT string_agg(t.schemaname || '.' || t.tablename, ', ' ORDER BY t.schemaname, t.tablename)
                  FROM pg_publication_tables t WHERE t.pubname = p.pubname) AS tables
          FROM pg_publication p WHERE true
        """,
        VersionSet(">=10"),
    ),
)
