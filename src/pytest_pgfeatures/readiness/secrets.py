"""Keep passwords out of all output.

https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.reading import StatementReading

T = TypeVar("T")
HIDDEN = "********"
_STRING = r"(?:[eE]|[uU]&)?'(?>(?:[^'\\]++|''|\\.)*)'|\$\w*+\$[^$]*+\$\w*+\$"
_PATTERNS = (
    # ALTER ROLE ... PASSWORD 'x', OPTIONS (password 'x'), set_config('app.password', 'x'), crypt('x', ...)
    re.compile(
        r"(?is)(?P<before>(?:\bpassword\s|(?:password|passwd|secret)['\"]\s*+,|\bcrypt\s*+\()\s*+)"
        rf"(?P<secret>{_STRING})"
    ),
    # password='x', password: "x", in connection strings, YAML, shell
    re.compile(
        r"(?i)(?P<before>(?:password|passwd|secret)\"?\s*+[=:]\s*+)"
        r"(?P<secret>\\?'(?>(?:[^'\\]++|\\.)*)\\?'|\\?\"(?>(?:[^\"\\]++|\\.)*)\\?\")"
    ),
    # password=x, PGPASSWORD=x
    re.compile(r"(?i)(?P<before>(?:password|passwd|secret)=)(?P<secret>[^\s'\",;)&$:%?][^\s'\",;)&]*+)"),
    # postgresql://user:x@host
    re.compile(r"(?i)(?P<before>\b[a-z][a-z0-9+.-]{0,40}+://[^\s:/@'\"]*+:)(?P<secret>[^\s@'\"]++)(?=@)"),
    # verifiers
    re.compile(r"(?P<before>)(?P<secret>\bSCRAM-SHA-256\$[\w+/=$:]++|\bmd5[0-9a-f]{32}\b)"),
)
"""The forms of text that mark a value as a password, and not as a word of a sentence."""
_OF_FILES = re.compile(
    r"(?im)^[- \t]*+[\w.-]*(?:password|passwd|secret)[ \t]*+[:=][ \t]*+"
    r"(?P<secret>[^\s'\",;)&$:%?{][^\s'\",;)&]*+)[ \t]*+(?:#.*)?$"
)
"""``password: x`` as a whole line. In a file this is a password; in a message it may be the end of a sentence."""
_QUOTES = re.compile(r"\A(?:\$\w*+\$|[eE]?'|\\?\"|\\')|(?:\$\w*+\$|'|\\?\"|\\')\Z")
_PLACE = re.compile(r"\s*+[^\s:]++:\d++")  # a file and a line at the beginning of a text
_NO_SECRETS = frozenset(
    {"password", "passwd", "secret", "postgres", "postgresql", "none", "null", "true", "false"}
)  # passwords of examples, which are hidden only in these forms
_PLAIN = re.compile(r"[a-z]++")
_INSERT = re.compile(
    r"(?i)\binsert\s++into\s++[\w$\".]++\s*+\((?P<columns>[\w$\",\s]++)\)\s*+"
    r"(?:overriding\s++\w++\s++value\s++)?values\s*+"
)
_SHORT_WORD = re.compile(r"'[A-Za-z]{1,8}'")
_FOR_PASSWORDS = re.compile(r"passw(?:or)?d|passphrase|secret|(?:^|_)pwd(?:$|_)")
_MANY = 1000  # with more secrets, only whole constants and words of a text are looked up among them
_WORDS = re.compile(rf"{_STRING}|[^\s'\"(),;]++")
_SHORTEST = 4  # shorter secrets are hidden only where they are marked as such, not wherever their text occurs


def secrets_in(text: str) -> set[str]:
    """The passwords in a text of the inputs, without quotes."""
    found = {_unquoted(match["secret"]) for each in (*_PATTERNS, _OF_FILES) for match in each.finditer(text)}
    return {each for each in (*found, *_inserted(text)) if len(each) >= _SHORTEST} - {HIDDEN, *_NO_SECRETS}


def _inserted(text: str) -> Iterator[str]:
    """The constants that INSERT puts into columns for passwords. A short word keeps its quotes, because
    elsewhere it may have another meaning."""
    found = _INSERT.search(text)
    columns = [name.strip('" \n\t').lower() for name in found["columns"].split(",")] if found else []
    wanted = {at for at, name in enumerate(columns) if _FOR_PASSWORDS.search(name)}
    if found is None or not wanted:
        return
    reading = StatementReading(Query(text[found.end() :], "data", "", (1,)))
    for opening in reading.outside("("):
        parts = reading.split(opening + 1, reading.closing(opening))
        for at, end in (parts[each] for each in wanted if each < len(parts)):
            if at in reading.strings and (end == at + 1 or reading.keyword(at + 1) == "::"):
                given = reading.tokens[at].text
                yield given if _SHORT_WORD.fullmatch(given) else _unquoted(given)


def _unquoted(secret: str) -> str:
    return _QUOTES.sub("", secret)


def hide(text: str, known: frozenset[str] = frozenset()) -> str:
    """Hide the passwords in a text: those that the text marks as passwords, and known ones. A file's name before a
    line's number stays."""
    place = _PLACE.match(text)
    head = place[0] if place else ""
    text = text[len(head) :]
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\g<before>{HIDDEN}", text)
    few = known if len(known) < _MANY else known.intersection(map(_unquoted, _WORDS.findall(text)))
    for secret in few:
        if _PLAIN.fullmatch(secret):  # it is often a name, too
            text = re.sub(rf"(?<![\w/])(?<!\w[-.]){secret}(?![\w/])(?![-.]\w)", HIDDEN, text)
        else:
            text = text.replace(secret, HIDDEN)
    return head + text


_TEXTS = frozenset({
    "report", "findings", "problems", "not_looked_at", "error", "unread", "passed_over", "directory", "what", "why",
    "message", "remedy", "object", "excerpt", "proof", "comparison", "rows", "changes",
})  # fmt: skip
"""The fields that may contain text of the application."""


def hidden(value: T, known: frozenset[str] = frozenset()) -> T:
    """Hide the passwords in a result, or a part of one."""
    found: Any = value
    if isinstance(value, str):
        found = hide(value, known)
    elif isinstance(value, tuple):
        found = tuple(hidden(each, known) for each in value)
    elif is_dataclass(value):
        names = [each.name for each in fields(value) if each.name in _TEXTS]
        found = replace(found, **{name: hidden(getattr(value, name), known) for name in names})
    return cast("T", found)
