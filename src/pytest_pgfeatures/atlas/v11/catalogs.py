"""Catalog columns and process titles that PostgreSQL 11 changed, and a setting that it removed."""

from pytest_pgfeatures import NotYet, Remedied, Row, VersionSet, behavior, rows
from pytest_pgfeatures.affects import Column, ScriptText
from pytest_pgfeatures.atlas.patterns import gone_setting, process_titles

rows(
    Row(
        "11.10",
        "pg-class-relhaspkey",
        "SELECT relhaspkey FROM pg_class WHERE relname = 't'",
        True,
        "42703",
        setup="CREATE TABLE t (a int PRIMARY KEY)",
        title="pg_class has no column relhaspkey",
        manual="catalog-pg-class",
        remedy="Look for a row of pg_index with indisprimary.",
        remedied="SELECT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = 't'::regclass AND indisprimary)",
        affects=Column("pg_class", "relhaspkey"),
    ),
    Row(
        "11.11",
        "pg-proc-proisagg",
        "SELECT proisagg FROM pg_proc WHERE oid = 'sum(int)'::regprocedure",
        True,
        "42703",
        title="pg_proc has no column proisagg",
        manual="catalog-pg-proc",
        remedy="Read prokind, which is a for an aggregate.",
        remedied=Remedied(
            "SELECT prokind = 'a' FROM pg_proc WHERE oid = 'sum(int)'::regprocedure",
            {"<11": NotYet("42703"), ">=11": True},
        ),
        affects=Column("pg_proc", "proisagg", "proiswindow"),
    ),
    Row(
        "11.11",
        "pg-proc-proiswindow",
        "SELECT proiswindow FROM pg_proc WHERE oid = 'row_number()'::regprocedure",
        True,
        "42703",
        title="pg_proc has no column proiswindow",
        manual="catalog-pg-proc",
        remedy="Read prokind, which is w for a window function.",
        remedied=Remedied(
            "SELECT prokind = 'w' FROM pg_proc WHERE oid = 'row_number()'::regprocedure",
            {"<11": NotYet("42703"), ">=11": True},
        ),
    ),
    Row(
        "11.12",
        "foreign-table-type",
        "SELECT table_type FROM information_schema.tables WHERE table_name = 'f'",
        "FOREIGN TABLE",
        "FOREIGN",
        setup="""
            CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;
            CREATE FOREIGN TABLE f (a int) SERVER s
        """,
        title="The table_type of a foreign table is FOREIGN in information_schema.tables",
        manual="infoschema-tables",
        remedy="Compare with both words.",
        remedied=Remedied(
            "SELECT table_type LIKE 'FOREIGN%' FROM information_schema.tables WHERE table_name = 'f'",
            {"all": True},
        ),
        affects=Column("information_schema.tables", "table_type", value="FOREIGN TABLE"),
    ),
    gone_setting(
        "11.18",
        "replacement_sort_tuples",
        "1000",
        default="150000",
        since="9.6",
        remedy="Delete the line: replacement selection is not used any more.",
    ),
    area="catalogs",
)


# --- 11.13 Titles of processes -----------------------------------------------------------------------------

OLD_TITLE = (
    r"\b(?:postgres: *(?:\S+ )?|(?:ps|pgrep|pkill|grep)\b.*)"
    r"(?P<trigger>(?:writer|wal writer|wal receiver|wal sender|checkpointer|archiver|logger|stats collector"
    r"|autovacuum launcher|autovacuum worker|startup) process\b)"
)
"""A regular expression for commands that search for a process by its title, as it is up to 10."""


@behavior(
    "11/background-worker-title",
    title="ps shows a background worker by its backend_type, without the word bgworker",
    area="monitoring",
    release_note="11.13",
    kind="incompatibility",
    manual="monitoring-ps",
    isolation="transaction",
    since="11",
    expect={
        "<10": NotYet([]),
        "10": ["postgres: bgworker: logical replication launcher"],
        ">=11": ["postgres: logical replication launcher"],
    },
    remedy="Look for the words of pg_stat_activity.backend_type in the titles.",
    note="The title of the logical replication launcher, which every server from 10 on has.",
    affects=[ScriptText(r"\bbgworker:"), ScriptText(OLD_TITLE)],
)
def background_worker_title(lab):
    if lab.version in VersionSet("<10"):
        return []
    lab.poll_query_until(
        "SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type IN"
        " ('logical replication launcher', 'background worker')"
    )
    return [title for title in process_titles(lab) if "logical replication launcher" in title]
