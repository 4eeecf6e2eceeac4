"""The causes of findings, decided when a stage reports them: the behavior, of the atlas or the user's own, that
explains an error or other results; and the finding from which others follow, so that each is reported once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pytest_pgfeatures.affects import Call, Column, Default, EvidenceKind, RefusedWith, ResultOf, SettingUsed
from pytest_pgfeatures.readiness.evidence.find import Incompatibilities
from pytest_pgfeatures.readiness.evidence.subjects import LONGEST_VALUE, Subject, hit_at
from pytest_pgfeatures.readiness.model import Finding, Query, StageReport
from pytest_pgfeatures.readiness.running.judge import Judgment
from pytest_pgfeatures.readiness.statements.grammar import short
from pytest_pgfeatures.readiness.statements.trees import Tree
from pytest_pgfeatures.readiness.wording import listed

_SHOWN = 5  # places that a message names
_OF_THE_SERVER = re.compile(r'relation "(?:pg_|information_schema)')


def explained(finding: Finding, shown: Incompatibilities) -> Finding:
    """A stage's finding with its cause, if there is one: the behavior that explains the finding's error; else the
    one that the application shows on the same line, if it certainly affects the application there, or if both only
    may. If the servers chose different functions at exactly that place, both become one finding, with the higher
    certainty."""
    where = finding.place and finding.place.where
    by_error = [each for each in shown.subjects if any(_explains(kind, finding) for kind in each.affects)]
    if by_error:
        places = ((subject, each.place) for subject, each in shown.shown if each.severity != "note")
        there = [subject for subject, place in places if place and place.where == where]
        cause = next((each for each in by_error if each in there), by_error[0])
        meanings = (f": {kind.may}" for kind in cause.affects if isinstance(kind, Default))
        return _with(replace(finding, message=finding.message + next(meanings, "")), cause)
    # a missing relation of the application is the effect of an earlier statement that the server rejected
    is_effect = finding.sqlstate == "42P01" and _OF_THE_SERVER.search(finding.message) is None
    if where is None or is_effect or is_default(finding):
        return finding
    on_line = [each for each in shown.findings if each.place and each.place.where == where]
    chose_others = finding.stage == "queries" and finding.sqlstate is None
    exact = [each for each in on_line if chose_others and each.place == finding.place]
    is_open = finding.certainty == "may affect"
    causes = exact or [each for each in on_line if is_open or each.certainty == "affects"]
    if len(causes) != 1:
        return finding
    if exact and exact[0].certainty == "affects":
        finding = replace(finding, certainty="affects")
    return _with(finding, causes[0])


def _with(finding: Finding, cause: Subject | Finding) -> Finding:
    remedy = cause.remedy or finding.remedy
    return replace(finding, behavior=cause.behavior, items=cause.items, remedy=remedy)


def wants_cause(finding: Finding) -> bool:
    """Whether a finding has no cause yet."""
    return not (finding.items or finding.behavior)


def is_default(finding: Finding) -> bool:
    """Whether it is about the changed default of a setting."""
    return finding.stage == "settings" and finding.message.startswith("the default of ")


def named_by(finding: Finding) -> set[tuple[str, str, int]]:
    """The behavior or entries of the release notes that a finding names, with the file and line."""
    place = finding.place
    names = finding.items or (finding.behavior or "",)
    return {(name, place.file, place.line) for name in names} if place else set()


_GONE = {
    Call: ("42883", re.compile(r'function (?:pg_catalog\.)?"?(\w+)"?\(')),
    Column: ("42703", re.compile(r'column "?(?:\w+\.)?(\w+)"? does not exist')),
    SettingUsed: ("42704", re.compile(r'unrecognized configuration parameter "([\w.]+)"')),
}
"""By evidence: the error about a missing function, column or setting, and its name in the message."""


def _explains(kind: EvidenceKind, finding: Finding) -> bool:
    """Whether an error shows the evidence: by its message, or because the missing object is the evidence's own."""
    if isinstance(kind, Default):
        return is_default(finding) and finding.object == f"setting {kind.name}"
    if isinstance(kind, RefusedWith):
        texts = finding.message[:LONGEST_VALUE], f"{finding.message[:LONGEST_VALUE]}\n{finding.excerpt}"
        return finding.sqlstate == kind.sqlstate and any(re.search(kind.message, text) for text in texts)
    if not isinstance(kind, Call | Column | SettingUsed) or kind.may or finding.certainty != "affects":
        return False
    has_conditions = kind.own or kind.where or kind.types if isinstance(kind, Call) else kind.value
    code, message = _GONE[type(kind)]
    gone = message.search(finding.message) if finding.sqlstate == code and not has_conditions else None
    return gone is not None and gone[1] in kind.names


def _of_calls(kind: EvidenceKind, *, fails: bool) -> Iterable[str]:
    """The functions and operators of evidence, if their statement fails; else the types whose values differ."""
    if isinstance(kind, Call) and fails:
        return () if kind.own else kind.names
    return map(short, kind.types) if isinstance(kind, ResultOf) and not fails else ()


def explained_result(
    finding: Finding, query: Query, shown: Incompatibilities, judgment: Judgment, *, rewritten: bool
) -> tuple[Finding, set[tuple[str, str, int]]]:
    """A finding about a statement's result with the behavior that explains it, and what may affect the statement,
    too: its result was compared. Its values may be the same in another text (``rewritten``). Certain evidence
    counts more than evidence that a person would have to check. If several behaviors may be the cause of other
    values, the message names them all."""
    subjects = {subject.id: subject for subject in shown.subjects}
    lines, sqlstate = range(query.lines[0], query.lines[-1] + 1), judgment.sqlstate

    def raises(subject: Subject) -> bool:
        """Whether the behavior has the errors, as far as there are any."""
        pairs = zip(subject.expected, judgment.errors, strict=True)
        return all(code in (None, each) or (isinstance(each, list) and code in each) for each, code in pairs)

    there = {
        each: subjects[each.behavior or each.items[0]]
        for each in shown.findings
        if each.place and each.place.file == query.file and each.place.line in lines
    }
    there = {each: subject for each, subject in there.items() if not sqlstate or raises(subject)}
    certain = {subject.id for each, subject in there.items() if each.certainty == "affects"}
    ids = certain or {subject.id for subject in there.values()}
    ids |= {
        subject.id
        for subject in shown.subjects
        for kind in subject.affects
        if isinstance(kind, ResultOf) and (rewritten or not kind.text) and judgment.types & {*kind.types}
    }
    tree = Tree(query)
    places = {name: tree.excerpt_index(some[0].at) for name, some in tree.calls.items()}
    called = {  # functions and operators that it calls with any arguments, types that it casts to
        subject.id: hit_at(kind, query, places[name])
        for subject in filter(raises, shown.subjects)
        for kind in subject.affects
        for name in _of_calls(kind, fails=any(judgment.errors))
        if name in places
    }
    ids = ids or {*called}
    if sqlstate and len(ids) != 1:
        return finding, set()
    named = {name for each in there for name in named_by(each)}
    causes = [subjects[id_] for id_ in sorted(ids)]
    shown_by = (each for cause in causes for each, subject in there.items() if subject is cause)
    if shows := next(shown_by, next(filter(None, (called.get(cause.id) for cause in causes)), None)):
        finding = replace(finding, place=shows.place, excerpt=shows.excerpt)
    if len(causes) == 1:
        return _with(replace(finding, message=f"{finding.message} [{causes[0].title}]"), causes[0]), named
    items = {item for cause in causes for item in cause.items}
    candidates = f" [one of {', '.join(cause.id for cause in causes)}]" if causes else ""
    return replace(finding, message=finding.message + candidates, items=tuple(sorted(items))), named


def once(findings: Iterable[Finding], reports: Iterable[StageReport]) -> list[Finding]:
    """The findings, without those that another one includes: an error in a function's body, for which ``queries``
    reports the exact place; a refused SET of what ``settings`` reports there; what follows from an earlier finding;
    and of those of ``incompatibilities``, the causes of others at their place."""
    found = list(findings)
    effects = _effects(found)
    left_out = {effect for some in effects.values() for effect in some}
    found = [each for each in found if each not in left_out]
    parsed = [each for each in found if each.stage == "queries" and each.sqlstate]
    exact = {_said(each) for each in parsed} | {(each.place, each.sqlstate) for each in parsed if each.place}
    of_settings = {each.place for each in found if each.stage == "settings" and each.place}
    found = [
        each
        for each in found
        if not (each.stage in ("schema", "suite") and exact & {_said(each), (each.place, each.sqlstate)})
        and not (each.stage in ("schema", "queries") and each.sqlstate and each.place in of_settings)
    ]
    for cause, some in effects.items():  # of which another finding at its place may be left
        same = (each for each in found if (each.place, each.sqlstate) == (cause.place, cause.sqlstate))
        shown = cause if cause in found else next(same, None)
        if shown is not None:
            places = dict.fromkeys(each.place.where if each.place else str(each.object) for each in some)
            said = f"{shown.message}; its result is missing in {listed([*places], _SHOWN)}"
            found[found.index(shown)] = replace(shown, message=said)
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
    r"\b(?P<sought>could not find a )?(?P<kind>relation|view|table|index|sequence|type|schema|role|function"
    r"|procedure|column|language|collation|aggregate|trigger|constraint|policy|rule|statistics object|publication"
    r'|extension) (?:named )?(?:"[^"]*?\.)?"?(?:\w+\.)?(?P<name>[^"\s(.]+)"?'
    r'(?(sought)|(?:\(.*\)| (?:of|for) (?:relation|table|domain) (?:"[^"]*"|\S+))? does not exist)'
)
_KINDS = {
    "relation": ("table", "view", "index", "sequence"),
    "type": ("type", "domain", "table", "view"),
    "function": ("function", "aggregate"),
    "procedure": ("function",),
    "aggregate": ("aggregate", "function"),
    "language": ("language", "extension"),
    "statistics object": ("statistics",),
}
"""By the kind of a missing object, if it is not that kind: the kinds of statements that would have created it."""


def missing_objects(message: str) -> list[str]:
    """The objects that would be there if a message names a missing one: ``view v`` and others for a relation."""
    found = _MISSING.search(message)
    kinds = _KINDS.get(found["kind"], (found["kind"],)) if found else ()
    return [f"{kind} {found['name']}" for kind in kinds] if found else []


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
        names = missing_objects(finding.message) if names_it else ()
        found = (refused.get((name, severity)) for name in names for severity in (finding.severity, "error"))
        return next((each for each in found if each not in (None, finding)), None)

    effects: dict[Finding, list[Finding]] = {}
    for finding in findings:
        known = [finding]
        while (cause := cause_of(known[-1])) is not None and cause not in known:
            known.append(cause)
        if len(known) > 1:
            effects.setdefault(known[-1], []).append(finding)
    return effects
