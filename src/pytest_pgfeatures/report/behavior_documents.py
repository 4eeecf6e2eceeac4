"""The JSON documents of the verbs that show behaviors.

The classes are the formats: ``make schemas`` writes the JSON Schemas from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.behaviors.delta import Group
from pytest_pgfeatures.behaviors.model import Kind
from pytest_pgfeatures.report.delta import proof
from pytest_pgfeatures.report.values import conditions
from pytest_pgfeatures.results.evidence import Plain
from pytest_pgfeatures.results.model import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.behaviors.delta import BehaviorChange
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.report.delta import Version

GroupName = Literal["breaks", "default", "new"]
_GROUPS: dict[Group, GroupName] = {Group.BREAKS: "breaks", Group.DEFAULT: "default", Group.NEW: "new"}


@dataclass(frozen=True, slots=True)
class ExpectedObject:
    """The documented value on a set of versions."""

    versions: str
    value: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredObject:
    """The facts that a behavior documents.

    Parameters:
        since: the first major that has it.
        backports: minor releases that brought it to older majors.
        items: keys of entries of the release notes.
    """

    behavior: str
    title: str
    area: str
    kind: Kind
    since: str | None
    backports: tuple[str, ...]
    items: tuple[str, ...]
    expected: tuple[ExpectedObject, ...]
    remedy: str | None
    note: str | None
    source: str
    manual: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedObject(DeclaredObject):
    """The facts that a behavior documents, and the results of its observation."""

    results: tuple[Result, ...]


def described(behavior: Behavior) -> DeclaredObject:
    """Describe a behavior."""
    return DeclaredObject(
        behavior=behavior.id,
        title=behavior.title,
        area=behavior.area,
        kind=behavior.kind,
        since=str(behavior.since) if behavior.since else None,
        backports=tuple(map(str, behavior.backports)),
        items=tuple(behavior.release_note),
        expected=tuple(ExpectedObject(str(row.versions), row.value) for row in behavior.expected),
        remedy=behavior.remedy,
        note=behavior.note,
        source=behavior.source,
        manual=behavior.manual_url,
    )


def observed(behavior: Behavior, results: Sequence[Result]) -> ObservedObject:
    """Describe a behavior with its results."""
    facts = described(behavior)
    return ObservedObject(
        **{each.name: getattr(facts, each.name) for each in fields(facts)}, results=tuple(results)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaObject:
    """A difference between the two versions.

    Parameters:
        items: keys of entries of the release notes.
        before, after: the values on the two versions.
        conditions: the names of the conditions of SQLSTATEs in the values.
        proof: a command that checks it on both servers.
    """

    behavior: str
    title: str
    area: str
    group: GroupName
    kind: Kind
    items: tuple[str, ...]
    since: str
    before: Plain
    after: Plain
    conditions: Mapping[str, str]
    remedy: str | None
    note: str | None
    source: str
    manual: str | None
    proof: str


def delta_objects(old: Version, new: Version, changes: Sequence[BehaviorChange]) -> list[DeltaObject]:
    """Describe the changes."""
    return [
        DeltaObject(
            behavior=change.behavior.id,
            title=change.behavior.title,
            area=change.behavior.area,
            group=_GROUPS[change.group],
            kind=change.behavior.kind,
            items=tuple(change.behavior.release_note),
            since=str(change.since),
            before=change.before,
            after=change.after,
            conditions=conditions(change.before, change.after),
            remedy=change.behavior.remedy,
            note=change.behavior.note,
            source=change.behavior.source,
            manual=change.behavior.manual_url,
            proof=proof(old, new, change.behavior),
        )
        for change in changes
    ]
