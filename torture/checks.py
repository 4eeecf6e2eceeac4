"""All checks, by name."""

from torture import (
    archives,
    at_once,
    cold,
    commands,
    damage,
    disks,
    dumps,
    endless,
    ends,
    environments,
    exports,
    groups,
    kills,
    literals,
    many_tests,
    plans,
    server_kills,
    stores,
    versions,
)
from torture.model import Check

_MODULES = (
    many_tests,
    endless,
    dumps,
    exports,
    kills,
    commands,
    server_kills,
    at_once,
    cold,
    disks,
    groups,
    ends,
    stores,
    damage,
    archives,
    environments,
)

CHECKS: dict[str, Check] = {
    check.name: check for module in (*_MODULES, literals, plans, versions) for check in module.CHECKS
}
"""Checks whose single attempts take long come first."""
