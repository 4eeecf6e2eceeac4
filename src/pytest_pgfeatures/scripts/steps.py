"""A script as the steps that psql would take: statements, and data for COPY.

Meta-commands that affect the contents of the database are carried out, with variables and the branches of ``\\if``.
Those that only print are ignored (https://www.postgresql.org/docs/current/app-psql.html).
"""

from __future__ import annotations

import os
import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ScriptError
from pytest_pgfeatures.scripts.meta_commands import Branches, arguments_of, copied
from pytest_pgfeatures.scripts.migrations import applied, migrations
from pytest_pgfeatures.scripts.source import read_script
from pytest_pgfeatures.sql import CopyData, MetaCommand, Statement, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pytest_pgfeatures.install import Resolver

_WITHOUT_EFFECT = frozenset(
    {
        "restrict", "unrestrict", "echo", "qecho", "warn", "pset", "timing", "a", "C", "f", "H", "T", "t", "x",
        "errverbose", "p", "print", "r", "reset",
    }
)  # fmt: skip
"""Commands that change nothing in a database: pg_dump's own, those that print or control printing, and those that
forget the statement before them, which is then none."""
_SENDING = frozenset({"g", "gx"})
_INCLUDING = {"i": False, "include": False, "ir": True, "include_relative": True}
"""Commands that read another file; whether a relative name starts from the directory of the including file."""
_QUITTING = frozenset({"q", "quit"})
_CONNECTING = frozenset({"c", "connect"})
_COMMAND = re.compile(r"\\(\S*)")
_WORD = re.compile(r"[(\s]*([A-Za-z]+)")


@dataclass(slots=True)
class Step:
    """SQL that is sent to the server in one message.

    Parameters:
        file, line: where its first word is.
        sql: one statement, or several joined with ``\\;``.
        several: whether ``sql`` contains several statements.
        reads, writes: whether it is a COPY that reads ``data``, or one that sends data.
        data: the block of data; ``data_line`` is the line where it begins.
        begins: the index of the first word in ``sql``, after any comments.
        lines, columns: for each line of ``sql``, where it begins in the file.
    """

    file: str
    line: int
    sql: str
    reads: bool = False
    writes: bool = False
    several: bool = False
    begins: int = 0
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    data: str | None = None
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
        return list(ScriptReader(resolver, root).steps_of_file(path, name))
    steps: list[Step] = []
    for file in migrations(path):
        text = applied(read_script(file, resolver))
        steps += ScriptReader(resolver, root).steps(text, shown(file, root), file.parent)
    if not steps:
        raise ScriptError(
            f"{path} has no migration, and pg_dump has not written it",
            file=str(path),
            remedy="name a directory with SQL files",
        )
    return steps


def steps_of_text(text: str, name: str, resolver: Callable[[], Resolver], root: Path) -> list[Step]:
    """The steps of a script given as text; see :func:`steps_of`."""
    return list(ScriptReader(resolver, root).steps(text, name, root))


class ScriptReader:
    """Reads scripts as psql does: its variables, branches, included files, and the data of COPY and ``\\copy``.

    Parameters:
        resolver: returns the resolver that finds an install with pg_restore.
        root: the directory that the file names in ``\\i`` and ``\\copy`` start from.
        variables: psql's variables at the beginning, which the scripts change; empty if None.
        problems: gets a line for each file that can't be read, and other commands that can't be followed are
            passed over. Without it, each of them is a ScriptError.
    """

    loads_files = True
    """Whether the scripts are loaded: the data of ``\\copy`` is read from its file, and no option of psql sets
    variables."""

    def __init__(
        self,
        resolver: Callable[[], Resolver],
        root: Path,
        variables: dict[str, str] | None = None,
        problems: list[str] | None = None,
    ) -> None:
        self._resolver = resolver
        self._root = root
        self._variables: dict[str, str] = {} if variables is None else variables
        self._problems = problems
        self._open: list[Path] = []
        self.commands: dict[str, dict[int, str]] = {}
        """The meta-commands that were read, by file and line."""

    def connected(
        self, command: MetaCommand, arguments: Sequence[str], name: str, line: int
    ) -> Iterator[Step]:
        """The steps of a ``\\connect``."""
        why = "would load what follows into another database"
        self._refuse(command.text, name, line, why, "dump the one database, by pg_dump without --create")
        yield from ()

    def included(self, path: Path, name: str) -> Iterator[Step]:
        """The steps of a file that a script includes."""
        return self.steps_of_file(path, name)

    def steps_of_file(self, path: Path, name: str) -> Iterator[Step]:
        """The steps of a file or dump.

        Raises:
            ScriptError: it can't be read, or isn't text.
        """
        self._open.append(path.resolve())
        try:
            yield from self.steps(read_script(path, self._resolver), name, path.parent)
        finally:
            self._open.pop()

    def steps(self, text: str, name: str, directory: Path, first_line: int = 1) -> Iterator[Step]:
        """The steps of a text and of the files that it includes, up to ``\\quit``.

        Parameters:
            name: the name of the file in reports.
            directory: the directory for the paths of ``\\ir``.
            first_line: the line of the file at which the text begins.
        """
        shift = first_line - 1
        branches = Branches()
        waiting: deque[Step] = deque()
        for piece in split(text):
            match piece:
                case Statement() if branches.may_run:
                    waiting.append(self._statement(piece, name, shift))
                case CopyData() if waiting:
                    waiting[0].data, waiting[0].data_line = piece.data, piece.line + shift
                case MetaCommand():
                    line = piece.line + shift
                    condition = self._condition(piece.arguments)
                    if branches.follow(piece.name, condition):
                        if branches.may_run and not branches.runs:
                            self._refuse(piece.text, name, line, "has a condition that only psql knows")
                    elif branches.runs and piece.name in _QUITTING and self._ends(text, piece, name, line):
                        break
                    elif branches.may_run:
                        waiting.extend(self._command(piece, name, directory, line))
                case _:
                    pass
            while waiting and (waiting[0].data is not None or not waiting[0].reads):
                yield waiting.popleft()
        yield from waiting

    def _condition(self, arguments: str) -> str:
        """The condition of an ``\\if`` with the known variables replaced. Whether another one is set is known only
        where scripts are loaded."""
        condition = "".join(arguments_of(arguments, self._variables)[:1])
        is_known = self.loads_files or condition != "FALSE" or not arguments.startswith(":{?")
        return condition if is_known else arguments

    def _statement(self, statement: Statement, name: str, shift: int) -> Step:
        for token in statement.tokens:
            if token.kind == "command":
                command = _COMMAND.match(token.text)
                if command is None or command[1] not in _WITHOUT_EFFECT:
                    line = statement.place(token.start)[0] + shift
                    self._refuse(token.text, name, line, "stands inside of a statement")
            elif token.kind in ("data", "end of data"):
                line = statement.place(token.start)[0] + shift
                remedy = "begin no statement on the line where the COPY ends"
                self._refuse("COPY's data", name, line, "stands inside of another statement", remedy)
        sql = statement.with_variables(self._variables)
        lines, columns = _places(statement, sql, self._variables)
        first = next(token for token in statement.tokens if token.significant)
        return Step(
            name,
            statement.line + shift,
            sql,
            reads=statement.reads_stdin,
            writes=statement.writes_stdout,
            several=any(token.text == "\\;" for token in statement.tokens),
            begins=first.start - statement.start,
            lines=tuple(line + shift for line in lines) if shift else lines,
            columns=columns,
        )

    def _command(self, command: MetaCommand, name: str, directory: Path, line: int) -> Iterator[Step]:
        """The steps of a meta-command that psql runs, or may run."""
        known = command.name
        if known != "copy":
            self.commands.setdefault(name, {})[line] = f"\\{known} {command.arguments}"
        arguments = arguments_of(command.arguments, self._variables)
        if known in _INCLUDING and arguments:
            yield from self._included(command, arguments[0], name, directory, line)
        elif known in ("set", "unset") and arguments:
            if known == "unset" or "`" in command.arguments:
                self._variables.pop(arguments[0], None)
            else:
                self._variables[arguments[0]] = "".join(arguments[1:])
            if "`" in command.arguments:
                self._refuse(command.text, name, line)
        elif known == "copy":
            yield from self._copied(command, name, directory, line)
        elif known in _CONNECTING:
            yield from self.connected(command, arguments, name, line)
        elif known not in _WITHOUT_EFFECT and (known not in _SENDING or arguments):
            self._refuse(command.text, name, line)

    def _copied(self, command: MetaCommand, name: str, directory: Path, line: int) -> Iterator[Step]:
        """The statement of a ``\\copy``, with the data of its file."""
        found = copied(command.arguments)
        if found is None or found.runs_program:
            self._refuse(command.text, name, line)
        if found is None:
            return
        column = command.column + command.text.index(command.arguments) + found.shift
        data: str | None = None
        if found.file and self.loads_files:
            try:
                data = read_script(
                    self._found(found.file, name, directory, relative=False)[0], self._resolver
                )
            except ScriptError as error:
                self._unreadable(error, name, line)
                return
        reads = command.reads_stdin or data is not None
        yield Step(name, line, found.sql, reads, not reads, lines=(line,), columns=(column,), data=data)

    def _included(
        self, command: MetaCommand, given: str, name: str, directory: Path, line: int
    ) -> Iterator[Step]:
        path, shown_name = self._found(given, name, directory, relative=_INCLUDING[command.name])
        if path.resolve() in self._open:
            problem = f"{shown_name} includes itself: psql does not come to an end"
            error = ScriptError(problem, file=shown_name, remedy="take the command out")
            self._unreadable(error, name, line)
            return
        try:
            yield from self.included(path, shown_name)
        except ScriptError as error:
            if error.line is not None:
                raise
            self._unreadable(error, name, line)

    def _found(self, given: str, name: str, directory: Path, *, relative: bool) -> tuple[Path, str]:
        """The file that a meta-command names, and its name in reports. psql looks for it in the directory
        from which it was started: ours, or the directory of a file that is being read."""
        beside = directory / given, _beside(name, given)
        here = self._root / given, given
        others = [(path.parent / given, str(path.parent / given)) for path in self._open]
        places = [beside, here, *others] if relative else [here, beside, *others]
        return next((place for place in places if place[0].is_file()), beside)

    def _refuse(
        self, what: str, file: str, line: int, why: str = "is not followed here", remedy: str = ""
    ) -> None:
        if self._problems is None:
            remedy = remedy or "take the command out, or do the same in SQL"
            raise ScriptError(f"psql's {' '.join(what.split())} {why}", file=file, line=line, remedy=remedy)

    def _unreadable(self, error: ScriptError, file: str, line: int) -> None:
        """Report a file that can't be read at the line that names it."""
        said = ScriptError(error.problem, file=file, line=line, details=error.details, remedy=error.remedy)
        if self._problems is None:
            raise said from error
        self._problems.append(said.problem)

    def _ends(self, text: str, command: MetaCommand, name: str, line: int) -> bool:
        """Whether a text ends with a ``\\quit``.

        Statements that psql doesn't reach are reported. Scripts of extensions have it after an ``\\echo``, to
        keep psql from running them. CREATE EXTENSION ignores it.
        """
        if self._problems is None:
            return True
        if text.split("\n")[command.line - 1].lstrip().startswith("\\echo"):
            return False
        rest = sum(isinstance(piece, Statement) and piece.line > command.line for piece in split(text))
        if rest:
            said = f"\\{command.name} ends the script: {rest} statements after it are left out"
            self._problems.append(f"{name}:{line}: {said}")
        return True


def shown(path: Path, root: Path) -> str:
    """A file's name for messages, relative to the root directory if the file is below it."""
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def _beside(name: str, included: str) -> str:
    directory = name.rpartition("/")[0]
    path = f"{directory}/{included}" if directory and not included.startswith("/") else included
    return os.path.normpath(path)


def _places(
    statement: Statement, sql: str, variables: dict[str, str]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each line of the text to send, its line and column in the file."""
    if statement.text.startswith(sql):
        line, column = statement.begins
        count = sql.count("\n")
        return tuple(range(line, line + count + 1)), (column, *(1 for _ in range(count)))
    starts = [0, *(match.end() for match in re.finditer("\n", sql))]
    found = [statement.locate(start + 1, variables) for start in starts]
    return tuple(line for line, _ in found), tuple(column for _, column in found)
