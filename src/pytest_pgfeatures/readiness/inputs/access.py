"""Read ``pg_hba.conf`` and ``pg_ident.conf``, with includes, ``@files``, quotes and continuation lines.

https://www.postgresql.org/docs/current/auth-pg-hba-conf.html
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.files import InputReading
from pytest_pgfeatures.readiness.model import AccessLine, Place
from pytest_pgfeatures.settings_file import included_files

_DEEPEST = 10
_INCLUDING = frozenset({"include", "include_if_exists", "include_dir"})
_TOKEN = re.compile(
    r'\s*+(?:(?P<comment>#.*+)|(?P<comma>,)|(?P<word>(?>(?:"(?>(?:[^"]++|"")*)"|[^\s,#"]++)+)"?+))'
)
_QUOTE = re.compile(r'"("?)')
_CONTINUED = re.compile(r"\\\r?(?:\n|\Z)")
_LOGICAL = re.compile(r"(?>(?:[^\n]*\\\r?\n)*)[^\n]*\n?")  # a line with those that continue it
_PLAIN = r"[^\s'\"|>]++"
_IN_SCRIPT = re.compile(
    r"[^#\n]*?(?:^|['\"\s])(?P<line>(?:local|host(?:no)?(?:ssl|gssenc)?)[ \t]++"
    rf"{_PLAIN}[ \t]++{_PLAIN}[ \t][^'\"|>\n]*+)"
)  # a line for pg_hba.conf, perhaps in quotes


def read_access(given: str, _: InputReading | None = None, depth: int = 1) -> Iterator[AccessLine]:
    """The lines of a file and of the files that it includes."""
    if depth > _DEEPEST:
        raise PgFeaturesError(f"{given}: files include each other more than {_DEEPEST} levels deep")
    path = Path(given)
    for number, text in _logical_lines(path):
        fields = _fields(text)
        if len(fields) > 1 and fields[0][0] in _INCLUDING:
            for included in included_files(fields[0][0], path.parent / _bare(fields[1][0])):
                yield from read_access(str(included), depth=depth + 1)
        elif fields:
            place = Place(str(path), number, len(text) - len(text.lstrip()) + 1)
            yield _line([[*_expanded(words, path, depth)] for words in fields], place, text)


def access_in_script(name: str, text: str) -> Iterator[AccessLine]:
    """The lines for pg_hba.conf in a script that names this file: in ``echo``, here-documents, and YAML."""
    for number, line in enumerate(text.split("\n"), 1) if "pg_hba" in text.lower() else ():
        if match := _IN_SCRIPT.match(line):
            yield _line(_fields(match["line"]), Place(name, number, match.start("line") + 1), match["line"])


def _line(fields: list[list[str]], place: Place, text: str) -> AccessLine:
    return AccessLine(tuple(map(",".join, fields)), place, " ".join(text.split()))


def _logical_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file, each with its number. One that ends in a backslash is joined with the next one."""
    try:
        text = read_regular_text(path, errors="surrogateescape")
    except OSError as error:
        raise PgFeaturesError(f"can't read {path}: {error.strerror}", remedy="correct its name") from error
    number = 1
    for match in _LOGICAL.finditer(text):
        yield number, _CONTINUED.sub("", match[0]).rstrip("\r\n")
        number += match[0].count("\n")


def _fields(text: str) -> list[list[str]]:
    """The fields of a line. A field is a list of comma-separated words, which have their quotes."""
    fields: list[list[str]] = []
    joined = False
    for match in itertools.takewhile(lambda each: each["comment"] is None, _TOKEN.finditer(text)):
        if word := match["word"]:
            fields += [] if joined and fields else [[]]
            fields[-1].append(word)
        joined = word is None
    return fields


def _bare(word: str) -> str:
    return _QUOTE.sub(r"\1", word)


def _expanded(words: list[str], path: Path, depth: int) -> Iterator[str]:
    """The words of a field, with the contents of a file in place of each ``@name``."""
    for word in words:
        included = path.parent / _bare(word)[1:]
        if not word.startswith("@") or len(word) < 2 or depth > _DEEPEST or not included.is_file():
            yield word
            continue
        for _, line in _logical_lines(included):
            for inner in _fields(line):
                yield from _expanded(inner, included, depth + 1)
