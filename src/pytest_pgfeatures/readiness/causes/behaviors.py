"""The behaviors of the atlas, or of the user's own, that explain findings of any stage, and different results."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects import Call, Column, RefusedWith, SettingUsed
from pytest_pgfeatures.readiness.statements.grammar import nodes_in, read, words

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_pgfeatures.affects import EvidenceKind
    from pytest_pgfeatures.readiness.evidence.find import Incompatibilities
    from pytest_pgfeatures.readiness.evidence.subjects import Subject
    from pytest_pgfeatures.readiness.model import Finding, Query
    from pytest_pgfeatures.readiness.servers.trial import Trial

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
    there = {
        subject.id
        for subject, each in shown.shown
        if each.place is not None and each.place.where == line and each.severity != "note"
    }
    causes = [subject for subject in explaining if subject.id in there] or explaining
    return causes[0] if causes else None


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


_OF_TYPES = {
    "double precision": "12/float8-text",
    "real": "12/float4-text",
    "interval": "15/interval-fraction-rounds",
}
"""Behaviors that change values of a type, regardless of the statement."""
_OF_TEXTS = {'"char"': "15/char-high-bit", "pg_lsn": "19/pg-lsn-text"}
"""Behaviors that change the text of a type's values, and nothing else."""
_CALLS = {"FuncCall": "funcname", "A_Expr": "name"}
"""The nodes that call functions and operators, with the fields that name these."""


class ResultCauses:
    """The behaviors that the application's statements show. They are looked for when the first result differs.

    Parameters:
        trial: the pair of versions.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self.named: set[tuple[str, str, int]] = set()
        """The causes that findings name: a behavior or an entry of the release notes, its file and line."""

    @functools.cached_property
    def _subjects(self) -> dict[str, Subject]:
        return {subject.id: subject for subject in self._trial.shown.subjects}

    def explained(
        self,
        finding: Finding,
        query: Query,
        types: Collection[str] = (),
        sqlstate: str | None = None,
        errors: tuple[str | None, str | None] = (None, None),
        *,
        rewritten: bool = False,
    ) -> Finding:
        """The finding with the behavior that explains it.

        Certain evidence counts more than evidence that a person would have to check. If several behaviors may
        be the cause of other values, the message names them all.

        Parameters:
            types: the types of the columns with different values.
            sqlstate: of an error on the old or the new server alone.
            errors: the errors on both.
            rewritten: whether the values are the same, in another text.
        """
        lines = range(query.lines[0], query.lines[-1] + 1)
        shown = [
            (each, each.place)
            for each in self._trial.shown.findings
            if each.place and each.place.file == query.file and each.place.line in lines
        ]
        if sqlstate:
            shown = [each for each in shown if self._is_about(each[0].behavior, sqlstate)]
        beside, shown = shown, [each for each in shown if each[0].certainty == "affects"] or shown
        ids = {each.behavior or ", ".join(each.items) for each, _ in shown}
        of_types = _OF_TYPES | (_OF_TEXTS if rewritten else {})
        ids |= {id_ for type_ in types if (id_ := of_types.get(type_)) in self._subjects}
        if any(errors) and not ids:
            ids = self._of_called(query, errors)
        if sqlstate and len(ids) != 1:
            return finding
        for each, place in beside:  # what may affect the statement, too: its result was compared
            self.named.update((name, place.file, place.line) for name in each.items or (each.behavior or "",))
        if len(ids) != 1:
            items = {item for id_ in ids if id_ in self._subjects for item in self._subjects[id_].items}
            candidates = f" [one of {', '.join(sorted(ids))}]" if ids else ""
            return replace(finding, message=finding.message + candidates, items=tuple(sorted(items)))
        (id_,) = ids
        subject = self._subjects.get(id_)
        if subject is None:  # a behavior of the user's own
            return replace(finding, message=f"{finding.message} [{shown[0][0].message}]", behavior=id_)
        return replace(
            finding,
            message=f"{finding.message} [{subject.title}]",
            behavior=id_ if "/" in id_ else None,
            items=subject.items,
            remedy=subject.remedy or finding.remedy,
        )

    def _of_called(self, query: Query, errors: tuple[str | None, str | None]) -> set[str]:
        """The behaviors of functions and operators that a statement calls, whatever their arguments, with these
        errors."""
        nodes = list(nodes_in(read(query.sql) or {}))
        calls = (node[key] for kind, key in _CALLS.items() for name, node, _ in nodes if name == kind)
        called = {words(name)[-1] for name in calls}
        return {
            subject.id
            for subject in self._subjects.values()
            if all(
                code is None or _raises(expected, code)
                for expected, code in zip(subject.expected, errors, strict=True)
            )
            and any(
                isinstance(each, Call) and not each.own and called & {*each.names} for each in subject.affects
            )
        }

    def _is_about(self, behavior: str | None, sqlstate: str) -> bool:
        """Whether a behavior is this error on one of the versions."""
        subject = self._subjects.get(behavior or "")
        return subject is not None and any(_raises(each, sqlstate) for each in subject.expected)


def _raises(expected: object, sqlstate: str) -> bool:
    return expected == sqlstate or (isinstance(expected, list) and sqlstate in expected)
