"""The pairs of versions, and each pair's servers, which calls with the same inputs share.

Modules that take a while to load are imported where they are used: the servers start meanwhile.
"""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError, VersionError
from pytest_pgfeatures.install import Cell, Install, parse_requests
from pytest_pgfeatures.install.resolve import Resolver
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.server import Cluster, Clusters
from pytest_pgfeatures.server.guarded import GUARDED

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.servers.trial import Progress, Trial


class Trials:
    """Creates the trial of each pair of versions. Equal options give the same trials."""

    def __init__(self, clusters: Clusters, progress: Progress = lambda _what, _done, _all: None) -> None:
        self._clusters = clusters
        self._progress = progress
        self._known: dict[ReadinessOptions, list[Trial]] = {}
        self._begun: dict[Install, Cluster] = {}

    def begin(self, pair: tuple[Cell, Cell]) -> None:
        """Start a pair's servers without waiting. If one can't be had, the stage that needs it reports it."""
        for cell in pair:
            with contextlib.suppress(PgFeaturesError, OSError):
                install = self._clusters.resolver.resolve(cell.request)
                cluster = self._clusters.prepare(install, **GUARDED)
                cluster.begin()
                self._begun[install] = cluster

    def of(self, options: ReadinessOptions) -> list[Trial]:
        """The trials of all pairs. This does not start servers."""
        from pytest_pgfeatures.readiness.application import read_inputs
        from pytest_pgfeatures.readiness.servers.trial import Trial

        key = replace(options, stages=())
        if key not in self._known:
            resolver = self._clusters.resolver
            found = pairs(options, resolver)
            inputs = read_inputs(options, lambda: resolver)
            given = inputs, self._clusters, options, self._progress, self._begun
            self._known[key] = [Trial(pair, *given) for pair in found]
        return self._known[key]


def pairs(options: ReadinessOptions, resolver: Resolver) -> list[tuple[Cell, Cell]]:
    """The pairs of versions: neighbors, or each old version with each new one."""
    old = resolver.cells(parse_requests(options.old))
    new = resolver.cells(parse_requests(options.new))
    if options.direct:
        found = [(one, other) for one in old for other in new if _order(one) < _order(other)]
    else:
        known = {cell.request for cell in old}
        cells = sorted([*old, *(cell for cell in new if cell.request not in known)], key=_order)
        found = [(one, other) for one, other in itertools.pairwise(cells) if one in old or other in new]
    if not found or max(map(_order, new)) < min(map(_order, old)) or (not options.direct and old == new):
        raise VersionError(
            f"--to {options.new} is not newer than --from {options.old}",
            remedy="write the version that you come from in --from, and the one you go to in --to",
        )
    return found


def _order(cell: Cell) -> tuple[Any, Any]:
    return cell.major, str(cell.request.versions.only or "")
