"""The entries of PostgreSQL's release notes, by their keys.

``14.16`` is the 16th item of the section "Migration to Version 14"; ``14.x2`` is an incompatibility of 14 that is
not listed there.

>>> major_of("14.16"), is_listed("14.16"), is_listed("14.x2")
('14', True, False)
>>> source_of(("14.16", "14.18"))
'Migration to Version 14, 14.16'
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import BehaviorError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KEY = re.compile(r"[1-9][0-9]\.x?[1-9][0-9]*")


def read_keys(id: str, given: str | Iterable[str]) -> tuple[str, ...]:
    """The keys that a behavior gives: one, or several.

    Parameters:
        id: the behavior's id, for the message.

    Raises:
        BehaviorError: a key has the wrong form, or is given twice.
    """
    keys = (given,) if isinstance(given, str) else tuple(given)
    for place, key in enumerate(keys):
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise BehaviorError(
                f"{id} has the release note {key!r}",
                remedy="write a major and a number, such as 14.16, or 14.x2 for an unlisted one",
            )
        if key in keys[:place]:
            raise BehaviorError(f"{id} has the release note {key} twice", remedy="leave one out")
    return keys


def major_of(key: str) -> str:
    """The major whose release notes have the entry."""
    return key.partition(".")[0]


def is_listed(key: str) -> bool:
    """Whether the section "Migration to Version N" has the entry."""
    return "x" not in key


def order(key: str) -> tuple[int, bool, int]:
    """Sorts keys: by major, the listed ones first, then by number."""
    major, number = key.split(".")
    return int(major), not is_listed(key), int(number.removeprefix("x"))


def source_of(keys: Sequence[str]) -> str:
    """The source of a behavior with these keys: the section that has the first of them."""
    major = major_of(keys[0])
    section = f"Migration to Version {major}" if is_listed(keys[0]) else f"Changes of PostgreSQL {major}"
    return f"{section}, {keys[0]}"


def manual_page(keys: Sequence[str]) -> str | None:
    """The page of the manual that has the first of these entries; None if there are no keys."""
    if not keys:
        return None
    major = major_of(keys[0])
    return f"release-{major}" + (f"#RELEASE-{major}-MIGRATION" if is_listed(keys[0]) else "")
