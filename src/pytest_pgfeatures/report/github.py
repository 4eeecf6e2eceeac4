"""What GitHub Actions reads: the step's summary, and annotations beside the sources
(https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file of a step's summary."""
_ACTIONS = "GITHUB_ACTIONS"


def append_to_summary(lines: Iterable[str]) -> None:
    """Append lines of Markdown to the step's summary, if this is a step of GitHub Actions."""
    named = os.environ.get(STEP_SUMMARY)
    if named:
        with Path(named).open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n\n")


def reads_annotations() -> bool:
    """Whether GitHub Actions reads annotations from what is printed."""
    return os.environ.get(_ACTIONS) == "true"


def annotation(kind: str, text: str, properties: Mapping[str, str]) -> str:
    """A line that GitHub shows beside the sources.

    Parameters:
        kind: ``error``, ``warning`` or ``notice``.
        text: what it shows.
        properties: such as ``file``, ``line`` and ``title``.
    """
    given = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
    return f"::{kind} {given}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
