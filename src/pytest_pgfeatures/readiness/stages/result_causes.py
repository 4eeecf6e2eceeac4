"""Explain different results of a statement by the behavior of the atlas that its text shows."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

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
    def _shown(self) -> dict[str, list[Finding]]:
        """The places that show a behavior, by file."""
        shown: dict[str, list[Finding]] = {}
        for each in self._trial.shown.findings:
            if each.place is not None:
                shown.setdefault(each.place.file, []).append(each)
        return shown

    @functools.cached_property
    def _subjects(self) -> dict[str, Subject]:
        return {subject.id: subject for subject in self._trial.shown.subjects}

    def explained(self, finding: Finding, query: Query, types: Collection[str]) -> Finding:
        """The finding with the behavior that explains it.

        Certain evidence counts more than evidence that a person would have to check. If several behaviors may
        be the cause, the message names them all.

        Parameters:
            types: the types of the columns with different values.
        """
        shown = self._shown_by(query)
        shown = [each for each in shown if each.certainty == "affects"] or shown
        ids = {each.behavior or ", ".join(each.items) for each in shown}
        ids |= {id_ for type_ in types if (id_ := _OF_TYPES.get(type_)) in self._subjects}
        for each in shown:
            assert each.place is not None
            names = each.items or (each.behavior or "",)
            self.named.update((name, each.place.file, each.place.line) for name in names)
        if len(ids) != 1:
            items = {item for id_ in ids if id_ in self._subjects for item in self._subjects[id_].items}
            candidates = f" [one of {', '.join(sorted(ids))}]" if ids else ""
            return replace(finding, message=finding.message + candidates, items=tuple(sorted(items)))
        (id_,) = ids
        return self._named(finding, id_, shown)

    def explained_error(self, finding: Finding, query: Query, sqlstate: str) -> Finding:
        """The finding with the behavior whose error this is on one of the versions, if the statement shows it.

        Parameters:
            sqlstate: of the error, on the old or the new server.
        """
        from pytest_pgfeatures.behaviors.registry import atlas

        known, pair = atlas(), self._trial.pair
        shown = [
            each
            for each in self._shown_by(query)
            if each.behavior is not None
            and each.behavior in known
            and any(_has(known[each.behavior].expect(version), sqlstate) for version in (pair.old, pair.new))
        ]
        ids = {each.behavior for each in shown if each.behavior}
        if len(ids) != 1:
            return finding
        (id_,) = ids
        for each in shown:
            assert each.place is not None
            self.named.update((item, each.place.file, each.place.line) for item in each.items)
        return self._named(finding, id_, shown)

    def _shown_by(self, query: Query) -> list[Finding]:
        """The places of a statement that show a behavior."""
        lines = range(query.lines[0], query.lines[-1] + 1)
        return [each for each in self._shown.get(query.file, ()) if each.place and each.place.line in lines]

    def _named(self, finding: Finding, id_: str, shown: list[Finding]) -> Finding:
        subject = self._subjects.get(id_)
        if subject is None:  # a behavior of the user's own
            return replace(finding, message=f"{finding.message} [{shown[0].message}]", behavior=id_)
        return replace(
            finding,
            message=f"{finding.message} [{subject.title}]",
            behavior=id_ if "/" in id_ else None,
            items=subject.items,
            remedy=subject.remedy or finding.remedy,
        )


def _has(expected: object, sqlstate: str) -> bool:
    return expected == sqlstate or (isinstance(expected, list) and sqlstate in expected)
