"""Changes of 15 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import changed_default

rows(
    changed_default(
        "15",
        "stats-fetch-consistency",
        "stats_fetch_consistency",
        {"<15": [], ">=15": "cache"},
        title="A transaction keeps the statistics of an object from its first look at it",
        remedy="Set stats_fetch_consistency = snapshot for statistics that are all of one time.",
        may="statistics that one transaction reads are of different times",
        section="Monitoring",
        manual="runtime-config-statistics#GUC-STATS-FETCH-CONSISTENCY",
        note="Up to 14, the first look at any statistics fixed all of them until the end of the transaction.",
    ),
)
