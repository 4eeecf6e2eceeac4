"""Statements that PostgreSQL 10 runs differently, or refuses."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import CatalogQuery, ParseNode
from pytest_pgfeatures.atlas.in_catalogs import triggers

ROWS = (
    "generate_series|generate_subscripts|unnest|regexp_split_to_table|regexp_matches|json_array_elements"
    "|json_array_elements_text|jsonb_array_elements|jsonb_array_elements_text|json_each|jsonb_each|json_each_text"
    "|jsonb_each_text|json_object_keys|jsonb_object_keys|string_to_table"
)
"""Functions that return sets, as a regular expression."""

# --- 10.5 Set-returning functions in a select list ---------------------------------------------------------

rows(
    Row(
        "10.5",
        "srf-lock-step",
        "SELECT generate_series(1, 2), generate_series(1, 4)",
        [[1, 1], [2, 2], [1, 3], [2, 4]],
        [[1, 1], [2, 2], [None, 3], [None, 4]],
        title="Set-returning functions in a select list run in lock step; shorter ones give NULL",
        remedy="Call them in FROM: ROWS FROM for lock step, a join for all combinations.",
        remedied=Remedied(
            "SELECT * FROM ROWS FROM (generate_series(1, 2), generate_series(1, 4)) AS x",
            {"<9.4": NotYet("42601"), ">=9.4": [[1, 1], [2, 2], [None, 3], [None, 4]]},
        ),
        note="Up to 9.6, each repeats until all end at once, after the least common multiple of their lengths.",
        affects=ParseNode(
            "SelectStmt",
            targetList=rf"\b({ROWS}) \(.*\b({ROWS}) \(",
            may="if they give different numbers of rows",
        ),
    ),
    Row(
        "10.5",
        "srf-in-case",
        "SELECT x, CASE WHEN x > 0 THEN generate_series(1, x) ELSE 0 END FROM (VALUES (0), (2)) AS t (x)",
        [[0, 0], [2, 1], [2, 2]],
        "0A000",
        title="CASE can't contain a set-returning function",
        remedy="Move it into a LATERAL subquery.",
        remedied="""
            SELECT x, y FROM (VALUES (0), (2)) AS t (x),
            LATERAL (SELECT 0 WHERE x <= 0 UNION ALL SELECT generate_series(1, x) WHERE x > 0) AS s (y)
        """,
        note="Older versions refuse one in COALESCE, too, with another message.",
        affects=[
            ParseNode("FuncCall", within=("CaseExpr", "CoalesceExpr"), funcname=f"^({ROWS})$"),
        ],
    ),
    area="sql",
    manual="xfunc-sql#XFUNC-SQL-FUNCTIONS-RETURNING-SET",
)

# --- 10.6 UPDATE with a column list ------------------------------------------------------------------------

rows(
    Row(
        "10.6",
        "update-one-column-list",
        "UPDATE t SET (a) = (7) RETURNING a",
        7,
        "0A000",
        title="UPDATE with a column list of one column needs ROW() on the right",
        remedy="Leave out the parentheses; or write ROW(7), which versions before 10 refuse.",
        remedied="UPDATE t SET a = 7 RETURNING a",
        affects=[
            ParseNode("MultiAssignRef", ncolumns="^1$", lacks={"source": "^(SubLink|RowExpr)"}),
            ParseNode("MultiAssignRef", source=r"\*", lacks={"source": "^SubLink"}),
        ],
    ),
    Row(
        "10.6",
        "update-row-constructor",
        "UPDATE t SET (a, b) = ROW(3, 4) RETURNING a, b",
        "42601",
        [3, 4],
        kind="feature",
        title="UPDATE with a column list takes any row constructor",
    ),
    Row(
        "10.6",
        "update-row-expansion",
        "UPDATE t SET (a, b) = ROW(t.*) RETURNING a, b",
        "42601",
        [1, 2],
        kind="feature",
        title="UPDATE expands ROW(table.*) to the table's columns",
    ),
    area="sql",
    setup="CREATE TABLE t (a int, b int); INSERT INTO t VALUES (1, 2)",
    manual="sql-update",
)

# --- 10.7 The primary key of a parent ----------------------------------------------------------------------

rows(
    Row(
        "10.7",
        "primary-key-of-parent",
        "ALTER TABLE parent ADD PRIMARY KEY (id)",
        None,
        "23502",
        setup="""
            CREATE TABLE parent (id int); CREATE TABLE child () INHERITS (parent);
            INSERT INTO child VALUES (NULL)
        """,
        title="ADD PRIMARY KEY on a parent fails while a child has NULLs in that column",
        remedy="Remove the NULLs from the children first.",
        remedied=Remedied(
            """
            DELETE FROM child WHERE id IS NULL;
            ALTER TABLE parent DROP CONSTRAINT IF EXISTS parent_pkey;
            ALTER TABLE parent ADD PRIMARY KEY (id)
            """,
            {"all": None},
        ),
        affects=CatalogQuery(
            """
            SELECT DISTINCT 'primary key of ' || i.indrelid::regclass, p.relname
              FROM pg_index AS i JOIN pg_class AS p ON p.oid = i.indrelid
              JOIN pg_attribute AS a ON a.attrelid = p.oid AND a.attnum = ANY (i.indkey)
              JOIN pg_inherits AS h ON h.inhparent = p.oid
              JOIN pg_attribute AS b ON b.attrelid = h.inhrelid AND b.attname = a.attname
             WHERE i.indisprimary AND NOT b.attnotnull
            """,
            at=("primary",),
            may="if child tables contain NULL",
        ),
    ),
    Row(
        "10.7",
        "primary-key-not-null-in-children",
        "SELECT attnotnull FROM pg_attribute WHERE attrelid = 'child'::regclass AND attname = 'id'",
        False,
        True,
        setup="""
            CREATE TABLE parent (id int); CREATE TABLE child () INHERITS (parent);
            ALTER TABLE parent ADD PRIMARY KEY (id)
        """,
        title="The primary key of a parent makes the column NOT NULL in its children",
        remedy="Store no NULLs in a child's column that is the parent's primary key.",
    ),
    area="ddl",
    manual="ddl-inherit",
)

# --- 10.8 Statement-level triggers -------------------------------------------------------------------------

COUNTING = """
    CREATE TABLE fired (n int);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO fired VALUES (1); RETURN NULL; END $$;
"""


def fired_by(statement):
    """Count the firings of the triggers that call note()."""

    def observe(lab):
        lab.sql(statement)
        return lab.value("SELECT count(*) FROM fired")

    return observe


rows(
    Row(
        "10.8",
        "statement-trigger-with",
        fired_by("WITH x AS (UPDATE t SET a = 1 WHERE a = 1) UPDATE t SET a = 2 WHERE a = 2"),
        2,
        1,
        setup=COUNTING
        + """
            CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2);
            CREATE TRIGGER s AFTER UPDATE ON t FOR EACH STATEMENT EXECUTE PROCEDURE note()
        """,
        title="A statement-level trigger fires once, even if WITH has another UPDATE of its table",
        remedy="Write the trigger so that it does not depend on how often it fires.",
        affects=triggers(
            "t.tgtype & 1 = 0",
            "statement",
            "trigger",
            may="it is a statement-level trigger, which fires once for a statement",
        ),
    ),
    Row(
        "10.8",
        "statement-trigger-cascade",
        fired_by("DELETE FROM parent"),
        6,
        2,
        setup=COUNTING
        + """
            CREATE TABLE parent (id int PRIMARY KEY);
            CREATE TABLE child (id int REFERENCES parent ON DELETE CASCADE);
            INSERT INTO parent VALUES (1), (2), (3); INSERT INTO child VALUES (1), (2), (3);
            CREATE TRIGGER b BEFORE DELETE ON child FOR EACH STATEMENT EXECUTE PROCEDURE note();
            CREATE TRIGGER a AFTER DELETE ON child FOR EACH STATEMENT EXECUTE PROCEDURE note()
        """,
        title="Statement-level triggers fire once when a foreign key cascades, not once per row",
        remedy="Write the trigger so that it does not depend on how often it fires.",
        note="Two triggers; the cascade deletes three rows.",
    ),
    area="sql",
    manual="trigger-definition",
)
