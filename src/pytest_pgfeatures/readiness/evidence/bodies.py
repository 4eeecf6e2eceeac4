"""Search whole PL/pgSQL bodies for evidence in which a declaration and its use are apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.evidence.subjects import Hit, compiled, hit_at
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.affects import Body
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.names.model import Names

_NO_NEWLINE = re.compile(r"[^\n]")


def of_body(kind: Body, bodies: Iterable[tuple[str, Query, str]], own: Names) -> Iterator[Hit]:
    """The places in bodies that match the evidence.

    Parameters:
        bodies: of each function, the name, the body, and its text without comments and constants.
    """
    pattern = compiled(kind.pattern)
    for name, body, text in bodies:
        there = kind.event is None or kind.event in own.events.get(name, ())
        if there and not (kind.unless is not None and compiled(kind.unless).search(text)):
            for found in pattern.finditer(text):
                trigger = "trigger" if "trigger" in pattern.groupindex else 0
                yield hit_at(kind, body, found.start(trigger))


def code_of(text: str) -> str:
    """The SQL text with spaces in place of comments and constants. Its length stays the same."""
    return "".join(
        token.text if token.significant and token.kind != "string" else _NO_NEWLINE.sub(" ", token.text)
        for token in tokens(text)
    )
