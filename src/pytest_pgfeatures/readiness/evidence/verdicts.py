"""The verdict on each behavior: it affects the application, may affect it, does not, or was not looked at."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects import (
    AccessRule,
    Body,
    Call,
    CatalogQuery,
    Column,
    Constant,
    Default,
    Identity,
    ParseNode,
    ProgramCall,
    RefusedWith,
    ScriptText,
    SettingUsed,
    Unseen,
)
from pytest_pgfeatures.readiness.model import BehaviorVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_pgfeatures.readiness.evidence.searched_inputs import SearchedInputs
    from pytest_pgfeatures.readiness.evidence.subjects import Hit, Subject
    from pytest_pgfeatures.readiness.model import Certainty, Finding, Input

_STATEMENTS: frozenset[Input] = frozenset({"schema", "queries"})
_LOOKED_AT: Mapping[type, tuple[str, frozenset[Input]]] = {
    **dict.fromkeys((ParseNode, Call, Column, Constant, Body), ("statements", _STATEMENTS)),
    SettingUsed: ("settings", frozenset({"config", "schema", "queries", "scripts"})),
    Default: ("the configuration", frozenset({"config"})),
    AccessRule: ("lines of pg_hba.conf", frozenset({"hba"})),
    Identity: ("lines of pg_ident.conf", frozenset({"ident"})),
    ProgramCall: ("calls of programs", frozenset({"scripts"})),
    ScriptText: ("scripts", frozenset({"scripts"})),
    RefusedWith: ("what the servers refuse", _STATEMENTS),
    CatalogQuery: ("the old server's catalogs", frozenset({"schema"})),
}
"""By kind of evidence: where it is searched for, and the kinds of inputs of which at least one is needed."""


@dataclass(frozen=True)
class Incompatibilities:
    """The changes between two versions that the inputs show.

    Parameters:
        findings: the findings, one for each cause, in the order of files and lines.
        subjects: the changes.
        hits: by the id of a change, the places that show it.
        searched: the inputs.
    """

    findings: tuple[Finding, ...]
    subjects: tuple[Subject, ...]
    hits: Mapping[str, list[Hit]]
    searched: SearchedInputs

    def without(
        self, is_excluded: Callable[[Hit], bool], marked: Callable[[Iterable[Finding]], Iterable[Finding]]
    ) -> Incompatibilities:
        """A copy without the places that are no evidence. Their findings are replaced by marked ones."""
        hits = {name: [hit for hit in found if not is_excluded(hit)] for name, found in self.hits.items()}
        return replace(self, findings=tuple(marked(self.findings)), hits=hits)

    def uncertain(self, why: Mapping[tuple[str, int], str]) -> Incompatibilities:
        """A copy in which what only the text of some statements shows may affect the application.

        Parameters:
            why: by file and line, why no server could be asked.
        """

        def reason(one: Hit | Finding) -> str | None:
            return why.get((one.place.file, one.place.line)) if one.place else None

        hits = {
            name: [hit._replace(asked=hit.asked and reason(hit) is None) for hit in found]
            for name, found in self.hits.items()
        }
        findings = (
            replace(
                each,
                certainty="may affect",
                severity="warning",
                message=f"{each.message} (by its text alone: {said})",
            )
            if each.certainty == "affects" and (said := reason(each))
            else each
            for each in self.findings
        )
        return replace(self, findings=tuple(findings), hits=hits)

    def verdicts(self, others: Mapping[str, Certainty] = MappingProxyType({})) -> tuple[BehaviorVerdict, ...]:
        """One verdict for each behavior that breaks something, and for each release notes entry without a behavior.

        Parameters:
            others: by behavior or entry, the certainty of the other stages' findings.
        """
        kin: dict[str, list[Subject]] = defaultdict(list)
        for subject in self.subjects:
            for item in subject.items:
                kin[item].append(subject)
        return tuple(_verdict(subject, kin, self.hits, others, self.searched) for subject in self.subjects)


def _verdict(
    subject: Subject,
    kin: Mapping[str, list[Subject]],
    hits: Mapping[str, list[Hit]],
    others: Mapping[str, Certainty],
    searched: SearchedInputs,
) -> BehaviorVerdict:
    """The verdict on a behavior. If it declares nothing, the other behaviors of its entry decide."""
    family = (
        [subject] if subject.affects else [one for item in subject.items for one in kin[item] if one.affects]
    )
    found = [hit for one in family for hit in hits.get(one.id, ())]
    verdict = functools.partial(BehaviorVerdict, subject.id, subject.items, subject.title)
    by_others = {others[one.id] for one in (subject, *family) if one.id in others}
    if "affects" in by_others:
        return verdict("affects", "another stage found it")
    certain = [hit for hit in found if hit.asked and hit.kind.may is None]
    if found:
        return verdict("affects" if certain else "may affect", f"seen in {len(found)} places")
    if by_others:
        return verdict("may affect", "another stage found it")
    kinds = [kind for one in family for kind in one.affects]
    unseen = [kind.reason for kind in kinds if isinstance(kind, Unseen)]
    kinds = [kind for kind in kinds if type(kind) in _LOOKED_AT]
    if not kinds:
        return verdict(
            "not looked at", unseen[0] if unseen else "no declaration says how it shows in an application"
        )
    given = searched.application.given
    read = given if searched.count else given - _STATEMENTS
    passed = [each for each in searched.application.passed_over if not each.suffix.endswith("/")]
    missing: dict[str, frozenset[Input]] = {}
    looked: dict[str, None] = {}
    for kind in kinds:
        what, inputs = _LOOKED_AT[type(kind)]
        if isinstance(kind, CatalogQuery):
            looks = searched.rows is not None and not inputs.isdisjoint(given)
        else:
            looks = not inputs.isdisjoint(read)
        if not looks:
            missing[what] = inputs
        else:
            looked[f"{searched.count} {what}" if inputs == _STATEMENTS else what] = None
            beside = sum(each.count for each in passed if each.option in inputs)
            looked |= {f"and not at {beside} files of the directories": None} if beside else {}
    if missing:
        wanted = ", ".join(
            f"{what} ({' or '.join(f'--{name}' for name in sorted(inputs))})"
            for what, inputs in missing.items()
        )
        return verdict("not looked at", f"not read: {wanted}")
    return verdict("does not", f"looked at {', '.join(looked)}")
