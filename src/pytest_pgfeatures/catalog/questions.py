"""The queries that list a server's objects, one query for each kind.

The first column of a query is the object's name; the others are its properties. Properties that only newer majors
have are compared only if both majors have them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_pgfeatures.version import VersionSet

_ALL = VersionSet("all")


@dataclass(frozen=True, slots=True)
class Question:
    """A query about the objects of one kind.

    Parameters:
        kind: the kind of objects that it lists.
        sql: the query.
        versions: the majors on which it is run.
    """

    kind: str
    sql: str
    versions: VersionSet = _ALL


_VOLATILITY = "CASE provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END"
_PARALLEL = "CASE proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' ELSE 'unsafe' END"

_SIGNATURE = (
    "'(' || array_to_string(ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) t), ', ') || ')'"
)
_IN_CATALOG = "(SELECT oid FROM pg_namespace WHERE nspname = 'pg_catalog')"


def _functions(kind: str, parallel: str) -> str:
    return f"""
        SELECT p.proname || {_SIGNATURE},
               {kind} AS kind, pg_get_function_result(p.oid) AS result, {_VOLATILITY} AS volatility,
               pg_get_function_arguments(p.oid) AS arguments, p.proisstrict AS strict{parallel}
          FROM pg_proc p WHERE p.pronamespace = {_IN_CATALOG}
    """


_KIND_BEFORE_11 = "CASE WHEN proisagg THEN 'aggregate' WHEN proiswindow THEN 'window' ELSE 'function' END"
_KIND = (
    "CASE prokind WHEN 'a' THEN 'aggregate' WHEN 'w' THEN 'window' WHEN 'p' THEN 'procedure'"
    " ELSE 'function' END"
)
QUESTIONS: tuple[Question, ...] = (
    # https://www.postgresql.org/docs/current/catalog-pg-proc.html
    Question("function", _functions(_KIND_BEFORE_11, ""), VersionSet("<9.6")),
    Question("function", _functions(_KIND_BEFORE_11, f", {_PARALLEL} AS parallel"), VersionSet("9.6..10")),
    Question("function", _functions(_KIND, f", {_PARALLEL} AS parallel"), VersionSet(">=11")),
    Question(
        "operator",
        f"""
        SELECT CASE WHEN oprleft = 0 THEN '' ELSE format_type(oprleft, NULL) || ' ' END || oprname
               || CASE WHEN oprright = 0 THEN '' ELSE ' ' || format_type(oprright, NULL) END,
               format_type(oprresult, NULL) AS result, oprcode::regprocedure::text AS function
          FROM pg_operator WHERE oprnamespace = {_IN_CATALOG}
        """,
    ),
    Question(
        "cast",
        """
        SELECT format_type(castsource, NULL) || ' AS ' || format_type(casttarget, NULL),
               CASE castcontext WHEN 'e' THEN 'explicit' WHEN 'a' THEN 'assignment' ELSE 'implicit' END AS context,
               CASE castmethod WHEN 'b' THEN 'binary coercible' WHEN 'i' THEN 'by text'
                               ELSE castfunc::regprocedure::text END AS method
          FROM pg_cast WHERE castsource < 16384 AND casttarget < 16384
        """,
    ),
    Question(
        "type",
        f"""
        SELECT format_type(t.oid, NULL), t.typtype::text AS kind, t.typlen::text AS length,
               t.typcategory::text AS category, t.typispreferred AS preferred
          FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
         WHERE t.typnamespace = {_IN_CATALOG} AND c.oid IS NULL AND NOT (t.typelem <> 0 AND t.typlen = -1)
        """,
    ),
    Question(
        "operator class",
        """
        SELECT c.opcname || ' USING ' || a.amname || ' FOR ' || format_type(c.opcintype, NULL),
               c.opcdefault AS "default", f.opfname AS family
          FROM pg_opclass c JOIN pg_am a ON a.oid = c.opcmethod JOIN pg_opfamily f ON f.oid = c.opcfamily
         WHERE c.oid < 16384
        """,
    ),
    Question(
        "setting",
        """
        SELECT name, vartype AS type, boot_val AS "default", unit, min_val AS minimum, max_val AS maximum,
               array_to_string(enumvals, ', ') AS values, context
          FROM pg_settings WHERE name !~ '[.]'
        """,
    ),
    Question("keyword", "SELECT word, catdesc AS category FROM pg_get_keywords()", VersionSet("<14")),
    Question(
        "keyword",
        "SELECT word, catdesc AS category, CASE WHEN barelabel THEN 'bare label' ELSE 'needs AS' END AS label"
        "  FROM pg_get_keywords()",
        VersionSet(">=14"),
    ),
    Question(
        "relation",
        """
        SELECT n.nspname || '.' || c.relname, CASE c.relkind WHEN 'v' THEN 'view' ELSE 'table' END AS kind
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')
        """,
    ),
    Question(
        "column",
        """
        SELECT n.nspname || '.' || c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod) AS type
          FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')
           AND NOT a.attisdropped AND (a.attnum > 0 OR a.attname = 'oid')
        """,
    ),
    Question(
        "role",
        r"""
        SELECT r.rolname, (SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
                             JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid) AS "member of"
          FROM pg_roles r WHERE r.rolname LIKE 'pg\_%'
        """,
    ),
    Question("extension", "SELECT name, default_version AS version FROM pg_available_extensions"),
    Question("wait event", "SELECT type || ': ' || name FROM pg_wait_events", VersionSet(">=17")),
)
"""All queries; https://www.postgresql.org/docs/current/catalogs.html describes each table."""

EXTENSION_FUNCTIONS = f"""
    SELECT e.extname || ': ' || p.proname || {_SIGNATURE},
           pg_get_function_result(p.oid) AS result, pg_get_function_arguments(p.oid) AS arguments
      FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid AND d.refclassid = 'pg_extension'::regclass
      JOIN pg_proc p ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
     WHERE d.deptype = 'e' AND e.extname = %s
"""
"""The functions of one extension that has been created."""
