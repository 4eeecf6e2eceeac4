"""Starts a server while pytest collects tests, if the last run of the same command used one.

pytest's cache has, for the latest commands in a directory, the first shared server that a test asked for, and
whether tests connected to a fresh database: then the first one is created, and its connection opened. A run that
doesn't ask for it has an idle server, which ends with the run.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.plugin.loading import load_all
from pytest_pgfeatures.plugin.marker import ServerSpec
from pytest_pgfeatures.plugin.options import FIRST_SERVERS, asked_versions, cache_of
from pytest_pgfeatures.plugin.session import KEY, session_of

if TYPE_CHECKING:
    import pytest

_COMMANDS_KEPT = 16


def begin(config: pytest.Config, remembered: dict[str, dict[str, Any]]) -> None:
    """Start the server that this command used first the last time, without waiting for it.

    What can't be had now is an error of the test that asks for it, so it is none here.

    Parameters:
        remembered: the content of the cache.
    """
    with contextlib.suppress(PgFeaturesError, OSError, AttributeError, KeyError, TypeError, ValueError):
        last = remembered.get(_command(config))
        if last is None:
            return
        load_all(config)
        session = session_of(config)
        (cell,) = [cell for cell in session.cells if cell.id == last["cell"]]
        settings = tuple((str(name), str(value)) for name, value in last["settings"])
        pg_hba = tuple(map(str, last["pg_hba"]))
        spec = ServerSpec(cell, frozenset(last["needs"]), settings, pg_hba=pg_hba)
        session.begin(spec, connects=last["connects"])


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Remember the first server for the next run of this command."""
    config = session.config
    cache = cache_of(config)
    if cache is None or config.option.collectonly or (pg := config.stash.get(KEY, None)) is None:
        return
    before = cache.get(FIRST_SERVERS, None)
    remembered = dict(before) if isinstance(before, dict) else {}
    remembered.pop(command := _command(config), None)
    if pg.first is not None:
        remembered[command] = {
            "cell": pg.first.cell.id,
            "needs": sorted(pg.first.needs),
            "settings": [list(setting) for setting in pg.first.settings],
            "pg_hba": list(pg.first.pg_hba),
            "connects": pg.connects,
        }
    for oldest in list(remembered)[:-_COMMANDS_KEPT]:
        del remembered[oldest]
    if remembered != (before or {}):
        cache.set(FIRST_SERVERS, remembered)


def _command(config: pytest.Config) -> str:
    """The command's key: its arguments, where it was given, and the versions by the configuration file."""
    given = config.invocation_params
    facts = [str(given.dir), *map(str, given.args), asked_versions(config)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
