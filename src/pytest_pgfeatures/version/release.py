"""Majors and releases: two types, each with its own order."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.version import places

_NUMBER = r"(0|[1-9][0-9]{0,3})"
_VERSION = re.compile(
    rf"{_NUMBER}(?:\.{_NUMBER})?(?:\.{_NUMBER}|(?P<stage>devel|(?:alpha|beta|rc)[1-9][0-9]?))?"
)
_EXAMPLES = "write a major or a release, such as 16, 16.2, 9.6, 9.6.24 or 19rc1"


@functools.total_ordering
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class PgMajor:
    """One PostgreSQL major: ``16``, ``9.6``. It compares only with other majors.

    Parameters:
        text: the major. From 10 on, it can also be a whole number: ``PgMajor(16)``.

    Raises:
        VersionError: ``text`` is not a major; ``16.2`` is a release.
    """

    num: int
    """``server_version_num`` of its first release: 160000 for 16, 90600 for 9.6."""

    def __init__(self, text: str | int) -> None:
        major, stage, minor = _read(text)
        if stage or minor is not None:
            raise VersionError(
                f"{shown(text)} is a release, not a major", remedy=f"write its major, {_major_text(major)}"
            )
        object.__setattr__(self, "num", major)

    @property
    def major(self) -> PgMajor:
        """The major itself; releases have this attribute too, so ``read_version(text).major`` always works."""
        return self

    @property
    def last(self) -> PgVersion:
        """The highest possible release of the major, such as ``16.9999``, which stands for its newest release."""
        return _last(self)

    @property
    def places(self) -> tuple[int, int]:
        """The half-open range of its releases' places; see :mod:`pytest_pgfeatures.version.places`."""
        return places.of_major(self.num // 10000, self.num // 100 % 100)

    def __lt__(self, other: PgMajor) -> bool:
        if isinstance(other, PgMajor):
            return self.num < other.num
        _refuse_text(self, other)
        return NotImplemented

    def __eq__(self, other: object) -> bool:
        return self.num == other.num if isinstance(other, PgMajor) else NotImplemented

    def __hash__(self) -> int:
        return self.num

    def __str__(self) -> str:
        return _major_text(self.num)

    def __repr__(self) -> str:
        return f"PgMajor({str(self)!r})"


@functools.total_ordering
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class PgVersion:
    """One PostgreSQL release: ``16.2``, ``9.6.24``, ``19rc1``. It compares only with other releases.

    Pre-releases come before the other releases of their major: ``19devel``, ``19alpha1``, ``19beta1``, ``19rc1``,
    ``19.0``, ``19.1``.

    Parameters:
        text: the release, as ``postgres --version`` or ``server_version`` shows it, without other words.

    Raises:
        VersionError: ``text`` is not a release; ``16`` is a major.
    """

    major: PgMajor
    """16 for 16.2, 9.6 for 9.6.24."""
    minor: int
    """The number of the minor release: 2 for 16.2, 24 for 9.6.24, 0 for a pre-release."""
    stage: str
    """``devel``, ``beta2`` or ``rc1`` for a pre-release; otherwise empty."""
    place: int
    """Its number among all releases; see :mod:`pytest_pgfeatures.version.places`."""

    def __init__(self, text: str) -> None:
        num, stage, minor = _read(text)
        if not stage and minor is None:
            major = _major_text(num)
            raise VersionError(
                f"{shown(text)} is a major, not a release",
                remedy=f'write a release, such as {major}.1, or PgMajor("{major}")',
            )
        parsed = PgMajor(_major_text(num))
        object.__setattr__(self, "major", parsed)
        object.__setattr__(self, "minor", minor or 0)
        object.__setattr__(self, "stage", stage)
        object.__setattr__(self, "place", parsed.places[0] + places.within_major(stage, minor or 0))

    @classmethod
    def from_num(cls, num: int) -> PgVersion:
        """The release with this ``server_version_num``, as libpq's ``PQserverVersion`` returns it.

        A pre-release has the same number as the major's first release; 190000 yields 19.0.

        Raises:
            VersionError: no release has this number.
        """
        first, rest = divmod(num, 10000)
        return cls(f"{first}.{rest}" if first >= 10 else f"{first}.{rest // 100}.{rest % 100}")

    @property
    def num(self) -> int:
        """``server_version_num``: 160002 for 16.2, 90624 for 9.6.24, 190000 for 19rc1."""
        return self.major.num + self.minor

    def __lt__(self, other: PgVersion) -> bool:
        if isinstance(other, PgVersion):
            return self.place < other.place
        _refuse_text(self, other)
        return NotImplemented

    def __eq__(self, other: object) -> bool:
        return self.place == other.place if isinstance(other, PgVersion) else NotImplemented

    def __hash__(self) -> int:
        return self.place

    def __str__(self) -> str:
        return f"{self.major}{self.stage}" if self.stage else f"{self.major}.{self.minor}"

    def __repr__(self) -> str:
        return f"PgVersion({str(self)!r})"


def read_version(text: str | int | PgMajor | PgVersion) -> PgMajor | PgVersion:
    """The major or the release that ``text`` names.

    >>> read_version("16"), read_version("16.2"), read_version(16)
    (PgMajor('16'), PgVersion('16.2'), PgMajor('16'))

    Parameters:
        text: a major or a release; a whole number is a major. A :class:`PgMajor` or :class:`PgVersion` is
            returned as it is.

    Raises:
        VersionError: ``text`` names neither.
    """
    if isinstance(text, PgMajor | PgVersion):
        return text
    _, stage, minor = _read(text)
    return PgVersion(str(text)) if stage or minor is not None else PgMajor(text)


def as_release(version: PgMajor | PgVersion) -> PgVersion:
    """A release unchanged; for a major its last release, which stands for the newest."""
    return version.last if isinstance(version, PgMajor) else version


@functools.cache
def _last(major: PgMajor) -> PgVersion:
    return PgVersion(f"{major}.{9999 if major.num >= 100000 else 99}")


def shown(value: object) -> str:
    """A value as an error message shows it, cut if long."""
    if isinstance(value, int) and abs(value) >= 10**9:  # Python can't convert very long ones to text
        return "a very large number"
    written = repr(value)
    return written if len(written) <= 60 else f"{written[:50]}... ({len(written)} characters)"


def _read(text: object) -> tuple[int, str, int | None]:
    """The ``server_version_num`` of the major that a text names, and a release's stage or minor number."""
    match = _VERSION.fullmatch(_text(text))
    if match is None:
        raise VersionError(f"{shown(text)} is not a PostgreSQL version", remedy=_EXAMPLES)
    first, stage = int(match[1]), match["stage"] or ""
    second, third = (None if match[group] is None else int(match[group]) for group in (2, 3))
    if first >= 10:
        if third is not None or (stage and second is not None):
            raise VersionError(
                f"{shown(text)} is not a PostgreSQL version",
                remedy="from 10 on a release has two numbers, such as 16.2, or one and a stage, such as 19rc1",
            )
        return first * 10000, stage, second
    if second is None:
        raise VersionError(
            f"{shown(text)} does not name a PostgreSQL major",
            remedy="up to 9.6 a major has two numbers, such as 9.6",
        )
    if (first, second) not in places.OLD_MAJORS or (third or 0) > 99:
        raise VersionError(
            f"there is no PostgreSQL {match[0]}",
            remedy="9.6 was followed by 10" if first == 9 and second > 6 else _EXAMPLES,
        )
    return first * 10000 + second * 100, stage, third


def _text(value: object) -> str:
    """The value as text; empty if it is neither text nor a usable whole number."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int) and 0 <= value < 10**9 else ""


def _major_text(num: int) -> str:
    first, second = num // 10000, num // 100 % 100
    return str(first) if first >= 10 else f"{first}.{second}"


def _refuse_text(this: object, other: object) -> None:
    """Raise an error, with a remedy, for a comparison with text, a number, or the other kind of version."""
    if isinstance(other, str | int | float | PgMajor | PgVersion):
        raise VersionError(
            f"can't compare {this!r} with {shown(other)}",
            remedy='compare majors, version.major >= PgMajor("16"), or releases, version >= PgVersion("16.2"), '
            'or ask a set, version in VersionSet(">=16")',
        )


MAJORS: tuple[PgMajor, ...] = tuple(
    map(PgMajor, ("9.3", "9.4", "9.5", "9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"))
)
"""The majors that this release of ours knows, oldest first. Newer ones work too, but are not enumerated."""
