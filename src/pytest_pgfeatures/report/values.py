"""Observations as short text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.results.evidence import Plain


def shown(value: Plain) -> str:
    """An observation for people: bare text where that can't be mistaken, else as JSON writes it.

    >>> shown("Parallel Hash Full Join"), shown("31"), shown(31), shown(None), shown([])
    ('Parallel Hash Full Join', '"31"', '31', 'none', '[]')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.strip() == value and not _reads_as_something_else(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _reads_as_something_else(text: str) -> bool:
    if text in ("", "none", "yes", "no"):
        return True
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
