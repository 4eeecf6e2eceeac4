"""Fixtures and options that all tests share."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from pytest_pgfeatures.errors import CapabilityMissingError
from pytest_pgfeatures.install.store import VARIABLE, Store

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAN = "-p no:hypothesispytest"


def pytest_configure() -> None:
    """Have pytest runs inside of tests, whose HOME is another, use this run's store, and not fetch all anew."""
    os.environ.setdefault(VARIABLE, str(Store.open().root))
    hypothesis.settings.register_profile("ci", derandomize=True)
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
    # A shell's background job, or nohup, starts us deaf to these: processes that tests send them to inherit that.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture(scope="session", autouse=True)
def _lean_runs() -> Iterator[None]:
    """Have pytest runs inside of tests go without Hypothesis's plugin.

    It imports all of Hypothesis at the end of each run: more than half of a short run's processor time.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_ADDOPTS", LEAN)
        yield


@pytest.fixture
def pytester(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """pytest's own, which forgets the options for all runs."""
    monkeypatch.setenv("PYTEST_ADDOPTS", LEAN)
    return pytester


@pytest.fixture
def reachable_path():
    """A directory that the account which runs servers can enter: pytest's own are 0700 when we are root."""
    path = Path(tempfile.mkdtemp(prefix="pgf-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests that need root are unavailable to other users; ``.ci/run`` runs them as root."""
    root = os.geteuid() == 0 and Path("/proc/self/ns/user").exists()
    if item.get_closest_marker("root") and not root:
        raise CapabilityMissingError("this needs root on Linux", capability="root")
