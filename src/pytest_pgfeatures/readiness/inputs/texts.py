"""Texts of files with their places, without expressions of templates and what is for other database systems."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from pytest_pgfeatures.readiness.model import line_begins

PLACEHOLDER = "%s"
_WORD = re.compile(r"\w")
_SEPARATING = re.compile(r"[\s,()]")
_GAP = re.compile(r"[^\s'\"]*+[ \t]")
_NOT_NEWLINE = re.compile(r"[^\n]")


def place_in(text: str, index: int) -> tuple[int, int]:
    """The line and the column of an index in a text."""
    begins = line_begins(text)
    line = bisect.bisect_right(begins, index)
    return line, index - begins[line - 1] + 1


def blanked(text: str, start: int = 0, end: int | None = None, sign: str = " ") -> str:
    """A text with a sign in place of each character between two indexes, except for newlines."""
    return text[:start] + _NOT_NEWLINE.sub(sign, text[start:end]) + text[len(text) if end is None else end :]


@dataclass(slots=True)
class Text:
    """A text of a program, and the line and column in the file at which each of its lines begins."""

    text: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def at(cls, place: tuple[int, int], text: str) -> Text:
        """A text that the file has from a line and column on."""
        return cls(text, [place, *((place[0] + number, 1) for number in range(1, text.count("\n") + 1))])

    def append(self, part: Text) -> None:
        """Append a text. If it begins on another line of the file, a newline beside white space or punctuation, or
        in place of its first space, keeps its place."""
        text, places = part.text, part.places
        if self.text.endswith("\n") and places:
            del self.places[-1:]
        elif self.places and places:
            is_other_line = places[0][0] != self.places[-1][0]
            if is_other_line and (_SEPARATING.match(self.text[-1:]) or _SEPARATING.match(part.text)):
                self.text = self.text[: -self.text[-1:].isspace() or None] + "\n"
            elif is_other_line and (gap := _GAP.match(text)):
                text = f"{text[: gap.end() - 1]}\n{text[gap.end() :]}"
                places = [(places[0][0], places[0][1] + gap.end()), *places[1:]]
            else:
                places = places[1:]
        self.text += text
        self.places += places


def expression(before: str, after: str) -> str:
    """The text that stands for an expression: a parameter, a letter in a word, none beside another expression."""
    if before.endswith(PLACEHOLDER):
        return ""
    return "x" if _WORD.match(before[-1:]) or _WORD.match(after[:1]) else PLACEHOLDER


_SUFFIXES = frozenset({".j2", ".jinja", ".jinja2", ".erb", ".epp", ".tmpl", ".tpl", ".gotmpl"})
_EXPRESSION = re.compile(r"\{\{[^{}\n]*+\}\}|\{%[^%\n]*+%\}|\{#[^#\n]*+#\}|<%[^%\n]*+%>|\$\{[^{}\n]*+\}")
"""An expression or a directive of Jinja, Go, ERB or Terraform."""
_ALONE = re.compile(rf"^(?>(?:[^\S\n]*+(?:{_EXPRESSION.pattern}))+)[^\S\n]*+$", re.MULTILINE)
"""A line that is only expressions."""
_WRITES = ("{{", "<%=", "${")


def written_by(path: Path) -> Path:
    """The path of the file that a template writes, as ``a.conf`` of ``a.conf.j2``. For others, the path itself."""
    return path.with_suffix("") if path.suffix.lower() in _SUFFIXES else path


def has_expression(text: str) -> bool:
    """Whether a text has an expression of a template, so that its value is not known."""
    return _EXPRESSION.search(text) is not None


def without_expressions(text: str) -> str:
    """A template with spaces in place of its directives and of lines that are only expressions, and with letters in
    place of other expressions."""
    text = _ALONE.sub(lambda found: " " * len(found[0]), text)
    return _EXPRESSION.sub(lambda found: " x"[found[0].startswith(_WRITES)] * len(found[0]), text)


PROGRAMS_OF_OTHERS = re.compile(
    r"(?:mysql|mariadb|mongo|redis|valkey|sqlite)[\w-]*|sqlcmd|bcp|sqlplus|clickhouse(?:-client)?|cqlsh|influx",
    re.IGNORECASE,
)
"""Programs of other database systems."""
_OURS = re.compile("postgres|pgsql|psycopg|asyncpg|npgsql|edb|cockroach|yugabyte|redshift", re.IGNORECASE)
OTHERS = re.compile(
    r"mysql|myxql|mariadb|sqlserver|mssql|\bsqlconnection|oracle|sqlite|hsqldb|derby|db2|sybase|firebird|\bh2\b|clickhouse"
    r"|duckdb|snowflake|bigquery|cassandra|mongo(?:db)?\b|redis\b",
    re.IGNORECASE,
)
_CHANGESET = re.compile(r"^--[ \t]*changeset\b([^\n]*)$", re.MULTILINE | re.IGNORECASE)
_DBMS = re.compile(r"\bdbms:([^\s\"']++|\"[^\"]*+\"|'[^']*+')")


def is_of_others(path: PurePath) -> bool:
    """Whether a file is for another database system by a directory, or by the end of its name, as in
    ``mysql/a.sql`` and ``a_mysql.sql``."""
    names = [*path.parts[:-1], re.split(r"[._-]", path.stem)[-1]]
    return any(OTHERS.fullmatch(name.rstrip("0123456789")) for name in names) and are_others(str(path))


def are_ours(said: str) -> bool:
    """Whether a text names PostgreSQL or a system that speaks its protocol."""
    return _OURS.search(said) is not None or said.lower() == "pg"


def are_others(said: str) -> bool:
    """Whether a list of database systems, such as Liquibase's ``dbms``, has others, and not PostgreSQL."""
    denied = [each for each in said.split(",") if each.strip("\"' ").startswith("!")]
    if denied:
        return any(map(_OURS.search, denied))
    return OTHERS.search(said) is not None and _OURS.search(said) is None


def without_changesets_of_others(script: str) -> str:
    """A changelog in SQL, with spaces in place of the change sets for other database systems."""
    heads = [*_CHANGESET.finditer(script)]
    ends = [*(each.start() for each in heads[1:]), len(script)]
    for head, end in zip(heads, ends, strict=False):
        named = _DBMS.search(head[1])
        if named is not None and are_others(named[1]):
            script = blanked(script, head.end(), end)
    return script
