"""The stage ``upgrade``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import StageReport

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.trial import PairTrial


def look(trial: PairTrial) -> StageReport:
    """Upgrade."""
    return StageReport("upgrade")
