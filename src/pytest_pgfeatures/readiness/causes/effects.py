"""The findings that follow from others, so that each is reported once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.causes.behaviors import is_default

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.readiness.model import Finding, StageReport


def once(findings: Iterable[Finding], reports: Iterable[StageReport]) -> list[Finding]:
    """The findings, without those that another one includes.

    These are an error in a function's body, for which ``queries`` reports the exact place; a refused SET of what
    ``settings`` reports there; a changed default, for which ``incompatibilities`` reports the meaning; what follows
    from an earlier finding; and of those of ``incompatibilities``, the causes of others at their place.
    """
    findings, following = _linked(list(findings))
    parsed = [each for each in findings if each.stage == "queries" and each.sqlstate]
    exact = {_said(each) for each in parsed} | {(each.place, each.sqlstate) for each in parsed if each.place}
    of_settings = {each.place for each in findings if each.stage == "settings" and each.place}
    meant = {each.object for each in findings if each.stage == "incompatibilities"}
    findings = [
        each
        for each in findings
        if not (
            each.stage in ("schema", "suite")
            and exact & {_said(each) if _may_be_of_body(each) else None, (each.place, each.sqlstate)}
        )
        and not (each.stage == "schema" and each.sqlstate and each.place in of_settings)
        and not (is_default(each) and (each.object or "").removeprefix("setting ") in meant)
    ]
    findings = _with_effects(findings, following)
    reported = {name for report in reports for name in report.named}
    reported |= {name for each in findings if each.stage != "incompatibilities" for name in _named(each)}
    return [
        each
        for each in findings
        if each.stage != "incompatibilities" or each.place is None or not _named(each) <= reported
    ]


def _may_be_of_body(finding: Finding) -> bool:
    """Whether the error may be in a function's body, not in the definition of an object of another kind."""
    return finding.stage == "suite" or (finding.object or "function").startswith("function")


def _said(finding: Finding) -> tuple[str | None, str, str]:
    """The file, and the server's message."""
    file = finding.place.file if finding.place else None
    return file, finding.sqlstate or "", finding.message.partition(": ")[2]


def _named(finding: Finding) -> set[tuple[str, str, int]]:
    """The behavior or entries of the release notes that a finding names, with the file and line."""
    place = finding.place
    names = finding.items or (finding.behavior or "",)
    return {(name, place.file, place.line) for name in names} if place else set()


_MISSING = re.compile(
    r"\b(?:(relation|view|table|index|sequence|type|schema|role|function|procedure|column|language|collation|aggregate"
    r"|trigger|constraint|policy|rule|statistics object|publication|extension) "
    r'(?:"[^"]*?\.)?"?(?:\w+\.)?([^"\s(.]+)"?'
    r'(?:\(.*\)| (?:of|for) (?:relation|table|domain) (?:"[^"]*"|\S+))? does not exist'
    r'|could not find a (function|procedure|aggregate) named "(?:\w+\.)?([^".]+)")'
)
_KINDS = {
    "relation": ("table", "view", "index", "sequence"),
    "type": ("type", "domain", "table", "view"),
    "procedure": ("function",),
    "aggregate": ("aggregate", "function"),
    "language": ("language", "extension"),
    "statistics object": ("statistics",),
}
"""By the kind of a missing object, if it is not that kind: the kinds of statements that would have created it."""
_SHOWN = 5


def missing_in(message: str) -> tuple[str, str] | None:
    """The kind of the object that a server's message calls missing, and its name without the schema; None if
    none is missing."""
    found = _MISSING.search(message)
    return (found[1] or found[3], found[2] or found[4]) if found else None


def missing_objects(message: str) -> list[str]:
    """The objects that would be there if a message names a missing one: ``view v`` and others for a relation."""
    what, name = missing_in(message) or ("", "")
    return [f"{kind} {name}" for kind in _KINDS.get(what, (what,))] if what else []


def _linked(findings: list[Finding]) -> tuple[list[Finding], dict[Finding, list[Finding]]]:
    """The findings, without those that follow from another one, as a refused definition's object is missing
    elsewhere; and those by the one from which they follow."""
    refused = {
        (object_, each.severity): each
        for each in reversed(findings)
        if each.stage in ("schema", "queries") and each.sqlstate and each.object
        for object_ in each.object.split(", ")
    }

    def cause_of(finding: Finding) -> Finding | None:
        names_it = finding.sqlstate or finding.severity == "warning"  # such as of DROP ... IF EXISTS
        names = missing_objects(finding.message) if names_it else ()
        found = (
            refused.get((name, severity))
            for name in names
            for severity in dict.fromkeys((finding.severity, "error"))
        )
        return next((each for each in found if each is not None and each is not finding), None)

    following: dict[Finding, list[Finding]] = {}
    for finding in findings:
        known = [finding]
        while (cause := cause_of(known[-1])) is not None and cause not in known:
            known.append(cause)
        if len(known) > 1:
            following.setdefault(known[-1], []).append(finding)
    left_out = {each for some in following.values() for each in some}
    return [each for each in findings if each not in left_out], following


def _with_effects(findings: list[Finding], following: dict[Finding, list[Finding]]) -> list[Finding]:
    """The findings, each with the places of those that follow from it, or from one that it includes."""
    found = list(findings)
    for cause, some in following.items():
        same = (each for each in findings if (each.place, each.sqlstate) == (cause.place, cause.sqlstate))
        shown = cause if cause in findings else next(same, None)
        if shown is not None:
            at = findings.index(shown)
            found[at] = replace(found[at], message=f"{found[at].message}; {_and(some)}")
    return found


def _and(following: list[Finding]) -> str:
    places = list(dict.fromkeys(each.place.where if each.place else str(each.object) for each in following))
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"its result is missing in {', '.join(places[:_SHOWN])}{more}"
