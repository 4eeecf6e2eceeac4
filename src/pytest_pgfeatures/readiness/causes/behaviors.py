"""The behaviors of the atlas, or of the user's own, that explain findings of any stage, and different results."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from pytest_pgfeatures.affects import Call, Column, EvidenceKind, RefusedWith, ResultOf, SettingUsed
from pytest_pgfeatures.readiness.evidence.find import Incompatibilities
from pytest_pgfeatures.readiness.evidence.subjects import Subject
from pytest_pgfeatures.readiness.model import Finding, Query
from pytest_pgfeatures.readiness.running.judge import Judgment
from pytest_pgfeatures.readiness.statements.grammar import nodes_in, read, words

_OF_THE_SERVER = re.compile(r'relation "(?:pg_|information_schema)')


def explained(finding: Finding, shown: Incompatibilities) -> Finding:
    """A stage's finding with its cause, if there is one.

    The cause is the behavior that explains the finding's error; else the one that the application shows on the same
    line, if it certainly affects the application there, or if both only may. If the servers chose different
    functions at exactly that place, both become one finding, with the higher certainty.
    """
    subject = _by_error(finding, shown)
    if subject is not None:
        return _with(finding, subject)
    # a missing relation of the application is the effect of an earlier statement that the server rejected
    is_effect = finding.sqlstate == "42P01" and _OF_THE_SERVER.search(finding.message) is None
    if finding.place is None or is_effect:
        return finding
    there = [each for each in shown.findings if each.place and each.place.where == finding.place.where]
    chose_others = finding.stage == "queries" and finding.sqlstate is None
    exact = [each for each in there if chose_others and each.place == finding.place]
    is_open = finding.certainty == "may affect"
    causes = exact or [each for each in there if is_open or each.certainty == "affects"]
    if len(causes) != 1:
        return finding
    if exact and exact[0].certainty == "affects":
        finding = replace(finding, certainty="affects")
    return _with(finding, causes[0])


def _with(finding: Finding, cause: Subject | Finding) -> Finding:
    remedy = cause.remedy or finding.remedy
    return replace(finding, behavior=cause.behavior, items=cause.items, remedy=remedy)


def wants_cause(finding: Finding) -> bool:
    """Whether a finding has no cause yet, and may have one. A changed default is its own cause."""
    return not (finding.items or finding.behavior or is_default(finding))


def is_default(finding: Finding) -> bool:
    """Whether it is about the changed default of a setting."""
    return (finding.stage, finding.severity) == ("settings", "note")


def named_by(finding: Finding) -> set[tuple[str, str, int]]:
    """The behavior or entries of the release notes that a finding names, with the file and line."""
    place = finding.place
    names = finding.items or (finding.behavior or "",)
    return {(name, place.file, place.line) for name in names} if place else set()


def _by_error(finding: Finding, shown: Incompatibilities) -> Subject | None:
    """The change that explains an error: of several, one that the statement shows on the same line."""
    causes = [
        subject for subject in shown.subjects if any(_explains(kind, finding) for kind in subject.affects)
    ]
    where = finding.place and finding.place.where
    there = {
        subject.id
        for subject, each in shown.shown
        if each.place is not None and each.place.where == where and each.severity != "note"
    }
    return next((cause for cause in causes if cause.id in there), causes[0] if causes else None)


_GONE = {
    "42883": re.compile(r'function (?:pg_catalog\.)?"?(\w+)"?\('),
    "42703": re.compile(r'column "?(?:\w+\.)?(\w+)"? does not exist'),
    "42704": re.compile(r'unrecognized configuration parameter "([\w.]+)"'),
}
"""By error: the name of the missing function, column or setting in its message."""


def _explains(kind: EvidenceKind, finding: Finding) -> bool:
    """Whether an error shows the evidence: by its message, or because the missing object is the evidence's own."""
    code = finding.sqlstate or ""
    match kind:
        case RefusedWith():
            texts = finding.message, f"{finding.message}\n{finding.excerpt}"
            return code == kind.sqlstate and any(re.search(kind.message, text) for text in texts)
        case Call():
            is_its_own = code == "42883" and not (kind.own or kind.where or kind.types)
        case Column():
            is_its_own = code == "42703" and kind.value is None
        case SettingUsed():
            is_its_own = code == "42704" and kind.value is None
        case _:
            return False
    if not is_its_own or kind.may is not None or finding.certainty != "affects":
        return False
    gone = _GONE[code].search(finding.message)
    return gone is not None and gone[1] in kind.names


_CALLS = {"FuncCall": "funcname", "A_Expr": "name"}
"""The nodes that call functions and operators, with the fields that name these."""


def explained_result(
    finding: Finding,
    query: Query,
    shown: Incompatibilities,
    judgment: Judgment,
    errors: tuple[str | None, str | None],
    *,
    rewritten: bool,
) -> tuple[Finding, set[tuple[str, str, int]]]:
    """A finding about a statement's result with the behavior that explains it, and what may affect the statement,
    too: its result was compared.

    Certain evidence counts more than evidence that a person would have to check. If several behaviors may be the
    cause of other values, the message names them all.

    Parameters:
        errors: of both servers.
        rewritten: whether the values are the same, in another text.
    """
    subjects = {subject.id: subject for subject in shown.subjects}
    lines, sqlstate = range(query.lines[0], query.lines[-1] + 1), judgment.sqlstate
    there = [
        each
        for each in shown.findings
        if each.place and each.place.file == query.file and each.place.line in lines
        if not sqlstate or any(_raises(one, sqlstate) for one in subjects[_id(each)].expected)
    ]
    ids = {_id(each) for each in there if each.certainty == "affects"} or {*map(_id, there)}
    ids |= {
        subject.id
        for subject in shown.subjects
        for kind in subject.affects
        if isinstance(kind, ResultOf) and (rewritten or not kind.text) and judgment.types & {*kind.types}
    }
    if any(errors) and not ids:
        ids = _of_called(query, subjects.values(), errors)
    if sqlstate and len(ids) != 1:
        return finding, set()
    named = {name for each in there for name in named_by(each)}
    causes = [subjects[id_] for id_ in sorted(ids)]
    if len(causes) == 1:
        finding = replace(finding, message=f"{finding.message} [{causes[0].title}]")
        return _with(finding, causes[0]), named
    items = {item for cause in causes for item in cause.items}
    candidates = f" [one of {', '.join(cause.id for cause in causes)}]" if causes else ""
    return replace(finding, message=finding.message + candidates, items=tuple(sorted(items))), named


def _id(finding: Finding) -> str:
    return finding.behavior or finding.items[0]


def _of_called(
    query: Query, subjects: Collection[Subject], errors: tuple[str | None, str | None]
) -> set[str]:
    """The behaviors of functions and operators that a statement calls with any arguments, with these errors."""
    nodes = nodes_in(read(query.sql) or {})
    called = {words(node[_CALLS[name]])[-1] for name, node, _ in nodes if name in _CALLS}
    return {
        subject.id
        for subject in subjects
        if all(not code or _raises(each, code) for each, code in zip(subject.expected, errors, strict=True))
        and any(
            isinstance(each, Call) and not each.own and called & {*each.names} for each in subject.affects
        )
    }


def _raises(expected: object, sqlstate: str) -> bool:
    return expected == sqlstate or (isinstance(expected, list) and sqlstate in expected)
