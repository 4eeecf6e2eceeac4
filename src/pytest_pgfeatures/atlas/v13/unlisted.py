"""Changes of 13 that the release notes don't list as incompatibilities."""

import contextlib

from pytest_pgfeatures import NotYet, PgFeaturesError, Row, VersionSet, behavior, rows
from pytest_pgfeatures.affects import (
    Call,
    CatalogQuery,
    Column,
    Constant,
    ParseNode,
    RefusedWith,
    SettingUsed,
)
from pytest_pgfeatures.atlas.patterns import function_syntax, other_stem, other_unaccent
from pytest_pgfeatures.atlas.taken_names import hiding_configurations
from pytest_pgfeatures.atlas.v12.recovery import ARCHIVE_RECOVERY, TARGETS, write

UNQUOTED = r"""(?:[^"]|"[^"]*+")*?"""
"""The beginning of a template up to a place outside of double quotes."""

rows(
    Row(
        (),
        "pg-stat-statements-total-time",
        "SELECT count(*) FROM pg_attribute WHERE attrelid = 'pg_stat_statements'::regclass"
        " AND attname IN ('total_time', 'min_time', 'max_time', 'mean_time', 'stddev_time')",
        expect={"<9.5": 1, "9.5..12": 5, ">=13": 0},
        since="13",
        setup="CREATE EXTENSION pg_stat_statements",
        needs=["contrib:pg_stat_statements"],
        title="pg_stat_statements has total_exec_time instead of total_time; likewise min, max, mean",
        area="extensions",
        source="PostgreSQL 13 release notes, Additional Modules",
        manual="pgstatstatements",
        remedy="Read total_exec_time, min_exec_time, max_exec_time, mean_exec_time, stddev_exec_time.",
        affects=Column(
            *("pg_stat_statements", "total_time", "min_time", "max_time", "mean_time", "stddev_time"),
            extension="pg_stat_statements",
        ),
    ),
)


@behavior(
    "13/hash-aggregate-spills",
    title="A hash aggregate that exceeds its memory writes to disk",
    area="performance",
    source="PostgreSQL 13 release notes, General Performance",
    manual="runtime-config-resource#GUC-HASH-MEM-MULTIPLIER",
    kind="incompatibility",
    expect={"<13": False, ">=13": True},
    isolation="transaction",
    remedy="Raise hash_mem_multiplier, or work_mem.",
    affects=SettingUsed(
        "work_mem", may="a hash aggregate that needs more memory now writes to disk instead of taking it"
    ),
)
def hash_aggregate_spills(lab):
    lab.set(work_mem="64kB", hash_mem_multiplier=1, enable_sort=False, max_parallel_workers_per_gather=0)
    lab.sql("CREATE TABLE t AS SELECT g AS a FROM generate_series(1, 5000) g")
    plan = lab.explain("SELECT a, count(*) FROM t GROUP BY a", analyze=True, timing=False)
    return "Disk Usage" in plan.one("HashAggregate*")


rows(
    function_syntax(
        "13",
        "normalize",
        source="PostgreSQL 13 release notes, Functions",
        manual="functions-string",
    ),
    Row(
        (),
        "to-char-ff",
        "SELECT to_char(timestamp '2020-01-01 00:00:00.123', 'FF3')",
        "FF3",
        "123",
        since="13",
        title="FF1 to FF6 in a template of to_char() stand for fractions of a second",
        area="functions",
        source="PostgreSQL 13 release notes, Functions",
        manual="functions-formatting",
        remedy='Quote the letters: "FF3".',
        remedied="SELECT to_char(timestamp '2020-01-01', '\"FF3\"')",
        affects=Call("to_char", "to_timestamp", "to_date", where={2: rf"(?is)'{UNQUOTED}FF[1-6].*'"}),
    ),
    Row(
        (),
        "to-char-sssss",
        "SELECT to_char(timestamp '2020-01-01 01:00:00', 'SSSSS')",
        "3600S",
        "3600",
        since="13",
        title="SSSSS in a template of to_char() stands for the seconds past midnight, as SSSS does",
        area="functions",
        source="PostgreSQL 13 release notes, Functions",
        manual="functions-formatting",
        remedy='Quote the last letter: SSSS"S".',
        remedied="SELECT to_char(timestamp '2020-01-01 01:00:00', 'SSSS\"S\"')",
        affects=Call("to_char", "to_timestamp", "to_date", where={2: rf"(?is)'{UNQUOTED}SSSSS.*'"}),
    ),
    other_unaccent("13", "\u2118", "\u2118", "P"),
)

COMPLETE = "archive recovery complete"
NOT_REACHED = "recovery ended before configured recovery target was reached"
WITH_CONSTRAINTS = f"^({'|'.join(str(bits) for bits in range(512) if bits & 4)}|2147483647)$"
"""The options of LIKE that include CONSTRAINTS (CREATE_TABLE_LIKE_CONSTRAINTS), as a regular expression."""
NOT_IN_PATH = r"(.*\.)?!.*"


def end_of_recovery(lab):
    """Recover to a target that is not in the WAL, and return the log's message at the end of recovery."""
    since = lab.cluster.log.position()
    if lab.version in VersionSet("<12"):
        write(lab, "recovery.conf", ARCHIVE_RECOVERY + "recovery_target_name = 'nowhere'\n")
    else:
        write(lab, "recovery.signal")
        lab.cluster.append_conf(restore_command="false", recovery_target_name="nowhere")
    with contextlib.suppress(PgFeaturesError):  # the server may end before or after it is ready
        lab.cluster.restart()
    lab.cluster.wait_for_log(f"{COMPLETE}|{NOT_REACHED}", since)
    said = lab.cluster.log.text(since)
    return NOT_REACHED if NOT_REACHED in said else COMPLETE


rows(
    Row(
        (),
        "key-of-another-collation",
        "ALTER TABLE t ADD UNIQUE USING INDEX i",
        None,
        "42809",
        since="13",
        setup='CREATE TABLE t (a text); CREATE UNIQUE INDEX i ON t (a COLLATE "C")',
        title="ADD UNIQUE or PRIMARY KEY USING INDEX needs an index with the collation of its column",
        area="statements",
        source="PostgreSQL 13 release notes, Indexes",
        manual="sql-altertable",
        remedy="Create the index without COLLATE, or use it without a constraint.",
        affects=RefusedWith("42809", "does not have default sorting behavior"),
    ),
    Row(
        (),
        "like-keeps-no-inherit",
        "SELECT connoinherit FROM pg_constraint WHERE conrelid = 'b'::regclass AND contype = 'c'",
        before=False,
        after=True,
        since="13",
        setup="CREATE TABLE a (x integer, CHECK (x > 0) NO INHERIT);"
        "CREATE TABLE b (LIKE a INCLUDING CONSTRAINTS)",
        title="CREATE TABLE ... LIKE keeps the NO INHERIT of a CHECK constraint",
        area="statements",
        source="PostgreSQL 13 release notes, Utility Commands",
        manual="sql-createtable",
        remedy="Add the CHECK without NO INHERIT where children must satisfy it.",
        affects=CatalogQuery(
            """
            SELECT 'constraint ' || b.conname || ' of ' || b.conrelid::regclass, c.relname
              FROM pg_constraint AS a JOIN pg_constraint AS b ON b.conname = a.conname AND b.contype = 'c'
              JOIN pg_class AS c ON c.oid = b.conrelid
             WHERE a.contype = 'c' AND a.connoinherit AND NOT b.connoinherit
               AND pg_get_constraintdef(a.oid) = pg_get_constraintdef(b.oid) || ' NO INHERIT'
            """,
            at=("including",),
            may="children of the copy don't get it",
        ),
    ),
    Row(
        (),
        "column-that-exists",
        lambda lab: (
            lab.sqlstate("ALTER TABLE t ADD COLUMN IF NOT EXISTS a integer UNIQUE")
            or lab.value("SELECT count(*) FROM pg_index WHERE indrelid = 't'::regclass")
        ),
        expect={"<9.6": NotYet("42601"), "9.6..12": 2, ">=13": 1},
        since="13",
        setup="CREATE TABLE t (a integer UNIQUE)",
        title="ADD COLUMN IF NOT EXISTS adds no constraint to a column that exists",
        area="statements",
        source="PostgreSQL 13 release notes, Utility Commands",
        manual="sql-altertable",
        remedy="Add the constraint in a separate statement.",
        affects=ParseNode(
            "AlterTableCmd",
            missing_ok="true",
            def_="CONSTR_(UNIQUE|PRIMARY|FOREIGN|CHECK)",
            may="if the table has the column: the statement then adds no constraint",
        ),
    ),
    other_stem("13", "french", "h\u00e9ro\u00efque", "h\u00e9ro\u00efqu", "h\u00e9ro"),
    Row(
        (),
        "lquery-not",
        "SELECT 'a'::ltree ~ 'a.!b.*'",
        before=True,
        after=False,
        since="13",
        setup="CREATE EXTENSION ltree",
        needs=["contrib:ltree"],
        title="In an lquery, !b must match a label: a.!b.* does not match a",
        area="extensions",
        source="PostgreSQL 13 release notes, Additional Modules",
        manual="ltree",
        remedy="Match the shorter path, too: path = 'a' OR path ~ 'a.!b.*'.",
        affects=[
            Constant("lquery", text=NOT_IN_PATH, may="a label with ! matches other paths"),
            Call(
                *("~", "?", "@"),
                where={2: f"'{NOT_IN_PATH}'"},
                extension="ltree",
                may="a label with ! matches other paths",
            ),
        ],
    ),
    Row(
        (),
        "recovery-target-not-reached",
        end_of_recovery,
        COMPLETE,
        NOT_REACHED,
        since="13",
        isolation="cluster",
        title="A server does not start if its recovery ends before the target",
        area="replication",
        source="PostgreSQL 13 release notes, Streaming Replication and Recovery",
        manual="runtime-config-wal#RUNTIME-CONFIG-WAL-RECOVERY-TARGET",
        remedy="Provide the WAL up to the target; or remove the target, to recover to the end of the WAL.",
        affects=SettingUsed(
            *(name for name in TARGETS if name != "recovery_target"),
            value=".+",
            file=True,
            may="if the WAL ends before the target: older servers start anyway",
        ),
    ),
)


@behavior(
    "13/csv-log-columns",
    title="The CSV log has a new column in 13, backend_type, and two more in 14",
    area="monitoring",
    source="PostgreSQL 13 release notes, Monitoring",
    manual="runtime-config-logging#RUNTIME-CONFIG-LOGGING-CSVLOG",
    kind="incompatibility",
    isolation="cluster",
    since="13",
    expect={"<13": 23, "13": 24, ">=14": 26},
    remedy="Add the columns to the table that you load the log into: backend_type, leader_pid and query_id.",
    affects=SettingUsed(
        "log_destination",
        value=".*csvlog.*",
        may="if you load the log into a table, or count its columns",
    ),
)
def csv_log_columns(lab):
    import csv

    lab.restart(logging_collector=True, log_destination="csvlog", log_directory="csv", log_filename="a.log")
    lab.sql("DO $$BEGIN RAISE LOG 'marker'; END$$")
    lab.poll_query_until("SELECT pg_read_file('csv/a.csv', 0, 1000000) LIKE '%marker%'")
    return len(next(csv.reader((lab.cluster.datadir / "csv" / "a.csv").read_text().splitlines())))


rows(hiding_configurations("13", "greek"))
