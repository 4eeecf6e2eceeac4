"""``pgfeatures bisect "SELECT 0x1F"``: the first major that answers otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from pytest_pgfeatures.behaviors.bisect import Turn
    from pytest_pgfeatures.install import Install, Store

EXIT_CHANGES = 1


@click.command("bisect")
@click.argument("statements", nargs=-1, required=True, metavar="SQL...")
@click.option("--pg", metavar="VERSIONS", help="Versions, such as 14..18 (default: every major at hand).")
def command(statements: tuple[str, ...], pg: str | None) -> None:
    """Find the first major at which the result, the error or the plan of a statement changes.

    Each SQL is one statement. They run in order on a fresh server of each version, so that the first ones can
    create what the last one is about. Every change is printed, and below the answers side by side.

    The exit status is 0 if nothing changes and 1 if something does.
    """
    from rich.console import Console
    from rich.rule import Rule

    from pytest_pgfeatures.behaviors.bisect import ask, turns
    from pytest_pgfeatures.install import Store
    from pytest_pgfeatures.report.transcripts import side_by_side
    from pytest_pgfeatures.server import Clusters

    store = Store.open()
    installs = installs_of(store, pg)
    with Clusters(store) as clusters:
        asked = ask(statements, installs, clusters)
    console = Console(highlight=False)
    found = list(turns(asked))
    _print_turns(console, found, installs)
    console.print(Rule(style="dim"))
    transcripts = {str(each.install.version.major): each.transcript for each in asked}
    for part in side_by_side(transcripts, console):
        console.print(part)
    if found:
        raise SystemExit(EXIT_CHANGES)


def installs_of(store: Store, pg: str | None) -> tuple[Install, ...]:
    """One install for each major of ``--pg``, or of those at hand; oldest first."""
    from pytest_pgfeatures.behaviors.bisect import newest_of_each_major
    from pytest_pgfeatures.install import parse_requests
    from pytest_pgfeatures.install.resolve import Resolver, lock_in
    from pytest_pgfeatures.report.progress import download_bars

    with download_bars() as progress:
        resolver = Resolver(store, lock=lock_in(Path.cwd()), progress=progress)
        if pg is None:
            return newest_of_each_major(resolver.inventory.at_hand())
        cells = resolver.cells(parse_requests(pg))
        return newest_of_each_major(resolver.resolve(cell.request) for cell in cells)


def _print_turns(console: Console, found: Sequence[Turn], installs: Sequence[Install]) -> None:
    from rich.text import Text

    if not found:
        first, last = installs[0].version, installs[-1].version
        console.print(f"Nothing changes from {first} to {last}.")
    for turn in found:
        line = Text.assemble((str(turn.since.version.major), "bold cyan"), f": {turn.what}: ")
        line.append(" ".join(turn.statement.split()))
        console.print(line.append(f"  ({turn.before.version} and {turn.since.version})", "dim"))
