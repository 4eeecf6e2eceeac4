"""The appearance of outcomes in all reports."""

from __future__ import annotations

from typing import NamedTuple

from pytest_pgfeatures.results.model import Outcome


class Look(NamedTuple):
    """The appearance of an outcome.

    Parameters:
        mark: a single character.
        in_ascii: the mark for terminals that support only ASCII.
        style: a style of rich.
        emoji: the emoji in GitHub's Markdown.
    """

    mark: str
    in_ascii: str
    style: str
    emoji: str = ""


LOOKS: dict[Outcome, Look] = {
    Outcome.AS_DOCUMENTED: Look("●", "#", "green", "✅"),
    Outcome.DEVIATES: Look("✗", "X", "bold red", "❌"),
    Outcome.PASSED: Look("●", "#", "green", "✅"),
    Outcome.FAILED: Look("✗", "X", "bold red", "❌"),
    Outcome.KNOWN_FAILURE: Look("x", "x", "yellow", "⚠️"),
    Outcome.UNEXPECTED_PASS: Look("✗", "X", "bold red", "❌"),
    Outcome.UNAVAILABLE: Look("–", "-", "yellow", "❔"),
    Outcome.ERROR: Look("!", "!", "bold magenta", "❌"),
    Outcome.NOT_RUN: Look(" ", " ", "dim"),
    Outcome.NOTHING_TO_DO: Look("-", "-", "dim"),
}
