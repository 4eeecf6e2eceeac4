"""The work of the fixture ``pg_readiness``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.plugin.session import PgSession
    from pytest_pgfeatures.readiness.pairs import Trials
    from pytest_pgfeatures.readiness.run import Readiness

_TRIALS: pytest.StashKey[Trials] = pytest.StashKey()


def looking(config: pytest.Config, session: PgSession) -> Callable[..., Readiness]:
    """The function that the fixture ``pg_readiness`` returns. All calls share the servers."""

    def look_for(*stages: str, **given: Any) -> Readiness:
        from pytest_pgfeatures.readiness.options import read_options
        from pytest_pgfeatures.readiness.pairs import Trials
        from pytest_pgfeatures.readiness.run import look_for

        options = read_options(config.rootpath, {**given, "stages": stages})
        if (trials := config.stash.get(_TRIALS, None)) is None:
            trials = Trials(session.workbench.clusters)
            config.stash[_TRIALS] = trials
        return look_for(options, trials, keep=True)

    return look_for
