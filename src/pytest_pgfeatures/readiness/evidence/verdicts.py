"""The verdict on each behavior: it affects the application, may affect it, does not, or was not looked at."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.affects import (
    AccessRule,
    Body,
    Call,
    CatalogQuery,
    Column,
    Default,
    Identity,
    Operator,
    ProgramCall,
    Relation,
    ScriptText,
    SettingUsed,
    Sql,
    TypeName,
    Unseen,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.readiness.evidence.seen import Seen
    from pytest_pgfeatures.readiness.evidence.subjects import Hit, Subject
    from pytest_pgfeatures.readiness.model import Finding, Input

_STATEMENTS: frozenset[Input] = frozenset({"schema", "queries"})
_LOOKED_AT: Mapping[type, tuple[str, frozenset[Input]]] = {
    **dict.fromkeys((Sql, Call, Column, Relation, TypeName, Operator, Body), ("statements", _STATEMENTS)),
    SettingUsed: ("settings", frozenset({"config", "schema", "queries", "scripts"})),
    Default: ("the configuration", frozenset({"config"})),
    AccessRule: ("lines of pg_hba.conf", frozenset({"hba"})),
    Identity: ("lines of pg_ident.conf", frozenset({"ident"})),
    ProgramCall: ("calls of programs", frozenset({"scripts"})),
    ScriptText: ("scripts", frozenset({"scripts"})),
    CatalogQuery: ("the old server's catalogs", frozenset({"schema"})),
}
"""By kind of evidence: where it is searched for, and the kinds of inputs of which at least one is needed."""
_OPTIONS: Mapping[str, str] = {
    "schema": "--schema",
    "queries": "--queries",
    "config": "--config",
    "hba": "--hba",
    "ident": "--ident",
    "scripts": "--scripts",
    "data": "--data",
}


@dataclass(frozen=True, slots=True)
class BehaviorVerdict:
    """The verdict on one behavior.

    Parameters:
        subject: the behavior's id, or the key of a release notes entry that no behavior observes.
        items: keys of entries of the release notes.
        title: what changed, in one line.
        answer: one of the four answers.
        reason: what was looked at, which input is missing, or why no input shows it.
    """

    subject: str
    items: tuple[str, ...]
    title: str
    answer: Literal["affects", "may affect", "does not", "not looked at"]
    reason: str


@dataclass(frozen=True, slots=True)
class Incompatibilities:
    """The result of the stage.

    Parameters:
        findings: the findings, one for each cause, in the order of files and lines.
        verdicts: one for each behavior that breaks something, and for each release notes entry without a behavior.
    """

    findings: tuple[Finding, ...]
    verdicts: tuple[BehaviorVerdict, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of verdicts with each of the four answers."""
        answers = ("affects", "may affect", "does not", "not looked at")
        return {answer: sum(verdict.answer == answer for verdict in self.verdicts) for answer in answers}


def verdicts_on(
    subjects: tuple[Subject, ...],
    hits: Mapping[str, list[Hit]],
    by_others: set[str],
    seen: Seen,
) -> tuple[BehaviorVerdict, ...]:
    kin: dict[str, list[Subject]] = defaultdict(list)
    for subject in subjects:
        for item in subject.items:
            kin[item].append(subject)
    return tuple(_verdict(subject, kin, hits, by_others, seen) for subject in subjects)


def _verdict(
    subject: Subject,
    kin: Mapping[str, list[Subject]],
    hits: Mapping[str, list[Hit]],
    by_others: set[str],
    seen: Seen,
) -> BehaviorVerdict:
    """The verdict on a behavior. If it declares nothing, the other behaviors of its entry decide."""
    family = (
        [subject] if subject.affects else [one for item in subject.items for one in kin[item] if one.affects]
    )
    found = [hit for one in family for hit in hits.get(one.id, ())]
    verdict = functools.partial(BehaviorVerdict, subject.id, subject.items, subject.title)
    if any(one.id in by_others for one in family):
        return verdict("affects", "another stage found it")
    certain = [hit for hit in found if getattr(hit.kind, "may", None) is None]
    if found:
        return verdict("affects" if certain else "may affect", f"seen in {len(found)} places")
    kinds = [kind for one in family for kind in one.affects]
    unseen = [kind.reason for kind in kinds if isinstance(kind, Unseen)]
    kinds = [kind for kind in kinds if type(kind) in _LOOKED_AT]
    if not kinds:
        return verdict(
            "not looked at", unseen[0] if unseen else "no declaration says how it shows in an application"
        )
    given = seen.application.given
    read = given if seen.count else given - _STATEMENTS
    passed = [each for each in seen.application.passed_over if not each.suffix.endswith("/")]
    missing: dict[str, frozenset[Input]] = {}
    looked: dict[str, None] = {}
    for kind in kinds:
        what, inputs = _LOOKED_AT[type(kind)]
        if isinstance(kind, CatalogQuery):
            looks = seen.rows is not None and not inputs.isdisjoint(given)
        else:
            looks = not inputs.isdisjoint(read)
        if not looks:
            missing[what] = inputs
        else:
            looked[f"{seen.count} {what}" if inputs == _STATEMENTS else what] = None
            beside = sum(each.count for each in passed if each.option in inputs)
            looked |= {f"and not at {beside} files of the directories": None} if beside else {}
    if missing:
        wanted = ", ".join(
            f"{what} ({' or '.join(_OPTIONS[name] for name in sorted(inputs))})"
            for what, inputs in missing.items()
        )
        return verdict("not looked at", f"not read: {wanted}")
    return verdict("does not", f"looked at {', '.join(looked)}")
