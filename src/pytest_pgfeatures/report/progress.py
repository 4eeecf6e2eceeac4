"""Progress bars for downloads."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install.release import Progress, Report


@contextlib.contextmanager
def download_bars() -> Iterator[Progress]:
    """Show a bar per download on stderr while the context lasts, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:

        @contextlib.contextmanager
        def progress(what: str) -> Iterator[Report]:
            task = bars.add_task(what, total=None)
            try:
                yield lambda done, total: bars.update(task, completed=done, total=total)
            finally:
                bars.remove_task(task)

        yield progress
