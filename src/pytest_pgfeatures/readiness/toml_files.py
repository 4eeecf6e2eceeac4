"""The files of ``--baseline`` and ``--parameters``; see docs/readiness.md and docs/readiness-stages.md."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.project_file import read_toml
from pytest_pgfeatures.readiness.model import Finding, Query

T = TypeVar("T")
_SHAPE = "write name = value, or [[statement]] with file, line and values = [...]"


def _read(name: str, given: str, key: str, form: type[T], remedy: str) -> tuple[list[T], dict[str, Any]]:
    """The entries below ``[[key]]`` in a file, and the file's other values; without its name, there are none."""
    values = read_toml(Path(given), name) if given else {}
    entries = values.pop(key, [])
    if not isinstance(entries, list):
        raise PgFeaturesError(f"{name} has no list [[{key}]]", remedy=remedy)
    found = []
    for number, entry in enumerate(entries, 1):
        try:
            found.append(msgspec.convert(entry, form))
        except msgspec.ValidationError as error:
            raise PgFeaturesError(f"{name}: [[{key}]], entry {number}: {error}", remedy=remedy) from None
    return found, values


class Accepted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of a baseline. It accepts the findings that match all its fields, each with a reason."""

    reason: Annotated[str, msgspec.Meta(pattern=r"\S")]
    until: datetime.date | None = None
    stage: str | None = None
    behavior: str | None = None
    item: str | float | None = None
    file: str | None = None
    line: int | str | None = None
    object: str | None = None
    message: str | None = None
    excerpt: str | None = None

    def __post_init__(self) -> None:
        if all(getattr(self, name) is None for name in _MATCHING):
            raise ValueError("it does not say which finding")
        try:
            re.compile(self.message or "")
        except re.error as error:
            raise ValueError(f"{self.message!r} is no regular expression: {error}") from None

    @property
    def has_expired(self) -> bool:
        """Whether its date has passed."""
        return self.until is not None and self.until < datetime.date.today()

    def accepts(self, finding: Finding) -> bool:
        """Whether this entry has not expired, and matches the finding."""
        place = finding.place
        return (
            not self.has_expired
            and self.stage in (None, finding.stage)
            and self.behavior in (None, finding.behavior)
            and (self.item is None or str(self.item) in finding.items)
            and self.file in (None, place and place.file)
            and (self.line is None or str(self.line) == str(place and place.line))
            and self.object in (None, finding.object)
            and (self.message is None or re.search(self.message, finding.message) is not None)
            and self.excerpt in (None, finding.excerpt)
        )


_MATCHING = Accepted.__struct_fields__[2:]
_FORM = (
    'write [[accepted]] with reason = "why it is accepted", one of '
    f"{', '.join(_MATCHING)}, and until = 2026-12-31 if it expires"
)


def read_baseline(given: str) -> list[Accepted]:
    """The accepted findings in a file; without its name, there are none."""
    name = f"--baseline {given}"
    accepted, others = _read(name, given, "accepted", Accepted, _FORM)
    if others:
        raise PgFeaturesError(f"{name}: unknown {', '.join(sorted(others))}", remedy=_FORM)
    return accepted


class PlacedValues(msgspec.Struct, forbid_unknown_fields=True):
    """The values of ``$1``, ``$2``, ... of a statement."""

    file: str
    line: int
    values: list[Any]


@dataclass(frozen=True, slots=True)
class GivenParameters:
    """The values for the parameters of statements in a file: by name, and by place."""

    named: dict[str, str] = field(default_factory=dict)
    placed: tuple[PlacedValues, ...] = ()

    @classmethod
    def read(cls, given: str) -> GivenParameters:
        """Read a file; without its name, there are no values."""
        name = f"--parameters {given}"
        placed, table = _read(name, given, "statement", PlacedValues, _SHAPE)
        for each in placed:
            each.values = [_text(value, f"{name}: {each.file}:{each.line}") for value in each.values]
        return cls({key: _text(value, f"{name}: {key}") for key, value in table.items()}, tuple(placed))

    def of(self, query: Query) -> dict[int, str]:
        """The values in the file for a statement, by the numbers of its parameters."""
        found = {number: self.named[name] for number, name in enumerate(query.names, 1) if name in self.named}
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
