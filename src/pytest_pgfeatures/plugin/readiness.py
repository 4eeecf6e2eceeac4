"""The fixture ``pg_readiness``, and the hooks by which ``pgfeatures readiness`` runs its stages through pytest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plugin.session import session_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.plugin.session import PgSession
    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import Readiness, StageRun
    from pytest_pgfeatures.readiness.trial.trial import PairTrial, Told

OPTIONS = "--pg-readiness-options"
PROPERTY = "pgfeatures_readiness"
"""The property of a test report that contains the run of a stage."""
TOLD = pytest.StashKey["Told"]()
_TRIALS = pytest.StashKey["dict[tuple[ReadinessOptions, str], PairTrial]"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which ``pgfeatures readiness`` passes its own options to pytest."""
    parser.getgroup("pgfeatures").addoption(OPTIONS, default="", help=_hidden())


def _hidden() -> str:
    import argparse

    return argparse.SUPPRESS


@pytest.fixture
def pg_readiness(pytestconfig: pytest.Config, _pg_session: PgSession) -> Callable[..., Readiness]:
    """A function that looks for what an upgrade breaks or changes in the application.

    Its positional arguments are names of stages; without any, it runs all stages. Its keyword arguments are options
    under the names of :class:`~pytest_pgfeatures.readiness.options.ReadinessOptions`. Other options come from
    ``pgfeatures.toml`` or from ``[tool.pgfeatures.readiness]`` in ``pyproject.toml``, in pytest's root directory.
    Calls with the same options share the servers with the loaded schema.
    """

    def look_for(*stages: str, **given: Any) -> Readiness:
        from pytest_pgfeatures.readiness.model import STAGES
        from pytest_pgfeatures.readiness.options import of_given
        from pytest_pgfeatures.readiness.run import look, summed_up

        options = of_given(pytestconfig.rootpath, {**given, "stages": stages})
        trials = [
            _trial(pytestconfig, _pg_session, options, name) for name in pair_names(pytestconfig, options)
        ]
        runs = [look(trial, stage) for trial in trials for stage in options.stages or STAGES]
        return summed_up(runs, options)

    return look_for


def pair_names(config: pytest.Config, options: ReadinessOptions) -> list[str]:
    """The names of the pairs of versions, such as ``14-18``."""
    from pytest_pgfeatures.readiness.run import name_of, pairs

    return [name_of(*pair) for pair in pairs(options, session_of(config).resolver)]


def run_stage(
    config: pytest.Config, session: PgSession, options: ReadinessOptions, pair: str, stage: Any
) -> StageRun:
    """Run one stage for one pair."""
    from pytest_pgfeatures.readiness.run import look

    return look(_trial(config, session, options, pair), stage)


def _trial(config: pytest.Config, session: PgSession, options: ReadinessOptions, pair: str) -> PairTrial:
    """The trial of a pair. It is kept until the session ends."""
    from dataclasses import replace

    from pytest_pgfeatures.readiness.application import read_inputs
    from pytest_pgfeatures.readiness.run import make_trial, name_of, pairs

    known = config.stash.setdefault(_TRIALS, {})
    key = (replace(options, stages=()), pair)
    if key not in known:
        resolver = session.resolver
        same = next((trial for (other, _), trial in known.items() if other == key[0]), None)
        inputs = same.inputs if same else read_inputs(options, session.find_resolver)
        old, new = next(each for each in pairs(options, resolver) if name_of(*each) == pair)
        told = config.stash.get(TOLD, lambda _what, _done, _all: None)
        known[key] = make_trial(old, new, inputs, options, resolver, session.clusters, session.store, told)
    return known[key]


class StageCollector:
    """A plugin that collects the runs of the stages from all processes.

    Parameters:
        told: called with each run as it ends.
        progress: called with a description of what a stage is doing.
    """

    def __init__(self, told: Callable[[StageRun], object], progress: Told) -> None:
        self.runs: list[StageRun] = []
        self.errors: list[str] = []
        self._told = told
        self._progress = progress

    def pytest_configure(self, config: pytest.Config) -> None:
        """Forward the progress of the stages."""
        config.stash[TOLD] = self._progress

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the run of a stage."""
        from pytest_pgfeatures.readiness.plain import of_plain

        if report.when == "call":
            for name, value in report.user_properties:
                if name == PROPERTY:
                    run = of_plain(json.loads(str(value)))
                    self.runs.append(run)
                    self._told(run)
                    return
        if report.failed:
            self.errors.append(report.longreprtext)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the error if the stages can't be collected."""
        if report.failed:
            self.errors.append(report.longreprtext)

    def pytest_internalerror(self, excrepr: object) -> None:
        """Keep an error inside pytest."""
        self.errors.append(str(excrepr))


def stages_file() -> str:
    """The file whose tests are the stages."""
    return str(Path(__file__).with_name("readiness_stages.py"))


def iterate(config: pytest.Config) -> Iterator[tuple[str, str]]:
    """Each pair and each stage of this run."""
    from pytest_pgfeatures.readiness.model import STAGES

    options = options_of(config)
    for pair in pair_names(config, options):
        for stage in options.stages or STAGES:
            yield pair, stage


def options_of(config: pytest.Config) -> ReadinessOptions:
    """The options that ``pgfeatures readiness`` passed to pytest."""
    from pytest_pgfeatures.readiness.options import of_plain

    return of_plain(json.loads(config.getoption(OPTIONS)))
