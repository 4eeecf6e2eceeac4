"""The file of accepted findings, each with a reason and optionally an expiry date; see docs/readiness.md."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.project_file import read_toml
from pytest_pgfeatures.readiness.model import Finding

_ONLY_ENTRIES = "write [[accepted]] above each entry, and nothing else"


class Accepted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the file. It accepts the findings that match all its fields."""

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
        """Whether this entry matches the finding."""
        place = finding.place
        return (
            self.stage in (None, finding.stage)
            and self.behavior in (None, finding.behavior)
            and (self.item is None or str(self.item) in finding.items)
            and self.file in (None, place and place.file)
            and (self.line is None or str(self.line) == str(place and place.line))
            and self.object in (None, finding.object)
            and (self.message is None or re.search(self.message, finding.message) is not None)
            and self.excerpt in (None, finding.excerpt)
        )


_MATCHING = Accepted.__struct_fields__[2:]
_FORM = f'write reason = "why it is accepted", one of {", ".join(_MATCHING)}, and until = 2026-12-31 if it expires'


@dataclass(frozen=True, slots=True)
class Baseline:
    """All accepted findings."""

    accepted: tuple[Accepted, ...] = ()

    @classmethod
    def read(cls, given: str) -> Baseline:
        """Read a file; without its name, nothing is accepted."""
        if not given:
            return cls()
        name = f"--baseline {given}"
        document: dict[str, Any] = {"accepted": [], **read_toml(Path(given), name)}
        entries = document.pop("accepted")
        if document:
            raise PgFeaturesError(f"{name}: unknown {', '.join(sorted(document))}", remedy=_ONLY_ENTRIES)
        if not isinstance(entries, list):
            raise PgFeaturesError(f"{name} has no list of accepted findings", remedy=_ONLY_ENTRIES)
        accepted = []
        for number, entry in enumerate(entries, 1):
            try:
                accepted.append(msgspec.convert(entry, Accepted))
            except msgspec.ValidationError as error:
                raise PgFeaturesError(f"{name}, entry {number}: {error}", remedy=_FORM) from None
        return cls(tuple(accepted))

    def accepts(self, finding: Finding) -> bool:
        """Whether an entry that has not expired accepts a finding."""
        return any(not each.has_expired and each.accepts(finding) for each in self.accepted)

    def expired(self) -> list[str]:
        """The entries whose date has passed, one line each."""
        expired = [each for each in self.accepted if each.has_expired]
        return [f"the baseline accepted this until {each.until}: {each.reason}" for each in expired]
