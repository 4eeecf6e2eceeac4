"""Defaults that 14 changed, and that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import changed_default

rows(
    changed_default(
        "14",
        "vacuum-cost-page-miss",
        "vacuum_cost_page_miss",
        {"<14": "10", ">=14": "2"},
        title="By default, VACUUM counts 2, not 10, for a page that it has to read",
        remedy="Set vacuum_cost_page_miss = 10.",
        may="VACUUM reads more pages before it sleeps",
        section="Vacuuming",
        manual="runtime-config-resource#GUC-VACUUM-COST-PAGE-MISS",
    ),
)
