"""A bar that shows a run's progress, in place of pytest's letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class ProgressBar:
    """A plugin that counts the tests of all processes. There is no bar with ``-v``, which prints a line for
    each test, and with ``-q``.

    Parameters:
        progress: called with a description, the number of finished tests, and the total.
    """

    def __init__(self, progress: Callable[[str, int, int], object]) -> None:
        self._progress = progress
        self._total = 0
        self._done: set[str] = set()
        self._shown = True

    def pytest_configure(self, config: pytest.Config) -> None:
        """Show nothing beside pytest's or the tests' own lines."""
        self._shown = config.get_verbosity() == 0 and config.getoption("capture") != "no"

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the number of tests."""
        self._total = max(self._total, len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Note the number of tests that the processes of pytest-xdist share."""
        self._total = max(self._total, len(ids))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Count a test."""
        self._done.add(nodeid)
        if self._shown:
            self._progress("behaviors", len(self._done), self._total)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_teststatus(self) -> Any:
        """Print no letter for a test, because the bar counts it."""
        status = yield
        if not self._shown or not status:
            return status
        category, _, word = status
        return category, "", word

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Remove the bar before anything is reported."""
        if self._shown:
            self._progress("behaviors", self._total, self._total)
