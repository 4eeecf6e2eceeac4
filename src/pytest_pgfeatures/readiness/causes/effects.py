"""The findings that follow from others, so that each is reported once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pytest_pgfeatures.readiness.causes.behaviors import is_default, named_by
from pytest_pgfeatures.readiness.model import Finding, StageReport
from pytest_pgfeatures.readiness.wording import listed


def once(findings: Iterable[Finding], reports: Iterable[StageReport]) -> list[Finding]:
    """The findings, without those that another one includes.

    These are an error in a function's body, for which ``queries`` reports the exact place; a refused SET of what
    ``settings`` reports there; a changed default, for which ``incompatibilities`` reports the meaning; what follows
    from an earlier finding; and of those of ``incompatibilities``, the causes of others at their place.
    """
    found = list(findings)
    effects = _effects(found)
    left_out = {effect for some in effects.values() for effect in some}
    found = [each for each in found if each not in left_out]
    parsed = [each for each in found if each.stage == "queries" and each.sqlstate]
    exact = {_said(each) for each in parsed} | {(each.place, each.sqlstate) for each in parsed if each.place}
    of_settings = {each.place for each in found if each.stage == "settings" and each.place}
    meant = {each.object for each in found if each.stage == "incompatibilities"}
    found = [
        each
        for each in found
        if not (each.stage in ("schema", "suite") and exact & {_said(each), (each.place, each.sqlstate)})
        and not (each.stage == "schema" and each.sqlstate and each.place in of_settings)
        and not (is_default(each) and (each.object or "").removeprefix("setting ") in meant)
    ]
    for cause, some in effects.items():  # of which another finding at its place may be left
        same = (each for each in found if (each.place, each.sqlstate) == (cause.place, cause.sqlstate))
        shown = cause if cause in found else next(same, None)
        if shown is not None:
            found[found.index(shown)] = replace(shown, message=f"{shown.message}; {_and(some)}")
    reported = {name for report in reports for name in report.named}
    reported |= {name for each in found if each.stage != "incompatibilities" for name in named_by(each)}
    return [
        each
        for each in found
        if each.stage != "incompatibilities" or each.place is None or not named_by(each) <= reported
    ]


def _said(finding: Finding) -> tuple[str | None, str, str] | None:
    """The file, and the server's message; None if it is not about a function's body."""
    if finding.stage == "schema" and not (finding.object or "function").startswith("function"):
        return None
    file = finding.place.file if finding.place else None
    return file, finding.sqlstate or "", finding.message.partition(": ")[2]


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


def _effects(findings: list[Finding]) -> dict[Finding, list[Finding]]:
    """By finding: those that follow from it, as a refused definition's object is missing elsewhere."""
    refused = {
        (object_, each.severity): each
        for each in reversed(findings)
        if each.stage in ("schema", "queries") and each.sqlstate and each.object
        for object_ in each.object.split(", ")
    }

    def cause_of(finding: Finding) -> Finding | None:
        names_it = finding.sqlstate or finding.severity == "warning"  # such as of DROP ... IF EXISTS
        for name in missing_objects(finding.message) if names_it else ():
            for severity in (finding.severity, "error"):
                cause = refused.get((name, severity))
                if cause is not None and cause is not finding:
                    return cause
        return None

    effects: dict[Finding, list[Finding]] = {}
    for finding in findings:
        known = [finding]
        while (cause := cause_of(known[-1])) is not None and cause not in known:
            known.append(cause)
        if len(known) > 1:
            effects.setdefault(known[-1], []).append(finding)
    return effects


def _and(following: list[Finding]) -> str:
    places = list(dict.fromkeys(each.place.where if each.place else str(each.object) for each in following))
    return f"its result is missing in {listed(places, _SHOWN)}"
