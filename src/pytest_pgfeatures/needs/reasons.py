"""Explain from the majors' catalogs why a server rejects a statement.

The server lacks a key word, function, type or column that other majors have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.version import MAJORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.catalog.snapshot import Catalog
    from pytest_pgfeatures.needs.ask import Verdict
    from pytest_pgfeatures.version import PgMajor

# https://www.postgresql.org/docs/current/errcodes-appendix.html
SYNTAX_ERROR, NO_FUNCTION, NO_RELATION, NO_COLUMN, NO_OBJECT = "42601", "42883", "42P01", "42703", "42704"
_KINDS = {
    SYNTAX_ERROR: ("keyword",),
    NO_FUNCTION: ("function", "keyword"),
    NO_RELATION: ("relation",),
    NO_COLUMN: ("column", "setting"),
    NO_OBJECT: ("type", "setting", "role", "keyword"),
}
"""Kinds of names that may be missing, by the error's SQLSTATE."""


def reason(sql: str, verdict: Verdict, catalogs: Sequence[Catalog]) -> str | None:
    """Why a statement is rejected, such as ``MERGE: since 15``; None if the catalogs don't show it.

    Parameters:
        sql: the statement, as it was sent to the server.
        verdict: the server's response.
        catalogs: the catalogs of the majors that were asked, oldest first.
    """
    if verdict.sqlstate is None:
        return None
    for word in _suspects(sql, verdict):
        for kind in _KINDS.get(verdict.sqlstate, ()):
            having = [catalog for catalog in catalogs if _has(catalog, kind, word)]
            if having and len(having) < len(catalogs):
                return f"{_shown(kind, word)}: {_when(having, catalogs)}"
    return None


def _suspects(sql: str, verdict: Verdict) -> Iterator[str]:
    """The words that may have caused an error: those at and next to its position, and those that it names."""
    found = [token for token in tokens(sql, psql=True) if token.kind in ("word", "identifier", "string")]
    if verdict.position is not None:
        at = [number for number, token in enumerate(found) if token.end > verdict.position]
        near = [*at[:2], *(number - 1 for number in at[:1] if number)]
        yield from (found[number].text.strip("\"'").lower() for number in near)
    for token in tokens(verdict.message):
        if token.kind == "identifier":
            yield token.text.strip('"').lower()


def _has(catalog: Catalog, kind: str, word: str) -> bool:
    objects = catalog.objects.get(kind, {})
    if kind == "function":
        return any(name.startswith(f"{word}(") for name in objects)
    if kind == "relation":
        return any(name.rpartition(".")[2] == word for name in objects)
    if kind == "column":
        return any(name.rpartition(".")[2] == word for name in objects)
    return word in objects


def _shown(kind: str, word: str) -> str:
    return word.upper() if kind == "keyword" else f"{kind} {word}"


def _when(having: Sequence[Catalog], catalogs: Sequence[Catalog]) -> str:
    """When it was added or removed, as far as the asked versions show it: ``since 15``, ``gone after 13, by 18``.

    A major is only named as the first or last one if the major beside it was asked, too.
    """
    number = catalogs.index(having[0])
    if number:
        before, since = catalogs[number - 1].version.major, having[0].version.major
        return f"since {since}" if _adjacent(before, since) else f"new after {before}, by {since}"
    number = next(number for number, each in enumerate(catalogs) if each not in having)
    until, after = catalogs[number - 1].version.major, catalogs[number].version.major
    return f"until {until}" if _adjacent(until, after) else f"gone after {until}, by {after}"


def _adjacent(older: PgMajor, newer: PgMajor) -> bool:
    """Whether no major is between two of them."""
    return not any(older < major < newer for major in MAJORS)
