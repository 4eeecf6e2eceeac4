"""Prints the differences between two catalogs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType
    from rich.text import Text

    from pytest_pgfeatures.catalog.comparison import Comparison, Difference

_SIGNS = {"gone": ("-", "red"), "changed": ("~", "yellow"), "new": ("+", "green")}


def render_comparison(comparison: Comparison) -> Iterator[RenderableType]:
    """Render a comparison for a rich console. For each kind of object, list the removed, then the changed, then the
    new objects, one per line."""
    from rich.rule import Rule
    from rich.text import Text

    for kind in dict.fromkeys(each.kind for each in comparison.differences):
        found = [each for each in comparison.differences if each.kind == kind]
        yield Rule(Text(f"{kind}: {summary(found)}", "bold"), align="left", style="dim")
        for what in _SIGNS:
            for each in found:
                if each.what == what:
                    yield line(each)
    for why in comparison.not_compared:
        yield Text(f"not compared: {why}", "yellow")


def line(difference: Difference) -> Text:
    """Return a difference as a line: the object's name and its changed properties; for a new object, all."""
    from rich.text import Text

    sign, style = _SIGNS[difference.what]
    text = Text.assemble((f"{sign} ", style), (difference.name, "bold" if difference.what != "new" else ""))
    if difference.what == "changed":
        names = dict.fromkeys((*difference.before, *difference.after))
        changes = (
            f"{name} {difference.before.get(name, 'none')} -> {difference.after.get(name, 'none')}"
            for name in names
        )
        note = (difference.note,) if difference.note else ()
        return text.append("  " + "; ".join((*changes, *note)), "dim")
    properties = difference.before or difference.after
    return text.append("  " + "; ".join(f"{name} {value}" for name, value in properties.items()), "dim")


def summary(differences: Sequence[Difference]) -> str:
    """Return how many objects are gone, changed and new: ``2 gone, 5 new``."""
    counts = Counter[str](each.what for each in differences)
    return ", ".join(f"{counts[what]} {what}" for what in _SIGNS if counts[what])


def comparison_markdown(comparison: Comparison) -> str:
    """Return a comparison as a page of Markdown, with one list for each kind of object."""
    lines: list[str] = []
    for kind in dict.fromkeys(each.kind for each in comparison.differences):
        found = [each for each in comparison.differences if each.kind == kind]
        lines += [f"## {kind}: {summary(found)}", ""]
        lines += [f"- `{line(each).plain}`" for what in _SIGNS for each in found if each.what == what]
        lines.append("")
    lines += [f"Not compared: {why}." for why in comparison.not_compared]
    return "\n".join(lines)
