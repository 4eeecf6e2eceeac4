"""Find the settings that statements set: ALTER SYSTEM, ALTER ROLE or DATABASE ... SET, SET, a function's SET."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import SettingUse
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.sql import Token

_WITH_SET = frozenset({"alter", "create", "set"})
_NOT_SETTINGS = frozenset(
    {"schema", "tablespace", "default", "data", "not", "statistics", "storage", "compression", "logged", "unlogged",
     "without", "with", "access", "constraints", "transaction", "session", "role", "expression", "generated",
     "names", "xml", "null", "options", "publication", "password", "increment", "cycle", "start", "minvalue",
     "maxvalue", "cache"}
)  # fmt: skip
"""Words after SET that aren't settings: ALTER TABLE ... SET SCHEMA, SET ROLE."""
_SET = re.compile(r"\bset\b", re.IGNORECASE)
_OF_ROUTINES = frozenset({"function", "procedure", "routine"})
_OF_OTHERS = frozenset({"system", "role", "user", "database", "group"})


def settings_in(queries: Iterable[Query]) -> Iterator[SettingUse]:
    """The settings that statements set."""
    for query in queries:
        yield from _settings(query)


def search_path_of(queries: Iterable[Query]) -> str:
    """The ``search_path`` that ALTER DATABASE or ALTER ROLE sets; the last one counts."""
    found = ""
    for query in queries:
        if query.sql[:5].lower() == "alter" and "search_path" in query.sql.lower():
            for use in _settings(query):
                if use.name.lower() == "search_path":
                    found = use.value
    return found


def _settings(query: Query) -> Iterator[SettingUse]:
    if _SET.search(query.sql) is None:
        return
    found = [token for token in tokens(query.sql, psql=True) if token.significant]
    words = [token.keyword for token in found]
    if not words or words[0] not in _WITH_SET:
        return
    beginning = set(words[1:4])
    if words[0] == "set":
        at = 2 if words[1:2] in (["session"], ["local"]) else 1
        yield from _use(query, found, words, at)
    elif (words[0] == "create" and beginning & _OF_ROUTINES) or (
        words[0] == "alter" and (words[1:2] and words[1] in _OF_OTHERS | _OF_ROUTINES)
    ):
        depth = 0
        for number, token in enumerate(found):
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if words[number] == "set" and not depth and number:
                yield from _use(query, found, words, number + 1)
            if words[number] == "begin" and words[number + 1 : number + 2] == ["atomic"]:
                break


def _use(query: Query, found: Sequence[Token], words: Sequence[str], at: int) -> Iterator[SettingUse]:
    """The setting whose name begins at a token: ``name = value``, ``name TO value``, ``TIME ZONE value``."""
    if at >= len(found):
        return
    name, end = found[at].text, at + 1
    if words[at] == "time" and words[at + 1 : at + 2] == ["zone"]:
        name, end = "TimeZone", at + 2
    elif words[at] in _NOT_SETTINGS or found[at].kind not in ("word", "identifier"):
        return
    else:
        while end + 1 < len(found) and found[end].text == ".":
            name += "." + found[end + 1].text
            end += 2
        if end >= len(found) or (found[end].text not in ("=", ":=") and words[end] not in ("to", "from")):
            return
        if words[end] == "from":
            return
        end += 1
    values = []
    for token, word in zip(found[end:], words[end:], strict=True):
        if token.text == ";" or word in (
            "as",
            "language",
            "set",
            "reset",
            "security",
            "stable",
            "immutable",
            "volatile",
            "parallel",
            "cost",
            "rows",
            "strict",
            "leakproof",
            "begin",
            "return",
            "called",
            "returns",
        ):
            break
        values.append(_plain(token))
    value = "".join(values).replace(",", ", ")
    if value.lower() == "default":
        return
    place = query.place(found[at].start)
    text = (
        query.sql[found[at].start : query.sql.find("\n", found[at].start)]
        if "\n" in query.sql[found[at].start :]
        else query.sql[found[at].start :]
    )
    lead = "SET " if words[0] != "alter" or words[1:2] != ["system"] else "ALTER SYSTEM SET "
    yield SettingUse(name.strip('"'), value, "statement", place, lead + text.strip())


def _plain(token: Token) -> str:
    if token.kind == "string" and token.text.startswith("'"):
        return token.text[1:-1].replace("''", "'")
    return token.text
