"""Progress bars for downloads."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress as Bars

    from pytest_pgfeatures.install.release import Progress, Report


@contextlib.contextmanager
def download_bars() -> Iterator[Progress]:
    """Show a bar per download on stderr during the block, if stderr is a terminal."""
    bars: list[Bars] = []  # created by the first download, since few runs download anything
    starting = threading.Lock()
    with contextlib.ExitStack() as stack:

        @contextlib.contextmanager
        def progress(what: str) -> Iterator[Report]:
            with starting:
                if not bars:
                    bars.append(stack.enter_context(_bars()))
            task = bars[0].add_task(what, total=None)
            try:
                yield lambda done, total: bars[0].update(task, completed=done, total=total)
            finally:
                bars[0].remove_task(task)

        yield progress


def _bars() -> Bars:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    return Bars(*columns, console=console, transient=True, disable=not console.is_terminal)


@contextlib.contextmanager
def stage_bar() -> Iterator[Callable[[str, int, int], object]]:
    """Show how far a stage has come on stderr during the block, if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("", total=None, visible=False)

        def told(what: str, done: int, everything: int) -> None:
            bars.update(task, description=what, completed=done, total=everything, visible=done < everything)

        yield told
