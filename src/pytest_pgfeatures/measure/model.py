"""Experiments: sides, parameters, work, and the claims of a document."""

from __future__ import annotations

import inspect
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from pytest_pgfeatures.errors import ExperimentError, VersionError
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Scale = Literal["quick", "document"]
Claim = Literal["less", "more", "no difference"]
Isolation = Literal["database", "cluster"]
Round = float | Mapping[str, float]
Work = Callable[..., Iterator[Round]]

_ROUNDED = 0.005
_ID = re.compile(r"[a-z0-9._]+(?:[/-][a-z0-9._]+)+")


@dataclass(frozen=True, slots=True)
class Scaled:
    """A parameter's value at each scale.

    Parameters:
        quick: the value for a short run.
        document: the document's value.
    """

    quick: Any
    document: Any

    def at(self, scale: Scale) -> Any:
        """The value at a scale."""
        return self.quick if scale == "quick" else self.document


@dataclass(frozen=True, slots=True)
class ExperimentSide:
    """One of the sides that an experiment compares.

    Parameters:
        name: the method, or the set of versions.
        versions: the versions that it runs on.
    """

    name: str
    versions: VersionSet


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that a document reports, or a claim of your own.

    A figure for several points is one claim, judged by their geometric mean; so are figures of one table.

    Parameters:
        text: the document's words.
        ratio: the side's value divided by the first side's; for a range, its minimum and maximum.
        values: the first side's value and the side's, in the quantity's unit. They give the ratio.
        claims: the claim about the side: that it needs ``less`` or ``more`` than the first one, or that there
            is ``no difference``. By default, the ratio determines it.
        quantity: the quantity; by default the experiment's first.
        side: the side; by default every side but the first.
        at: the parameters, by their labels; others may have any value.
        margin: for ``no difference``, the greatest difference between the sides, as a fraction of the first
            one's value.
        table: figures with the same name are rows of one table, which is judged as one.
        tried: why the size differs here, if this was tried out: what was changed, and what came out.
    """

    text: str = ""
    ratio: float | tuple[float, float] | None = None
    values: tuple[float, float] | None = None
    claims: Claim | None = None
    quantity: str | None = None
    side: str | None = None
    at: Mapping[str, str] = field(default_factory=dict)
    margin: float = 0.1
    table: str = ""
    tried: str = ""

    @property
    def span(self) -> tuple[float, float] | None:
        """The range of ratios that the figure stands for; None if it has no ratio.

        A single ratio stands for all ratios that round to it, because documents give whole percents.
        """
        if isinstance(self.ratio, tuple):
            return self.ratio
        reported = self.reported
        return None if reported is None else (reported - _ROUNDED, reported + _ROUNDED)

    @property
    def reported(self) -> float | None:
        """The ratio that the document reports, for a range its geometric mean; None if it reports none."""
        if self.values is not None:
            return self.values[1] / self.values[0]
        return math.sqrt(math.prod(self.ratio)) if isinstance(self.ratio, tuple) else self.ratio

    @property
    def claim(self) -> Claim:
        """The direction that it claims."""
        if self.claims is not None:
            return self.claims
        reported = self.reported
        assert reported is not None  # experiment() checks it
        return "less" if reported < 1 else "more" if reported > 1 else "no difference"

    @property
    def margins(self) -> tuple[float, float]:
        """The range of ratios that count as no difference."""
        return 1 / (1 + self.margin), 1 + self.margin

    @property
    def borders(self) -> tuple[float, ...]:
        """The ratios that make an interval undecided if it contains them."""
        return self.margins if self.claim == "no difference" else (1.0,)

    def is_about(self, quantity: str, side: str, at: Mapping[str, str]) -> bool:
        """Whether the figure concerns a quantity of a side at a point of the grid."""
        return (
            self.quantity in (None, quantity)
            and self.side in (None, side)
            and all(at.get(name) == label for name, label in self.at.items())
        )


@dataclass(frozen=True, slots=True)
class Point:
    """One combination of parameters.

    Parameters:
        labels: texts for people, by the names of the parameters that have several values. They say what runs.
        values: the values for the work.
        names: the labels as declared, for figures.
    """

    labels: Mapping[str, str]
    values: Mapping[str, Any]
    names: Mapping[str, str]

    def __str__(self) -> str:
        return ", ".join(f"{name} {label}" for name, label in self.labels.items())


@dataclass(frozen=True, slots=True)
class Experiment:
    """A measured claim. :func:`experiment` creates it, and describes the fields."""

    id: str
    title: str
    source: str
    sides: tuple[ExperimentSide, ...]
    by_version: bool
    """Whether the sides are versions, and not methods on one version."""
    parameters: Mapping[str, Any]
    quantities: Mapping[str, str]
    """The quantities that a round measures, each with its unit."""
    figures: tuple[Figure, ...]
    needs: frozenset[str]
    settings: Mapping[str, str | Scaled]
    isolation: Isolation
    room: Callable[..., float] | None
    steps: Callable[..., float] | None
    note: str
    work: Work

    @staticmethod
    def of(thing: object) -> Experiment | None:
        """The experiment that a function was decorated with, or None."""
        found = getattr(thing, "experiment", None)
        return found if isinstance(found, Experiment) else None

    @property
    def base(self) -> ExperimentSide:
        """The side with which the others are compared."""
        return self.sides[0]

    def settings_at(self, scale: Scale) -> dict[str, str]:
        """The server settings at a scale."""
        return {
            name: value.at(scale) if isinstance(value, Scaled) else value
            for name, value in self.settings.items()
        }

    def scaled(self, scale: Scale) -> dict[str, tuple[str, str]]:
        """The parameters and settings that differ from the document's, with their value and the document's."""
        both = {
            name: (as_text(value.at(scale)), as_text(value.document))
            for name, value in {**self.parameters, **self.settings}.items()
            if isinstance(value, Scaled)
        }
        return {name: (here, there) for name, (here, there) in both.items() if here != there}

    def points(self, scale: Scale) -> list[Point]:
        """The grid: each combination of the parameters' values."""
        axes = [_axis(name, value, scale) for name, value in self.parameters.items()]
        return [
            Point(
                {name: _label(label, value, scale) for name, label, value in chosen if label is not None},
                {name: _at(value, scale) for name, _, value in chosen},
                {name: label for name, label, _ in chosen if label is not None},
            )
            for chosen in itertools.product(*axes)
        ]

    def figure(self, quantity: str, side: str, at: Mapping[str, str]) -> Figure | None:
        """The document's figure for a side at a point; of several, the one that names the most parameters."""
        fitting = [
            figure
            for figure in self.figures
            if (figure.quantity or next(iter(self.quantities))) == quantity
            and figure.is_about(quantity, side, at)
        ]
        return max(fitting, key=lambda figure: (len(figure.at), figure.side is not None), default=None)

    @property
    def defined_at(self) -> str:
        """``FILE:LINE`` of its declaration."""
        code = inspect.unwrap(self.work).__code__
        return f"{code.co_filename}:{code.co_firstlineno}"


def _axis(name: str, value: Any, scale: Scale) -> list[tuple[str, str | None, Any]]:
    """The values of a parameter: its name, the label if it has several values, the value."""
    if isinstance(value, Mapping):
        return [(name, str(label), each) for label, each in value.items()]
    value = _at(value, scale)
    if isinstance(value, list | tuple | range):
        return [(name, str(each), each) for each in value]
    return [(name, None, value)]


def _at(value: Any, scale: Scale) -> Any:
    return value.at(scale) if isinstance(value, Scaled) else value


def _label(label: str, value: Any, scale: Scale) -> str:
    """The label of a value that runs, if the document's value is a different one."""
    if not isinstance(value, Scaled) or value.at(scale) == value.document:
        return label
    return f"{as_text(value.at(scale))} for {label}"


def as_text(value: object) -> str:
    """A parameter's value for people: large numbers in groups of three digits."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def file_name(id: str) -> str:
    """The name of an experiment's files, without an ending."""
    return re.sub(r"[^a-z0-9.]+", "-", id).strip("-")


def experiment(
    id: str,
    *,
    title: str,
    source: str = "",
    versions: Sequence[str] = (),
    methods: Sequence[str] = (),
    pg: str = "all",
    parameters: Mapping[str, object] | None = None,
    quantities: Mapping[str, str] | None = None,
    figures: Figure | Iterable[Figure] = (),
    needs: Iterable[str] = (),
    settings: Mapping[str, str | Scaled] | None = None,
    isolation: Isolation = "database",
    room: Callable[..., float] | None = None,
    steps: Callable[..., float] | None = None,
    note: str = "",
) -> Callable[[Work], Callable[..., object]]:
    """Declare a generator function as an experiment.

    The function takes a ``bench`` (:class:`~pytest_pgfeatures.measure.bench.Bench`) and the parameters. The
    code before its first ``yield`` prepares a side. Each value that it yields is one round of that side; the
    first one warms up, and does not count. A function that ends after one ``yield`` measures a constant, such
    as a size.

    pytest collects it like a test. It fails if the work fails, whatever is measured.

    Parameters:
        id: unique, lower case, with a slash or hyphen: ``ours/lookup-by-text``.
        title: the claim in one line.
        source: the document and, after the last comma, its section.
        versions: sets of versions to compare, such as ``("<16", ">=16")``; or
        methods: names of the methods to compare on one version. The others are compared with the first side.
            ``bench.side`` tells them apart.
        pg: the versions for methods.
        parameters: arguments of the function. A list has one measurement for each value; a mapping gives them
            labels; :class:`Scaled` differs by scale.
        quantities: what a round measures, with units: ``s``, ``bytes``, ``tps`` or another word. By default
            ``{"time": "s"}``. A round with several yields a mapping.
        figures: what the document reports.
        needs: capabilities that the installs must have, such as ``lz4``.
        settings: server settings, by their newest names; :class:`Scaled` differs by scale. ``autovacuum`` is off
            unless given.
        isolation: ``database``: sides on the same install share a server, and have a database each. ``cluster``:
            each side has a server of its own, for what concerns the whole server, such as replication.
        room: gives the bytes that the files of all sides need for these parameters.
        steps: gives the number of steps that these parameters mean, which time grows with: such as rows and
            transactions. By default their product.
        note: why results differ from the document's.

    Raises:
        ExperimentError: the declaration is wrong.
    """
    figures = (figures,) if isinstance(figures, Figure) else tuple(figures)
    quantities = dict(quantities or {"time": "s"})

    def declare(work: Work) -> Callable[..., object]:
        try:
            sides = (
                tuple(ExperimentSide(name, VersionSet(name)) for name in versions)
                if versions
                else tuple(ExperimentSide(name, VersionSet(pg)) for name in methods)
            )
        except VersionError as error:
            raise ExperimentError(f"{id}: {error.problem}", remedy=error.remedy) from None
        found = Experiment(
            id=id,
            title=title,
            source=source,
            sides=sides,
            by_version=bool(versions),
            parameters=dict(parameters or {}),
            quantities=quantities,
            figures=figures,
            needs=frozenset(needs),
            settings=dict(settings or {}),
            isolation=isolation,
            room=room,
            steps=steps,
            note=note,
            work=work,
        )
        if problem := _problem(found, both=bool(versions and methods)):
            raise ExperimentError(
                f"the experiment {id} at {found.defined_at}: {problem}",
                remedy="see the docstring of pytest_pgfeatures.experiment",
            )

        # pytest refuses generator functions; and it takes a test's arguments for fixtures, which parameters
        # are not
        def test(_pg_experiments: Any) -> None:
            _pg_experiments.run(found)

        test.__name__, test.__qualname__, test.__doc__ = work.__name__, work.__qualname__, work.__doc__
        test.__module__ = work.__module__
        vars(test)["experiment"] = found
        return test

    return declare


def _problem(found: Experiment, *, both: bool) -> str | None:
    """The mistake in a declaration."""
    names = [side.name for side in found.sides]
    wanted = inspect.signature(found.work).parameters.keys() - {"bench"}
    claims = get_args(Claim)
    known = {*found.quantities, None}
    checks: list[tuple[object, str]] = [
        (not _ID.fullmatch(found.id), "its id is not lower-case words with slashes or hyphens"),
        (both, "it has versions and methods"),
        (len(set(names)) < 2 or len(set(names)) < len(names), "it needs two sides or more, all different"),
        (not inspect.isgeneratorfunction(found.work), "its function does not yield a round's measurements"),
        (
            wanted ^ found.parameters.keys(),
            f"its function and parameters= differ in {', '.join(sorted(wanted ^ found.parameters.keys()))}",
        ),
        ({figure.quantity for figure in found.figures} - known, "a figure names a quantity that it has not"),
        ({figure.side for figure in found.figures} - {*names[1:], None}, "a figure names a side that it has not"),
        (
            any(figure.claims is None and figure.reported is None for figure in found.figures),
            "a figure has neither a ratio nor values nor a claim",
        ),
        (
            any(figure.claims is not None and figure.claims not in claims for figure in found.figures),
            f"a figure claims something else than {', '.join(claims)}",
        ),
    ]  # fmt: skip
    return next((text for wrong, text in checks if wrong), None)
