"""Run experiments: in each round the sides take turns, on servers that exist only for this round."""

from __future__ import annotations

import contextlib
import itertools
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ExperimentError, PgFeaturesError
from pytest_pgfeatures.measure.bench import Bench
from pytest_pgfeatures.measure.builds import Builds, difference_of
from pytest_pgfeatures.measure.compare import CONTROL, TIMES, compared, controlled, mean_of_turns
from pytest_pgfeatures.measure.interval import LEAST_ROUNDS
from pytest_pgfeatures.measure.outcome import Measured, PointMeasured
from pytest_pgfeatures.measure.room import no_room
from pytest_pgfeatures.measure.sides import installs_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.install import Cell, Install
    from pytest_pgfeatures.measure.compare import Values
    from pytest_pgfeatures.measure.kept import Kept
    from pytest_pgfeatures.measure.model import Experiment, Point, Round, Scale
    from pytest_pgfeatures.server import Cluster, Clusters
    from pytest_pgfeatures.version import PgVersion

SETTINGS = {"autovacuum": "off"}
"""The settings of every server: autovacuum would run at the cost of one side only."""
TURNS = 2
"""The turns of each side in a round. In each turn, another side comes first."""


@dataclass(frozen=True, slots=True)
class _Measuring:
    """The measurements of a point so far."""

    point: Point
    values: Values
    facts: dict[str, str]
    trouble: str = ""


class Measuring:
    """Runs experiments on servers of its own.

    Parameters:
        clusters: creates the servers.
        cells: the versions that may be used; None for all.
        scale: the scale of the parameters.
        rounds: the number of rounds of each point. A quantity that is the same in two rounds, such as a size,
            gets no more.
        progress: called with a description, the number of finished points, and the total.
        kept: the measurements of earlier runs, which are continued; rounds are added as they come.
    """

    def __init__(
        self,
        clusters: Clusters,
        *,
        cells: Sequence[Cell] | None = None,
        scale: Scale = "quick",
        rounds: int = LEAST_ROUNDS,
        progress: Callable[[str, int, int], object] | None = None,
        kept: Kept | None = None,
    ) -> None:
        self._clusters = clusters
        self._cells = cells
        self._scale = scale
        self._rounds = rounds
        self._kept = kept
        self._builds = Builds(clusters)
        self._progress = progress or (lambda *_: None)
        self._numbers = itertools.count(1)
        self._at = ""

    def all(self, experiments: Sequence[Experiment]) -> Iterator[Measured]:
        """Run experiments one after the other. Trouble is reported in the results, and not raised."""
        total, done = sum(len(each.points(self._scale)) for each in experiments), 0
        for experiment in experiments:
            started, at = done, experiment.id

            def begin(point: str, number: int, started: int = started, at: str = at) -> None:
                self._progress(f"{at} {point}".strip(), started + number, total)

            begin("", 0)
            yield self.one(experiment, begin)
            done += len(experiment.points(self._scale))
        self._progress("", total, total)

    def one(
        self,
        experiment: Experiment,
        progress: Callable[[str, int], object] = lambda *_: None,
        *,
        strict: bool = False,
    ) -> Measured:
        """Run one experiment.

        Parameters:
            progress: called before each point.
            strict: raise errors of the work, as a test does.

        Raises:
            PgFeaturesError, psycopg.Error: if ``strict``.
        """  # fmt: skip
        import psycopg

        started = time.perf_counter()
        result = Measured(
            id=experiment.id,
            title=experiment.title,
            source=experiment.source,
            note=experiment.note,
            sides={side.name: side.name for side in experiment.sides},
            installs={},
            scale=self._scale,
            scaled=experiment.scaled(self._scale),
        )
        try:
            installs = installs_for(experiment, self._clusters.resolver, self._cells, self._builds)
        except ExperimentError as error:
            if strict:
                raise
            return replace(result, trouble=str(error))
        result = replace(
            result,
            installs={name: f"{found.version} ({found.source})" for name, found in installs.items()},
            bindirs={name: str(found.bindir) for name, found in installs.items()},
            sides={
                name: str(found.version.major) if experiment.by_version else name
                for name, found in installs.items()
            },
        )
        begun = self._kept.begun(experiment, result) if self._kept else None
        points = _begun(experiment, begun, self._scale)
        before = begun.seconds if begun else 0.0

        def so_far() -> Measured:
            return replace(
                result,
                points=_compared(experiment, points, alike=not result.builds),
                seconds=before + time.perf_counter() - started,
            )

        self._at = ""
        try:
            result = replace(result, builds=self._difference(experiment, result.sides, installs))
            for number in range(_rounds(points), self._rounds):
                if number > 1 and all(_is_the_same(each.values) for each in points):
                    break
                self._round(experiment, installs, points, number, progress)
                if self._kept:
                    self._kept.keep(experiment, so_far())
        except (PgFeaturesError, psycopg.Error, OSError) as error:
            if strict:
                raise
            trouble = f"{self._at}: {error}".removeprefix(": ").strip()
            return replace(so_far(), trouble=trouble, failed=True)
        return so_far()

    def _difference(
        self, experiment: Experiment, sides: Mapping[str, str], installs: Mapping[str, Install]
    ) -> str:
        """The difference between the builds of the sides, if the measured quantities depend on it."""
        if not TIMES.intersection(experiment.quantities.values()) or len(set(installs.values())) < 2:
            return ""
        return difference_of({sides[name]: self._builds.of(found) for name, found in installs.items()})

    def _round(
        self,
        experiment: Experiment,
        installs: Mapping[str, Install],
        points: list[_Measuring],
        number: int,
        progress: Callable[[str, int], object],
    ) -> None:
        """Measure each point once on new servers, which are created in another order each time."""
        if experiment.by_version:
            installs = {**installs, CONTROL: installs[experiment.base.name]}
        with contextlib.ExitStack() as stack:
            clusters = self._servers(experiment, installs, number, stack)
            places = list(dict.fromkeys(cluster.datadir for cluster in clusters.values()))
            for place, so_far in enumerate(points):
                progress(f"{so_far.point} round {number + 1}".strip(), place)
                lack = no_room(experiment, so_far.point, places)
                if lack is not None:
                    points[place] = replace(so_far, trouble=lack)
                    continue
                self._at = str(so_far.point)
                self._point(experiment, so_far, clusters, number)
            self._at = ""

    def _servers(
        self,
        experiment: Experiment,
        installs: Mapping[str, Install],
        number: int,
        stack: contextlib.ExitStack,
    ) -> dict[str, Cluster]:
        """A server for each install, or for each side that needs its own, by the sides' names."""
        created: dict[tuple[Install, str], Cluster] = {}
        servers: dict[str, Cluster] = {}
        for name in _turned(list(installs), number):
            own = name == CONTROL or experiment.isolation == "cluster"
            key = (installs[name], name if own else "")
            if key not in created:
                created[key] = self._clusters.create(
                    installs[name], settings={**SETTINGS, **experiment.settings_at(self._scale)}
                )
                stack.callback(self._clusters.remove, created[key])
            servers[name] = created[key]
        return servers

    def _point(
        self, experiment: Experiment, so_far: _Measuring, clusters: Mapping[str, Cluster], number: int
    ) -> None:
        newest = max(cluster.version for cluster in clusters.values())
        with contextlib.ExitStack() as stack:
            works: dict[str, Iterator[Round]] = {}
            benches: dict[str, Bench] = {}
            for name, cluster in clusters.items():
                side = experiment.base.name if name == CONTROL else name
                benches[name] = self._bench(side, cluster, newest, stack)
                works[name] = experiment.work(benches[name], **so_far.point.values)
                stack.callback(works[name].close)  # type: ignore[attr-defined]
            for name, quantities in self._turns(experiment, works).items():
                of_side = so_far.values.setdefault(name, {each: [] for each in experiment.quantities})
                for quantity, turns in quantities.items():
                    of_side[quantity].append(mean_of_turns(turns))
            for bench in benches.values():
                so_far.facts.update(bench.facts)

    def _bench(self, side: str, cluster: Cluster, newest: PgVersion, stack: contextlib.ExitStack) -> Bench:
        name = f"side{next(self._numbers)}"
        cluster.sql(f"CREATE DATABASE {name}")
        stack.callback(_drop, cluster, name)
        bench = Bench(side, cluster, self._clusters, name, newest)
        stack.callback(bench.close)
        return bench

    def _turns(self, experiment: Experiment, works: Mapping[str, Iterator[Round]]) -> Values:
        """Let the sides take turns, after a turn to warm up."""
        sides = list(works)
        first = {side: _next(experiment, work) for side, work in works.items()}
        if any(value is None for value in first.values()):
            raise ExperimentError(f"{experiment.id}: its function yielded nothing")
        values: Values = {side: {name: [] for name in experiment.quantities} for side in works}
        for turn in range(TURNS):
            measured = {side: _next(experiment, works[side]) for side in _turned(sides, turn)}
            ended = [side for side, value in measured.items() if value is None]
            if ended and (turn or len(ended) < len(sides)):
                raise ExperimentError(
                    f"{experiment.id}: its function ended after {turn + 1} turns",
                    remedy="yield once for a constant, or else in an endless loop",
                )
            _add(values, first if ended else measured)
            if ended:
                break
        return values


def _turned(sides: list[str], number: int) -> list[str]:
    """The sides in a different order for each number, so that none is always the first."""
    start = number % len(sides)
    return sides[start:] + sides[:start]


def _is_the_same(values: Values) -> bool:
    return all(len(set(rounds)) == 1 for quantities in values.values() for rounds in quantities.values())


def _begun(experiment: Experiment, begun: Measured | None, scale: Scale) -> list[_Measuring]:
    """The points, with the rounds that all sides and points have."""
    points = [_Measuring(point, {}, {}) for point in experiment.points(scale)]
    if begun is None:
        return points
    kept = {str(point): point for point in begun.points if point.values}
    sides = [side for point in kept.values() for side in point.values.values()]
    rounds = min((len(values) for side in sides for values in side.values()), default=0)
    for each in points:
        if (before := kept.get(str(each.point))) is not None:
            each.facts.update(before.facts)
            for side, quantities in before.values.items():
                each.values[side] = {name: [*values[:rounds]] for name, values in quantities.items()}
    return points


def _rounds(points: Sequence[_Measuring]) -> int:
    """The number of rounds."""
    sides = [side for point in points for side in point.values.values()]
    return max((len(values) for side in sides for values in side.values()), default=0)


def _compared(
    experiment: Experiment, points: Sequence[_Measuring], *, alike: bool
) -> tuple[PointMeasured, ...]:
    """The points with their ratios, and the rows of several points."""
    measured = [each for each in points if each.values]
    ratios, together = compared(experiment, [(each.point, each.values) for each in measured], alike=alike)
    found = dict(zip((str(each.point) for each in measured), ratios, strict=True))
    rows = [
        PointMeasured(
            labels=each.point.labels,
            values={
                side: {name: tuple(rounds) for name, rounds in quantities.items()}
                for side, quantities in each.values.items()
            },
            comparisons=found.get(str(each.point), ()),
            control=controlled(experiment, each.values),
            facts=each.facts,
            trouble=each.trouble,
        )
        for each in points
        if each.values or each.trouble
    ]
    return (*rows, *together)


def _next(experiment: Experiment, work: Iterator[Round]) -> dict[str, float] | None:
    """The next round's values; None at the end."""
    try:
        value = next(work)
    except StopIteration:
        return None
    found = dict(value) if not isinstance(value, int | float) else dict.fromkeys(experiment.quantities, value)
    if found.keys() != experiment.quantities.keys():
        raise ExperimentError(
            f"{experiment.id}: it yielded {sorted(found)}, and declares {sorted(experiment.quantities)}"
        )
    if wrong := [f"{name} {each!r}" for name, each in found.items() if not each > 0]:
        raise ExperimentError(f"{experiment.id}: no ratio can be taken of {', '.join(wrong)}")
    return {name: float(each) for name, each in found.items()}


def _add(values: Values, measured: Mapping[str, Mapping[str, float] | None]) -> None:
    for side, quantities in measured.items():
        for name, value in (quantities or {}).items():
            values[side][name].append(value)


def _drop(cluster: Cluster, database: str) -> None:
    if cluster.running():
        cluster.terminate_sessions(database)
        cluster.sql(f"DROP DATABASE {database}")
