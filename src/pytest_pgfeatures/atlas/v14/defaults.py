"""Defaults that 14 changed, and that stand in no list of incompatibilities."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import changed_default

rows(
    changed_default(
        "14",
        "vacuum-cost-page-miss",
        "vacuum_cost_page_miss",
        {"<14": "10", ">=14": "2"},
        title="VACUUM counts a page that it reads as 2, not 10",
        remedy="Set vacuum_cost_page_miss = 10.",
        may="VACUUM reads more pages before it sleeps",
        section="Vacuuming",
        manual="runtime-config-resource#GUC-VACUUM-COST-PAGE-MISS",
    ),
)
