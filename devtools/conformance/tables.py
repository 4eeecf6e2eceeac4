"""Tables of a conformance run: counts by class, outcomes, and every difference that was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from pytest_pgfeatures.literals.scanner import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from devtools.conformance.run import Tally


def literal_tables(tallies: Iterable[Tally]) -> Iterator[Table]:
    """Return the tables of a run: per subject the counts by class and by outcome, then all subjects, then
    differences.

    Parameters:
        tallies: the results for each version and subject.
    """
    known = list(tallies)
    for subject in dict.fromkeys(tally.subject for tally in known):
        own = [tally for tally in known if tally.subject == subject]
        by_class = {
            tally.version: {name: sum(counts.values()) for name, counts in tally.outcomes.items()}
            for tally in own
        }
        yield _counts(f"{subject}: compared, by class", by_class)
        yield _counts(f"{subject}: outcomes", {tally.version: dict(tally.by_outcome()) for tally in own})
    if known:
        yield _summary(known)
    if any(tally.differences for tally in known):
        yield _differences(known)


def _counts(title: str, columns: dict[str, dict[str, int]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for version in columns:
        table.add_column(version, justify="right")
    for name in dict.fromkeys(name for counts in columns.values() for name in sorted(counts)):
        table.add_row(name, *(f"{counts.get(name, 0):,}" for counts in columns.values()))
    return table


def _summary(tallies: list[Tally]) -> Table:
    table = Table(title="model against server", title_justify="left")
    for name in ("version", "subject"):
        table.add_column(name)
    for name in ("compared", "beyond the model", "differences"):
        table.add_column(name, justify="right")
    for tally in tallies:
        numbers = (tally.compared, tally.beyond, tally.differing)
        table.add_row(tally.version, tally.subject, *(f"{number:,}" for number in numbers))
    return table


def _differences(tallies: list[Tally]) -> Table:
    table = Table(
        "version", "subject", "class", "text", "server", "model", title="differences", title_justify="left"
    )
    for tally in tallies:
        for found in tally.differences:
            cells = (found["class"], shortened(found["text"]), found["server"], found["model"])
            table.add_row(tally.version, tally.subject, *map(escape, cells))
    return table
