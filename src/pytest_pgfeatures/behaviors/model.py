"""Behaviors: a documented fact, the way to observe it, and the expectation for each version."""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from pytest_pgfeatures.affects import EvidenceKind
from pytest_pgfeatures.behaviors.release_note import manual_page, read_keys, source_of
from pytest_pgfeatures.behaviors.since import read_since, releases_with
from pytest_pgfeatures.errors import BehaviorError, VersionError
from pytest_pgfeatures.version import MAJORS, VersionSet, as_release

if TYPE_CHECKING:
    from pytest_pgfeatures.results.evidence import Plain
    from pytest_pgfeatures.version import PgMajor, PgVersion

Kind = Literal["feature", "incompatibility", "default"]
Isolation = Literal["database", "transaction", "cluster"]

Observing = TypeVar("Observing", bound="Callable[..., object]")

_ID = re.compile(r"[a-z0-9.]+(?:[/-][a-z0-9.]+)+")
_KINDS, _ISOLATIONS = get_args(Kind), get_args(Isolation)
_SUPPORTED = VersionSet(f">={MAJORS[0]}")


@dataclass(frozen=True, slots=True)
class NotYet:
    """In an expectation table: the observation on servers that are too old to have the feature.

    It is compared like any expected value. If two majors differ only because the older one lacks the feature,
    this is no incompatibility between them (:func:`pytest_pgfeatures.behaviors.delta.delta`).

    >>> expect = {"<15": NotYet("42601"), "15": "accepted", ">=16": "42P16"}
    """

    value: object


@dataclass(frozen=True, slots=True)
class Remedied:
    """The statement that an application can use instead of the broken one. It is run, too.

    Parameters:
        observe: a statement, whose answer :meth:`Lab.answer` gives, or a function that takes the lab. The lab
            is in the state in which the observation left it.
        expect: the expected result by version set, as :func:`behavior` takes it. By default, every version
            gives the result that the broken statement had before the change.
    """

    observe: str | Callable[..., object]
    expect: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """One row of an expectation table."""

    versions: VersionSet
    value: Plain
    not_yet: bool = False
    """Whether servers of these versions are too old to have the feature: :class:`NotYet`."""


@dataclass(frozen=True, slots=True)
class Behavior:
    """One documented feature or incompatibility. :func:`behavior` creates it, and describes the fields."""

    id: str
    title: str
    area: str
    source: str
    expected: tuple[Expected, ...]
    """The expectation table, oldest versions first. Its rows cover every supported version exactly once."""
    kind: Kind
    since: PgMajor | PgVersion | None
    """The version that brought the change: a major, or a release within one."""
    backports: tuple[PgVersion, ...]
    """Minor releases that brought it to older majors."""
    needs: Mapping[str, VersionSet]
    """Capabilities, each with the versions on which it is needed."""
    settings: Mapping[str, str]
    isolation: Isolation
    note: str | None
    manual: str | None
    remedy: str | None
    release_note: tuple[str, ...]
    """Keys of entries of the release notes: ``14.16``."""
    affects: tuple[EvidenceKind, ...]
    """The ways in which it shows in an application: :mod:`pytest_pgfeatures.affects`."""
    observe: Callable[..., object]
    remedied: Behavior | None = None
    """The behavior that observes the statement to use instead, with its own observation and table."""

    @staticmethod
    def of(thing: object) -> Behavior | None:
        """The behavior that a function was decorated with, or None."""
        found = getattr(thing, "behavior", None)
        return found if isinstance(found, Behavior) else None

    def expect(self, version: PgMajor | PgVersion) -> Plain:
        """The documented value for a server of this version.

        Parameters:
            version: a major stands for its newest release.

        Raises:
            VersionError: the version is older than any that is supported.
        """
        return self.row(version).value

    def row(self, version: PgMajor | PgVersion) -> Expected:
        """The row of the expectation table for a server of this version.

        Parameters:
            version: a major stands for its newest release.

        Raises:
            VersionError: the version is older than any that is supported.
        """
        for row in self.expected:
            if as_release(version) in row.versions:
                return row
        raise VersionError(
            f"{self.id} has no expectation for PostgreSQL {version}",
            remedy=f"the oldest supported major is {MAJORS[0]}",
        )

    def before_change(self) -> Expected:
        """The row of the versions just before ``since``."""
        older = ~self.changed
        return next(row for row in reversed(self.expected) if row.versions & older)

    def needs_on(self, major: PgMajor) -> frozenset[str]:
        """The capabilities that an install of this major must have."""
        releases = VersionSet(major)
        return frozenset(name for name, versions in self.needs.items() if versions & releases)

    def has_change(self, version: PgMajor | PgVersion) -> bool | None:
        """Whether a version has the change; None if there is no change.

        Parameters:
            version: a major stands for its newest release.
        """
        return None if self.since is None else as_release(version) in self.changed

    @property
    def changed(self) -> VersionSet:
        """The releases that have the change; none if there is no change."""
        return releases_with(self.since, self.backports)

    def since_in(self, major: PgMajor) -> PgMajor | PgVersion | None:
        """The version that brought the change to a major's releases: a minor release of its own, or ``since``."""
        return next((each for each in self.backports if each.major == major), self.since)

    @property
    def file(self) -> str:
        """The file that declares it."""
        return str(inspect.unwrap(self.observe).__code__.co_filename)

    @property
    def defined_at(self) -> str:
        """``FILE:LINE`` of its declaration."""
        return f"{self.file}:{inspect.unwrap(self.observe).__code__.co_firstlineno}"

    @property
    def manual_url(self) -> str | None:
        """The page of PostgreSQL's manual, in the edition of the major that changed."""
        if self.manual is None:
            return None
        page, _, anchor = self.manual.partition("#")
        edition = self.since.major if self.since else "current"
        return f"https://www.postgresql.org/docs/{edition}/{page}.html{'#' if anchor else ''}{anchor}"


def behavior(
    id: str,
    *,
    title: str,
    area: str,
    expect: Mapping[str, object],
    source: str | None = None,
    release_note: str | Iterable[str] = (),
    kind: Kind = "feature",
    since: str | Iterable[str] | None = None,
    needs: Iterable[str] | Mapping[str, str] = (),
    settings: Mapping[str, str] | None = None,
    isolation: Isolation = "database",
    note: str | None = None,
    manual: str | None = None,
    remedy: str | None = None,
    remedied: str | Callable[..., object] | Remedied | None = None,
    affects: EvidenceKind | Iterable[EvidenceKind] = (),
) -> Callable[[Observing], Observing]:
    """Declare a function as the observation of a documented behavior.

    The function takes a ``lab`` (and any other fixture), runs statements on a real server, and returns what it
    observed as a plain value: text, whole numbers, booleans, None, and lists, tuples and dicts of those. It
    doesn't assert. pytest collects it as a test, and compares the returned value with ``expect``.

    Parameters:
        id: unique, lower case, a slash after the major: ``16/any-value``.
        title: the documented fact in one line.
        area: a part of PostgreSQL, such as ``performance`` or ``replication``.
        expect: what must be observed, by version set; every supported version is in exactly one set.
            A set may split a major at a minor (``<16.5``, ``>=16.5``). :class:`NotYet` marks what servers show
            that are too old to have the feature.
        source: the document and, after the last comma, its section: ``PostgreSQL 16 report, 4.1.1``. Taken from
            ``release_note`` if that is given.
        release_note: the entries of the release notes that it is about, by number: ``14.16`` is the 16th of
            "Migration to Version 14"; ``14.x2`` is one that is not listed there. One, or several.
        kind: ``feature``; ``incompatibility`` for what can break an application at an upgrade, which then says
            what to do (``remedy``); or ``default`` for a default that changed.
        since: the major that brought it, or the release within one. Taken from ``expect`` where that changes once.
            Several if minor releases brought it to older majors, too: ``("18", "17.6", "16.10")``.
        needs: capabilities an install must have, such as ``icu`` or ``contrib:pageinspect``. With the versions
            on which it must, ``{"icu": ">=10"}``, where older servers show something without it.
        settings: server settings of the cluster it runs on, by their newest names.
        isolation: ``cluster`` for what concerns the whole server, such as WAL, checkpoints, connections and
            roles: it then has a cluster of its own. ``transaction`` for SQL that one session can run within a
            transaction, which is rolled back: the fastest. Otherwise it has a fresh database of a shared server.
        note: for the reader, such as where the document differs from the released servers.
        manual: a page of PostgreSQL's manual without ``.html``, such as ``functions-aggregate``; by default the
            release notes, if ``release_note`` is given.
        remedy: for an incompatibility, what an application does about it.
        remedied: what an application writes instead. It is run after the observation, and must return on every
            version what the broken form returned before the change. Use :class:`Remedied` if it returns
            something else.
        affects: how it shows in an application: one or several kinds of evidence of
            :mod:`pytest_pgfeatures.affects`, for which ``pgfeatures readiness`` looks.

    Raises:
        BehaviorError: an argument is wrong. The message names it.
    """

    def declare(function: Observing) -> Observing:
        __tracebackhide__ = True  # so that pytest shows the line of the declaration, and no line of ours
        table = _table(id, expect)
        keys = read_keys(id, release_note)
        if not _ID.fullmatch(id):
            raise BehaviorError(
                f"{id!r} is not a behavior id",
                remedy="write lower case words, such as 16/any-value",
            )
        if kind not in _KINDS:
            raise BehaviorError(f"{id} has kind {kind!r}", remedy=f"write {' or '.join(_KINDS)}")
        if isolation not in _ISOLATIONS:
            raise BehaviorError(
                f"{id} has isolation {isolation!r}", remedy=f"write {' or '.join(_ISOLATIONS)}"
            )
        if kind == "incompatibility" and not remedy:
            raise BehaviorError(
                f"{id} is an incompatibility without a remedy", remedy='write remedy="what to do about it"'
            )
        if not (source or keys):
            raise BehaviorError(
                f"{id} has no source", remedy='write source="a document, section" or release_note="14.16"'
            )
        code = inspect.unwrap(function).__code__
        if "lab" not in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            raise BehaviorError(
                f"{id}: {function.__name__}() does not take a lab",
                remedy=f"write def {function.__name__}(lab):",
            )
        brought, *backports = _since(id, since, table)
        declared = Behavior(
            id=id,
            title=title,
            area=area,
            source=source or source_of(keys),
            expected=table,
            kind=kind,
            since=brought,
            backports=tuple(backports),
            needs=_needs(id, needs),
            settings=dict(settings or {}),
            isolation=isolation,
            note=note,
            manual=manual or manual_page(keys),
            remedy=remedy,
            release_note=keys,
            affects=_affects(id, affects),
            observe=function,
        )
        if remedied is not None:
            declared = replace(declared, remedied=_remedied(declared, remedied))
        marked: Any = function
        marked.behavior = declared
        marked.__test__ = True  # pytest collects it, whatever its name
        return function

    return declare


def _affects(id: str, given: EvidenceKind | Iterable[EvidenceKind]) -> tuple[EvidenceKind, ...]:
    __tracebackhide__ = True
    kinds = (given,) if isinstance(given, EvidenceKind) else given
    evidence = tuple(kinds) if isinstance(kinds, Iterable) else (kinds,)
    for kind in evidence:
        if not isinstance(kind, EvidenceKind):
            raise BehaviorError(
                f"{id} affects applications by {kind!r}, which is no kind of evidence",
                remedy='write affects=[...] with kinds of pytest_pgfeatures.affects, such as Call("lower")',
            )
    return evidence


def plain(value: object, of: str) -> Plain:
    """``value`` with its tuples as lists.

    Parameters:
        of: the behavior's id, for the message.

    Raises:
        BehaviorError: something in ``value`` has a type that an observation may not have.
    """
    __tracebackhide__ = True
    if isinstance(value, str):
        return str.__str__(value)  # also of an SqlState, which equals its text
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, list | tuple):
        return [plain(item, of) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: plain(item, of) for key, item in value.items()}
    raise BehaviorError(
        f"{of}: {value!r} ({type(value).__name__}) is neither text, a whole number, a boolean, None,"
        " nor a list, tuple or dict (with text keys) of those",
        remedy="return something that compares exactly: cast it in SQL, or turn it into text",
    )


def same(one: Plain, other: Plain) -> bool:
    """Whether two observations are equal, without Python's ``True == 1``."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _table(id: str, expect: Mapping[str, object]) -> tuple[Expected, ...]:
    __tracebackhide__ = True
    try:
        sets = _sets(tuple(expect))
    except BehaviorError as error:
        raise BehaviorError(f"{id}{error.problem}", remedy=error.remedy) from None
    rows = [
        Expected(
            versions,
            plain(value.value if isinstance(value, NotYet) else value, id),
            isinstance(value, NotYet),
        )
        for versions, value in zip(sets, expect.values(), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.versions.places))


@functools.cache  # hundreds of behaviors share a few dozen tables
def _sets(texts: tuple[str, ...]) -> tuple[VersionSet, ...]:
    """The version sets of a table's rows, which contain each supported version once.

    Raises:
        BehaviorError: they don't. The message continues after the behavior's id.
    """
    sets: list[VersionSet] = []
    for text in texts:
        try:
            versions = VersionSet(text) & _SUPPORTED
        except VersionError as error:
            raise BehaviorError(
                f" expects something of {text!r}: {error.problem}", remedy=error.remedy
            ) from None
        if not versions:
            raise BehaviorError(f" expects something of {text!r}, in which no supported version is")
        for other in sets:
            if twice := other & versions:
                raise BehaviorError(
                    f": expect has two values for {twice}", remedy="let each version be in one set"
                )
        sets.append(versions)
    if gap := _SUPPORTED & ~VersionSet.union(sets):
        raise BehaviorError(f": expect has no value for {gap}", remedy="give a value for each version")
    return tuple(sets)


def _remedied(declared: Behavior, form: str | Callable[..., object] | Remedied) -> Behavior:
    """The behavior that observes the changed statement."""
    __tracebackhide__ = True
    if not isinstance(form, Remedied):
        form = Remedied(form)
    expect = form.expect
    if expect is None:
        if declared.since is None or (before := declared.before_change()).not_yet:
            raise BehaviorError(
                f"{declared.id}: there is no one answer from before the change, which the remedy would give",
                remedy='say what it gives: remedied=Remedied("SELECT ...", expect={...})',
            )
        expect = {"all": before.value}
    statement = form.observe
    return replace(
        declared,
        expected=_table(declared.id, expect),
        observe=(lambda lab: lab.answer(statement)) if isinstance(statement, str) else statement,
        remedied=None,
    )


def _needs(id: str, needs: Iterable[str] | Mapping[str, str]) -> dict[str, VersionSet]:
    by_name = needs if isinstance(needs, Mapping) else dict.fromkeys(needs, "all")
    try:
        return {name: VersionSet(versions) for name, versions in by_name.items()}
    except VersionError as error:
        raise BehaviorError(f"{id} needs something: {error.problem}", remedy=error.remedy) from None


def _since(id: str, since: str | Iterable[str] | None, table: tuple[Expected, ...]) -> tuple[Any, ...]:
    """The declared versions; else where the second of two expectations begins to hold."""
    if since is not None:
        try:
            return read_since(since)
        except VersionError as error:
            raise BehaviorError(f"{id} has a since: {error.problem}", remedy=error.remedy) from None
    if len(table) != 2 or any(len(row.versions.parts) != 1 for row in table):
        return (None,)
    return (table[1].versions.first,)
