"""Turn requests into the cells of a version matrix."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import InstallNotFoundError, VersionError
from pytest_pgfeatures.install.request import Request
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_pgfeatures.install.inventory import Inventory


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of the matrix: a major, from one source if one was named.

    Parameters:
        id: its id in tests' ids: ``pg17``, or ``pg17-maven`` if two sources of one major were requested.
        request: the request to resolve, with the needs of a test.
    """

    id: str
    request: Request

    @property
    def major(self) -> PgMajor:
        """The cell's major."""
        return _major(self.request)


def plan_cells(requests: tuple[Request, ...], inventory: Inventory) -> list[Cell]:
    """The cells that the requests span; see :meth:`~pytest_pgfeatures.install.resolve.Resolver.cells`."""
    asked = requests or _default(inventory)
    spread = [narrow for request in asked for narrow in by_major(request, inventory)]
    merged = sorted(_without_doubles(spread), key=_major)
    names = _names(merged)
    return [Cell(name, request) for name, request in zip(names, merged, strict=True)]


def by_major(request: Request, inventory: Inventory) -> list[Request]:
    """A request for each of its majors, oldest first.

    A major that the request names is included even if no source has it; resolving it then fails. An open range
    includes the majors that some source has.

    Raises:
        VersionError: there is no such version.
        InstallNotFoundError: it asks for the latest one, and there is none.
    """
    if request.directory is not None:
        return [replace(request, versions=VersionSet(_version_in(request.directory, inventory).major))]
    if request.latest:
        return [replace(request, versions=VersionSet(_latest(request, inventory).major), latest=False)]
    spelled = VersionSet.union(part for part in request.versions.parts if not part.is_open)
    majors = set(spelled.majors({*MAJORS, *_majors(inventory.versions_at_hand(request))}))
    if request.versions.is_open or not majors:
        majors |= set(request.versions.majors(_majors(inventory.available(request))))
    if not majors:
        raise VersionError(
            f"{request}: there is no such version",
            details=(*inventory.trouble(), f"available: {_listing(inventory, request)}"),
            remedy="ask for one of these, or point at an install with path:DIR or PGFEATURES_PATH",
        )
    return [replace(request, versions=request.versions & VersionSet(major)) for major in sorted(majors)]


def from_source_of(cell: Cell, asked: Iterable[Request], inventory: Inventory) -> Cell:
    """A cell for a whole major that leaves the source open, with the source that a matrix names for that major.

    Parameters:
        asked: the requests for the matrix; the first one that names a source for the major counts.
    """
    if cell.request.source or cell.request.versions.only is not None:
        return cell
    for request in (narrow for part in asked if part.source for narrow in by_major(part, inventory)):
        if versions := request.versions & cell.request.versions:
            return replace(cell, request=replace(request, versions=versions))
    return cell


def _default(inventory: Inventory) -> tuple[Request, ...]:
    """The default request: the newest install at hand, else the newest that can be downloaded."""
    newest = max(inventory.at_hand(), key=lambda install: install.version, default=None)
    return (Request(latest=True) if newest is None else Request(VersionSet(newest.version.major)),)


def _version_in(directory: Path, inventory: Inventory) -> PgVersion:
    (found,) = inventory.local("path", directory)
    if isinstance(found, Exception):
        raise found
    return found.version


def _latest(request: Request, inventory: Inventory) -> PgVersion:
    final = [version for version in inventory.available(request) if not version.stage]
    if not final:
        raise InstallNotFoundError(
            f"{request}: there is no release at hand, and none can be fetched",
            details=inventory.trouble(),
            remedy="run 'pgfeatures doctor' to see why, or point at an install with PGFEATURES_PATH",
        )
    return max(final)


def _listing(inventory: Inventory, request: Request) -> str:
    everything = inventory.available(Request(source=request.source))
    return ", ".join(map(str, sorted(_majors(everything)))) or "nothing"


def _majors(versions: Iterable[PgVersion]) -> set[PgMajor]:
    return {version.major for version in versions}


@functools.lru_cache(maxsize=256)
def _major(request: Request) -> PgMajor:
    first = request.versions.first
    assert first is not None
    return first.major


def _release(request: Request) -> PgVersion | None:
    """The only release that a request names; None if it leaves a choice."""
    return request.versions.only


def _without_doubles(requests: list[Request]) -> list[Request]:
    """One request per major, release if one was named, and source.

    A request with a source replaces one for the same major without a source.
    """
    cells: dict[tuple[PgMajor, PgVersion | None, str | None, Path | None], Request] = {}
    for request in requests:
        key = (_major(request), _release(request), request.source, request.directory)
        known = cells.get(key)
        cells[key] = replace(request, versions=known.versions | request.versions) if known else request
    named = {_major(request) for request in cells.values() if request.source}
    return [request for request in cells.values() if request.source or _major(request) not in named]


def _names(requests: list[Request]) -> list[str]:
    """A name for each request, as short as their distinction allows."""
    majors = Counter(_major(request) for request in requests)
    taken: Counter[str] = Counter()
    names = []
    for request in requests:
        name = f"pg{_major(request)}"
        if majors[_major(request)] > 1:
            name = f"pg{_release(request) or _major(request)}"
            name += f"-{request.source}" if request.source else ""
        taken[name] += 1
        names.append(name if taken[name] == 1 else f"{name}-{taken[name]}")
    return names
