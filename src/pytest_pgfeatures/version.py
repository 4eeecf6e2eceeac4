"""PostgreSQL version numbers and sets of them.

>>> PgVersion("16.2") in VersionSet("14..16")
True
>>> [str(major) for major in VersionSet(">=17").majors()]
['17', '18', '19']

Up to 9.6 the first *two* numbers name a major; from 10 on the first one does
(https://www.postgresql.org/support/versioning/).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import VersionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NUMBER = re.compile(
    r"(?P<first>\d+)(?:\.(?P<second>\d+))?(?:\.(?P<third>\d+))?(?P<stage>devel|(?:alpha|beta|rc)\d+)?"
)
_STAGES = ("devel", "alpha", "beta", "rc", "")
_END = 10**9
"""Past every ``server_version_num``: the open upper end of a set."""


@functools.total_ordering
@dataclass(frozen=True, slots=True, init=False, eq=False)
class PgVersion:
    """One PostgreSQL version: a release (``16.2``, ``9.3.5``, ``19rc1``) or the start of a major (``16``).

    Compares with other versions, and with text and whole numbers: ``version >= 16``, ``version < "16.5"``.

    Parameters:
        text: as ``postgres --version`` or ``server_version`` print it, without words around the number.

    Raises:
        VersionError: ``text`` is not a PostgreSQL version number.
    """

    num: int
    """As ``server_version_num`` gives it: 160002 for 16.2, 90305 for 9.3.5."""
    stage: str
    """``devel``, ``beta2``, ``rc1``, or empty for a release."""

    def __init__(self, text: str | int | PgVersion) -> None:
        if isinstance(text, PgVersion):
            num, stage = text.num, text.stage
        else:
            num, stage = _read_number(str(text))
        object.__setattr__(self, "num", num)
        object.__setattr__(self, "stage", stage)

    @classmethod
    def from_num(cls, num: int) -> PgVersion:
        """The release with this ``server_version_num``, as libpq's ``PQserverVersion`` returns it."""
        if num >= 100000:
            return cls(f"{num // 10000}.{num % 10000}")
        return cls(f"{num // 10000}.{num // 100 % 100}.{num % 100}")

    @property
    def major(self) -> str:
        """``"16"`` for 16.2, ``"9.6"`` for 9.6.24."""
        if self.num >= 100000:
            return str(self.num // 10000)
        return f"{self.num // 10000}.{self.num // 100 % 100}"

    @property
    def minor(self) -> int:
        """The number of the minor release: 2 for 16.2, 24 for 9.6.24."""
        return self.num % (10000 if self.num >= 100000 else 100)

    def same_major(self, other: PgVersion) -> bool:
        """Whether both are releases of one major, so that they can use one data directory."""
        return self.major == other.major

    def _key(self) -> tuple[int, int, int]:
        name = self.stage.rstrip("0123456789")
        return self.num, _STAGES.index(name), int(self.stage[len(name) :] or 0)

    def __eq__(self, other: object) -> bool:
        return self._key() == _as_version(other)._key() if isinstance(other, _COMPARABLE) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self._key() < _as_version(other)._key() if isinstance(other, _COMPARABLE) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        if self.stage:
            return f"{self.major}{self.stage}"
        return f"{self.major}.{self.minor}"

    def __repr__(self) -> str:
        return f"PgVersion({str(self)!r})"


_COMPARABLE = (PgVersion, str, int)


def _as_version(value: object) -> PgVersion:
    assert isinstance(value, _COMPARABLE)
    return PgVersion(value)


def _read_number(text: str) -> tuple[int, str]:
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise VersionError(
            f"{text!r} is not a PostgreSQL version",
            remedy="write a major or a release, such as 16, 16.2, 9.6 or 19rc1",
        )
    first, stage = int(match["first"]), match["stage"] or ""
    parts = [int(match[name] or 0) for name in ("second", "third")]
    if first >= 10:
        if match["third"] is not None:
            raise VersionError(
                f"{text!r} is not a PostgreSQL version",
                remedy="from 10 on a version has two numbers, such as 16.2",
            )
        return first * 10000 + parts[0], stage
    if match["second"] is None:
        raise VersionError(
            f"{text!r} does not name a PostgreSQL major",
            remedy="up to 9.6 a major has two numbers, such as 9.6"
            if first == 9
            else "majors start at 9.3 here",
        )
    if first == 9 and parts[0] > 6:
        raise VersionError(f"there is no PostgreSQL {text}", remedy="9.6 was followed by 10")
    return first * 10000 + parts[0] * 100 + parts[1], stage


def _next_major(version: PgVersion) -> int:
    """``server_version_num`` at which the major after ``version``'s begins."""
    if version.num >= 100000:
        return (version.num // 10000 + 1) * 10000
    return 100000 if version.major == "9.6" else (version.num // 100 + 1) * 100


MAJORS: tuple[PgVersion, ...] = tuple(
    map(PgVersion, ("9.3", "9.4", "9.5", "9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"))
)
"""The majors this release knows of, oldest first. Newer ones work too; they are only not enumerated."""


@dataclass(frozen=True, slots=True, init=False)
class VersionSet:
    """A set of PostgreSQL versions, written the way ``--pg`` and the ``pg`` marker take it.

    ``16`` is every 16.x, ``16.2`` that release alone, ``14..18`` both ends included, ``>=16`` ``<16.5``
    ``<=9.6`` ``>14`` open ranges, ``!=15`` all but one, ``all`` everything, and a comma unites:
    ``14,16..18``. Spaces are ignored. Sets combine with ``&``, ``|`` and ``~``.

    Parameters:
        text: the set.

    Raises:
        VersionError: ``text`` can't be read; the message names the part at fault.
    """

    ranges: tuple[tuple[int, int], ...]
    """Half-open ranges of ``server_version_num``, ascending, disjoint, none touching the next."""

    def __init__(self, text: str | VersionSet | PgVersion | Iterable[tuple[int, int]]) -> None:
        if isinstance(text, VersionSet):
            ranges = text.ranges
        elif isinstance(text, PgVersion):
            ranges = ((text.num, text.num + 1),)
        elif isinstance(text, str):
            ranges = _united(found for part in text.split(",") for found in _read_part(part, text))
        else:
            ranges = _united(text)
        object.__setattr__(self, "ranges", ranges)

    def __contains__(self, version: PgVersion | str | int) -> bool:
        num = PgVersion(version).num
        return any(low <= num < high for low, high in self.ranges)

    def __and__(self, other: VersionSet) -> VersionSet:
        return VersionSet(
            (max(a, c), min(b, d)) for a, b in self.ranges for c, d in other.ranges if max(a, c) < min(b, d)
        )

    def __or__(self, other: VersionSet) -> VersionSet:
        return VersionSet((*self.ranges, *other.ranges))

    def __invert__(self) -> VersionSet:
        edges = [0, *(edge for found in self.ranges for edge in found), _END]
        return VersionSet(
            (low, high) for low, high in zip(edges[::2], edges[1::2], strict=True) if low < high
        )

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def majors(self, known: Iterable[PgVersion] = MAJORS) -> Iterator[PgVersion]:
        """Those of ``known`` majors of which at least one release is in the set, in the order given."""
        for major in known:
            if self & VersionSet(major.major):
                yield major

    def __str__(self) -> str:
        return ",".join(_write_range(low, high) for low, high in self.ranges) or "none"

    def __repr__(self) -> str:
        return f"VersionSet({str(self)!r})"


def _united(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    united: list[tuple[int, int]] = []
    for low, high in sorted(found for found in ranges if found[0] < found[1]):
        if united and low <= united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], high))
        else:
            united.append((low, high))
    return tuple(united)


def _read_part(part: str, whole: str) -> Iterator[tuple[int, int]]:
    """The ranges that one comma-separated part stands for."""
    part = "".join(part.split())
    try:
        if part == "all":
            yield 0, _END
        elif ".." in part:
            first, last = (PgVersion(end) for end in part.split("..", 1))
            if first > last:
                raise VersionError(f"{part!r} runs backwards", remedy=f"write {last.major}..{first.major}")
            yield first.num, _after(part.split("..", 1)[1], last)
        elif part.startswith(">="):
            yield PgVersion(part[2:]).num, _END
        elif part.startswith("<="):
            yield 0, _after(part[2:], PgVersion(part[2:]))
        elif part.startswith("!="):
            version = PgVersion(part[2:])
            yield 0, version.num
            yield _after(part[2:], version), _END
        elif part.startswith(">"):
            yield _after(part[1:], PgVersion(part[1:])), _END
        elif part.startswith("<"):
            yield 0, PgVersion(part[1:]).num
        else:
            version = PgVersion(part.removeprefix("=").removeprefix("="))
            yield version.num, _after(part.lstrip("="), version)
    except VersionError as error:
        if part == whole:
            raise
        raise VersionError(f"in {whole!r}: {error.problem}", remedy=error.remedy) from None


def _after(text: str, version: PgVersion) -> int:
    """The first number past what ``text`` names: a whole major, or one release."""
    names_major = text in (version.major, f"{version.major}{version.stage}")
    return _next_major(version) if names_major else version.num + 1


def _write_range(low: int, high: int) -> str:
    if low == 0 and high == _END:
        return "all"
    if high == _END:
        return f">={_write_bound(low)}"
    if low == 0:
        return f"<{_write_bound(high)}"
    # 9.6 is followed by 10, so that a range up to its end has to be said to end with it
    start, last = (
        PgVersion.from_num(low),
        PgVersion("9.6.99" if high == 100000 else PgVersion.from_num(high - 1)),
    )
    if low + 1 == high:
        return str(start)
    if start.minor == 0 and _next_major(last) == high:
        return start.major if start.major == last.major else f"{start.major}..{last.major}"
    return f"{_write_bound(low)}..{last}"


def _write_bound(num: int) -> str:
    version = PgVersion.from_num(num)
    return version.major if version.minor == 0 else str(version)
