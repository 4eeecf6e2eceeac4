"""Search whole PL/pgSQL bodies for evidence in which a declaration and its use are apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.affects import Body
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.names.model import Names

_FLAGS = re.IGNORECASE | re.DOTALL
_NO_NEWLINE = re.compile(r"[^\n]")


class OfBody:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Body`."""

    def __init__(self, kind: Body) -> None:
        self._pattern = re.compile(kind.pattern, _FLAGS)
        self._unless = re.compile(kind.unless, _FLAGS) if kind.unless is not None else None
        self._event = kind.event

    def __call__(self, body: Query, name: str, own: Names) -> Iterator[int]:
        """The indexes in the body's text at which the evidence begins."""
        if self._event is not None and self._event not in own.events.get(name, ()):
            return
        text = code_of(body.sql)
        if self._unless is not None and self._unless.search(text):
            return
        for found in self._pattern.finditer(text):
            yield found.start("trigger" if "trigger" in self._pattern.groupindex else 0)


def code_of(text: str) -> str:
    """The SQL text with spaces in place of comments and constants. Its length stays the same."""
    return "".join(
        token.text if token.significant and token.kind != "string" else _NO_NEWLINE.sub(" ", token.text)
        for token in tokens(text)
    )
