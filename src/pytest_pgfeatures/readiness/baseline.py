"""The file of accepted findings, each with a reason and optionally an expiry date.

::

    [[accepted]]
    file = "db/structure.sql"
    message = "refuses it: .*syntax error"      # a regular expression
    reason = "the table goes with the next release"
    until = 2026-12-31
"""

from __future__ import annotations

import datetime
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Finding

_MATCHING = ("stage", "behavior", "item", "file", "line", "object", "message", "excerpt")
_ONLY_ENTRIES = "write [[accepted]] above each entry, and nothing else"


@dataclass(frozen=True, slots=True)
class Accepted:
    """An entry of the file. It accepts the findings that match all its fields."""

    matches: tuple[tuple[str, str], ...]
    reason: str
    until: datetime.date | None = None

    def accepts(self, finding: Finding) -> bool:
        """Whether this entry matches the finding."""
        place = finding.place
        values: dict[str, Any] = {
            "stage": finding.stage,
            "behavior": finding.behavior,
            "file": place.file if place else None,
            "line": str(place.line) if place else None,
            "object": finding.object,
            "excerpt": finding.excerpt,
        }
        for name, wanted in self.matches:
            if name == "message":
                if not re.search(wanted, finding.message):
                    return False
            elif name == "item":
                if wanted not in finding.items:
                    return False
            elif values[name] != wanted:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Baseline:
    """All accepted findings."""

    accepted: tuple[Accepted, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read the file.

        Raises:
            PgFeaturesError: it can't be read, or an entry lacks a reason or any field that selects findings.
        """
        if not path.is_file():
            raise PgFeaturesError(f"--baseline {path}: there is no such file", remedy="correct its name")
        try:
            document: Any = tomllib.loads(read_regular_text(path))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise PgFeaturesError(
                f"--baseline {path} can't be read: {error}", remedy="fix its TOML"
            ) from None
        entries = document.get("accepted", [])
        if unknown := ", ".join(sorted(set(document) - {"accepted"})):
            raise PgFeaturesError(f"--baseline {path}: unknown {unknown}", remedy=_ONLY_ENTRIES)
        if not isinstance(entries, list):
            raise PgFeaturesError(f"--baseline {path} has no list of accepted findings", remedy=_ONLY_ENTRIES)
        return cls(tuple(_entry(entry, number, path) for number, entry in enumerate(entries, 1)))

    def accepts(self, finding: Finding) -> bool:
        """Whether an entry that has not expired accepts a finding."""
        today = datetime.date.today()
        return any(
            each.accepts(finding) for each in self.accepted if each.until is None or each.until >= today
        )

    def expired(self) -> list[str]:
        """The entries whose date has passed, one line each."""
        today = datetime.date.today()
        return [
            f"the baseline accepted this until {each.until}: {each.reason}"
            for each in self.accepted
            if each.until is not None and each.until < today
        ]


def _entry(entry: Any, number: int, path: Path) -> Accepted:
    where = f"--baseline {path}, entry {number}"
    if not isinstance(entry, dict) or not str(entry.get("reason", "")).strip():
        raise PgFeaturesError(f"{where} has no reason", remedy='write reason = "why it is accepted"')
    if unknown := set(entry) - {*_MATCHING, "reason", "until"}:
        raise PgFeaturesError(
            f"{where}: unknown {', '.join(sorted(unknown))}",
            remedy=f"the fields are reason, until, {', '.join(_MATCHING)}",
        )
    matches = tuple((name, str(entry[name])) for name in _MATCHING if name in entry)
    if not matches:
        raise PgFeaturesError(f"{where} does not say which finding", remedy=f"write {', '.join(_MATCHING)}")
    until = entry.get("until")
    if isinstance(until, str):
        try:
            until = datetime.date.fromisoformat(until)
        except ValueError:
            raise PgFeaturesError(
                f"{where}: until {until!r} is no date", remedy="write until = 2026-12-31"
            ) from None
    elif isinstance(until, datetime.datetime):
        until = until.date()
    if until is not None and not isinstance(until, datetime.date):
        raise _no_date(where, until)
    for name, text in matches:
        if name == "message":
            try:
                re.compile(text)
            except re.error as error:
                raise PgFeaturesError(f"{where}: {text!r} is no regular expression: {error}") from None
    return Accepted(matches, str(entry["reason"]), until)


def _no_date(where: str, until: object) -> PgFeaturesError:
    return PgFeaturesError(f"{where}: until {until!r} is no date", remedy="write until = 2026-12-31")
