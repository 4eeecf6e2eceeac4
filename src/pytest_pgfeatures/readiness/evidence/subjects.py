"""The changes between two versions, and how they show in an application."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from pytest_pgfeatures.affects import EvidenceKind
from pytest_pgfeatures.behaviors.delta import Group, delta
from pytest_pgfeatures.behaviors.model import Behavior
from pytest_pgfeatures.behaviors.registry import is_of_atlas, keyword_of
from pytest_pgfeatures.behaviors.release_note import major_of
from pytest_pgfeatures.readiness.model import Place, Query, VersionPair
from pytest_pgfeatures.version import PgVersion, VersionSet

LONGEST_VALUE, LONGEST_BODY = 4000, 1 << 16  # in characters; some patterns take quadratic time
LONGER = "it has more than {:,} characters: it was compared with no pattern of"


class Subject(NamedTuple):
    """A change: a behavior, or an entry of the release notes that no behavior observes."""

    id: str
    items: tuple[str, ...]
    title: str
    remedy: str
    is_default: bool
    affects: tuple[EvidenceKind, ...]
    proof: str = ""  # a command that shows the change on both versions
    expected: tuple[object, object] = (None, None)  # the results of the behavior on both versions

    @property
    def behavior(self) -> str | None:
        """The id of the behavior; None for an entry."""
        return self.id if "/" in self.id else None


class Hit(NamedTuple):
    """A place that matches some evidence."""

    may: str | None  # the reason why a person has to check, if it is not certain
    place: Place | None
    excerpt: str
    object: str | None = None


def hit_at(kind: EvidenceKind, query: Query, index: int, condition: str = "") -> Hit:
    """The evidence at an index of a statement's text; with a condition, one that a person has to check."""
    begin = query.sql.rfind("\n", 0, index) + 1
    excerpt = query.sql[begin:].partition("\n")[0].strip()
    return Hit(kind.may or condition, query.place(index), excerpt, query.inside)


@functools.cache
def compiled(regex: str) -> re.Pattern[str]:
    """A regular expression of a declaration."""
    return re.compile(regex, re.IGNORECASE | re.DOTALL)


def matches(regex: str, *values: str) -> bool:
    """Whether a regular expression of a declaration matches one of some values."""
    return any(map(compiled(regex).fullmatch, values))


@functools.cache
def subjects_between(pair: VersionPair) -> tuple[Subject, ...]:
    """The incompatibilities and the changed defaults between two versions."""
    from pytest_pgfeatures.atlas.release_notes import ENTRIES
    from pytest_pgfeatures.atlas.without_behavior import WITHOUT_BEHAVIOR
    from pytest_pgfeatures.behaviors.registry import atlas

    behaviors = atlas().values()
    found = list(changed(pair, behaviors))
    known = {subject.id for subject in found}
    first, major = VersionPair(PgVersion(f"{pair.old.major}.0"), pair.new), pair.old.major
    for subject in changed(first, behaviors):  # a server may run an older release of the old major
        if subject.id not in known:
            title = f"{subject.title}: {pair.old} does already, older releases of {major} do not"
            found.append(subject._replace(title=title))
    for key, reason in WITHOUT_BEHAVIOR.items():
        brought = VersionSet(f">={major_of(key)}")
        if pair.old not in brought and pair.new in brought:
            found.append(Subject(key, (key,), ENTRIES[key], "", False, reason.affects))
    return tuple(found)


def changed(pair: VersionPair, behaviors: Iterable[Behavior]) -> tuple[Subject, ...]:
    """The behaviors that break something, are changed defaults, or declare how they affect applications."""
    return tuple(
        Subject(
            each.id, each.release_note, each.title, each.remedy or "", change.group is not Group.BREAKS,
            each.affects, _proof(pair, each), (change.before, change.after),
        )
        for change, each in ((change, change.behavior) for change in delta(pair.old, pair.new, behaviors))
        if change.group is not Group.NEW or each.affects
    )  # fmt: skip


def _proof(pair: VersionPair, behavior: Behavior) -> str:
    """A command that observes a behavior of the atlas, or of a user's file, on both versions."""
    versions = f"{pair.old.major},{pair.new.major}"
    if is_of_atlas(behavior):
        return f"pgfeatures verify --pg {versions} -k {shlex.quote(keyword_of(behavior))}"
    path, here = Path(behavior.file), Path.cwd()
    path = path.relative_to(here) if path.is_relative_to(here) else path
    return f"pytest --pg {versions} -k {shlex.quote(f'[{behavior.id}]')} {shlex.quote(str(path))}"
