"""A script as the steps that psql would take: statements, and data for COPY.

Meta-commands that affect the contents of the database are carried out. Those that only print are ignored. All
others are rejected before anything runs (https://www.postgresql.org/docs/current/app-psql.html).
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ScriptError
from pytest_pgfeatures.scripts.arguments import arguments_of
from pytest_pgfeatures.scripts.migrations import applied, migrations
from pytest_pgfeatures.scripts.source import read_script
from pytest_pgfeatures.sql import Blank, CopyData, MetaCommand, Statement, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pgfeatures.install import Resolver

_WITHOUT_EFFECT = frozenset(
    {
        "restrict", "unrestrict", "echo", "qecho", "warn", "pset", "timing", "a", "C", "f", "H", "T", "t", "x",
        "errverbose", "p", "print",
    }
)  # fmt: skip
"""Commands that change nothing in a database: pg_dump's own, and those that print or control printing."""
_SENDING = frozenset({"g", "gx"})
_INCLUDING = {"i": False, "include": False, "ir": True, "include_relative": True}
"""Commands that read another file; whether a relative name starts from the directory of the including file."""
_FORGETTING = frozenset({"r", "reset"})
_WORD = re.compile(r"[(\s]*([A-Za-z]+)")
_DEEPEST = 20
"""The maximum depth of nested inclusions; psql's limit is the number of files that the system lets it open."""


@dataclass(slots=True)
class Step:
    """SQL that is sent to the server in one message.

    Parameters:
        file, line: where it begins.
        sql: one statement, or several joined with ``\\;``.
        several: whether ``sql`` contains several statements.
        reads, writes: whether it is a COPY that reads ``data``, or one that sends data.
        data: the block of data; ``data_line`` is the line where it begins.
        begins: the index of the first word in ``sql``, after any comments.
        locate: returns the line of a position in ``sql``, counted from 1.
    """

    file: str
    line: int
    sql: str
    reads: bool = False
    writes: bool = False
    several: bool = False
    begins: int = 0
    locate: Callable[[int], int] | None = field(default=None, repr=False)
    data: str = ""
    data_line: int = 0

    @property
    def first_word(self) -> str:
        """The statement's first word, in lower case and without parentheses; empty if it begins with no word."""
        match = _WORD.match(self.sql, self.begins)
        return match[1].lower() if match else ""


def steps_of(path: Path, name: str, resolver: Callable[[], Resolver], root: Path) -> list[Step]:
    """The steps of a file, or of the files of a directory.

    Parameters:
        path: a script, a dump in any format, or a directory of migrations.
        name: the file's name in error messages.
        resolver: see :func:`~pytest_pgfeatures.scripts.source.read_script`.
        root: the directory that the file names in ``\\i`` start from.

    Raises:
        ScriptError: the file can't be read, or contains unsupported meta-commands; the directory has no migration.
    """
    from pytest_pgfeatures.scripts.archive import is_archive

    if not path.is_dir() or is_archive(path):
        return list(_Reader(resolver, root).steps(read_script(path, resolver), name, path.parent))
    steps: list[Step] = []
    for file in migrations(path):
        text = applied(read_script(file, resolver))
        steps += _Reader(resolver, root).steps(text, shown(file, root), file.parent)
    if not steps:
        raise ScriptError(
            f"{path} has no migration, and pg_dump has not written it",
            file=str(path),
            remedy="name a directory with SQL files",
        )
    return steps


def steps_of_text(text: str, name: str, resolver: Callable[[], Resolver], root: Path) -> list[Step]:
    """The steps of a script given as text; see :func:`steps_of`."""
    return list(_Reader(resolver, root).steps(text, name, root))


class _QuitError(Exception):
    """The script contains ``\\q``."""


class _Reader:
    def __init__(self, resolver: Callable[[], Resolver], root: Path) -> None:
        self._resolver = resolver
        self._root = root
        self._variables: dict[str, str] = {}
        self._depth = 0

    def steps(self, text: str, name: str, directory: Path) -> Iterator[Step]:
        """The steps of a text and of the files that it includes, up to ``\\q``."""
        waiting: deque[Step] = deque()
        try:
            for piece in split(text):
                match piece:
                    case Statement():
                        step = self._statement(piece, name)
                        yield step
                        if step.reads:
                            waiting.append(step)
                    case CopyData() if waiting:
                        step = waiting.popleft()
                        step.data, step.data_line = piece.data, piece.line
                    case MetaCommand() if piece.reads_stdin:
                        step = Step(name, piece.line, f"COPY {piece.arguments}", reads=True)
                        yield step
                        waiting.append(step)
                    case MetaCommand():
                        yield from self._command(piece, name, directory)
                    case Blank() | _:
                        pass
        except _QuitError:
            return

    def _statement(self, statement: Statement, name: str) -> Step:
        variables = dict(self._variables)
        for token in statement.tokens:
            if token.kind == "command":
                line, _ = statement.place(token.start)
                command = re.match(r"\\(\S*)", token.text)
                if command is None or command[1] not in _WITHOUT_EFFECT:
                    raise _refused(token.text, name, line, "stands inside of a statement")
            elif token.kind in ("data", "end of data"):
                line, _ = statement.place(token.start)
                raise ScriptError(
                    "data of a COPY stands inside of another statement",
                    file=name,
                    line=line,
                    remedy="begin no statement on the line where the COPY ends",
                )
        first = next(token for token in statement.tokens if token.significant)
        return Step(
            name,
            statement.line,
            statement.with_variables(variables),
            reads=statement.reads_stdin,
            writes=statement.writes_stdout,
            several=any(token.text == "\\;" for token in statement.tokens),
            begins=first.start - statement.start,
            locate=lambda position: statement.locate(position, variables)[0],
        )

    def _command(self, command: MetaCommand, name: str, directory: Path) -> Iterator[Step]:
        known = command.name
        if known in _WITHOUT_EFFECT or known in _FORGETTING or (known in _SENDING and not command.arguments):
            return
        if known in _INCLUDING:
            yield from self._included(command, name, directory if _INCLUDING[known] else self._root)
        elif known in ("q", "quit"):
            raise _QuitError
        elif known in ("set", "unset") and "`" not in command.arguments:
            variable, *values = arguments_of(command.arguments, self._variables) or [""]
            if known == "set":
                self._variables[variable] = "".join(values)
            else:
                self._variables.pop(variable, None)
        elif known in ("c", "connect"):
            raise _refused(
                command.text,
                name,
                command.line,
                "would load what follows into another database",
                "dump the one database, by pg_dump without --create",
            )
        else:
            raise _refused(command.text, name, command.line, "is not followed here")

    def _included(self, command: MetaCommand, name: str, base: Path) -> Iterator[Step]:
        arguments = arguments_of(command.arguments, self._variables)
        if not arguments:
            raise _refused(command.text, name, command.line, "names no file")
        path = base / arguments[0]
        if self._depth >= _DEEPEST:
            raise _refused(command.text, name, command.line, "is in a file that includes itself")
        self._depth += 1
        try:
            try:
                text = read_script(path, self._resolver)
            except ScriptError as error:
                raise ScriptError(
                    error.problem,
                    file=name,
                    line=command.line,
                    details=error.details,
                    remedy=error.remedy,
                ) from error
            yield from self.steps(text, shown(path, self._root), path.parent)
        finally:
            self._depth -= 1


def shown(path: Path, root: Path) -> str:
    """A file's name for messages, relative to the root directory if the file is below it."""
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def _refused(text: str, file: str, line: int, why: str, remedy: str | None = None) -> ScriptError:
    return ScriptError(
        f"psql's {' '.join(text.split())} {why}",
        file=file,
        line=line,
        remedy=remedy or "take the command out, or do the same in SQL",
    )
