"""Statements and settings that PostgreSQL 12 refuses, and catalog columns that it removed."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Column, RefusedWith, SettingUsed, Unseen

# --- 12.16 DROP IF EXISTS of functions ---------------------------------------------------------------------

rows(
    Row(
        "12.16",
        "drop-function-if-exists",
        "DROP FUNCTION IF EXISTS f",
        expect={"<10": NotYet("42601"), "10..11": None, ">=12": "42725"},
        setup="""
            CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
            CREATE FUNCTION f(text) RETURNS int LANGUAGE sql AS 'SELECT 1'
        """,
        title="DROP FUNCTION IF EXISTS refuses a name that several functions have",
        remedy="Write the arguments' types.",
        remedied="DROP FUNCTION IF EXISTS f(int)",
        note="10 and 11 drop nothing. Versions before 10 always need the types; DROP AGGREGATE always does.",
        affects=RefusedWith("42725", "(function|procedure|routine) name .* is not unique"),
    ),
    Row(
        "12.16",
        "drop-routine-if-exists",
        "DROP ROUTINE IF EXISTS f",
        expect={"<11": NotYet("42601"), "11": None, ">=12": "42725"},
        setup="""
            CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
            CREATE FUNCTION f(text) RETURNS int LANGUAGE sql AS 'SELECT 1'
        """,
        title="DROP ROUTINE IF EXISTS refuses a name that several routines have",
        remedy="Write the arguments' types.",
        remedied=Remedied("DROP ROUTINE IF EXISTS f(int)", {"<11": NotYet("42601"), ">=11": None}),
    ),
    Row(
        "12.16",
        "drop-procedure-if-exists",
        lambda lab: dropped_procedure(lab, "p"),
        expect={"<11": NotYet("42601"), "11": None, ">=12": "42725"},
        title="DROP PROCEDURE IF EXISTS refuses a name that several procedures have",
        remedy="Write the arguments' types.",
        remedied=Remedied("DROP PROCEDURE IF EXISTS p(int)", {"<11": NotYet("42601"), ">=11": None}),
        note="Procedures came with 11.",
    ),
    since="12",
    area="ddl",
    manual="sql-dropfunction",
)


def dropped_procedure(lab, name):
    return (
        lab.sqlstate(f"CREATE PROCEDURE {name}(int) LANGUAGE sql AS 'SELECT 1'")
        or lab.sqlstate(f"CREATE PROCEDURE {name}(text) LANGUAGE sql AS 'SELECT 1'")
        or lab.sqlstate(f"DROP PROCEDURE IF EXISTS {name}")
    )


# --- 12.17, 12.18, 12.19 Catalogs --------------------------------------------------------------------------

rows(
    Row(
        "12.17",
        "statistic-ext-ndistinct",
        "SELECT stxndistinct FROM pg_statistic_ext",
        expect={"<10": NotYet("42P01"), "10..11": [], ">=12": "42703"},
        title="pg_statistic_ext has no column stxndistinct",
        manual="catalog-pg-statistic-ext-data",
        remedy="Read n_distinct in pg_stats_ext.",
        remedied=Remedied("SELECT n_distinct FROM pg_stats_ext", {"<12": NotYet("42P01"), ">=12": []}),
        note="Extended statistics came with 10.",
        affects=Column("pg_statistic_ext", "stxndistinct", "stxdependencies"),
    ),
    Row(
        "12.17",
        "statistic-ext-dependencies",
        "SELECT stxdependencies FROM pg_statistic_ext",
        expect={"<10": NotYet("42P01"), "10..11": [], ">=12": "42703"},
        title="pg_statistic_ext has no column stxdependencies",
        manual="catalog-pg-statistic-ext-data",
        remedy="Read dependencies in pg_stats_ext.",
        remedied=Remedied("SELECT dependencies FROM pg_stats_ext", {"<12": NotYet("42P01"), ">=12": []}),
        note="Extended statistics came with 10.",
    ),
    Row(
        "12.18",
        "pg-constraint-consrc",
        "SELECT consrc FROM pg_constraint WHERE conrelid = 't'::regclass AND contype = 'c'",
        "(a > 0)",
        "42703",
        title="pg_constraint has no column consrc",
        manual="catalog-pg-constraint",
        remedy="Call pg_get_expr(conbin, conrelid), or pg_get_constraintdef(oid).",
        remedied="""
            SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
            WHERE conrelid = 't'::regclass AND contype = 'c'
        """,
        affects=Column("pg_constraint", "consrc"),
    ),
    Row(
        "12.19",
        "pg-attrdef-adsrc",
        "SELECT adsrc FROM pg_attrdef WHERE adrelid = 't'::regclass",
        "7",
        "42703",
        title="pg_attrdef has no column adsrc",
        manual="catalog-pg-attrdef",
        remedy="Call pg_get_expr(adbin, adrelid).",
        remedied="SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 't'::regclass",
        affects=Column("pg_attrdef", "adsrc"),
    ),
    since="12",
    area="catalogs",
    setup="CREATE TABLE t (a int DEFAULT 7 CHECK (a > 0))",
)

# --- 12.15 Wide keys of B-tree indexes ---------------------------------------------------------------------

rows(
    Row(
        "12.15",
        "btree-key-size",
        "INSERT INTO t VALUES (repeat('x', 2700))",
        None,
        "54000",
        setup="""
            CREATE TABLE t (a text); ALTER TABLE t ALTER a SET STORAGE PLAIN; CREATE INDEX ON t (a)
        """,
        title="An entry of a B-tree index has 2704 bytes at most, 8 fewer than up to 11",
        area="storage",
        manual="btree",
        remedy="Index a hash of the value, or a shorter part of it. REINDEX refuses such entries, too.",
        remedied="""
            CREATE TABLE s (a text);
            ALTER TABLE s ALTER a SET STORAGE PLAIN;
            CREATE INDEX ON s (md5(a));
            INSERT INTO s VALUES (repeat('x', 2700))
        """,
        note="2700 characters make an entry of 2712 bytes. An index that pg_upgrade transfers keeps its entries.",
        affects=Unseen("it depends on the length of keys: run amcheck, or REINDEX on a copy"),
    ),
)


# --- 12.22 Dynamic shared memory ---------------------------------------------------------------------------


@behavior(
    "12/dynamic-shared-memory-none",
    title="dynamic_shared_memory_type can't be none",
    area="settings",
    release_note="12.22",
    kind="incompatibility",
    manual="runtime-config-resource#GUC-DYNAMIC-SHARED-MEMORY-TYPE",
    isolation="transaction",
    since="12",
    expect={
        "<9.4": NotYet('unrecognized configuration parameter "dynamic_shared_memory_type"'),
        "9.4..11": None,
        ">=12": 'invalid value for parameter "dynamic_shared_memory_type": "none"',
    },
    remedy="Delete the line, or set it to posix, sysv or mmap.",
    remedied=Remedied(
        lambda lab: lab.start_refusal("dynamic_shared_memory_type = posix"),
        {
            "<9.4": NotYet('unrecognized configuration parameter "dynamic_shared_memory_type"'),
            ">=9.4": None,
        },
    ),
    affects=SettingUsed("dynamic_shared_memory_type", value="none"),
)
def dynamic_shared_memory_none(lab):
    return lab.start_refusal("dynamic_shared_memory_type = none")
