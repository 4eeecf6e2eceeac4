"""Sets of releases."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.version.places import END, START, at
from pytest_pgfeatures.version.release import MAJORS, PgMajor, PgVersion, read_version, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Range = tuple[int, int]
"""Places, the second one excluded; see :mod:`pytest_pgfeatures.version.places`."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class VersionSet:
    """A set of PostgreSQL releases, written the way ``--pg`` and the ``pg`` marker take it.

    ``16`` is every 16.x and its pre-releases, ``16.2`` that release alone, ``14..18`` both ends included,
    ``>=16`` ``<16.5`` ``<=9.6`` ``>14`` open ranges, ``!=15`` all but one, ``all`` everything, ``none`` nothing.
    Commas separate parts: ``14,16..18``. Spaces around a part are ignored. Sets combine with ``&``, ``|``, ``~``.

    A release is in a set or not: ``PgVersion("16.2") in versions``. A major has many releases: :meth:`covers`
    says whether all of them are in the set, and :meth:`majors` yields the majors with at least one in it.

    Parameters:
        text: the set as text, or a major, a release, or another set.

    Raises:
        VersionError: ``text`` is invalid; the message names the invalid part.
    """

    places: tuple[Range, ...]
    """Ascending, disjoint, none touching the next: equal sets have equal ones."""

    def __init__(self, text: str | PgMajor | PgVersion | VersionSet) -> None:
        if isinstance(text, str):
            ranges = _read_set(text)
        elif isinstance(text, PgMajor | PgVersion):
            ranges = (_range(text),)
        elif isinstance(text, VersionSet):
            ranges = text.places
        else:
            raise VersionError(
                f"{shown(text)} is not a set of versions", remedy='write it as text, such as "16" or ">=16"'
            )
        object.__setattr__(self, "places", ranges)

    @classmethod
    def _of(cls, ranges: Iterable[Range]) -> VersionSet:
        return cls._at(_united(ranges))

    @classmethod
    def _at(cls, places: tuple[Range, ...]) -> VersionSet:
        created = cls.__new__(cls)
        object.__setattr__(created, "places", places)
        return created

    def __contains__(self, release: PgVersion) -> bool:
        """Whether a release is in the set.

        Raises:
            VersionError: ``release`` is something else, such as a major or text.
        """
        if not isinstance(release, PgVersion):
            raise VersionError(
                f"{shown(release)} is not a release: only releases are in a set of versions",
                remedy='write PgVersion("16.2") in versions, or versions.covers(PgMajor("16")) for a major',
            )
        return any(low <= release.place < high for low, high in self.places)

    def covers(self, major: PgMajor) -> bool:
        """Whether every release of ``major`` is in the set."""
        first, end = major.places
        return any(low <= first and end <= high for low, high in self.places)

    def majors(self, known: Iterable[PgMajor] = MAJORS) -> Iterator[PgMajor]:
        """The majors in ``known`` with at least one release in the set, in the order given."""
        for major in known:
            if self & VersionSet(major):
                yield major

    @classmethod
    def union(cls, sets: Iterable[VersionSet]) -> VersionSet:
        """The union of these sets."""
        return cls._of(found for each in sets for found in each.places)

    @property
    def parts(self) -> tuple[VersionSet, ...]:
        """The set's contiguous parts, oldest first: ``14`` and ``16..18`` of ``14,16..18``."""
        return tuple(VersionSet._of([found]) for found in self.places)

    @property
    def is_open(self) -> bool:
        """Whether it has no lower or no upper bound, as ``>=16``."""
        return any(low == START or high == END for low, high in self.places)

    @property
    def first(self) -> PgMajor | PgVersion | None:
        """The set's first major, if it contains that from its pre-releases on, otherwise its first release.

        None if the set is empty.
        """
        return _starting(self.places[0][0]) if self.places else None

    @property
    def only(self) -> PgVersion | None:
        """The set's only release; None if it has more or none."""
        match self.places:
            case ((low, high),) if low + 1 == high:
                return _release(low)
        return None

    def __and__(self, other: VersionSet) -> VersionSet:
        return VersionSet._at(_common(self.places, other.places))

    def __or__(self, other: VersionSet) -> VersionSet:
        return VersionSet._of((*self.places, *other.places))

    def __invert__(self) -> VersionSet:
        edges = [START, *(edge for found in self.places for edge in found), END]
        return VersionSet._of(zip(edges[::2], edges[1::2], strict=True))

    def __bool__(self) -> bool:
        return bool(self.places)

    def __str__(self) -> str:
        return ",".join(_written(low, high) for low, high in self.places) or "none"

    def __repr__(self) -> str:
        return f"VersionSet({str(self)!r})"


@functools.lru_cache(maxsize=1024)  # a collection intersects the same few sets for each test in each cell
def _common(these: tuple[Range, ...], those: tuple[Range, ...]) -> tuple[Range, ...]:
    return _united((max(a, c), min(b, d)) for a, b in these for c, d in those)


@functools.lru_cache(maxsize=1024)
def _read_set(text: str) -> tuple[Range, ...]:
    return _united(found for part in text.split(",") for found in _read_part(part.strip(), text))


def _united(ranges: Iterable[Range]) -> tuple[Range, ...]:
    united: list[Range] = []
    for low, high in sorted(found for found in ranges if found[0] < found[1]):
        if united and low <= united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], high))
        else:
            united.append((low, high))
    return tuple(united)


def _read_part(part: str, whole: str) -> Iterator[Range]:
    """The ranges of one comma-separated part."""
    try:
        if part == "none":
            return
        if part == "all":
            yield START, END
        elif ".." in part:
            first, last = (read_version(end) for end in part.split("..", 1))
            low, high = _range(first)[0], _range(last)[1]
            if low >= high:
                raise VersionError(f"{shown(part)} runs backwards", remedy=f"write {last}..{first}")
            yield low, high
        elif part.startswith(">="):
            yield _range(read_version(part[2:]))[0], END
        elif part.startswith("<="):
            yield START, _range(read_version(part[2:]))[1]
        elif part.startswith("!="):
            low, high = _range(read_version(part[2:]))
            yield START, low
            yield high, END
        elif part.startswith(">"):
            yield _range(read_version(part[1:]))[1], END
        elif part.startswith("<"):
            yield START, _range(read_version(part[1:]))[0]
        else:
            yield _range(read_version(part.removeprefix("==").removeprefix("=")))
    except VersionError as error:
        raise _explained(error, part, whole) from None


def _explained(error: VersionError, part: str, whole: str) -> VersionError:
    """The error with the invalid part, and the form that was probably meant."""
    if (meant := _meant(part)) is not None:
        error = VersionError(f"{shown(part)} is not a set of versions", remedy=f"did you mean {meant}?")
    if part == whole.strip():
        return error
    return VersionError(f"in {shown(whole)}: {error.problem}", remedy=error.remedy)


def _meant(part: str) -> str | None:
    """The intended set of someone who writes ranges as other tools do: ``14-18``, ``=>16``, ``16+``."""
    for sign, meant in (("=>", ">="), ("=<", "<=")):
        if part.startswith(sign):
            return _if_read(f"{meant}{part.removeprefix(sign)}")
    if part.endswith(("+", "-")):
        return _if_read(f">={part[:-1].strip()}")
    for sign in ("...", "\N{HORIZONTAL ELLIPSIS}", "-", "\N{EN DASH}", " to "):
        first, found, last = part.partition(sign)
        if found:
            return _if_read(f"{first.strip()}..{last.strip()}")
    return None


def _if_read(text: str) -> str | None:
    first, found, last = text.removeprefix(">=").removeprefix("<=").partition("..")
    try:
        read_version(first), read_version(last) if found else None
    except VersionError:
        return None
    return text


def _range(version: PgMajor | PgVersion) -> Range:
    return version.places if isinstance(version, PgMajor) else (version.place, version.place + 1)


def _release(place: int) -> PgVersion:
    return PgVersion(at(place)[1])


def _starting(place: int) -> PgMajor | PgVersion:
    """The major that begins at a place, otherwise the release at that place."""
    major = PgMajor(at(place)[0])
    return major if major.places[0] == place else _release(place)


def _written(low: int, high: int) -> str:
    if low == START:
        return "all" if high == END else f"<{_starting(high)}"
    if high == END:
        return f">={_starting(low)}"
    if low + 1 == high:
        return str(_release(low))
    first, last = _starting(low), _release(high - 1)
    if isinstance(first, PgMajor) and first.places[1] == high:
        return str(first)
    ends_a_major = last.major.places[1] == high and last.major != first.major
    return f"{first}..{last.major if ends_a_major else last}"
