"""Read the statements of SQL files, dumps in any format, and directories of migrations, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.install import Resolver
from pytest_pgfeatures.readiness.inputs.files import NO_READER, InputReading, found
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.texts import blanked, without_changesets_of_others
from pytest_pgfeatures.readiness.model import Place, Query
from pytest_pgfeatures.readiness.statements.reading import COMMANDS
from pytest_pgfeatures.readiness.statements.settings import settings_named
from pytest_pgfeatures.readiness.statements.trees import Tree
from pytest_pgfeatures.scripts.archive import is_archive
from pytest_pgfeatures.scripts.migrations import SQL_SUFFIXES, applied, reverts
from pytest_pgfeatures.scripts.source import read_script
from pytest_pgfeatures.scripts.steps import ScriptReader, Step
from pytest_pgfeatures.sql import MetaCommand, statements, tokens

_DUMPED_BY = re.compile(r"^-- Dumped from database version (\d+(?:\.\d+)*)", re.MULTILINE)
_RESET = "RESET SESSION AUTHORIZATION"
_CREATED = r"\bcreate\s+(?:role|user)\s+(?:if\s+not\s+exists\s+)?\"?{name}\b"
_OWNING = r"\bdatabase\b[^;]*\bowner\b(?:\s+to\b|\s*=)?\s*\"?{name}\b"
_SETTING = re.compile(r"\s*+(?:re)?set\b(?!\s+local\b)", re.IGNORECASE)
_OF_SESSION = frozenset({"search_path", "timezone", "datestyle", "intervalstyle"})
"""Settings on which the names and constants of the statements that follow depend."""
_FORGETTING = re.compile(r"\s*+(?:reset|discard)\s++all\b", re.IGNORECASE)
_OF_DBT = re.compile(
    r"\{\{-?\s*(?:source\(\s*'(\w+)'\s*,\s*'(\w+)'\s*\)|ref\(\s*'(\w+)'\s*\))\s*-?\}\}|\{%-?\s*endset\s*-?%\}"
)
"""A relation of a template, by its name, and the end of a text that it keeps."""
_LATER = re.compile(
    r"\{%-?\s*+if\s++is_incremental\((?:(?!is_incremental\().)*?\{%-?\s*+endif\s*+-?%\}", re.DOTALL
)
"""A part of a dbt model that its first run does not have."""
_NAMED = re.compile(
    r"^--[ \t]*(?::name[ \t]|name[ \t]*:)[ \t]*[\w.-]+[!^$<#*?]*(?:[ \t]+:[^\n]*)?[ \t]*$", re.MULTILINE
)  # a line that names the query after it, as aiosql, sqlc, yesql, HugSQL and dotsql read them


@dataclass(frozen=True, slots=True)
class Loadable:
    """A statement to send to a server: COPY ... FROM STDIN reads a block of data, COPY ... TO STDOUT writes one."""

    query: Query
    reads: bool = False
    writes: bool = False
    data: str = ""
    data_line: int = 0


class SqlReader(ScriptReader):
    """Reads SQL files as psql does, and goes on where it can't follow, in each branch of an ``\\if`` that may run.

    In queries and scripts, placeholders of drivers become parameters; what scripts include is not read.
    """

    def __init__(
        self,
        kind: Literal["schema", "query", "data", "script"],
        resolver: Callable[[], Resolver],
        *,
        problems: list[str] | None = None,
        variables: dict[str, str] | None = None,
    ) -> None:
        super().__init__(resolver, Path(), variables, [] if problems is None else problems)
        self._kind = kind
        self.loads_files = kind in ("schema", "data")
        self._scripts: list[str] = []
        self._role = _RESET
        self.already: set[Path] = set()
        """The files that other ones included. Those with queries are read once, however often they are included."""

    def file(self, path: Path, name: str) -> Iterator[Loadable]:
        """The statements of a file or dump."""
        if self._kind == "query":
            self._variables = {}
        return self._loadable(self.steps_of_file(path, name))

    def text(self, text: str, name: str, directory: Path, first_line: int = 1) -> Iterator[Loadable]:
        """The statements of a text; see :meth:`steps`."""
        return self._loadable(self.steps(text, name, directory, first_line))

    def _loadable(self, steps: Iterator[Step]) -> Iterator[Loadable]:
        session: dict[str, str] = {}
        for step in steps:
            sql, names = (step.sql, ()) if self.loads_files else with_parameters(step.sql)
            query = Query(sql, self._kind, step.file, step.lines, step.columns, names=names)
            for each in each_statement(query) if step.several else (query,):
                one = replace(each, settings=tuple(session.items())) if session else each
                yield Loadable(one, step.reads, step.writes, step.data or "", step.data_line)
                if _FORGETTING.match(each.sql):
                    session.clear()
                for setting in settings_named(Tree(each)) if _SETTING.match(each.sql) else ():
                    session.pop(setting.name, None)
                    if setting.value is not None and setting.name in _OF_SESSION:
                        session[setting.name] = setting.value

    def steps(self, text: str, name: str, directory: Path, first_line: int = 1) -> Iterator[Step]:
        first = _LATER.sub(lambda found: blanked(found[0]), text)
        if self._kind == "query" and first != text:
            yield from self.steps(first, name, directory, first_line)
        if self._kind == "query":
            text = separated(_OF_DBT.sub(_as_sql, text))
        text = without_changesets_of_others(text)
        self._scripts.append(text)
        yield from super().steps(text, name, directory, first_line)
        self._scripts.pop()
        if not self._scripts:
            yield from self._as_role(_RESET, name, text.count("\n") + first_line)

    def connected(
        self, command: MetaCommand, arguments: Sequence[str], name: str, line: int
    ) -> Iterator[Step]:
        """The statement that lets a session continue as the role of a ``\\connect``: only as one that the script
        creates and that owns no database. Any other one may be a superuser, or may do anything in its own database,
        so that the rest is run as a superuser."""
        role = "".join(arguments[1:2])
        if role in ("", "-"):
            return
        script, known, quoted = "\n".join(self._scripts), re.escape(role), role.replace('"', '""')
        patterns = (each.format(name=known) for each in (_CREATED, _OWNING))
        created, owning = (re.search(each, script, re.IGNORECASE) for each in patterns)
        becoming = f'SET SESSION AUTHORIZATION "{quoted}"' if created and not owning else _RESET
        yield from self._as_role(becoming, name, line)

    def _as_role(self, role: str, name: str, line: int) -> Iterator[Step]:
        """The statement that lets a session of a schema continue as another role."""
        if role != self._role and self.loads_files:
            self._role = role
            yield Step(name, line, role, lines=(line,), columns=(1,))

    def included(self, path: Path, name: str) -> Iterator[Step]:
        if self._kind == "script" or (self._kind == "query" and path.resolve() in self.already):
            return
        self.already.add(path.resolve())
        yield from self.steps_of_file(path, name)


def _as_sql(found: re.Match[str]) -> str:
    """The name of a relation that a template gets by its name; the end of a statement that it keeps."""
    names = ".".join(filter(None, found.groups()))
    return (names or ";").ljust(len(found[0]))


def each_statement(query: Query) -> list[Query]:
    """The statements of a text; the query itself if it is a single statement."""
    several = statements(query.sql, psql=False) if ";" in query.sql.rstrip().rstrip(";") else ()
    parts = [query.part(each.start, each.start + len(each.sql)) for each in several]
    return parts if len(parts) > 1 else [query]


def separated(text: str) -> str:
    """A script of named queries, with a semicolon after each query that ends only where the next one is named."""
    if _NAMED.search(text) is None:
        return text
    ends: list[int] = []
    named, depth, is_open = -1, 0, False
    for token in tokens(text, psql=True):
        if token.kind == "comment":
            begins_line = text[token.start - 1 : token.start] in ("", "\n")
            if begins_line and is_open and not depth and _NAMED.match(token.text):
                named = token.start
        elif token.significant:
            if named >= 0 and token.keyword in COMMANDS:
                ends.append(named)
            named = -1
            depth = max(depth + (token.text == "(") - (token.text == ")"), 0)
            is_open = token.text != ";"
    parts = [text[begin:end] for begin, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    return ";".join(parts)


def read_by_psql(text: str, place: Place) -> Iterator[Query]:
    """The statements of a text that psql receives. Files that it includes are not read."""
    reader = SqlReader("script", _no_archive)
    return (each.query for each in reader.text(text, place.file, Path(), place.line))


def _no_archive() -> Resolver:
    raise AssertionError("a text is no archive")


def read_schema(given: str, reading: InputReading) -> Iterator[Loadable]:
    """The statements of one argument of ``--schema`` or ``--data``, those of an included file once."""
    kind: Literal["schema", "data"] = "data" if reading.kind == "data" else "schema"
    variables = reading.variables if kind == "schema" else None
    reader = SqlReader(kind, reading.resolver, problems=reading.problems, variables=variables)
    if is_archive(Path(given)):
        yield from reader.file(Path(given), given)
        return
    for file, name in found(given, _why_not, reading):
        if file.resolve() not in reader.already:
            yield from reader.text(applied(read_script(file, reading.resolver)), name, file.parent)


def dumped_from(given: str) -> str | None:
    """The version of the server that a plain dump comes from; None if the dump does not name it."""
    path = Path(given)
    match = _DUMPED_BY.search(read_regular(path, 4096).decode("utf-8", "replace") if path.is_file() else "")
    return match and match[1]


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is a migration."""
    if path.suffix.lower() not in SQL_SUFFIXES:
        return NO_READER
    return "they revert others" if reverts(path) else ""
