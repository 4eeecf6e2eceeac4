"""The environment of tests that use our servers: without the libpq variables that pytest was started with, and with
the client programs of their cell first on PATH."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.libpq import during_test, inherited
from pytest_pgfeatures.plugin.client_path import client_path_of
from pytest_pgfeatures.plugin.matrix import specs_of
from pytest_pgfeatures.plugin.session import KEY, session_of

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    Variables = Mapping[str, str]

INHERITED = pytest.StashKey["Variables"]()
"""Variables of libpq that pytest was started with."""


def pytest_configure(config: pytest.Config) -> None:
    """Note the variables."""
    config.stash[INHERITED] = inherited()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test that uses our servers without the libpq variables that would change its connections, and with its
    cell's client programs on PATH: those of a cell that begins with this test are put there by its fixture."""
    specs = specs_of(item)
    if not (specs or "_pg_session" in getattr(item, "fixturenames", ())):
        return (yield)
    clients = client_path_of(item.config)
    session = session_of(item.config)
    spec = specs[-1] if specs else session.spec_in_use
    if spec is not None and session.known_install(spec) is not None:
        clients.offer(spec)
    try:
        with during_test(item.config.stash[INHERITED]):
            return (yield)
    finally:
        clients.withdraw()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Do the same for the session's fixtures: they end with its last test, whatever that test uses."""
    last = nextitem is None and item.config.stash.get(KEY, None) is not None
    with during_test(item.config.stash[INHERITED]) if last else contextlib.nullcontext():
        return (yield)
