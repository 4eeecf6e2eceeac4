"""Lists and texts in messages, cut to what a reader takes in."""

from __future__ import annotations

from collections.abc import Sequence


def first_of(words: Sequence[str], most: int, more: str = "and {} more") -> list[str]:
    """The words up to a number of them, and how many more there are."""
    left = len(words) - most
    return [*words[:most], *([more.format(left)] if left > 0 else [])]


def listed(words: Sequence[str], most: int) -> str:
    """The same as one text: ``a, b and 3 more``."""
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")


def parts(lost: str, gone: Sequence[str], won: str, come: Sequence[str]) -> str:
    """The names that have gone and that have come, each list after its words."""
    return "; ".join(f"{what} {', '.join(some)}" for what, some in ((lost, gone), (won, come)) if some)


def shortened(text: str, longest: int) -> str:
    """A text, or its beginning and ``...`` if it has more characters."""
    return text if len(text) <= longest else f"{text[:longest]}..."
