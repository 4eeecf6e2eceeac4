"""Writes the step's summary and annotations for GitHub Actions
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


def step_summary() -> Path | None:
    """Return the file of the step's summary; None outside of GitHub Actions."""
    named = os.environ.get(STEP_SUMMARY)
    return Path(named) if named else None


def append_to_summary(lines: Iterable[str]) -> None:
    """Append lines of Markdown to the step's summary, if running in GitHub Actions.

    Raises:
        OSError: the file can't be written.
    """
    if (path := step_summary()) is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n\n")


def reads_annotations() -> bool:
    """Return whether GitHub Actions reads annotations from our output."""
    return os.environ.get(_ACTIONS) == "true"


def annotation(kind: str, text: str, properties: Mapping[str, str]) -> str:
    """Return a line of output that GitHub shows beside the sources.

    Parameters:
        kind: ``error``, ``warning`` or ``notice``.
        text: the text to show.
        properties: parameters of the annotation, such as ``file``, ``line`` and ``title``.
    """
    given = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
    return f"::{kind} {given}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
