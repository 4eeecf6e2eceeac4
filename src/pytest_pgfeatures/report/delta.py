"""Shows the differences between two majors in the terminal, as JSON and as Markdown."""

from __future__ import annotations

import itertools
import shlex
import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.delta import Group
from pytest_pgfeatures.behaviors.registry import keyword_of
from pytest_pgfeatures.report.values import shown
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text

    from pytest_pgfeatures.behaviors.delta import BehaviorChange
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.version import PgMajor, PgVersion

    Version = PgMajor | PgVersion

_KEY_WIDTH = 5
_TEXT_WIDTH = 24
"""The minimum width of the column of texts; in a narrower terminal, lines are longer than the terminal."""
_GAP = "  "


def render_delta(
    old: Version, new: Version, changes: Sequence[BehaviorChange], *, verbose: bool = False
) -> Iterator[RenderableType]:
    """Render the changes that :func:`pytest_pgfeatures.behaviors.delta.delta` found, for a rich console.

    Changes are grouped by impact and area, one per line. Counts for each major follow.

    Parameters:
        verbose: also show each version's answers, notes and sources.
    """
    from rich.rule import Rule
    from rich.text import Text

    for group in Group:
        found = [change for change in changes if change.group is group]
        if not found:
            continue
        title = f"{group.value}, {old} to {new}: {len(found)}"
        yield Rule(Text(title, "bold"), align="left", style="dim")
        for area, of_area in _by_area(found):
            yield Text(area, "bold cyan")
            yield from _in_full(old, new, of_area) if verbose else [_Rows(of_area)]
    yield from _summary(old, new, changes)


def _by_area(changes: Sequence[BehaviorChange]) -> Iterator[tuple[str, list[BehaviorChange]]]:
    for area in sorted({change.behavior.area for change in changes}):
        yield area, [change for change in changes if change.behavior.area == area]


class _Rows:
    """A row for each change: the release notes' entry, the change with its remedy, and the behavior's id.

    rich's own tables take most of the time of a long list.
    """

    def __init__(self, changes: Sequence[BehaviorChange]) -> None:
        self._changes = changes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Yield the rows as wide as the terminal."""
        from rich.segment import Segment

        dim, bold = console.get_style("dim"), console.get_style("bold")
        keys = [each.entries for each in self._changes]
        first = max(_KEY_WIDTH, *(len(key) for of_row in keys for key in of_row))
        last = max(len(each.behavior.id) for each in self._changes)
        middle = max(options.max_width - first - last - 2 * len(_GAP), _TEXT_WIDTH)
        wrapper = textwrap.TextWrapper(middle, expand_tabs=False, replace_whitespace=False)
        for change, of_row in zip(self._changes, keys, strict=True):
            title, text, id = change.behavior.title, change.behavior.title, change.behavior.id
            if change.behavior.remedy and change.group is Group.BREAKS:
                text = f"{title}. {change.behavior.remedy}"
            important = 0 if text is title else len(title)
            for key, line, name in itertools.zip_longest(of_row, wrapper.wrap(text), [id], fillvalue=""):
                yield Segment(f"{key:{first}}{_GAP}", dim)
                yield Segment(line[:important], bold)
                yield Segment(line[important:])
                if name:
                    yield Segment(f"{' ' * (middle - len(line))}{_GAP}{name:>{last}}", dim)
                yield Segment.line()
                important = max(important - len(line) - 1, 0)


def _in_full(old: Version, new: Version, changes: Sequence[BehaviorChange]) -> Iterator[RenderableType]:
    from rich.padding import Padding

    for change in changes:
        yield Padding(_change(old, new, change), (0, 0, 1, 2))


def _change(old: Version, new: Version, change: BehaviorChange) -> RenderableType:
    from rich.console import Group as Lines
    from rich.table import Table
    from rich.text import Text

    behavior = change.behavior
    facts = Table.grid(padding=(0, 1))
    facts.add_column(justify="right", style="dim", no_wrap=True)
    facts.add_column()
    before, after = sides_shown(change)
    facts.add_row(str(old), Text(before))
    facts.add_row(str(new), Text(after, "green"))
    if behavior.remedy:
        facts.add_row("what to do", Text(behavior.remedy, "bold"))
    if behavior.note:
        facts.add_row("note", Text(behavior.note))
    facts.add_row("source", _source(behavior))
    facts.add_row("proof", Text(proof(old, new, behavior), "dim"))
    return Lines(Text.assemble((behavior.title, "bold"), "  ", (behavior.id, "dim")), facts)


def sides_shown(change: BehaviorChange) -> tuple[str, str]:
    """Return both versions' answers for people.

    The title describes the newer version. So if the answers are yes and no, in either order, they are shown
    as whether the title holds: ``no`` and then ``yes``. Beside an error, an answer without an error is ``no
    error``.
    """
    sides = (change.before, change.after)
    if all(isinstance(side, bool) for side in sides):
        return shown(False), shown(True)
    refused = [isinstance(side, str) and SqlState.recognized(side) is not None for side in sides]
    before, after = (
        "no error" if any(refused) and (side is None or side is True) else shown(side) for side in sides
    )
    return before, after


def _source(behavior: Behavior) -> Text:
    from rich.text import Text

    text = Text(behavior.source, "dim")
    if behavior.manual and behavior.manual_url:
        page = behavior.manual.partition("#")[0]
        text.append("; manual: ").append(page, f"link {behavior.manual_url}")
    return text


def proof(old: Version, new: Version, behavior: Behavior) -> str:
    """Return the command that checks a behavior on servers of both versions."""
    return f"pgfeatures verify --pg {old},{new} -k {shlex.quote(keyword_of(behavior))}"


def _summary(old: Version, new: Version, changes: Sequence[BehaviorChange]) -> Iterator[RenderableType]:
    """Yield the number of changes of each kind for each major."""
    from rich.rule import Rule
    from rich.table import Table
    from rich.text import Text

    if not changes:
        return
    yield Rule(Text("By major", "bold"), align="left", style="dim")
    groups = [group for group in Group if any(change.group is group for change in changes)]
    counts = Counter((change.since.major, change.group) for change in changes)
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(justify="right")
    for _ in groups:
        table.add_column(justify="right")
    table.add_row("", *(Text(group.value.lower(), "dim") for group in groups))
    for major in sorted({major for major, _ in counts}):
        table.add_row(str(major), *(str(counts[major, group] or "") for group in groups))
    yield table
    both = f"{old} {new}"
    yield Text.assemble(("Check all on both servers: ", "dim"), f"pgfeatures delta {both} --verify")
    yield Text.assemble(("Check one: ", "dim"), proof(old, new, changes[0].behavior))


def delta_markdown(old: Version, new: Version, changes: Sequence[BehaviorChange]) -> str:
    """Return the changes as a page of Markdown, with one table for each group."""
    lines = [f"# PostgreSQL {old} to {new}", ""]
    for group in Group:
        found = [change for change in changes if change.group is group]
        if not found:
            continue
        lines += [f"## {group.value}: {len(found)}", ""]
        lines += ["| entry | area | what changed | what to do | behavior |", "|---|---|---|---|---|"]
        for area, of_area in _by_area(found):
            for change in of_area:
                behavior = change.behavior
                entry = ", ".join(change.entries)
                cells = (entry, area, behavior.title, behavior.remedy or "", f"`{behavior.id}`")
                lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
        lines.append("")
    return "\n".join(lines)
