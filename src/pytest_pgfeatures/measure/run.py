"""Runs experiments: the sides take turns within each round, until the ratio is known well enough."""

from __future__ import annotations

import contextlib
import itertools
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ExperimentError, PgFeaturesError
from pytest_pgfeatures.measure.bench import Bench
from pytest_pgfeatures.measure.builds import build_of, difference_of
from pytest_pgfeatures.measure.interval import interval_of
from pytest_pgfeatures.measure.outcome import Measured, PointMeasured, Ratio, median, verdict_of
from pytest_pgfeatures.measure.room import no_room
from pytest_pgfeatures.measure.sides import installs_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.install import Cell, Install
    from pytest_pgfeatures.measure.model import Experiment, Point, Round, Scale
    from pytest_pgfeatures.server import Cluster, Clusters

LEAST_ROUNDS = 3
"""The fewest that can be asked for. Of 3 rounds, the interval has the true ratio in 77 of 100 cases, of 4 in 89."""
SURE_ROUNDS = 5
"""Rounds don't end by themselves before, unless they are equal: fewer have no interval of 95%, as it would be wider
than the rounds' ratios are apart."""
SETTINGS = {"autovacuum": "off"}
"""The settings of every server: autovacuum would run at one side's cost only."""
Values = dict[str, dict[str, list[float]]]
"""By side and quantity, one value for each round."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the rounds of a point.

    Parameters:
        rounds: at the latest after this many.
        width: as soon as every ratio's interval is narrower, as a part of the ratio.
        seconds: after this time, if there were :data:`SURE_ROUNDS` at least; None for no limit.
    """

    rounds: int = 20
    width: float = 0.05
    seconds: float | None = None


BY_SCALE: Mapping[Scale, Limits] = {
    "quick": Limits(rounds=12, seconds=3.0),
    "document": Limits(rounds=20),
}


class Measuring:
    """Runs experiments on servers of its own.

    Parameters:
        clusters: creates the servers.
        cells: the versions that may be used; None for all.
        scale: which parameters are taken.
        limits: when rounds end.
        tell: is called with a text, how many points are done, and how many there are in all.
    """

    def __init__(
        self,
        clusters: Clusters,
        *,
        cells: Sequence[Cell] | None = None,
        scale: Scale = "quick",
        limits: Limits | None = None,
        tell: Callable[[str, int, int], object] | None = None,
    ) -> None:
        self._clusters = clusters
        self._cells = cells
        self._scale = scale
        self._limits = limits or BY_SCALE[scale]
        self._tell = tell or (lambda *_: None)
        self._numbers = itertools.count(1)

    def all(self, experiments: Sequence[Experiment]) -> Iterator[Measured]:
        """Run experiments one after the other. Trouble is in the results, and not raised."""
        total, done = sum(len(each.points(self._scale)) for each in experiments), 0
        for experiment in experiments:
            started, at = done, experiment.id

            def tell(point: str, number: int, started: int = started, at: str = at) -> None:
                self._tell(f"{at} {point}".strip(), started + number, total)

            tell("", 0)
            yield self.one(experiment, tell)
            done += len(experiment.points(self._scale))
        self._tell("", total, total)

    def one(
        self,
        experiment: Experiment,
        tell: Callable[[str, int], object] = lambda *_: None,
        *,
        strict: bool = False,
    ) -> Measured:
        """Run one experiment.

        Parameters:
            tell: is called before each point.
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
        )
        try:
            installs = installs_for(experiment, self._clusters.resolver, self._cells)
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
        points: list[PointMeasured] = []
        trouble = where = ""
        with contextlib.ExitStack() as stack:
            try:
                clusters = self._servers(experiment, installs, stack)
                result = replace(result, builds=_builds(experiment, result.sides, clusters))
                for number, point in enumerate(experiment.points(self._scale)):
                    tell(str(point), number)
                    where = f"{point}: " if point.labels else ""
                    points.append(self._point(experiment, point, clusters))
            except (PgFeaturesError, psycopg.Error, OSError) as error:
                if strict:
                    raise
                trouble = f"{where}{error}".strip()
        return replace(
            result,
            points=tuple(points),
            seconds=time.perf_counter() - started,
            trouble=trouble,
            failed=bool(trouble),
        )

    def _servers(
        self, experiment: Experiment, installs: Mapping[str, Install], stack: contextlib.ExitStack
    ) -> dict[str, Cluster]:
        """A server for each install, or for each side that needs its own, by the sides' names."""
        made: dict[tuple[Install, str], Cluster] = {}
        servers: dict[str, Cluster] = {}
        for name, install in installs.items():
            key = (install, name if experiment.isolation == "cluster" else "")
            if key not in made:
                made[key] = self._clusters.create(
                    install, settings={**SETTINGS, **experiment.settings_at(self._scale)}
                )
                stack.callback(self._clusters.remove, made[key])
            servers[name] = made[key]
        return servers

    def _point(self, experiment: Experiment, point: Point, clusters: Mapping[str, Cluster]) -> PointMeasured:
        places = list(dict.fromkeys(cluster.datadir for cluster in clusters.values()))
        if (lack := no_room(experiment, point, places)) is not None:
            return PointMeasured(point.labels, trouble=lack)
        with contextlib.ExitStack() as stack:
            benches = {name: self._bench(name, cluster, stack) for name, cluster in clusters.items()}
            works = {name: experiment.work(bench, **point.values) for name, bench in benches.items()}
            for work in works.values():
                stack.callback(work.close)  # type: ignore[attr-defined]
            values = self._rounds(experiment, works)
            facts = {name: text for bench in benches.values() for name, text in bench.facts.items()}
        return PointMeasured(
            labels=point.labels,
            values={
                side: {name: tuple(each) for name, each in quantities.items()}
                for side, quantities in values.items()
            },
            comparisons=tuple(compare(experiment, point, values)),
            facts=facts,
        )

    def _bench(self, side: str, cluster: Cluster, stack: contextlib.ExitStack) -> Bench:
        name = f"side{next(self._numbers)}"
        cluster.sql(f"CREATE DATABASE {name}")
        stack.callback(_drop, cluster, name)
        bench = Bench(side, cluster, self._clusters, name)
        stack.callback(bench.close)
        return bench

    def _rounds(self, experiment: Experiment, works: Mapping[str, Iterator[Round]]) -> Values:
        """Let the sides take turns until the limits are reached."""
        first = {side: _next(experiment, work) for side, work in works.items()}
        if any(value is None for value in first.values()):
            raise ExperimentError(f"{experiment.id}: its function yielded nothing")
        values: Values = {side: {name: [] for name in experiment.quantities} for side in works}
        sides, started = list(works), time.perf_counter()
        for number in range(self._limits.rounds):
            order = sides[number % len(sides) :] + sides[: number % len(sides)]  # none is always the first
            measured = {side: _next(experiment, works[side]) for side in order}
            ended = [side for side, value in measured.items() if value is None]
            if ended and (number or len(ended) < len(sides)):
                raise ExperimentError(
                    f"{experiment.id}: its function ended after {number + 1} rounds",
                    remedy="yield once for what is the same each time, or else in an endless loop",
                )
            _add(values, first if ended else measured)
            if ended or self._enough(experiment, values, number + 1, time.perf_counter() - started):
                break
        return values

    def _enough(self, experiment: Experiment, values: Values, rounds: int, seconds: float) -> bool:
        if rounds < LEAST_ROUNDS:
            return False
        widest = max(
            interval_of(values[experiment.base.name][name], values[side.name][name]).width
            for side in experiment.sides[1:]
            for name in experiment.quantities
        )
        if rounds < SURE_ROUNDS and widest > 0:
            return False
        if self._limits.seconds is not None and seconds > self._limits.seconds:
            return True
        return widest < self._limits.width


def _builds(experiment: Experiment, sides: Mapping[str, str], clusters: Mapping[str, Cluster]) -> str:
    """The difference between the builds of the sides, if times depend on it."""
    servers = {id(cluster): cluster for cluster in clusters.values()}
    if len(servers) < 2 or not {"s", "tps"}.intersection(experiment.quantities.values()):
        return ""
    known = {number: build_of(cluster) for number, cluster in servers.items()}
    return difference_of({sides[name]: known[id(cluster)] for name, cluster in clusters.items()})


def compare(experiment: Experiment, point: Point, values: Values) -> Iterator[Ratio]:
    """Compare each side with the first one, quantity by quantity."""
    for side, (quantity, unit) in itertools.product(experiment.sides[1:], experiment.quantities.items()):
        base, own = values[experiment.base.name][quantity], values[side.name][quantity]
        figure = experiment.figure(quantity, side.name, point.labels)
        interval = interval_of(base, own)
        yield Ratio(
            quantity=quantity,
            unit=unit,
            side=side.name,
            base_value=median(tuple(base)),
            value=median(tuple(own)),
            interval=interval,
            figure=figure,
            verdict=verdict_of(interval, figure.claim if figure else None),
        )


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
