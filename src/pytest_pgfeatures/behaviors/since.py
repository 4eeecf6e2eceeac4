"""The versions that brought a change: a major, and minor releases of older majors that have it, too."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.version import PgVersion, VersionSet, read_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pgfeatures.version import PgMajor


def read_since(since: str | Iterable[str]) -> tuple[PgMajor | PgVersion, ...]:
    """Read one version, or several: the newest first, then the first releases of older majors that have the change.

    >>> read_since(("18", "17.6", "16.10"))
    (PgMajor('18'), PgVersion('17.6'), PgVersion('16.10'))

    Raises:
        VersionError: there is none, one is not a version, or they are not in this order.
    """
    return _read((since,) if isinstance(since, str) else tuple(since))


@functools.cache  # hundreds of behaviors have one of a few dozen
def _read(since: tuple[str, ...]) -> tuple[PgMajor | PgVersion, ...]:
    versions = tuple(map(read_version, since))
    if not versions:
        raise VersionError("it names no version", remedy="write the major that brought the change")
    for newer, older in itertools.pairwise(versions):
        if not isinstance(older, PgVersion) or older.major >= newer.major:
            raise VersionError(
                f"{older} after {newer} is no minor release of an older major",
                remedy='write the newest version first, such as ("18", "17.6", "16.10")',
            )
    return versions


@functools.cache
def releases_with(since: PgMajor | PgVersion | None, backports: Sequence[PgVersion] = ()) -> VersionSet:
    """Releases from ``since`` on, and those of older majors from their minor release on; none without ``since``."""
    if since is None:
        return VersionSet("none")
    return VersionSet(",".join((f">={since}", *(f"{each}..{each.major}" for each in backports))))


@functools.cache
def without_and_with(since: PgMajor | PgVersion, backports: Sequence[PgVersion]) -> tuple[str, str]:
    """The releases without a change and those with it, as an expectation table names them."""
    changed = releases_with(since, backports)
    return str(~changed), str(changed)
