"""The causes of findings: the behaviors of the atlas, or of the user's own, that explain them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects import Call, Column, RefusedWith, SettingUsed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.affects import Evidence
    from pytest_pgfeatures.readiness.evidence.subjects import Subject
    from pytest_pgfeatures.readiness.evidence.verdicts import Incompatibilities
    from pytest_pgfeatures.readiness.model import Finding, StageReport

_OF_THE_SERVER = re.compile(r'relation "(?:pg_|information_schema)')


def explained(finding: Finding, shown: Incompatibilities) -> Finding:
    """A stage's finding with its cause, if it needs one and there is one.

    The cause is the behavior that explains the finding's error; else the one that the application shows on the same
    line, if it certainly affects the application there, or if both only may. If the servers chose different
    functions at exactly that place, both become one finding, with the higher certainty.

    Parameters:
        shown: the changes between the two versions that the inputs show.
    """
    subject = _by_error(finding, shown.subjects)
    if subject is not None:
        remedy = subject.remedy or finding.remedy
        return replace(finding, behavior=subject.id, items=subject.items, remedy=remedy)
    if finding.place is None or not _may_be_effect(finding):
        return finding
    place = finding.place.file, finding.place.line
    causes = [
        cause
        for cause in shown.findings
        if cause.place is not None
        and (cause.place.file, cause.place.line) == place
        and (
            cause.certainty == "affects" or finding.certainty == "may affect" or _is_the_place(finding, cause)
        )
    ]
    causes = [cause for cause in causes if _is_the_place(finding, cause)] or causes
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
    return not (
        finding.items or finding.behavior or (finding.stage, finding.severity) == ("settings", "note")
    )


def once(findings: Iterable[Finding], reports: Iterable[StageReport]) -> list[Finding]:
    """The findings, without those of ``incompatibilities`` that are the cause of another one at their place."""
    findings = list(findings)
    reported = {name for report in reports for name in report.named}
    reported |= {
        (item, finding.place.file, finding.place.line)
        for finding in findings
        if finding.stage != "incompatibilities" and finding.place is not None
        for item in finding.items or (finding.behavior or "",)
    }
    return [
        finding
        for finding in findings
        if finding.stage != "incompatibilities"
        or finding.place is None
        or not all(
            (name, finding.place.file, finding.place.line) in reported
            for name in finding.items or (finding.behavior or "",)
        )
    ]


_MISSING = re.compile(
    r'\b(relation|view|table|sequence|type|schema|role|function|procedure|column) (?:"[^"]*?\.)?"?(?:\w+\.)?'
    r'([^"\s(.]+)"?(?:\(.*\)| of relation "[^"]*")? does not exist'
)
_KINDS = {
    "relation": ("table", "view", "index", "sequence"),
    "view": ("view",),
    "table": ("table",),
    "sequence": ("sequence",),
    "type": ("type", "domain", "table", "view"),
    "schema": ("schema",),
    "role": ("role",),
    "function": ("function",),
    "procedure": ("function",),
    "column": ("column",),
}
"""By the kind of a missing object: the statements that would have created it."""
_SHOWN = 5


def missing_in(message: str) -> tuple[str, str] | None:
    """The kind of the object that a server's message calls missing, and its name without the schema; None if
    none is missing."""
    found = _MISSING.search(message)
    return (found[1], found[2]) if found else None


def linked(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, without those that follow from an earlier one: a refused definition's object is missing
    later. The earlier finding names them."""
    findings = list(findings)
    refused = {
        (object_, each.severity): each
        for each in reversed(findings)
        if each.stage == "schema" and each.sqlstate and each.object
        for object_ in each.object.split(", ")
    }

    def cause_of(finding: Finding) -> Finding | None:
        what, name = (missing_in(finding.message) if finding.sqlstate else None) or ("", "")
        found = (refused.get((f"{kind} {name}", finding.severity)) for kind in _KINDS.get(what, ()))
        return next((each for each in found if each is not None and each is not finding), None)

    following: dict[Finding, list[Finding]] = {}
    for finding in findings:
        known = {finding}
        first = finding
        while (cause := cause_of(first)) is not None and cause not in known:
            known.add(cause)
            first = cause
        if first is not finding:
            following.setdefault(first, []).append(finding)
    left_out = {each for some in following.values() for each in some}
    return [
        replace(each, message=f"{each.message}; {_and(following[each])}") if each in following else each
        for each in findings
        if each not in left_out
    ]


def _and(following: list[Finding]) -> str:
    places = [
        f"{each.place.file}:{each.place.line}" if each.place else str(each.object) for each in following
    ]
    places = list(dict.fromkeys(places))
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"its result is missing in {', '.join(places[:_SHOWN])}{more}"


def _may_be_effect(finding: Finding) -> bool:
    """Whether a behavior on the same line may be the cause. A missing relation of the application is the
    effect of an earlier statement that the server rejected."""
    return finding.sqlstate != "42P01" or _OF_THE_SERVER.search(finding.message) is not None


def _by_error(finding: Finding, subjects: Iterable[Subject]) -> Subject | None:
    """The change that explains an error."""
    if finding.sqlstate is None:
        return None
    gone = _gone(finding) if finding.certainty == "affects" else None
    return next(
        (subject for subject in subjects if any(_explains(kind, finding, gone) for kind in subject.affects)),
        None,
    )


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


def _explains(kind: Evidence, finding: Finding, gone: tuple[str, str] | None) -> bool:
    """Whether an error shows the evidence: by its message, or because the missing object is the evidence's own."""
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
