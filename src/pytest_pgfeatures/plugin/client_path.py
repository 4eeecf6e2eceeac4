"""Puts the client programs of a test's cell first on PATH while the test runs."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import InstallError
from pytest_pgfeatures.plugin.matrix import specs_of
from pytest_pgfeatures.plugin.session import session_of

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.plugin.marker import ServerSpec

KEY = pytest.StashKey["ClientPath"]()


class ClientPath:
    """Makes tests and their child processes use the client programs of their server's version.

    Parameters:
        config: pytest's configuration.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._wanted = bool(config.getini("pg_client_programs"))
        self._directories: dict[Install, str] = {}
        self._private: Path | None = None
        self._on_path = ""

    def offer(self, spec: ServerSpec) -> None:
        """Put the programs for a server spec's install first on PATH, unless the suite disables this."""
        if not self._wanted:
            return
        with contextlib.suppress(InstallError):  # reported when a test needs the server
            directory = self._directory(session_of(self._config).install(spec))
            self.withdraw()
            os.environ["PATH"] = os.pathsep.join([directory, os.environ.get("PATH", os.defpath)])
            self._on_path = directory

    def withdraw(self) -> None:
        """Remove them from PATH; other changes to PATH stay."""
        if self._on_path:
            places = os.environ.get("PATH", "").split(os.pathsep)
            os.environ["PATH"] = os.pathsep.join(place for place in places if place != self._on_path)
            self._on_path = ""

    def _directory(self, install: Install) -> str:
        if install not in self._directories:
            from pytest_pgfeatures.install.client_programs import client_directory

            workbench = session_of(self._config).workbench
            try:
                place = client_directory(workbench.resolver, install, workbench.store.clients)
            except OSError:  # the store can't be written
                self._private = self._private or workbench.clusters.home("clients") / "programs"
                place = client_directory(workbench.resolver, install, self._private)
            self._directories[install] = str(place)
        return self._directories[install]


def client_path_of(config: pytest.Config) -> ClientPath:
    """Return the process's :class:`ClientPath`, created on first use."""
    if KEY not in config.stash:
        config.stash[KEY] = ClientPath(config)
    return config.stash[KEY]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test on our servers with its cell's client programs on PATH. If the cell begins with this test, its
    fixture puts them there."""
    specs = specs_of(item)
    if not (specs or "_pg_session" in getattr(item, "fixturenames", ())):
        return (yield)
    clients = client_path_of(item.config)
    session = session_of(item.config)
    spec = specs[-1] if specs else session.spec_in_use
    if spec is not None and session.known_install(spec) is not None:
        clients.offer(spec)
    try:
        return (yield)
    finally:
        clients.withdraw()
