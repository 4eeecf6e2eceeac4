"""Find the installs on which the sides of an experiment run."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from pytest_pgfeatures.errors import ExperimentError, InstallError
from pytest_pgfeatures.install.model import SOURCES
from pytest_pgfeatures.install.request import Request
from pytest_pgfeatures.version import MAJORS, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.install import Cell, Install, Resolver
    from pytest_pgfeatures.measure.builds import Builds
    from pytest_pgfeatures.measure.model import Experiment, ExperimentSide

Each = TypeVar("Each")


def installs_for(
    experiment: Experiment, resolver: Resolver, cells: Sequence[Cell] | None, builds: Builds
) -> dict[str, Install]:
    """An install for each side, by the sides' names.

    All come from one source that compiled them alike, if there is one; of several, the one whose versions are
    nearest to the change. Otherwise, each side has the install that a test on its version would have.

    A side that is an upper bound (``<16``) takes the newest version that it allows, any other the oldest: the
    versions next to the change, as in the document. If one is not available, the next one is taken.

    Parameters:
        cells: the versions that may be used; None for all.

    Raises:
        ExperimentError: no install is available for a side. The details give the reasons.
    """
    if experiment.by_version:
        for installs in _of_one_source(experiment, resolver, cells):
            if builds.alike(list(installs.values())):
                return installs
    return {
        side.name: _install(experiment, side, resolver, _requests(side, cells), cells)
        for side in experiment.sides
    }


def _of_one_source(
    experiment: Experiment, resolver: Resolver, cells: Sequence[Cell] | None
) -> list[dict[str, Install]]:
    """For each source that has all sides, their installs nearest to the change."""
    found: list[dict[str, Install]] = []
    for source in SOURCES:
        installs: dict[str, Install] = {}
        for side in experiment.sides:
            requests = [
                replace(request, source=source)
                for request in _requests(side, cells)
                if request.source in (None, source)
            ]
            with contextlib.suppress(ExperimentError):
                installs[side.name] = _install(experiment, side, resolver, requests, cells)
        if len(installs) == len(experiment.sides):
            found.append(installs)
    return sorted(found, key=_distance)


def _distance(installs: Mapping[str, Install]) -> int:
    """The number of majors between the sides."""
    majors = [MAJORS.index(install.version.major) for install in installs.values()]
    return max(majors) - min(majors)


def _install(
    experiment: Experiment,
    side: ExperimentSide,
    resolver: Resolver,
    requests: Iterable[Request],
    cells: Sequence[Cell] | None,
) -> Install:
    tried: list[str] = []
    for request in requests:
        try:
            install = resolver.resolve(request, experiment.needs)
        except InstallError as error:
            tried.append(f"{request}: {error.problem}")
            continue
        if install.version in side.versions:
            return install
        tried.append(f"{request}: {install.version} is not in {side.versions}")
    allowed = "" if cells is None else f" among {', '.join(str(cell.request) for cell in cells)}"
    raise ExperimentError(
        f"no PostgreSQL {side.versions} can be had{allowed} for the side {side.name}",
        details=tuple(tried),
        remedy="name versions on both sides of the change with --pg"
        if experiment.by_version
        else f"name a version in {side.versions} with --pg",
    )


def _requests(side: ExperimentSide, cells: Sequence[Cell] | None) -> Iterator[Request]:
    """The versions that may be used, the nearest to the change first."""
    if cells is not None:
        fitting = [cell for cell in cells if side.versions & cell.request.versions]
        yield from (cell.request for cell in _nearest_first(side, fitting))
        return
    majors = [major for major in MAJORS if side.versions & VersionSet(major)]
    yield from (Request(VersionSet(major) & side.versions) for major in _in_order(side, majors))


def _nearest_first(side: ExperimentSide, cells: Iterable[Cell]) -> Iterable[Cell]:
    return _in_order(side, sorted(cells, key=lambda cell: cell.major))


def _in_order(side: ExperimentSide, oldest_first: Sequence[Each]) -> Sequence[Each]:
    newest_first = side.name.startswith("<")
    return oldest_first[::-1] if newest_first else oldest_first
