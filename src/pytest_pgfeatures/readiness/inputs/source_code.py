"""Find SQL in the string literals of source code, by its first words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.languages import language_of
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.program_texts import PLACEHOLDER, Text, texts_of
from pytest_pgfeatures.readiness.inputs.several import each_statement
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_FIRST_WORDS = frozenset(
    {
        "select", "insert", "update", "delete", "merge", "with", "values", "create", "alter", "drop",
        "grant", "revoke", "comment", "truncate", "copy", "explain", "do", "call", "refresh", "reindex",
        "vacuum", "analyze", "cluster", "lock", "set", "reset", "show", "listen", "notify", "table",
        "begin", "declare", "prepare", "execute", "import", "security", "reassign", "start", "discard",
        "fetch", "move", "checkpoint", "load", "savepoint",
    }
)  # fmt: skip
_ALSO_ENGLISH = frozenset(
    {
        "show", "set", "reset", "listen", "notify", "table", "lock", "analyze", "cluster", "fetch",
        "move", "load", "call", "execute", "do", "begin", "start", "discard", "checkpoint", "vacuum",
        "savepoint", "prepare", "declare",
    }
)  # fmt: skip
"""Short statements that begin with these words may be English: "Show more"."""
_LONG = 4
"""Tokens that occur in statements, but not in English."""
_WORD = re.compile(r"\w")
_FORMATTED = re.compile(
    r"([=<>(,.]\s*+|\b(?:LIMIT|OFFSET|AND|BETWEEN|FROM|JOIN|INTO|TABLE|SET)\s++)%[dvq]\b"
    r"|(?>(?:%s)?)%[-+ #]?0?[1-9]\d*+(?:\.\d++)?[dfgqsvxX]\b",
    re.IGNORECASE,
)
"""Placeholders of ``fmt.Sprintf`` and the like, where a value or name must be."""
_QUOTED = re.compile(r"=\s*+'((?>(?:[^']++|'')*))'")
"""A quoted value in a value, as in connection strings."""
_MOST = 4 << 20
"""The maximum size of a file, in characters. Larger ones are generated."""


def read_source(path: Path, name: str) -> Iterator[Query]:
    """The string literals of a file that may be statements. The server decides whether they are.

    Raises:
        ExtraMissingError: the grammar of its language is not installed.
        PgFeaturesError: it is too large for a source file.
    """
    language = language_of(path)
    assert language is not None
    yield from sql_in(_whole(path, name), language)


def read_ini(path: Path, name: str) -> Iterator[Query]:
    """The values of an INI file that may be statements.

    Raises:
        PgFeaturesError: it has other lines than sections, values and comments, or is too large.
    """
    import iniconfig

    file = _whole(path, name)
    written = file.sql.split("\n")
    texts = []
    try:
        for section in iniconfig.IniConfig(name, file.sql):
            for key, value in section.items():
                line = section.lineof(key) or 1
                column = written[line - 1].find(value.partition("\n")[0]) + 1
                lines = range(line, line + value.count("\n") + 1)
                texts.append(Text(value, list(lines), [column, *(1 for _ in lines[1:])]))
                for part in _QUOTED.finditer(value) if len(lines) == 1 else ():
                    texts.append(Text(part[1], [line], [column + part.start(1)]))
    except iniconfig.ParseError as error:
        raise PgFeaturesError(f"{name}:{error.lineno + 1}: {error.msg}", remedy="name other files") from None
    yield from statements_of(texts, file)


def _whole(path: Path, name: str) -> Query:
    text = read_regular_text(path, errors="replace")
    if len(text) > _MOST:
        raise PgFeaturesError(
            f"{name} is larger than {_MOST >> 20} MB", remedy="name sources, not generated files"
        )
    return Query(text, "source code", name, tuple(range(1, text.count("\n") + 2)))


def sql_in(code: Query, language: str) -> Iterator[Query]:
    """The string literals of a program that may be statements.

    Parameters:
        code: the program, with its lines in the user's file.
        language: the name of its language.

    Raises:
        ExtraMissingError: the grammar of the language is not installed.
    """
    yield from statements_of(texts_of(code.sql, language), code)


def statements_of(texts: Iterable[Text], file: Query) -> Iterator[Query]:
    """The statements in texts that may be statements.

    Parameters:
        file: the file, or the program in it, that has the texts, with its lines.
    """
    for found in texts:
        if not _may_be_sql(found.text):
            continue
        sql, names = with_parameters(_without_braces(_FORMATTED.sub(_placeholder, found.text)))
        lines = tuple(file.lines[line - 1] for line in found.lines)
        before = [file.columns[line - 1] - 1 if file.columns else 0 for line in found.lines]
        columns = tuple(map(sum, zip(found.columns, before, strict=True)))
        whole = replace(file, sql=sql, kind="source code", lines=lines, columns=columns, names=names)
        yield from each_statement(whole)


def _placeholder(match: re.Match[str]) -> str:
    return f"{match[1] or ''}{PLACEHOLDER}"


def _may_be_sql(text: str) -> bool:
    significant = (token for token in tokens(text) if token.significant)
    beginning = [token for token, _ in zip(significant, range(_LONG), strict=False)]
    if len(beginning) < 2:
        return False
    first = beginning[0]
    if first.text == "(":
        return beginning[1].keyword in ("select", "with", "values")
    word = first.keyword
    if word not in _FIRST_WORDS:
        return False
    return word not in _ALSO_ENGLISH or len(beginning) == _LONG or first.text.isupper()


def _without_braces(sql: str) -> str:
    """The text with a placeholder for each ``{name}`` outside of quotes, where SQL has no braces."""
    if "{" not in sql:
        return sql
    parts: list[str] = []
    depth = 0
    for token in tokens(sql):
        if token.text == "{":
            depth += 1
            if depth == 1:
                parts.append("x" if _WORD.search(sql, token.start - 1, token.start) else PLACEHOLDER)
        elif token.text == "}" and depth:
            depth -= 1
            if not depth and _WORD.match(sql, token.end):
                parts[-1] = "x"
        elif not depth:
            parts.append(token.text)
    return "".join(parts)
