"""Statements that behave differently on 16: from chapter 5 of the PostgreSQL 16 verification report.

The report doesn't number the chapter's sections; 5.1 is its first heading, and so on.
"""

import re

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import Body, ParseNode, ProgramCall, RefusedWith

REPORT = "PostgreSQL 16 verification report"

# --- 5.1 The portals of PL/pgSQL's cursors -----------------------------------------------------------------

RENAME = "Assign the name to the variable before OPEN, c1 := 'c1', or use the name that the function returns."


def create_cursor_function(lab, name, query, *, assign=""):
    """Create a function that opens a cursor bound to the variable c1, and returns its portal's name."""
    lab.sql(
        f"""
        CREATE FUNCTION {name}() RETURNS refcursor LANGUAGE plpgsql AS
        $$ DECLARE c1 CURSOR FOR {query};
           BEGIN {assign} OPEN c1; RETURN c1; END $$
        """
    )


@behavior(
    "16/cursor-name-clash",
    release_note="16.1",
    title="Two PL/pgSQL functions may have cursors of the same variable name open at once",
    area="plpgsql",
    source=f"{REPORT}, 5.1",
    kind="incompatibility",
    manual="plpgsql-cursors#PLPGSQL-CURSOR-OPENING",
    isolation="transaction",
    expect={"<16": "42P03", ">=16": "<unnamed portal> <unnamed portal>"},
    remedy="Nothing, if an error was the only effect. " + RENAME,
    note="The report's functions. A generated name ends in a number, which is omitted here.",
)
def cursor_name_clash(lab):
    create_cursor_function(lab, "f_cur1", "SELECT tablename FROM pg_tables")
    create_cursor_function(lab, "f_cur2", "SELECT usename FROM pg_user")
    lab.sql(
        """
        CREATE FUNCTION f_cur3() RETURNS text LANGUAGE plpgsql AS
        $$ DECLARE c101 refcursor; c102 refcursor;
           BEGIN
               c101 := f_cur1(); c102 := f_cur2();
               RETURN (SELECT string_agg(regexp_replace(name, ' [0-9]+', ''), ' ') FROM pg_cursors
                       WHERE name IN (c101::text, c102::text));
           END $$
        """
    )
    return lab.value_or_sqlstate("SELECT f_cur3()")


@behavior(
    "16/cursor-variable-unset",
    release_note="16.1",
    title="A bound cursor variable is NULL until OPEN gives its portal a generated name",
    area="plpgsql",
    source=f"{REPORT}, 5.1",
    kind="incompatibility",
    manual="plpgsql-cursors#PLPGSQL-CURSOR-DECLARATIONS",
    isolation="transaction",
    expect={"<16": ["c1", "c1"], ">=16": [None, "<unnamed portal>"]},
    remedy=RENAME,
    note="The variable's value before and after OPEN.",
    affects=[
        Body(
            r"\b(?P<trigger>(?P<name>\w+)\s+(?>(?:no\s+)?(?:scroll\s+)?cursor\b[^;]*?\b(?:for|is)\b)).*"
            r"(?:(?:\breturn\s+(?:next\s+)?|:=\s*|[,(]\s*)(?P=name)\s*[;,):]|\breturn\s{3,};)",
            unless=r"\A(?>.*?\bcursor\b)(?>.*?\bbegin\b).*\b(\w+)\s*:=.*\bopen\s+\1\b",
            may="if the portal is used under the variable's name",
        ),
    ],
)
def cursor_variable_unset(lab):
    lab.sql(
        """
        CREATE FUNCTION names(OUT before text, OUT after text) LANGUAGE plpgsql AS
        $$ DECLARE c1 CURSOR FOR SELECT 42;
           BEGIN before := c1; OPEN c1; after := regexp_replace(c1::text, ' [0-9]+', ''); END $$
        """
    )
    return list(lab.sql("SELECT * FROM names()")[0])


def fetched_by_name(lab, name, **more):
    """Run FETCH with this name in SQL, after a function has opened a cursor."""
    create_cursor_function(lab, "f_cur1", "SELECT 42", **more)
    lab.sql("BEGIN")
    lab.sql("SELECT f_cur1()")
    return lab.value_or_sqlstate(f'FETCH "{name}"')


@behavior(
    "16/cursor-fetch-by-variable",
    release_note="16.1",
    title="FETCH no longer finds a PL/pgSQL cursor by the name of its variable",
    area="plpgsql",
    source=f"{REPORT}, 5.1",
    kind="incompatibility",
    manual="plpgsql-cursors#PLPGSQL-CURSOR-RETURNING",
    isolation="transaction",
    expect={"<16": 42, ">=16": "34000"},
    remedy=RENAME,
    affects=ParseNode(
        "FetchStmt",
        "ClosePortalStmt",
        portalname="<cursor>",
        may="if a function opened it without assigning this name",
    ),
)
def cursor_fetch_by_variable(lab):
    return fetched_by_name(lab, "c1")


@behavior(
    "16/cursor-name-assigned",
    title="A name assigned to a cursor variable before OPEN becomes the portal's name",
    area="plpgsql",
    source=f"{REPORT}, 5.1",
    manual="plpgsql-cursors#PLPGSQL-CURSOR-OPENING",
    isolation="transaction",
    expect={"all": 42},
    note="The report's workaround. It works on every version.",
)
def cursor_name_assigned(lab):
    return fetched_by_name(lab, "portal-c1", assign="c1 := 'portal-c1';")


# --- 5.2 Primary keys and NULLS NOT DISTINCT ---------------------------------------------------------------


def add_primary_key(lab):
    """Make a NULLS NOT DISTINCT index a primary key. Return the SQLSTATE if the server refuses either."""
    lab.sql("CREATE TABLE t_pk (id int NOT NULL)")
    return lab.sqlstate("CREATE UNIQUE INDEX i_pk ON t_pk (id) NULLS NOT DISTINCT") or lab.sqlstate(
        "ALTER TABLE t_pk ADD PRIMARY KEY USING INDEX i_pk"
    )


@behavior(
    "16/primary-key-nulls-not-distinct",
    release_note="16.2",
    title="A NULLS NOT DISTINCT index can't become a primary key",
    area="ddl",
    source=f"{REPORT}, 5.2",
    kind="incompatibility",
    manual="sql-altertable#SQL-ALTERTABLE-DESC-ADD-TABLE-CONSTRAINT-USING-INDEX",
    since="16",
    isolation="transaction",
    expect={"<15": NotYet("42601"), "15": "accepted", ">=16": "42P16"},
    remedy="Create the index without NULLS NOT DISTINCT, which has no effect on columns without NULLs.",
    note="NULLS NOT DISTINCT came with 15.",
    affects=RefusedWith("42P16", "primary keys cannot use NULLS NOT DISTINCT indexes"),
)
def primary_key_nulls_not_distinct(lab):
    return add_primary_key(lab) or "accepted"


@behavior(
    "16/primary-key-nulls-not-distinct-dump",
    title="pg_dump writes no primary key with NULLS NOT DISTINCT, which could not be restored",
    area="ddl",
    source=f"{REPORT}, 5.2",
    manual="app-pgdump",
    needs={"pg_dump": "15"},
    since="16",
    expect={
        "<15": "42601",
        "15": {"dumped": "PRIMARY KEY NULLS NOT DISTINCT (id)", "restored": "42601"},
        ">=16": "42P16",
    },
    note="The report's reason for the change: before 16, such a key can exist, and its dump is wrong.",
)
def primary_key_nulls_not_distinct_dump(lab):
    if refused := add_primary_key(lab):
        return refused
    (dumped,) = re.findall("ADD CONSTRAINT i_pk (.*);", lab.run("pg_dump", "--table=t_pk").output)
    lab.sql("CREATE TABLE restored (id int NOT NULL)")
    return {
        "dumped": dumped,
        "restored": lab.sqlstate(f"ALTER TABLE restored ADD CONSTRAINT i_pk_2 {dumped}"),
    }


# --- 5.3 REINDEX DATABASE ----------------------------------------------------------------------------------

INDEXES = ("t_ri_pkey", "pg_class_oid_index", "pg_database_oid_index")
"""Indexes of a user's table, of a system catalog, and of a shared system catalog."""


def files_of_indexes(lab):
    return {name: lab.value(f"SELECT pg_relation_filenode('{name}')") for name in INDEXES}


def rebuilt(lab, statement):
    """Return the indexes that a statement rebuilds, which gives them new files."""
    lab.sql("CREATE TABLE t_ri (id int PRIMARY KEY)")
    before = files_of_indexes(lab)
    lab.sql(statement.format(database=lab.value("SELECT quote_ident(current_database())")))
    after = files_of_indexes(lab)
    return [name for name in INDEXES if before[name] != after[name]]


@behavior(
    "16/reindex-database",
    release_note="16.3",
    title="REINDEX DATABASE does not rebuild the indexes of system catalogs",
    area="ddl",
    source=f"{REPORT}, 5.3",
    kind="incompatibility",
    manual="sql-reindex",
    isolation="cluster",
    expect={"<16": list(INDEXES), ">=16": ["t_ri_pkey"]},
    remedy="Run REINDEX SYSTEM (reindexdb --system) as well if a script relies on it.",
    affects=ParseNode("ReindexStmt", kind="DATABASE", may="if system catalogs are to be reindexed"),
)
def reindex_database(lab):
    return rebuilt(lab, "REINDEX DATABASE {database}")


@behavior(
    "16/reindex-system",
    title="REINDEX SYSTEM rebuilds the indexes of system catalogs, and no others",
    area="ddl",
    source=f"{REPORT}, 5.3",
    manual="sql-reindex",
    isolation="cluster",
    expect={"all": list(INDEXES[1:])},
    note="The report recommends it for 16. It does the same on every version.",
)
def reindex_system(lab):
    return rebuilt(lab, "REINDEX SYSTEM {database}")


@behavior(
    "16/reindex-database-name",
    title="REINDEX DATABASE needs no database's name",
    area="ddl",
    source=f"{REPORT}, 5.3",
    manual="sql-reindex",
    expect={"<16": "42601", ">=16": None},
    note="Only the current database's name was allowed.",
)
def reindex_database_name(lab):
    return lab.sqlstate("REINDEX DATABASE")


@behavior(
    "16/reindex-database-concurrently",
    title="REINDEX DATABASE CONCURRENTLY gives no warning about system catalogs",
    area="ddl",
    source=f"{REPORT}, 5.3",
    manual="sql-reindex",
    since="16",
    expect={
        "<12": "42601",
        "12..15": ["WARNING:  cannot reindex system catalogs concurrently, skipping all"],
        ">=16": [],
    },
)
def reindex_database_concurrently(lab):
    name = lab.value("SELECT quote_ident(current_database())")
    statement = f"REINDEX DATABASE CONCURRENTLY {name}"
    return lab.sqlstate(statement) or lab.notices(statement)


@behavior(
    "16/reindexdb",
    release_note="16.3",
    title="reindexdb rebuilds the indexes of system catalogs only with --system",
    area="programs",
    source=f"{REPORT}, 5.3",
    kind="incompatibility",
    manual="app-reindexdb",
    isolation="cluster",
    needs=["reindexdb"],
    expect={
        "<16": {"reindexdb": list(INDEXES), "reindexdb --system": list(INDEXES[1:])},
        ">=16": {"reindexdb": ["t_ri_pkey"], "reindexdb --system": list(INDEXES[1:])},
    },
    remedy="Run reindexdb --system as well if a script relies on it.",
    affects=ProgramCall(
        "reindexdb",
        unless=("-s", "--system", "-t", "--table", "-i", "--index", "-S", "--schema"),
        may="if system catalogs are to be reindexed",
    ),
)
def reindexdb(lab):
    lab.sql("CREATE TABLE t_ri (id int PRIMARY KEY)")
    found = {}
    for command in ("reindexdb", "reindexdb --system"):
        before = files_of_indexes(lab)
        lab.run(*command.split())
        after = files_of_indexes(lab)
        found[command] = [name for name in INDEXES if before[name] != after[name]]
    return found


# --- 5.6 Views made with CREATE RULE -----------------------------------------------------------------------


@behavior(
    "16/create-rule-view",
    release_note="16.7",
    title='A rule "_RETURN" no longer turns a table into a view',
    area="ddl",
    source=f"{REPORT}, 5.6",
    kind="incompatibility",
    manual="sql-createrule",
    isolation="transaction",
    expect={"<16": "view", ">=16": "42809"},
    remedy="Use CREATE VIEW. pg_dump has long written views as CREATE VIEW.",
    affects=RefusedWith("42809", "cannot have ON SELECT rules"),  # the old server makes it a view
)
def create_rule_view(lab):
    lab.sql("CREATE TABLE t_rv (id int)")
    return lab.sqlstate('CREATE RULE "_RETURN" AS ON SELECT TO t_rv DO INSTEAD SELECT 7 AS id') or lab.value(
        "SELECT CASE relkind WHEN 'v' THEN 'view' ELSE 'table' END FROM pg_class WHERE relname = 't_rv'"
    )


@behavior(
    "16/replace-rule-of-view",
    title='CREATE OR REPLACE RULE "_RETURN" still redefines a view',
    area="ddl",
    source=f"{REPORT}, 5.6",
    manual="sql-createrule",
    isolation="transaction",
    expect={"all": 8},
    note="The report doesn't say that only tables are refused.",
)
def replace_rule_of_view(lab):
    lab.sql("CREATE VIEW v_rv AS SELECT 7 AS id")
    lab.sql('CREATE OR REPLACE RULE "_RETURN" AS ON SELECT TO v_rv DO INSTEAD SELECT 8 AS id')
    return lab.value("SELECT id FROM v_rv")
