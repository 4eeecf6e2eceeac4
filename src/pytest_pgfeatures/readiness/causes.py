"""Merge the findings of several stages that have the same cause."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects import Call, Column, RefusedWith, SettingUsed
from pytest_pgfeatures.readiness.evidence.subjects import subjects_between
from pytest_pgfeatures.readiness.model import VersionPair
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.affects import Evidence
    from pytest_pgfeatures.readiness.evidence.subjects import Subject
    from pytest_pgfeatures.readiness.model import Finding

_OF_THE_SERVER = re.compile(r'relation "(?:pg_|information_schema)')


def united(
    findings: Iterable[Finding],
    versions: Iterable[tuple[str, str]],
    named: Iterable[tuple[str, str, int]] = (),
) -> list[Finding]:
    """Merge findings, so that each cause is reported once.

    If a behavior certainly affects the application on some line, the findings of other stages on this line are
    effects of the behavior: they get its id and its entries of the release notes. The same goes for an error that a
    behavior explains, and where both only may affect it.

    Parameters:
        findings: the findings of all stages and pairs.
        versions: the pairs.
        named: what findings of other stages already name, see
            :class:`~pytest_pgfeatures.readiness.model.StageReport`.
    """
    subjects = [
        subject
        for old, new in versions
        for subject in subjects_between(VersionPair(PgVersion(old), PgVersion(new)))
    ]
    explained = [explained_by(finding, subjects) for finding in findings]
    seen: dict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in explained:
        if finding.stage == "incompatibilities" and finding.place:
            seen[finding.place.file, finding.place.line].append(finding)
    told = set(named)
    kept: list[Finding] = []
    for finding in explained:
        if finding.stage == "incompatibilities" or finding.place is None:
            kept.append(finding)
            continue
        place = finding.place.file, finding.place.line
        causes = [
            cause
            for cause in seen[place]
            if _may_be_effect(finding) and (cause.certainty == "affects" or finding.certainty == "may affect")
        ]
        if len(causes) == 1:
            cause = causes[0]
            finding = replace(
                finding, items=cause.items, behavior=cause.behavior, remedy=cause.remedy or finding.remedy
            )
        told.update((item, *place) for item in finding.items)
        kept.append(finding)
    return [
        finding
        for finding in kept
        if finding.stage != "incompatibilities"
        or finding.place is None
        or not all(
            (name, finding.place.file, finding.place.line) in told
            for name in finding.items or (finding.behavior or "",)
        )
    ]


def _may_be_effect(finding: Finding) -> bool:
    """Whether a behavior on the same line may be the cause.

    Two findings have other causes. A default that the configuration doesn't change is reported at the first line
    of the file, which need not be related. A missing relation of the application is the effect of an earlier
    statement that was rejected.
    """
    if finding.items or finding.behavior or (finding.stage, finding.severity) == ("settings", "note"):
        return False
    return finding.sqlstate != "42P01" or _OF_THE_SERVER.search(finding.message) is not None


def explained_by(finding: Finding, subjects: Iterable[Subject]) -> Finding:
    """The finding of another stage, with the behavior that explains it added."""
    if finding.behavior is not None or finding.sqlstate is None or finding.stage == "incompatibilities":
        return finding
    gone = _gone(finding) if finding.certainty == "affects" else None
    for subject in subjects:
        if any(_explains(kind, finding, gone) for kind in subject.affects):
            remedy = subject.remedy or finding.remedy
            return replace(finding, behavior=subject.id, items=subject.items, remedy=remedy)
    return finding


_GONE = {
    "42883": ("function", re.compile(r'function (?:pg_catalog\.)?"?(\w+)"?\(')),
    "42703": ("column", re.compile(r'column "?(?:\w+\.)?(\w+)"? does not exist')),
    "42704": ("setting", re.compile(r'unrecognized configuration parameter "([\w.]+)"')),
}
"""By error: what is missing, and its name in the message."""


def _gone(finding: Finding) -> tuple[str, str] | None:
    """What a server that refuses a statement misses: its kind and name; None if the error is another one."""
    kind, pattern = _GONE.get(finding.sqlstate or "", ("", None))
    named = pattern.search(finding.message) if pattern else None
    return (kind, named[1]) if named else None


def _explains(kind: Evidence, finding: Finding, gone: tuple[str, str] | None) -> bool:
    """Whether an error shows the evidence: by its message, or as what is gone is what the evidence is about."""
    if isinstance(kind, RefusedWith):
        return finding.sqlstate == kind.sqlstate and re.search(kind.message, finding.message) is not None
    if gone is None or getattr(kind, "may", None) is not None:
        return False
    what, name = gone
    if isinstance(kind, Call):
        return what == "function" and name in kind.names and not kind.own and not kind.where
    if isinstance(kind, Column):
        return what == "column" and name in kind.names and kind.value is None
    return isinstance(kind, SettingUsed) and what == "setting" and name in kind.names and kind.value is None
