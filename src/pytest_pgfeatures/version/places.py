"""All possible releases, numbered without gaps.

A release's *place* is a whole number: later releases have higher places, and consecutive releases have consecutive
places. So a set of releases is a few ranges of places, with only one way to write it. Within a major, pre-releases
come before the minor releases.
"""

from __future__ import annotations

OLD_MAJORS = tuple(
    (first, second) for first, last in ((6, 5), (7, 4), (8, 4), (9, 6)) for second in range(last + 1)
)
"""The majors of two numbers."""

_BEFORE_STAGE = {"devel": 0, "alpha": 0, "beta": 99, "rc": 198}
"""The place in a major before each stage's number 1; stages are numbered up to 99. ``devel`` has no number."""
_FIRST_MINOR = 298
_OLD_WIDTH, _WIDTH = _FIRST_MINOR + 100, _FIRST_MINOR + 10_000
"""Places of a major: ``server_version_num`` has two digits for the minor release up to 9.6, then four."""
_TEN = len(OLD_MAJORS) * _OLD_WIDTH

START = 0
END = _TEN + (10_000 - 10) * _WIDTH
"""The number after the last place."""


def of_major(first: int, second: int) -> tuple[int, int]:
    """The first place of a major, and the place after its last.

    Parameters:
        first, second: the major's numbers; from 10 on, the second is ignored.
    """
    if first >= 10:
        start = _TEN + (first - 10) * _WIDTH
        return start, start + _WIDTH
    start = OLD_MAJORS.index((first, second)) * _OLD_WIDTH
    return start, start + _OLD_WIDTH


def within_major(stage: str, minor: int) -> int:
    """The distance of a release from the first place of its major.

    Parameters:
        stage: the stage of a pre-release, such as ``rc1``; empty otherwise.
        minor: the minor number of any other release.
    """
    name = stage.rstrip("0123456789")
    return _BEFORE_STAGE[name] + int(stage[len(name) :] or 0) if stage else _FIRST_MINOR + minor


def at(place: int) -> tuple[str, str]:
    """The text of the major and of the release at a place: ``("16", "16.2")``."""
    if place >= _TEN:
        number, within = divmod(place - _TEN, _WIDTH)
        major = str(number + 10)
    else:
        index, within = divmod(place, _OLD_WIDTH)
        major = ".".join(map(str, OLD_MAJORS[index]))
    if within >= _FIRST_MINOR:
        return major, f"{major}.{within - _FIRST_MINOR}"
    if within == 0:
        return major, f"{major}devel"
    stage = next(name for name in ("rc", "beta", "alpha") if within > _BEFORE_STAGE[name])
    return major, f"{major}{stage}{within - _BEFORE_STAGE[stage]}"
