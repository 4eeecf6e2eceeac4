"""Hide the libpq variables that pytest was started with from tests that use our servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.plugin.matrix import specs_of
from pytest_pgfeatures.plugin.options import STARTED_WITH
from pytest_pgfeatures.plugin.session import KEY

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test that uses our servers without the libpq variables that would change its connections."""
    if not (specs_of(item) or "_pg_session" in getattr(item, "fixturenames", ())):
        return (yield)
    from pytest_pgfeatures.libpq import during_test, inherited

    with during_test(inherited(item.config.stash[STARTED_WITH])):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Do the same while the session's fixtures end, after its last test, even if that test uses no server."""
    if nextitem is not None or item.config.stash.get(KEY, None) is None:
        return (yield)
    from pytest_pgfeatures.libpq import during_test, inherited

    with during_test(inherited(item.config.stash[STARTED_WITH])):
        return (yield)
