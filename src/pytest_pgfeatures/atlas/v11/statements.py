"""Statements that PostgreSQL 11 reads differently, or refuses."""

from pytest_pgfeatures import Remedied, Row, rows
from pytest_pgfeatures.affects import Body, CatalogQuery, ParseNode, RefusedWith

NAME = r'"[^"]*[A-Z][^"]*"'
"""A name with upper-case letters in double quotes."""
QUOTED_OPTIONS = [
    RefusedWith("22023", f"unrecognized (parameter|\\w+ dictionary parameter:) {NAME}"),
    RefusedWith("42601", f"(attribute|text search \\w+ parameter) {NAME} not recognized"),
    RefusedWith("42P13", "aggregate (sfunc|stype) must be specified"),
    RefusedWith("42P17", "text search (parser|template|.* method) is required"),
]
IGNORED = ParseNode("DefElem", within=("DefineStmt",), defname="(?-i:[A-Z])")
"""An option that the new server leaves out with a warning, if the object does without."""

# --- 11.2 x.f and f(x) -------------------------------------------------------------------------------------

rows(
    Row(
        "11.2",
        "function-or-column",
        "SELECT title(b), b.title FROM book AS b",
        ["column", "column"],
        ["function", "column"],
        setup="""
            CREATE TABLE book (id int);
            CREATE FUNCTION title(book) RETURNS text LANGUAGE sql AS $$ SELECT 'function'::text $$;
            ALTER TABLE book ADD title text DEFAULT 'column';
            INSERT INTO book VALUES (1)
        """,
        title="f(x) calls the function f, even if the composite type of x has a column f",
        area="sql",
        manual="rowtypes#ROWTYPES-USAGE",
        remedy="Write x.f for the column, and f(x), with the function's schema, for the function.",
        remedied="SELECT b.title, b.title FROM book AS b",
        affects=CatalogQuery(
            """
            SELECT DISTINCT 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
                p.proname
            FROM pg_proc AS p JOIN pg_type AS t ON t.oid = p.proargtypes[0]
                JOIN pg_attribute AS a ON a.attrelid = t.typrelid AND a.attname = p.proname AND a.attnum > 0
            WHERE p.pronargs = 1
            """,
            at=("function",),
            may="f(x) calls the function now",
        ),
    ),
    Row(
        "11.2",
        "function-named-as-column",
        "CREATE FUNCTION title(book) RETURNS text LANGUAGE sql AS $$ SELECT 'function'::text $$",
        "42701",
        None,
        kind="feature",
        setup="CREATE TABLE book (title text)",
        title="A function of a composite type may have the name of one of its columns",
        area="sql",
        manual="rowtypes#ROWTYPES-USAGE",
    ),
)

# --- 11.3 Names of constraints -----------------------------------------------------------------------------

rows(
    Row(
        "11.3",
        "constraint-names",
        "CREATE TABLE t (a int, CONSTRAINT c UNIQUE (a), CONSTRAINT c CHECK (a > 0))",
        None,
        "42710",
        title="Two constraints of a table can't have the same name",
        area="ddl",
        manual="sql-createtable",
        remedy="Give them different names; rename one before the upgrade.",
        remedied="CREATE TABLE t2 (a int, CONSTRAINT u UNIQUE (a), CONSTRAINT positive CHECK (a > 0))",
        note="Up to 10, only most ways to create two are refused. From 11 on, a unique index refuses all.",
        affects=[
            RefusedWith("23505", "pg_constraint_conrelid_contypid_conname_index"),
            CatalogQuery("""
    SELECT 'constraint ' || c.conname || ' of ' || COALESCE(r.relname::text, t.typname::text), r.relname, c.conname
    FROM pg_constraint AS c LEFT JOIN pg_class AS r ON r.oid = c.conrelid
        LEFT JOIN pg_type AS t ON t.oid = c.contypid
    WHERE (SELECT count(*) FROM pg_constraint AS o WHERE o.conname = c.conname AND o.conrelid = c.conrelid
        AND o.contypid = c.contypid) > 1
"""),
        ],
    ),
)

# --- 11.17 Options in double quotes ------------------------------------------------------------------------

rows(
    *(
        Row(
            "11.17",
            f"quoted-option-{name}",
            refused,
            None,
            sqlstate,
            title=f"Double-quoted names of options keep their case: {what}",
            remedy="Write the option in lower case, or without quotes.",
            remedied=remedied,
            affects=[*QUOTED_OPTIONS, IGNORED] if name == "aggregate" else QUOTED_OPTIONS,
        )
        for name, what, refused, sqlstate, remedied in (
            (
                "table",
                'CREATE TABLE ... WITH ("FillFactor")',
                'CREATE TABLE t (a int) WITH ("FillFactor" = 70)',
                "22023",
                "CREATE TABLE t2 (a int) WITH (FillFactor = 70)",
            ),
            (
                "index",
                'CREATE INDEX ... WITH ("FillFactor")',
                'CREATE INDEX ON s (a) WITH ("FillFactor" = 70)',
                "22023",
                "CREATE INDEX ON s (a) WITH (FillFactor = 70)",
            ),
            (
                "aggregate",
                'CREATE AGGREGATE ("SFunc")',
                'CREATE AGGREGATE g (int) ("SFunc" = int4pl, stype = int)',
                "42P13",
                "CREATE AGGREGATE g2 (int) (SFunc = int4pl, stype = int)",
            ),
            (
                "dictionary",
                'CREATE TEXT SEARCH DICTIONARY ("Template")',
                'CREATE TEXT SEARCH DICTIONARY d ("Template" = simple)',
                "42P17",
                "CREATE TEXT SEARCH DICTIONARY d2 (Template = simple)",
            ),
            (
                "range",
                'CREATE TYPE ... AS RANGE ("Subtype")',
                'CREATE TYPE r AS RANGE ("Subtype" = int4)',
                "42601",
                "CREATE TYPE r2 AS RANGE (Subtype = int4)",
            ),
            (
                "collation",
                'CREATE COLLATION ("Locale")',
                """CREATE COLLATION c ("Locale" = 'C')""",
                "42601",
                "CREATE COLLATION c2 (Locale = 'C')",
            ),
        )
    ),
    area="ddl",
    setup="CREATE TABLE s (a int)",
    manual="sql-syntax-lexical#SQL-SYNTAX-IDENTIFIERS",
)

# --- 11.19 Attributes of functions -------------------------------------------------------------------------

rows(
    Row(
        "11.19",
        "function-with-isstrict",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT $1' WITH (isStrict)",
        None,
        "42601",
        title="CREATE FUNCTION has no clause WITH (isStrict)",
        remedy="Write STRICT.",
        remedied="CREATE FUNCTION g(int) RETURNS int LANGUAGE sql STRICT AS 'SELECT $1'",
        affects=RefusedWith("42601", r'(?i)at or near "with"\n.*is(strict|cachable)'),
    ),
    Row(
        "11.19",
        "function-with-iscachable",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT $1' WITH (isCachable)",
        None,
        "42601",
        title="CREATE FUNCTION has no clause WITH (isCachable)",
        remedy="Write IMMUTABLE.",
        remedied="CREATE FUNCTION g(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
    ),
    area="ddl",
    manual="sql-createfunction",
)

# --- 11.20 OLD and NEW in PL/pgSQL -------------------------------------------------------------------------

rows(
    Row(
        "11.20",
        "old-is-null",
        "INSERT INTO t VALUES (1) RETURNING a",
        "55000",
        7,
        setup="""
            CREATE TABLE t (a int);
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN NEW.a := COALESCE(OLD.a, 7); RETURN NEW; END $$;
            CREATE TRIGGER b BEFORE INSERT ON t FOR EACH ROW EXECUTE PROCEDURE f()
        """,
        title="In PL/pgSQL triggers, OLD is NULL for INSERT, and NEW is NULL for DELETE",
        area="plpgsql",
        manual="plpgsql-trigger",
        remedy="Check TG_OP; don't rely on the error.",
        remedied=Remedied(
            """
            CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN IF TG_OP = 'INSERT' THEN NEW.a := 7; ELSE NEW.a := OLD.a; END IF; RETURN NEW; END $$;
            INSERT INTO t VALUES (1) RETURNING a
            """,
            {"all": 7},
        ),
        affects=[
            Body(
                r"\bold\b",
                event="insert",
                unless=r"\btg_op\b",
                may="OLD is NULL in INSERT, no longer an error",
            ),
            Body(
                r"\bnew\b(?!\s*;)",
                event="delete",
                unless=r"\btg_op\b",
                may="NEW is NULL in DELETE, no longer an error",
            ),
        ],
    ),
)
