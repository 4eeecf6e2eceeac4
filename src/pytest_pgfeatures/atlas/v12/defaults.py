"""Defaults that 12 changed, and that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import changed_default

rows(
    changed_default(
        "12",
        "jit-on",
        "jit",
        {"<11": [], "11": "off", "12..18": "on", ">=19": "off"},
        title="By default, just-in-time compilation is on",
        remedy="Set jit = off where short queries get slower.",
        may="expensive queries are compiled first",
        section="Server Configuration",
        manual="runtime-config-query#GUC-JIT",
    ),
    changed_default(
        "12",
        "autovacuum-vacuum-cost-delay",
        "autovacuum_vacuum_cost_delay",
        {"<12": "20", ">=12": "2"},
        title="By default, autovacuum sleeps for 2 ms at a time, not 20",
        remedy="Set autovacuum_vacuum_cost_delay = 20ms where storage is slow.",
        may="autovacuum reads and writes up to ten times as much in a second",
        section="Server Configuration",
        manual="runtime-config-autovacuum#GUC-AUTOVACUUM-VACUUM-COST-DELAY",
    ),
)
