"""``--parameters FILE``: values for the parameters of statements, as TOML.

::

    since = "2024-01-01"            # for :since, %(since)s and @since, wherever they stand

    [[statement]]                   # for $1, $2, ... of the statement that begins at or before this line
    file = "db/queries/orders.sql"
    line = 12
    values = [17, "open"]
"""

from __future__ import annotations

import datetime
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Query

_SHAPE = "write name = value, or [[statement]] with file, line and values = [...]"


@dataclass(frozen=True, slots=True)
class GivenParameters:
    """The values of a file.

    Parameters:
        named: by name.
        placed: the values of ``$1``, ``$2``, ..., by file and line.
    """

    named: dict[str, str] = field(default_factory=dict)
    placed: tuple[tuple[str, int, tuple[str, ...]], ...] = ()

    @classmethod
    def read(cls, path: Path) -> GivenParameters:
        """Read a file.

        Raises:
            PgFeaturesError: there is no such file, or it has another form.
        """
        try:
            table = tomllib.loads(read_regular_text(path))
        except OSError as error:
            raise PgFeaturesError(
                f"can't read --parameters {path}: {error.strerror}", remedy="correct its name"
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PgFeaturesError(f"{path} can't be read: {error}", remedy="fix its TOML") from None
        statements = table.pop("statement", [])
        if not isinstance(statements, list):
            raise PgFeaturesError(f"{path}: statement is no list of tables", remedy=_SHAPE)
        named = {name: _text(value, f"{path}: {name}") for name, value in table.items()}
        return cls(named, tuple(_placed(each, path) for each in statements))

    def of(self, query: Query) -> dict[int, str]:
        """The values in the file for a statement, by the numbers of its parameters."""
        named = self.named
        found = {number: named[name] for number, name in enumerate(query.names, 1) if name in named}
        for file, line, values in self.placed:
            if file == query.file and query.lines[0] <= line <= query.lines[-1]:
                found.update(enumerate(values, 1))
        return found


def _placed(table: Any, path: Path) -> tuple[str, int, tuple[str, ...]]:
    match table:
        case {"file": str(file), "line": int(line), "values": list(values), **rest} if not rest:
            return file, line, tuple(_text(value, f"{path}: {file}:{line}") for value in values)
    raise PgFeaturesError(f"{path}: a [[statement]] has another form: {table}", remedy=_SHAPE)


def _text(value: Any, where: str) -> str:
    """A value as PostgreSQL reads it."""
    match value:
        case bool():
            return "true" if value else "false"
        case datetime.date() | datetime.time():
            return value.isoformat()
        case str() | int() | float():
            return str(value)
    raise PgFeaturesError(f"{where} is {value!r}", remedy=_SHAPE)
