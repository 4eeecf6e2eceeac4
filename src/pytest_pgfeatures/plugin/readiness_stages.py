"""The stages of ``pgfeatures readiness`` as tests, so that pytest selects, distributes and reports them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.plugin.readiness import PROPERTY, iterate, options_of, run_stage

if TYPE_CHECKING:
    from pytest_pgfeatures.plugin.session import PgSession


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Create one test for each pair of versions and each stage. The stages of a pair share its servers."""
    metafunc.parametrize(
        ("pair", "stage"),
        [
            pytest.param(pair, stage, id=f"{pair}-{stage}", marks=pytest.mark.xdist_group(pair))
            for pair, stage in iterate(metafunc.config)
        ],
    )


def test_stage(
    pair: str,
    stage: str,
    pytestconfig: pytest.Config,
    _pg_session: PgSession,  # noqa: PT019 (its value is used)
    request: pytest.FixtureRequest,
) -> None:
    """Run one stage for one pair. The test fails if the stage has a certain finding, or can't run."""
    from pytest_pgfeatures.readiness.plain import plain

    run = run_stage(pytestconfig, _pg_session, options_of(pytestconfig), pair, stage)
    request.node.user_properties.append((PROPERTY, json.dumps(plain(run))))
    certain = [finding.message for finding in run.report.findings if finding.certainty == "affects"]
    if run.error or certain:
        pytest.fail("\n".join(filter(None, (run.error, *certain))), pytrace=False)
