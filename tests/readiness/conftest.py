"""Fixtures of several modules."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.workbench import Workbench


@pytest.fixture(scope="session")
def workbench():
    """The servers of the cases that need some."""
    with Workbench() as given:
        yield given
