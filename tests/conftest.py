"""What all tests share."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import CapabilityMissingError
from pytest_pgfeatures.install.store import VARIABLE, Store


def pytest_configure() -> None:
    """Have pytest runs inside of tests, whose HOME is another, use this run's store, and not fetch all anew."""
    os.environ.setdefault(VARIABLE, str(Store.open().root))
    # A shell's background job, or nohup, starts us deaf to these: processes that tests send them to inherit that.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture
def reachable_path():
    """A directory that the account which runs servers can enter: pytest's own are 0700 when we are root."""
    path = Path(tempfile.mkdtemp(prefix="pgf-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def as_root() -> None:
    """The test makes namespaces, mounts, or becomes another user; where it can't it is unavailable."""
    if os.geteuid() != 0 or not Path("/proc/self/ns/user").exists():
        raise CapabilityMissingError("this needs root on Linux", capability="root")
