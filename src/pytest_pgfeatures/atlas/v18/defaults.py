"""Defaults that 18 changed, and that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import changed_default

rows(
    changed_default(
        "18",
        "io-method",
        "io_method",
        {"<18": [], ">=18": "worker"},
        title="I/O worker processes read ahead for queries",
        remedy="Set io_method = sync.",
        may="three I/O worker processes run, and read for queries",
        section="General Performance",
        manual="runtime-config-resource#GUC-IO-METHOD",
    ),
    changed_default(
        "18",
        "autovacuum-vacuum-max-threshold",
        "autovacuum_vacuum_max_threshold",
        {"<18": [], ">=18": "100000000"},
        title="Autovacuum starts after 100 million dead rows at the latest",
        remedy="Set autovacuum_vacuum_max_threshold = -1.",
        may="autovacuum runs more often on very large tables",
        section="Vacuuming",
        manual="runtime-config-vacuum#GUC-AUTOVACUUM-VACUUM-MAX-THRESHOLD",
    ),
    changed_default(
        "18",
        "maintenance-io-concurrency",
        "maintenance_io_concurrency",
        {"<13": [], "13..17": "10", ">=18": "16"},
        title="Maintenance reads sixteen blocks ahead, not ten",
        remedy="Set maintenance_io_concurrency = 10.",
        may="maintenance reads further ahead",
        section="General Performance",
        manual="runtime-config-resource#GUC-MAINTENANCE-IO-CONCURRENCY",
    ),
)
