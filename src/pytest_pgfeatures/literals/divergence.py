"""A disagreement between readers of literals: the result of each reader for one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pytest_pgfeatures.errors import LiteralError


@dataclass(frozen=True, slots=True)
class Answer:
    """A reader's result for a text.

    Parameters:
        reader: the reader's name, such as ``PostgreSQL 16.2``.
        value: the text's value; None if the reader rejected the text.
        type: the value's type; None if the reader has no types.
        label: the name of the column, if a server split one off the text.
        sqlstate: the SQLSTATE of a server's error.
        error: why the reader rejected the text: a server's message, or a parser's exception.
    """

    reader: str
    value: Any = None
    type: str | None = None
    label: str | None = None
    sqlstate: str | None = None
    error: str | None = None

    def differs(self, other: Answer) -> bool:
        """Whether the other reader's result differs, in what both readers report.

        Two rejections are the same unless both have an SQLSTATE and these differ.
        """
        if self.error is not None and other.error is not None:
            return _both_differ(self.sqlstate, other.sqlstate)
        if (self.error is None) != (other.error is None) or self.label != other.label:
            return True
        return _both_differ(self.type, other.type) or not _same(self.value, other.value)

    def __str__(self) -> str:
        if self.error is not None:
            return f"{self.reader}: {' '.join(filter(None, (self.sqlstate, self.error)))}"
        kind = f" ({self.type})" if self.type else ""
        label = f", in a column named {self.label}" if self.label else ""
        return f"{self.reader}: {cut(str(self.value))}{kind}{label}"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The smallest text found that readers disagree on.

    Parameters:
        text: the text.
        answers: the result of each reader, in the order in which the readers were given.
    """

    text: str
    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        return "\n".join([cut(self.text), *(f"    {answer}" for answer in self.answers)])


class DivergenceError(LiteralError, AssertionError):
    """Servers disagree on an expression that should be the same everywhere: a failed assertion.

    ``divergence`` has the smallest such expression found, and every server's answer.
    """

    divergence: Divergence

    def __init__(self, problem: str, *, divergence: Divergence, details: tuple[str, ...] = ()) -> None:
        super().__init__(problem, details=details)
        self.divergence = divergence


def cut(text: str, limit: int = 70) -> str:
    """A text as a message shows it, cut if long."""
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def _both_differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same number, or print alike."""
    return bool(one == other) or str(one) == str(other)
