"""Keep the libpq variables that pytest was started with away from tests that use our servers."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.libpq import during_test, inherited
from pytest_pgfeatures.plugin.matrix import specs_of
from pytest_pgfeatures.plugin.session import KEY

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
    """Run a test that uses our servers without the libpq variables that would change its connections."""
    if not (specs_of(item) or "_pg_session" in getattr(item, "fixturenames", ())):
        return (yield)
    with during_test(item.config.stash[INHERITED]):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Do the same for the session's fixtures: they end with its last test, whatever that test uses."""
    last = nextitem is None and item.config.stash.get(KEY, None) is not None
    with during_test(item.config.stash[INHERITED]) if last else contextlib.nullcontext():
        return (yield)
