"""The tables of measurements: on the terminal, and in a page of the documentation.

``--write PAGE`` replaces the page's text between ``<!-- measured: NAME -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_PLACE = r"(<!-- measured: {name} -->\n).*?(<!-- end -->)"


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the page."""
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page, too")


def show(
    name: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    about: str,
    page: Path | None,
    console: bool = True,
) -> None:
    """Print a table with its date and machine if it is for the console, and write it into the page.

    Raises:
        SystemExit: the page has no place for it.
    """
    machine = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}"
    if console:
        table = Table(*head)
        for row in rows:
            table.add_row(*(cell.replace("[", r"\[") for cell in row))
        terminal = Console(highlight=False, width=120)
        terminal.print(f"{about}; {machine}")
        terminal.print(table)
    if page is not None:
        lines = [head, ["---"] * len(head), *rows]
        shown = "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
        when = datetime.datetime.now(tz=datetime.UTC).date()
        written = f"\n{about}, {when}, {machine}:\n\n{shown}\n\n"
        text, places = re.subn(
            _PLACE.format(name=re.escape(name)),
            lambda found: found[1] + written + found[2],
            page.read_text(),
            flags=re.DOTALL,
        )
        if places != 1:
            raise SystemExit(f"{page} has {places} places for the table {name}")
        page.write_text(text)
