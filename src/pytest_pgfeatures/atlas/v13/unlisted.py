"""Changes of 13 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import Row, behavior, rows
from pytest_pgfeatures.affects import Column, SettingUsed

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
        title="pg_stat_statements has total_exec_time in place of total_time, and so for min, max, mean",
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
    title="An aggregate by hashing writes to disk what exceeds its memory",
    area="performance",
    source="PostgreSQL 13 release notes, General Performance",
    manual="runtime-config-resource#GUC-HASH-MEM-MULTIPLIER",
    kind="incompatibility",
    expect={"<13": False, ">=13": True},
    isolation="transaction",
    remedy="Raise hash_mem_multiplier, or work_mem.",
    affects=SettingUsed(
        "work_mem", may="a hash aggregate that needs more used to take it, and now writes to disk"
    ),
)
def hash_aggregate_spills(lab):
    lab.set(work_mem="64kB", hash_mem_multiplier=1, enable_sort=False, max_parallel_workers_per_gather=0)
    lab.sql("CREATE TABLE t AS SELECT g AS a FROM generate_series(1, 5000) g")
    plan = lab.explain("SELECT a, count(*) FROM t GROUP BY a", analyze=True, timing=False)
    return "Disk Usage" in plan.one("HashAggregate*")
