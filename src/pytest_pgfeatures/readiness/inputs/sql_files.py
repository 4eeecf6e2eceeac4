"""Read the statements of SQL files and dumps, each with its lines and columns in the user's file."""

from __future__ import annotations

import os
import re
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.errors import ScriptError
from pytest_pgfeatures.readiness.inputs.connected import RESET, as_role
from pytest_pgfeatures.readiness.inputs.meta_commands import Branches, copied
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.several import each_statement, separated
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.scripts.arguments import arguments_of
from pytest_pgfeatures.scripts.source import read_script
from pytest_pgfeatures.sql import CopyData, MetaCommand, Statement, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_pgfeatures.install import Resolver

    Kind = Literal["schema", "query", "data", "script"]

_INCLUDING = {"i": False, "include": False, "ir": True, "include_relative": True}
"""Meta-commands that include another file, and whether its path is relative to the including file's directory."""
_QUITTING = frozenset({"q", "quit"})
_CONNECTING = frozenset({"c", "connect"})


@dataclass(frozen=True, slots=True)
class Loadable:
    """A statement to send to a server, with the block of data that it reads.

    Parameters:
        query: the statement.
        reads: whether it is COPY ... FROM STDIN.
        writes: whether it is COPY ... TO STDOUT.
        data: the block of data.
        data_line: the first line of the block.
    """

    query: Query
    reads: bool = False
    writes: bool = False
    data: str = ""
    data_line: int = 0


class SqlReader:
    """Reads SQL files as psql does: with its variables, branches, included files, and the statements of ``\\copy``.

    If only a run can tell which branch of an ``\\if`` runs, all of them are read.

    Parameters:
        kind: the kind of the statements.
        resolver: returns the resolver that finds an install with pg_restore.
        placeholders: whether to convert the placeholders of drivers to parameters.
        follows: whether to read included files.
        problems: gets a line for each included file that can't be read.
        variables: psql's variables at the beginning; empty if None.
    """

    def __init__(
        self,
        kind: Kind,
        resolver: Callable[[], Resolver],
        *,
        placeholders: bool = False,
        follows: bool = True,
        problems: list[str] | None = None,
        variables: dict[str, str] | None = None,
    ) -> None:
        self._kind = kind
        self._resolver = resolver
        self._placeholders = placeholders
        self._follows = follows
        self._problems = [] if problems is None else problems
        self._variables: dict[str, str] = {} if variables is None else variables
        self._open: list[Path] = []
        self._scripts: list[str] = []
        self._role = RESET
        self.included: set[Path] = set()
        """The files that other ones included. Those with queries are read once, however often they are included."""
        self.commands: dict[str, dict[int, str]] = {}
        """The meta-commands that were read, by file and line."""

    def file(self, path: Path, name: str) -> Iterator[Loadable]:
        """The statements of a file or dump.

        Raises:
            ScriptError: it can't be read, or isn't text.
        """
        if self._kind == "query" and not self._open:
            self._variables = {}
        self._open.append(path.resolve())
        try:
            yield from self.text(read_script(path, self._resolver), name, path.parent)
        finally:
            self._open.pop()

    def text(self, text: str, name: str, directory: Path, first_line: int = 1) -> Iterator[Loadable]:
        """The statements of a text.

        Parameters:
            name: the name of the file in reports.
            directory: the directory for the paths of ``\\ir``.
            first_line: the line of the file at which the text begins.
        """
        waiting: deque[Loadable] = deque()
        branches = Branches()
        text = separated(text) if self._kind == "query" else text
        self._scripts.append(text)
        for piece in split(text):
            match piece:
                case Statement() if branches.may_run:
                    for sent in self._sent(piece, name, first_line - 1):
                        if sent.reads:
                            waiting.append(sent)
                        else:
                            yield sent
                case CopyData() if waiting:
                    known = waiting.popleft()
                    yield Loadable(known.query, True, False, piece.data, piece.line + first_line - 1)
                case MetaCommand():
                    condition = "".join(arguments_of(piece.arguments, self._variables)[:1])
                    if branches.follow(piece.name, condition) or not branches.may_run:
                        continue
                    if piece.name != "copy":
                        said = self.commands.setdefault(name, {})
                        said[piece.line + first_line - 1] = f"\\{piece.name} {piece.arguments}"
                    if (
                        piece.name in _QUITTING
                        and branches.runs
                        and self._ends(text, piece, name, first_line)
                    ):
                        break
                    for sent in self._command(piece, name, directory, first_line - 1):
                        if piece.reads_stdin:
                            waiting.append(sent)
                        else:
                            yield sent
                case _:
                    pass
        yield from waiting
        self._scripts.pop()
        end = () if self._scripts else ("-", "")
        yield from self._connected(end, name, text.count("\n") + first_line)

    def _ends(self, text: str, quitting: MetaCommand, name: str, first_line: int) -> bool:
        """Whether the text ends with a ``\\quit``.

        Statements that psql doesn't reach are reported. Scripts of extensions have it after an ``\\echo``, to
        keep psql from running them. CREATE EXTENSION ignores it.
        """
        if text.split("\n")[quitting.line - 1].lstrip().startswith("\\echo"):
            return False
        rest = sum(isinstance(piece, Statement) and piece.line > quitting.line for piece in split(text))
        if rest:
            at = f"{name}:{quitting.line + first_line - 1}"
            self._problems.append(
                f"{at}: \\{quitting.name} ends the script: {rest} statements after it are left out"
            )
        return True

    def _sent(self, statement: Statement, name: str, shift: int) -> Iterator[Loadable]:
        sql = statement.with_variables(self._variables)
        lines, columns = _places(statement, sql, self._variables)
        names: tuple[str, ...] = ()
        if self._placeholders:
            as_is = statement.ended_by == ";" and statement.text[:-1] == sql
            sql, names = with_parameters(sql, statement.tokens[:-1] if as_is else None)
        query = Query(sql, self._kind, name, tuple(line + shift for line in lines), columns, names=names)
        several = any(token.text == "\\;" for token in statement.tokens)
        for each in each_statement(query) if several else (query,):
            yield Loadable(each, reads=statement.reads_stdin, writes=statement.writes_stdout)

    def _copied(self, command: MetaCommand, name: str, directory: Path, shift: int) -> Iterator[Loadable]:
        """The statement of a ``\\copy``, with the data of its file if that is loaded."""
        found = copied(command.arguments)
        if found is None:
            return
        column = command.column + command.text.index(command.arguments) + found.shift
        sql, names = with_parameters(found.sql) if self._placeholders else (found.sql, ())
        query = Query(sql, self._kind, name, (command.line + shift,), (column,), names=names)
        if command.reads_stdin:
            yield Loadable(query, reads=True)
        elif found.file and self._kind in ("schema", "data"):
            path, _ = self._found(found.file, name, directory, relative=False)
            try:
                yield Loadable(query, True, False, read_script(path, self._resolver))
            except ScriptError as error:
                self._problems.append(f"{name}:{command.line + shift}: {error.problem}")
        else:
            yield Loadable(query, writes=True)

    def _command(self, command: MetaCommand, name: str, directory: Path, shift: int) -> Iterator[Loadable]:
        arguments = arguments_of(command.arguments, self._variables)
        if command.name in _CONNECTING:
            yield from self._connected(arguments, name, command.line + shift)
        elif command.name == "copy":
            yield from self._copied(command, name, directory, shift)
        elif command.name in ("set", "unset") and arguments:
            variable, *values = arguments
            if command.name == "unset" or "`" in command.arguments:
                self._variables.pop(variable, None)
            else:
                self._variables[variable] = "".join(values)
        elif command.name in _INCLUDING and arguments and self._follows:
            path, shown = self._found(arguments[0], name, directory, relative=_INCLUDING[command.name])
            at = f"{name}:{command.line + shift}"
            if path.resolve() in self._open:
                self._problems.append(f"{at}: {shown} includes itself: psql does not come to an end")
                return
            if self._kind == "query" and path.resolve() in self.included:
                return
            self.included.add(path.resolve())
            try:
                yield from self.file(path, shown)
            except ScriptError as error:
                self._problems.append(f"{at}: {error.problem}")

    def _connected(self, arguments: Sequence[str], name: str, line: int) -> Iterator[Loadable]:
        """The statement that lets a session of a schema continue as the role of a ``\\connect``."""
        role = as_role(arguments, "\n".join(self._scripts))
        if role is not None and role != self._role and self._kind in ("schema", "data"):
            self._role = role
            yield Loadable(Query(role, self._kind, name, (line,), (1,)))

    def _found(self, given: str, name: str, directory: Path, *, relative: bool) -> tuple[Path, str]:
        """The file that a meta-command names, and its name in reports. psql looks for it in the directory
        from which it was started: ours, or the directory of a file that is being read."""
        beside = directory / given, _beside(name, given)
        here = Path(given), given
        others = [(path.parent / given, str(path.parent / given)) for path in self._open]
        places = [beside, here, *others] if relative else [here, beside, *others]
        return next((place for place in places if place[0].is_file()), beside)


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
