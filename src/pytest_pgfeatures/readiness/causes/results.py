"""Explain different results of a statement by the behavior of the atlas that its text shows."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects import Call
from pytest_pgfeatures.readiness.running.reading import nodes_in, read, words

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_pgfeatures.readiness.evidence.subjects import Subject
    from pytest_pgfeatures.readiness.model import Finding, Query
    from pytest_pgfeatures.readiness.servers.trial import Trial


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
