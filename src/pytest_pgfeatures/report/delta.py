"""The differences between two majors, printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.delta import Group
from pytest_pgfeatures.behaviors.model import named
from pytest_pgfeatures.report.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType
    from rich.text import Text

    from pytest_pgfeatures.behaviors.delta import Change
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.version import PgVersion


def render_delta(old: PgVersion, new: PgVersion, changes: Iterable[Change]) -> Iterator[RenderableType]:
    """What :func:`pytest_pgfeatures.behaviors.delta.delta` found, for a rich console.

    Grouped by what it means and by area; each change with what either version does, and its remedy, note
    and sources.
    """
    from rich.padding import Padding
    from rich.rule import Rule
    from rich.text import Text

    found = list(changes)
    for each in Group:
        group = [change for change in found if change.group is each]
        if group:
            title = f"{each.value}, {named(old)} to {named(new)}: {len(group)}"
            yield Rule(Text(title, "bold"), align="left", style="dim")
        for area in dict.fromkeys(change.behavior.area for change in group):
            yield Text(area, "bold cyan")
            for change in group:
                if change.behavior.area == area:
                    yield Padding(_change(old, new, change), (0, 0, 1, 2))


def _change(old: PgVersion, new: PgVersion, change: Change) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    behavior = change.behavior
    facts = Table.grid(padding=(0, 1))
    facts.add_column(justify="right", style="dim", no_wrap=True)
    facts.add_column()
    facts.add_row(named(old), Text(shown(change.before)))
    facts.add_row(named(new), Text(shown(change.after), "green"))
    if behavior.remedy:
        facts.add_row("remedy", Text(behavior.remedy, "bold"))
    if behavior.note:
        facts.add_row("note", Text(behavior.note))
    facts.add_row("source", _source(behavior))
    return Group(Text.assemble((behavior.title, "bold"), "  ", (behavior.id, "dim")), facts)


def _source(behavior: Behavior) -> Text:
    from rich.text import Text

    text = Text(behavior.source, "dim")
    if behavior.manual and behavior.manual_url:
        page = behavior.manual.partition("#")[0]
        text.append("; manual: ").append(page, f"link {behavior.manual_url}")
    return text
