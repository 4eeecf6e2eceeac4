"""Defaults that 10 changed, and that stand in no list of incompatibilities."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import changed_default

rows(
    changed_default(
        "10",
        "wal-level",
        "wal_level",
        {"<10": "minimal", ">=10": "replica"},
        title="WAL has what backups and standbys need",
        remedy="Set wal_level = minimal and max_wal_senders = 0 where WAL must stay small.",
        may="more WAL is written",
        section="Replication and Recovery",
        manual="runtime-config-wal#GUC-WAL-LEVEL",
    ),
    changed_default(
        "10",
        "parallel-query",
        "max_parallel_workers_per_gather",
        {"<9.6": [], "9.6": "0", ">=10": "2"},
        title="A query may be run by parallel workers",
        remedy="Set max_parallel_workers_per_gather = 0.",
        may="queries are run by several processes",
        section="Parallel Queries",
        manual="runtime-config-resource#GUC-MAX-PARALLEL-WORKERS-PER-GATHER",
    ),
)
