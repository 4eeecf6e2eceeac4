"""Changes of 18 that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import NotYet, Row, behavior, rows
from pytest_pgfeatures.affects import (
    Body,
    Call,
    Column,
    ParseNode,
    RefusedWith,
    ScriptText,
    SettingUsed,
)
from pytest_pgfeatures.atlas.patterns import (
    STATEMENTS,
    more_activity,
    other_stem,
    other_unaccent,
    relation,
    rows_of_statements,
    statements_as_one,
)
from pytest_pgfeatures.atlas.taken_names import hiding_configurations, taken_cast

rows(
    Row(
        (),
        "log-connections-text",
        "SELECT vartype FROM pg_settings WHERE name = 'log_connections'",
        "bool",
        "string",
        since="18",
        title="log_connections is a list of the steps to log, not on or off",
        area="settings",
        source="PostgreSQL 18 release notes, Logging",
        manual="runtime-config-logging#GUC-LOG-CONNECTIONS",
        remedy="Read it as text: it is empty when off. You can still set it to on and off.",
        affects=SettingUsed("log_connections", read=True, may="if a program reads it as on or off"),
    ),
)


@behavior(
    "18/disabled-nodes",
    title="A plan node that a setting disables keeps its cost, and is marked as disabled",
    area="performance",
    source="PostgreSQL 18 release notes, Optimizer",
    manual="runtime-config-query#RUNTIME-CONFIG-QUERY-ENABLE",
    kind="incompatibility",
    expect={"<18": "ten billion more", ">=18": "as ever"},
    isolation="transaction",
    remedy="Look for Disabled in the plan, not for costs of 10000000000.",
    affects=SettingUsed(
        "enable_(seqscan|indexscan|indexonlyscan|bitmapscan|tidscan|sort|hashagg|material|nestloop|mergejoin|hashjoin)",
        value="off|false|no|0",
        may="if a program compares the costs of plans",
    ),
)
def disabled_nodes(lab):
    lab.sql("CREATE TABLE t (a integer)")
    lab.set(enable_seqscan=False)
    plan = lab.explain("SELECT * FROM t", analyze=False)
    return "ten billion more" if plan.root.total_cost > 10**10 else "as ever"


@behavior(
    "18/statements-with-lists",
    title="pg_stat_statements has one row for queries whose lists of constants differ in length",
    area="extensions",
    source="PostgreSQL 18 release notes, pg_stat_statements",
    manual="pgstatstatements",
    kind="incompatibility",
    settings=STATEMENTS,
    needs=["contrib:pg_stat_statements"],
    expect={"<18": 2, ">=18": 1},
    remedy="Compare the sums of the queries' rows, as the identifiers differ.",
    affects=relation(
        "pg_stat_statements",
        schema=None,
        may="queries whose IN lists differ in length have one row",
    ),
)
def statements_with_lists(lab):
    lists = ("SELECT x FROM t WHERE x IN (1, 2)", "SELECT x FROM t WHERE x IN (1, 2, 3)")
    return rows_of_statements(lab, "CREATE TABLE t (x integer)", *lists, like="SELECT x FROM%")


@behavior(
    "18/statements-by-table-name",
    title="pg_stat_statements has one row for queries of tables with one name in several schemas",
    area="extensions",
    source="PostgreSQL 18 release notes, pg_stat_statements",
    manual="pgstatstatements",
    kind="incompatibility",
    settings=STATEMENTS,
    needs=["contrib:pg_stat_statements"],
    expect={"<18": 2, ">=18": 1},
    remedy="Give the table another alias in each schema if the rows must be distinguished.",
    affects=relation(
        "pg_stat_statements",
        schema=None,
        may="tables of one name in several schemas have one row",
    ),
)
def statements_by_table_name(lab):
    lab.sql("CREATE SCHEMA a; CREATE SCHEMA b; CREATE TABLE a.t (x integer); CREATE TABLE b.t (x integer)")
    return rows_of_statements(lab, "SELECT x FROM a.t", "SELECT x FROM b.t", like="SELECT x FROM%")


@behavior(
    "18/index-searches",
    title="EXPLAIN ANALYZE shows the number of index searches of each index scan",
    area="statements",
    source="PostgreSQL 18 release notes, EXPLAIN",
    manual="using-explain",
    kind="incompatibility",
    isolation="transaction",
    expect={"<18": False, ">=18": True},
    remedy="Read EXPLAIN's JSON, not its text.",
    affects=ParseNode(
        "ExplainStmt",
        options="analy[sz]e",
        lacks={"options": "format (json|xml|yaml)"},
        may="if its text is read",
    ),
)
def index_searches(lab):
    lab.sql("CREATE TABLE t (a integer PRIMARY KEY)")
    lab.set(enable_seqscan=False, enable_bitmapscan=False)
    shown = lab.sql("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM t WHERE a = 1")
    return any("Index Searches" in line for (line,) in shown)


@behavior(
    "18/pg-dump-restrict",
    title="A dump begins with \\restrict, which psql of older releases refuses",
    area="clients",
    source="PostgreSQL 18 release notes, minor releases",
    manual="app-psql",
    kind="incompatibility",
    needs=["pg_dump"],
    since=("18", "17.6", "16.10", "15.14", "14.19", "13.22"),
    expect={
        "<13.22, 14..14.18, 15..15.13, 16..16.9, 17..17.5": False,
        "13.22..13, 14.19..14, 15.14..15, 16.10..16, 17.6..17, >=18": True,
    },
    remedy="Load the dump with psql of the same or a newer release, or dump with --format=custom and pg_restore.",
    affects=ScriptText(
        r"\bpg_dump(?:all)?\b(?!.*(?:-F|--format)[= ]?[cdt])[^|]*\|\s*(?:sed|grep|awk|perl|python\d?|diff)\b",
        may="if the program expects comments and statements only",
    ),
)
def pg_dump_restrict(lab):
    return "\\restrict" in lab.run("pg_dump", "--schema-only").output


rows(
    Row(
        (),
        "inherited-not-null",
        "ALTER TABLE child ALTER a DROP NOT NULL",
        None,
        "42P16",
        since="18",
        setup="CREATE TABLE parent (a integer NOT NULL); CREATE TABLE child () INHERITS (parent)",
        title="A child table can't drop a NOT NULL that it inherits from its parent",
        area="ddl",
        source="PostgreSQL 18 release notes, Constraints",
        manual="ddl-inherit",
        remedy="Drop the parent's NOT NULL, or make it NO INHERIT.",
        affects=RefusedWith("42P16", "cannot drop inherited constraint"),
    ),
    Row(
        (),
        "not-null-in-information-schema",
        "SELECT constraint_name::text ~ '^t_a' FROM information_schema.table_constraints WHERE table_name = 't'",
        False,
        True,
        since="18",
        setup="CREATE TABLE t (a integer NOT NULL)",
        title="information_schema shows the names of NOT NULL constraints, not made-up ones",
        area="catalogs",
        source="PostgreSQL 18 release notes, Constraints",
        manual="infoschema-table-constraints",
        remedy="Identify constraints by their check clause, not by names such as 2200_16384_1_not_null.",
        affects=[
            Column("information_schema.table_constraints", "constraint_name", may="of NOT NULL"),
            Column("information_schema.check_constraints", "constraint_name", may="of NOT NULL"),
        ],
    ),
    Row(
        (),
        "quarter-of-negative-interval",
        "SELECT extract(quarter FROM interval '-1 month')::integer",
        1,
        -1,
        since="18",
        title="EXTRACT returns a negative quarter for a negative interval",
        area="functions",
        source="PostgreSQL 18 release notes, Functions",
        manual="functions-datetime#FUNCTIONS-DATETIME-EXTRACT",
        remedy="Extract quarters from timestamps, or from intervals that are not negative.",
        affects=Call(
            "extract",
            "date_part",
            where={1: "'quarter'"},
            types={2: ("interval", None)},
            may="of a negative interval",
        ),
    ),
    Row(
        (),
        "autovacuum-worker-slots",
        "SELECT boot_val FROM pg_settings WHERE name = 'autovacuum_worker_slots'",
        expect={"<18": [], ">=18": "16"},
        since="18",
        title="autovacuum_worker_slots, 16 by default, limits autovacuum_max_workers",
        area="settings",
        source="PostgreSQL 18 release notes, Vacuuming",
        manual="runtime-config-vacuum#GUC-AUTOVACUUM-WORKER-SLOTS",
        remedy="Raise autovacuum_worker_slots, too.",
        affects=SettingUsed("autovacuum_max_workers", value=r"0*(1[7-9]|[2-9]\d|[1-9]\d{2,})"),
    ),
    Row(
        (),
        "max-active-replication-origins",
        "SELECT boot_val FROM pg_settings WHERE name = 'max_active_replication_origins'",
        expect={"<18": [], ">=18": "10"},
        since="18",
        title="max_active_replication_origins, not max_replication_slots, limits subscriptions",
        area="settings",
        source="PostgreSQL 18 release notes, Logical Replication",
        manual="runtime-config-replication#GUC-MAX-ACTIVE-REPLICATION-ORIGINS",
        remedy="On subscribers, set max_active_replication_origins to the old value of"
        " max_replication_slots.",
        affects=SettingUsed(
            "max_replication_slots",
            value=r"0*([2-9]\d|1[1-9]|[1-9]\d{2,})",
            may="if the server is a subscriber: it is limited to 10",
        ),
    ),
    more_activity(
        "18",
        "io-workers-in-activity",
        "row_to_json(pg_stat_activity)->>'backend_type' = 'io worker'",
        before=False,
        after=True,
        title="pg_stat_activity shows I/O workers",
    ),
    other_stem("18", "english", "added", "ad", "add"),
    other_stem("18", "german", "gaeste", "gaest", "gast"),
    other_unaccent("18", "\u00b5", "\u00b5", "\u03bc"),
)


TRIGGER = """
    CREATE TABLE t (a integer); CREATE TABLE counts (a integer); INSERT INTO t VALUES (1);
    CREATE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE was integer; BEGIN {} RETURN new; END $$;
    CREATE TRIGGER counts BEFORE UPDATE ON t FOR EACH ROW EXECUTE PROCEDURE counted()
"""

rows(
    Row(
        (),
        "returning-of-trigger-row",
        "UPDATE t SET a = 2",
        None,
        "42702",
        since="18",
        setup=TRIGGER.format("UPDATE counts SET a = 0 RETURNING old.a INTO was;"),
        title="OLD and NEW in RETURNING can mean the statement's rows, not the trigger's",
        area="plpgsql",
        source="PostgreSQL 18 release notes, Utility Commands",
        manual="dml-returning",
        remedy="First assign the trigger's value to a variable: was := old.a.",
        affects=Body(
            r"\breturning\b(?:(?!\breturning\b)[^;])*?(?P<trigger>\b(?:old|new)\s*\.)",
            may="if the table that is changed has a column of this name",
        ),
    ),
    Row(
        (),
        "xpath-error-codes",
        "SELECT xpath('/a[', '<a/>')",
        "XX000",
        "10608",
        since="18",
        title="A malformed path of xpath() is an invalid_argument_for_xquery, not an internal_error",
        area="xml",
        source="PostgreSQL 18 release notes, Data Types",
        manual="errcodes-appendix",
        needs=["libxml"],
        remedy="Handle both codes: XX000 and 10608. An empty path had 22000, data_exception.",
        affects=Body(
            r"\A(?>.*?\b(?:xpath|xpath_exists|xmltable)\s*+\()(?>.*?\bexception\b).*"
            r"\b(?P<trigger>when\s+(?:(?!\bwhen\b)[^;])*\b(?:internal_error|data_exception)\b)",
            may="if the path is malformed",
        ),
    ),
)


rows(
    statements_as_one(
        "18",
        "statements-of-set",
        "SET application_name = 'first'",
        "SET application_name = 'second'",
        like="SET application_name%",
        what="values in SET",
    ),
)

rows(
    hiding_configurations("18", "estonian"),
    taken_cast(
        "18",
        "integer-bytea-casts",
        "integer",
        made_of="int2|int4|int8",
        title="An application can't make its own casts between integers and bytea",
    ),
    Row(
        (),
        "buffercache-evict-row",
        "SELECT pg_typeof(pg_buffercache_evict(1))::text",
        expect={"<17": NotYet("42883"), "17": "boolean", ">=18": "record"},
        since="18",
        setup="CREATE EXTENSION pg_buffercache",
        needs=["contrib:pg_buffercache"],
        title="pg_buffercache_evict() returns a row, buffer_evicted and buffer_flushed, not a boolean",
        area="extensions",
        source="PostgreSQL 18 release notes, Additional Modules",
        manual="pgbuffercache",
        remedy="Read buffer_evicted: SELECT buffer_evicted FROM pg_buffercache_evict(1).",
        affects=Call("pg_buffercache_evict", extension="pg_buffercache"),
    ),
)
