"""All checks, by their names."""

from torture import kills, literals, plans, server_kills, versions
from torture.model import Check

CHECKS: dict[str, Check] = {
    check.name: check
    for module in (kills, server_kills, plans, versions, literals)
    for check in module.CHECKS
}
