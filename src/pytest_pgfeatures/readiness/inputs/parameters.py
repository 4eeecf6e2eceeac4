"""``--parameters FILE``: values for the parameters of statements, as TOML; see docs/readiness-stages.md."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.project_file import read_toml
from pytest_pgfeatures.readiness.model import Query

_SHAPE = "write name = value, or [[statement]] with file, line and values = [...]"


class PlacedValues(msgspec.Struct, forbid_unknown_fields=True):
    """The values of ``$1``, ``$2``, ... of a statement."""

    file: str
    line: int
    values: list[Any]


@dataclass(frozen=True, slots=True)
class GivenParameters:
    """The values of a file: by name, and by place."""

    named: dict[str, str] = field(default_factory=dict)
    placed: tuple[PlacedValues, ...] = ()

    @classmethod
    def read(cls, given: str) -> GivenParameters:
        """Read a file; without its name, there are no values."""
        name = f"--parameters {given}"
        table = read_toml(Path(given), name) if given else {}
        try:
            placed = msgspec.convert(table.pop("statement", []), tuple[PlacedValues, ...])
        except msgspec.ValidationError as error:
            raise PgFeaturesError(f"{name}: [[statement]] has another form: {error}", remedy=_SHAPE) from None
        for each in placed:
            each.values = [_text(value, f"{name}: {each.file}:{each.line}") for value in each.values]
        return cls({key: _text(value, f"{name}: {key}") for key, value in table.items()}, placed)

    def of(self, query: Query) -> dict[int, str]:
        """The values in the file for a statement, by the numbers of its parameters."""
        named = self.named
        found = {number: named[name] for number, name in enumerate(query.names, 1) if name in named}
        for each in self.placed:
            if each.file == query.file and query.lines[0] <= each.line <= query.lines[-1]:
                found.update(enumerate(each.values, 1))
        return found


def _text(value: Any, where: str) -> str:
    """A value as PostgreSQL reads it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float | datetime.date | datetime.time):
        return str(value)
    raise PgFeaturesError(f"{where} is {value!r}", remedy=_SHAPE)
