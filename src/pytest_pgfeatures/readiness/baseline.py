"""The file of accepted findings, each with a reason and optionally an expiry date.

::

    [[accepted]]
    file = "db/structure.sql"
    message = "refuses it: .*syntax error"      # a regular expression
    reason = "the table goes with the next release"
    until = 2026-12-31
"""

from __future__ import annotations

import contextlib
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

    @property
    def has_expired(self) -> bool:
        """Whether its date has passed."""
        return self.until is not None and self.until < datetime.date.today()

    def accepts(self, finding: Finding) -> bool:
        """Whether this entry matches the finding."""
        place = finding.place
        values: dict[str, Any] = {
            "stage": finding.stage,
            "behavior": finding.behavior,
            "file": place and place.file,
            "line": place and str(place.line),
            "object": finding.object,
            "excerpt": finding.excerpt,
        }
        return all(
            re.search(wanted, finding.message) if name == "message"
            else wanted in finding.items if name == "item"
            else values[name] == wanted
            for name, wanted in self.matches
        )  # fmt: skip


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
        return any(not each.has_expired and each.accepts(finding) for each in self.accepted)

    def expired(self) -> list[str]:
        """The entries whose date has passed, one line each."""
        return [
            f"the baseline accepted this until {each.until}: {each.reason}"
            for each in self.accepted
            if each.has_expired
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
        with contextlib.suppress(ValueError):
            until = datetime.date.fromisoformat(until)
    elif isinstance(until, datetime.datetime):
        until = until.date()
    if until is not None and not isinstance(until, datetime.date):
        raise PgFeaturesError(f"{where}: until {until!r} is no date", remedy="write until = 2026-12-31")
    try:
        re.compile(dict(matches).get("message", ""))
    except re.error as error:
        message = dict(matches)["message"]
        raise PgFeaturesError(f"{where}: {message!r} is no regular expression: {error}") from None
    return Accepted(matches, str(entry["reason"]), until)
