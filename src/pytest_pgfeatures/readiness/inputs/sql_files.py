"""Read the statements of SQL files and dumps, each with its lines and columns in the user's file."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.errors import ScriptError
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.scripts.source import read_script
from pytest_pgfeatures.sql import CopyData, MetaCommand, Statement, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pgfeatures.install import Resolver

    Kind = Literal["schema", "query", "data"]

_INCLUDING = {"i": False, "include": False, "ir": True, "include_relative": True}
"""Meta-commands that include another file, and whether its path is relative to the including file's directory."""
_DEEPEST = 20
_FILE = re.compile(r"\b(from|to)\s+((?:program\s+)?(?:'(?:[^']|'')*'|[^\s;'(]+))", re.IGNORECASE)
_OF_QUERY = re.compile(r"(?<=\))\s*(to)\s+((?:program\s+)?(?:'(?:[^']|'')*'|[^\s;'(]+))", re.IGNORECASE)
_WORDS = re.compile(r"'((?:[^'\\]|\\.|'')*)'|(\S+)")


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
    """Reads SQL files with psql's variables and ``\\i``. Other meta-commands are skipped.

    Parameters:
        kind: the kind of the statements.
        resolver: returns the resolver that finds an install with pg_restore.
        placeholders: whether to convert the placeholders of drivers to parameters.
    """

    def __init__(self, kind: Kind, resolver: Callable[[], Resolver], *, placeholders: bool = False) -> None:
        self._kind = kind
        self._resolver = resolver
        self._placeholders = placeholders
        self._variables: dict[str, str] = {}
        self._depth = 0

    def file(self, path: Path, name: str) -> Iterator[Loadable]:
        """The statements of a file or dump.

        Raises:
            ScriptError: it can't be read, or isn't text.
        """
        yield from self.text(read_script(path, self._resolver), name, path.parent)

    def text(self, text: str, name: str, directory: Path, first_line: int = 1) -> Iterator[Loadable]:
        """The statements of a text.

        Parameters:
            name: the name of the file in reports.
            directory: the directory for the paths of ``\\ir``.
            first_line: the line of the file at which the text begins.
        """
        waiting: deque[Loadable] = deque()
        for piece in split(text):
            match piece:
                case Statement():
                    sent = self._sent(piece, name, first_line - 1)
                    if sent.reads:
                        waiting.append(sent)
                    else:
                        yield sent
                case CopyData() if waiting:
                    known = waiting.popleft()
                    yield Loadable(known.query, True, False, piece.data, piece.line + first_line - 1)
                case MetaCommand() if piece.reads_stdin:
                    waiting.append(self._copy(piece, piece.arguments, name, first_line))
                case MetaCommand() if piece.name == "copy" and self._kind == "query":
                    if sent_by_psql := _copied(piece.arguments):
                        yield self._copy(piece, sent_by_psql, name, first_line)
                case MetaCommand():
                    if piece.name in ("q", "quit"):
                        break
                    yield from self._command(piece, name, directory)
                case _:
                    pass
        yield from waiting

    def _copy(self, command: MetaCommand, arguments: str, name: str, first_line: int) -> Loadable:
        """The statement that psql sends for ``\\copy``."""
        line = command.line + first_line - 1
        return Loadable(Query(f"COPY {arguments}", self._kind, name, (line,), (command.column,)), reads=True)

    def _sent(self, statement: Statement, name: str, shift: int) -> Loadable:
        sql = statement.with_variables(self._variables)
        lines, columns = _places(statement, sql, self._variables)
        names: tuple[str, ...] = ()
        if self._placeholders:
            as_is = statement.ended_by == ";" and statement.text[:-1] == sql
            sql, names = with_parameters(sql, statement.tokens[:-1] if as_is else None)
        query = Query(sql, self._kind, name, tuple(line + shift for line in lines), columns, names=names)
        return Loadable(query, reads=statement.reads_stdin, writes=statement.writes_stdout)

    def _command(self, command: MetaCommand, name: str, directory: Path) -> Iterator[Loadable]:
        if command.name == "set" and "`" not in command.arguments:
            variable, *values = [quoted or plain for quoted, plain in _WORDS.findall(command.arguments)] or [
                ""
            ]
            self._variables[variable] = "".join(values)
        elif command.name in _INCLUDING and self._depth < _DEEPEST:
            names = [quoted or plain for quoted, plain in _WORDS.findall(command.arguments)]
            if not names:
                return
            path = directory / names[0]
            self._depth += 1
            try:
                yield from self.file(path, _beside(name, names[0]))
            except ScriptError as error:
                raise ScriptError(
                    error.problem, file=name, line=command.line, details=error.details, remedy=error.remedy
                ) from error
            finally:
                self._depth -= 1


def _copied(arguments: str) -> str:
    """The arguments of COPY that psql sends for ``\\copy`` with a file; empty if there is no file."""
    found = list((_OF_QUERY if arguments.lstrip().startswith("(") else _FILE).finditer(arguments))
    if not found:
        return ""
    file = found[-1] if arguments.lstrip().startswith("(") else found[0]
    stream = "STDIN" if file[1].lower() == "from" else "STDOUT"
    return f"{arguments[: file.start(2)]}{stream}{arguments[file.end() :]}"


def _beside(name: str, included: str) -> str:
    directory = name.rpartition("/")[0]
    return f"{directory}/{included}" if directory and not included.startswith("/") else included


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
