"""Check that requested versions exist, and suggest nearby ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import DownloadError, InstallNotFoundError
from pytest_pgfeatures.install.inventory import REMOTE
from pytest_pgfeatures.install.request import Request
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.install.inventory import Inventory
    from pytest_pgfeatures.version import PgMajor, PgVersion

_NEIGHBORS = 3
"""The number of releases to suggest on either side of a missing one."""


def check_existence(requests: Iterable[Request], inventory: Inventory) -> None:
    """Refuse a single major or release that no source has.

    A version in a range is left to the tests that need it, as is one that an unreachable registry may have.

    Raises:
        InstallNotFoundError: no source has it. The error names nearby versions.
    """
    missing = [request for request in requests if _is_one(request) and _nobody_has(request, inventory)]
    if missing:
        names = " and ".join(f"PostgreSQL {request}" for request in missing)
        raise InstallNotFoundError(
            f"--pg: {names} {'are' if len(missing) > 1 else 'is'} not available"
            + (" offline" if inventory.offline else ""),
            details=tuple(line for request in missing for line in _nearby(request, inventory)),
            remedy=("go online, " if inventory.offline else "")
            + "ask for an available version, or point at an install with path:DIR; "
            "with --pg-allow-missing the others run, and its tests are unavailable",
        )


def _is_one(request: Request) -> bool:
    """Whether a request names one major, or releases of one major."""
    first = request.versions.first
    if request.directory is not None or request.latest or first is None or request.versions.is_open:
        return False
    return not request.versions & ~VersionSet(first.major)


def _nobody_has(request: Request, inventory: Inventory) -> bool:
    if inventory.versions_at_hand(request):
        return False
    asked = REMOTE if request.source is None else (request.source,)
    return not inventory.available(request) and not any(source in inventory.unreachable for source in asked)


def _nearby(request: Request, inventory: Inventory) -> list[str]:
    """For each source, the releases of the requested major that are nearest; otherwise the majors that it has."""
    first = request.versions.first
    assert first is not None
    lines = []
    for source in dict.fromkeys([*([request.source] if request.source else []), *REMOTE, "system", "path"]):
        had = {version for version in _had_by(source, inventory) if not version.stage}
        same = sorted(version for version in had if version.major == first.major)
        if same:
            lines.append(f"{source} has {_around(request.versions.only, same)}")
        elif had:
            majors: list[PgMajor] = sorted({version.major for version in had})
            lines.append(f"{source} has no {first.major}, but {', '.join(map(str, majors))}")
        elif source == request.source:
            lines.append(f"{source} has nothing")
    return lines


def _had_by(source: str, inventory: Inventory) -> set[PgVersion]:
    try:
        return inventory.available(Request(source=source))
    except DownloadError:
        return set()


def _around(asked: PgVersion | None, releases: list[PgVersion]) -> str:
    """The releases nearest to the requested one, and the newest."""
    if asked is None:
        return str(releases[-1])
    below = [version for version in releases if version < asked][-_NEIGHBORS:]
    above = [version for version in releases if version > asked][:_NEIGHBORS]
    named = dict.fromkeys([*below, *above, releases[-1]])
    return ", ".join(map(str, named))
