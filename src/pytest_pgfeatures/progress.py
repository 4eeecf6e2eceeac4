"""Progress bars: of downloads, and of work that takes a while."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress as Bars

    from pytest_pgfeatures.install.release import Report

_SECONDS_ESTIMATED = 120
"""The remaining time is estimated from the work of this number of last seconds."""


class DownloadBars:
    """Shows a bar per download on stderr, if that is a terminal, while anything is downloaded."""

    def __init__(self) -> None:
        self._bars: Bars | None = None
        self._downloads = 0
        self._counting = threading.Lock()

    @contextlib.contextmanager
    def __call__(self, what: str) -> Iterator[Report]:
        """Show a download's progress during the block."""
        with self._counting:
            if self._bars is None:
                self._bars = _bars()
                self._bars.start()
            bars = self._bars
            self._downloads += 1
        task = bars.add_task(what, total=None)
        try:
            yield lambda done, total: bars.update(task, completed=done, total=total)
        finally:
            bars.remove_task(task)
            with self._counting:
                self._downloads -= 1
                if not self._downloads:
                    bars.stop()
                    self._bars = None


def _bars() -> Bars:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    return Bars(*columns, console=console, transient=True, disable=not console.is_terminal)


@contextlib.contextmanager
def work_bar(*, redirect: bool = True) -> Iterator[Callable[[str, int, int], object]]:
    """Show the progress of work, and the estimated remaining time, on stderr during the block, if stderr is a
    terminal.

    Parameters:
        redirect: whether output printed meanwhile goes above the bar. pytest's terminal output can't be redirected.

    Returns:
        a function to call with a description, the number of finished parts, and the total.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with contextlib.ExitStack() as stack:
        # A descriptor of our own, because pytest captures tests' output to that of stderr.
        file = stack.enter_context(os.fdopen(os.dup(2), "w", encoding="utf-8", errors="replace"))
        console = Console(file=file)
        bars = stack.enter_context(
            Bars(
                *columns,
                TextColumn("left"),
                console=console,
                transient=True,
                disable=not console.is_terminal,
                redirect_stdout=redirect,
                redirect_stderr=redirect,
                speed_estimate_period=_SECONDS_ESTIMATED,
            )
        )
        task = bars.add_task("", total=None, visible=False)

        def show(what: str, done: int, everything: int) -> None:
            bars.update(task, description=what, completed=done, total=everything, visible=done < everything)

        yield show
