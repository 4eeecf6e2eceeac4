"""The behaviors of the atlas, or of the user's own, that explain findings of any stage."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects import Call, Column, RefusedWith, SettingUsed

if TYPE_CHECKING:
    from pytest_pgfeatures.affects import EvidenceKind
    from pytest_pgfeatures.readiness.evidence.subjects import Subject
    from pytest_pgfeatures.readiness.evidence.verdicts import Incompatibilities
    from pytest_pgfeatures.readiness.model import Finding

_OF_THE_SERVER = re.compile(r'relation "(?:pg_|information_schema)')


def explained(finding: Finding, shown: Incompatibilities) -> Finding:
    """A stage's finding with its cause, if it needs one and there is one.

    The cause is the behavior that explains the finding's error; else the one that the application shows on the same
    line, if it certainly affects the application there, or if both only may. If the servers chose different
    functions at exactly that place, both become one finding, with the higher certainty.

    Parameters:
        shown: the changes between the two versions that the inputs show.
    """
    subject = _by_error(finding, shown)
    if subject is not None:
        remedy = subject.remedy or finding.remedy
        return replace(finding, behavior=subject.id, items=subject.items, remedy=remedy)
    # a missing relation of the application is the effect of an earlier statement that the server rejected
    is_effect = finding.sqlstate == "42P01" and _OF_THE_SERVER.search(finding.message) is None
    if finding.place is None or is_effect:
        return finding
    where = finding.place.where
    there = [cause for cause in shown.findings if cause.place is not None and cause.place.where == where]
    causes = [cause for cause in there if _is_the_place(finding, cause)] or [
        cause for cause in there if cause.certainty == "affects" or finding.certainty == "may affect"
    ]
    if len(causes) != 1:
        return finding
    (cause,) = causes
    if cause.certainty == "affects" and _is_the_place(finding, cause):
        finding = replace(finding, certainty="affects")
    return replace(finding, items=cause.items, behavior=cause.behavior, remedy=cause.remedy or finding.remedy)


def _is_the_place(finding: Finding, cause: Finding) -> bool:
    """Whether both servers chose different functions, operators or types exactly where the behavior shows."""
    return finding.stage == "queries" and finding.sqlstate is None and finding.place == cause.place


def wants_cause(finding: Finding) -> bool:
    """Whether a finding has no cause yet, and may have one. A changed default is its own cause."""
    return not (finding.items or finding.behavior or is_default(finding))


def is_default(finding: Finding) -> bool:
    """Whether it is about the changed default of a setting."""
    return (finding.stage, finding.severity) == ("settings", "note")


def _by_error(finding: Finding, shown: Incompatibilities) -> Subject | None:
    """The change that explains an error: of several, one that the statement shows on the same line."""
    if finding.sqlstate is None:
        return None
    gone = _gone(finding) if finding.certainty == "affects" else None
    explaining = [
        subject
        for subject in shown.subjects
        if any(_explains(kind, finding, gone) for kind in subject.affects)
    ]
    line = finding.place and finding.place.where
    there = (
        subject
        for subject in explaining
        for hit in shown.hits.get(subject.id, ())
        if hit.place is not None and hit.place.where == line
    )
    return next(chain(there, explaining), None)


_GONE = {
    "42883": ("function", re.compile(r'function (?:pg_catalog\.)?"?(\w+)"?\(')),
    "42703": ("column", re.compile(r'column "?(?:\w+\.)?(\w+)"? does not exist')),
    "42704": ("setting", re.compile(r'unrecognized configuration parameter "([\w.]+)"')),
}
"""By error: the kind of the missing object, and its name in the message."""


def _gone(finding: Finding) -> tuple[str, str] | None:
    """The kind and name of the object that a server misses in a statement; None if the error is a different one."""
    kind, pattern = _GONE.get(finding.sqlstate or "", ("", None))
    named = pattern.search(finding.message) if pattern else None
    return (kind, named[1]) if named else None


def _explains(kind: EvidenceKind, finding: Finding, gone: tuple[str, str] | None) -> bool:
    """Whether an error shows the evidence: by its message, or because the missing object is the evidence's own."""
    if isinstance(kind, RefusedWith):
        texts = finding.message, f"{finding.message}\n{finding.excerpt}"
        return finding.sqlstate == kind.sqlstate and any(re.search(kind.message, text) for text in texts)
    if gone is None or kind.may is not None:
        return False
    what, name = gone
    if isinstance(kind, Call):
        return what == "function" and name in kind.names and not (kind.own or kind.where or kind.types)
    if isinstance(kind, Column):
        return what == "column" and name in kind.names and kind.value is None
    return isinstance(kind, SettingUsed) and what == "setting" and name in kind.names and kind.value is None
