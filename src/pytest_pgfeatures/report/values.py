"""Formats observations as short text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from pytest_pgfeatures.results.evidence import Plain


def shown(value: Plain) -> str:
    """Format an observation for people: as plain text if that is unambiguous, else as JSON.

    An SQLSTATE is shown with its condition.

    >>> shown("Parallel Hash Full Join"), shown("31"), shown(31), shown(None), shown([])
    ('Parallel Hash Full Join', '"31"', '31', 'none', '[]')
    >>> print(shown("42601"), shown({"foo": "22023"}))
    42601 syntax_error {"foo": "22023 invalid_parameter_value"}
    """
    if isinstance(value, str) and (state := SqlState.recognized(value)):
        return str(state)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.strip() == value and not _reads_as_something_else(value):
        return value
    return json.dumps(_with_conditions(value), ensure_ascii=False)


def conditions(*values: Plain) -> dict[str, str]:
    """Return the condition names of all SQLSTATEs in observations: ``{"42601": "syntax_error"}``."""
    found: dict[str, str] = {}
    for value in values:
        if isinstance(value, str):
            state = SqlState.recognized(value)
            found |= {value: state.condition} if state and state.condition else {}
        elif isinstance(value, list | dict):
            found |= conditions(*(value if isinstance(value, list) else value.values()))
    return found


def _with_conditions(value: Plain) -> Plain:
    if isinstance(value, str):
        return str(SqlState.recognized(value) or value)
    if isinstance(value, list):
        return [_with_conditions(item) for item in value]
    if isinstance(value, dict):
        return {key: _with_conditions(item) for key, item in value.items()}
    return value


def _reads_as_something_else(text: str) -> bool:
    if text in ("", "none", "yes", "no") or SqlState.recognized(text.partition(" ")[0]):
        return True
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
