"""The differences between two majors, printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.report.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType
    from rich.text import Text

    from pytest_pgfeatures.behaviors.delta import Change
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.version import PgMajor, PgVersion

_GAINED, _LOST, _BROKEN, _OTHER = "New features", "Features lost", "Incompatibilities", "Other changes"


def render_delta(
    old: PgMajor | PgVersion, new: PgMajor | PgVersion, changes: Iterable[Change]
) -> Iterator[RenderableType]:
    """What :func:`pytest_pgfeatures.behaviors.delta.delta` found, for a rich console.

    Grouped by what it means and by area; each change with what either version does, and its remedy, note
    and sources.
    """
    from rich.padding import Padding
    from rich.rule import Rule
    from rich.text import Text

    found = list(changes)
    for heading in (_GAINED, _LOST, _BROKEN, _OTHER):
        group = [change for change in found if _heading(old, new, change) == heading]
        if group:
            title = f"{heading}, {old} to {new}: {len(group)}"
            yield Rule(Text(title, "bold"), align="left", style="dim")
        for area in dict.fromkeys(change.behavior.area for change in group):
            yield Text(area, "bold cyan")
            for change in group:
                if change.behavior.area == area:
                    yield Padding(_change(old, new, change), (0, 0, 1, 2))


def _heading(old: PgMajor | PgVersion, new: PgMajor | PgVersion, change: Change) -> str:
    if change.behavior.kind == "incompatibility":
        return _BROKEN
    has = change.behavior.has_change(old), change.behavior.has_change(new)
    if has == (False, True):
        return _GAINED
    return _LOST if has == (True, False) else _OTHER


def _change(old: PgMajor | PgVersion, new: PgMajor | PgVersion, change: Change) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    behavior = change.behavior
    facts = Table.grid(padding=(0, 1))
    facts.add_column(justify="right", style="dim", no_wrap=True)
    facts.add_column()
    facts.add_row(str(old), Text(shown(change.before)))
    facts.add_row(str(new), Text(shown(change.after), "green"))
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
