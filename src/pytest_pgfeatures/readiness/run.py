"""Run the stages for each pair of versions."""

from __future__ import annotations

import contextlib
import itertools
import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.errors import CapabilityMissingError, PgFeaturesError, VersionError
from pytest_pgfeatures.install import Store, parse_requests
from pytest_pgfeatures.install.resolve import Resolver, lock_in
from pytest_pgfeatures.readiness.application import read_inputs
from pytest_pgfeatures.readiness.baseline import Baseline
from pytest_pgfeatures.readiness.causes import united
from pytest_pgfeatures.readiness.model import STAGES, BehaviorAnswer, Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.options import of_given
from pytest_pgfeatures.readiness.secrets import hidden, hide
from pytest_pgfeatures.readiness.stages import (
    incompatibilities,
    plans,
    queries,
    results,
    schema,
    settings,
    upgrade,
)
from pytest_pgfeatures.readiness.trial.loading import without_comments
from pytest_pgfeatures.readiness.trial.trial import PairTrial
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pgfeatures.install import Cell, Install
    from pytest_pgfeatures.readiness.application import Inputs
    from pytest_pgfeatures.readiness.model import Executed, PassedOver, Stage
    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.trial.trial import Told

NEEDS: dict[Stage, frozenset[str]] = {
    "settings": frozenset({"config", "hba", "ident", "scripts", "schema", "queries"}),
    "schema": frozenset({"schema", "data"}),
    "queries": frozenset({"schema", "queries"}),
    "plans": frozenset({"statistics", "database", "data"}),
    "incompatibilities": frozenset(),
    "results": frozenset({"data"}),
    "upgrade": frozenset({"data"}),
}
"""For each stage, the kinds of inputs that it looks at. A stage needs at least one of them."""


@dataclass(frozen=True, slots=True)
class StageRun:
    """The run of one stage for one pair.

    Parameters:
        pair: the pair's name, such as ``14-18``.
        versions: the versions of the two servers.
        report: what the stage found.
        seconds: the duration.
        error: why the stage could not start or finish; empty if it finished.
        nothing: whether there is no input that the stage looks at.
        unread: inputs that the stage looks at, and that were named and not read, a line each.
        passed_over: files of directories that were given to options that the stage looks at, and were not read.
        installs: of the two servers the source and the directory of programs.
    """

    stage: Stage
    pair: str
    versions: tuple[str, str]
    report: StageReport
    seconds: float = 0.0
    error: str = ""
    nothing: bool = False
    installs: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()


@dataclass(frozen=True, slots=True)
class Readiness:
    """The result for an application.

    Parameters:
        findings: the findings of all stages and pairs that the baseline does not accept, the worst first.
        accepted: the findings that the baseline accepts.
        runs: the run of each stage.
        problems: files that could not be read and other errors, one line each.
    """

    findings: tuple[Finding, ...]
    accepted: tuple[Finding, ...] = ()
    runs: tuple[StageRun, ...] = field(default=(), repr=False)
    problems: tuple[str, ...] = ()

    @property
    def not_looked_at(self) -> tuple[NotLookedAt, ...]:
        """Everything that no stage could look at."""
        return tuple(dict.fromkeys(each for run in self.runs for each in run.report.not_looked_at))

    @property
    def passed_over(self) -> tuple[PassedOver, ...]:
        """The files of given directories that were not read, by suffix."""
        return tuple(dict.fromkeys(each for run in self.runs for each in run.passed_over))

    @property
    def answers(self) -> tuple[BehaviorAnswer, ...]:
        """For each behavior that breaks something, whether it affects the application."""
        return tuple(dict.fromkeys(each for run in self.runs for each in run.report.answers))

    @property
    def afterwards(self) -> str:
        """The script to run after the upgrade; empty if the stage ``upgrade`` did not come to one."""
        return "".join(dict.fromkeys(run.report.afterwards for run in self.runs))

    @property
    def affects(self) -> tuple[Finding, ...]:
        """The findings that certainly affect the application."""
        return tuple(finding for finding in self.findings if finding.certainty == "affects")


def readiness(
    *,
    directory: Path | None = None,
    told: Told = lambda _what, _done, _all: None,
    **given: Any,
) -> Readiness:
    """Look for what an upgrade breaks or changes in an application.

    Parameters:
        directory: the project's directory, whose ``pgfeatures.toml`` or ``pyproject.toml`` is read; None for none.
        told: called for progress with a description, the number of finished items, and the total.
        given: options under the names of
            :class:`~pytest_pgfeatures.readiness.options.ReadinessOptions`: ``old="14"``, ``new="18"``,
            ``schema=["db/structure.sql"]``.

    Raises:
        PgFeaturesError: an option is wrong, or there is no server of a version.
    """
    options = of_given(directory, given)
    store = Store.open()
    resolver = Resolver(store, lock=lock_in(directory or Path.cwd()))
    runs = []
    with Clusters(store, resolver=resolver) as clusters:
        inputs = read_inputs(options, lambda: resolver)
        for old, new in pairs(options, resolver):
            trial = make_trial(old, new, inputs, options, resolver, clusters, store, told)
            runs += [look(trial, stage) for stage in options.stages or STAGES]
            trial.close()
    return summed_up(runs, options)


def pairs(options: ReadinessOptions, resolver: Resolver) -> list[tuple[Cell, Cell]]:
    """The pairs of versions: neighbors, or each old version with each new one.

    Raises:
        VersionError: no version in ``--to`` is newer than one in ``--from``.
    """
    old = resolver.cells(parse_requests(options.old))
    new = resolver.cells(parse_requests(options.new))
    if options.direct:
        found = [(one, other) for one in old for other in new if _order(one) < _order(other)]
    else:
        cells: dict[Any, Cell] = {}
        for cell in (*old, *new):
            cells.setdefault((_order(cell), cell.request), cell)
        found = list(itertools.pairwise(sorted(cells.values(), key=_order)))
        found = [(one, other) for one, other in found if one in old or other in new]
    if not found or max(map(_order, new)) < min(map(_order, old)) or (not options.direct and old == new):
        raise VersionError(
            f"--to {options.new} is not newer than --from {options.old}",
            remedy="write the version that you come from in --from, and the one you go to in --to",
        )
    return found


def name_of(old: Cell, new: Cell) -> str:
    """The name of a pair, such as ``14-18``."""
    return f"{old.id.removeprefix('pg')}-{new.id.removeprefix('pg')}"


def _order(cell: Cell) -> tuple[Any, Any]:
    only = cell.request.versions.only
    return cell.major, str(only) if only else ""


_ICU = re.compile(r"\b(?:locale_)?provider\s*=?\s*'?icu\b|-x-icu\b", re.IGNORECASE)
"""What a server must be built with ICU for."""


def make_trial(
    old: Cell,
    new: Cell,
    inputs: Inputs,
    options: ReadinessOptions,
    resolver: Resolver,
    clusters: Clusters,
    store: Store,
    told: Told,
) -> PairTrial:
    """Create the trial of a pair. This does not start servers."""
    installs = [_install(cell, resolver, inputs) for cell in (old, new)]
    return PairTrial(
        installs[0],
        installs[1],
        (str(old.request), str(new.request)),
        name_of(old, new),
        inputs,
        clusters,
        store,
        timeout=options.timeout,
        trusted=options.trust,
        told=told,
    )


def _install(cell: Cell, resolver: Resolver, inputs: Inputs) -> Install:
    """The install of a cell: one with ICU, if the application uses it and there is one."""
    if _uses_icu(inputs):
        with contextlib.suppress(CapabilityMissingError):
            return resolver.resolve(cell.request, ["icu"])
    return resolver.resolve(cell.request)


def _uses_icu(inputs: Inputs) -> bool:
    """Whether the database's locale, or a collation that statements name or create, is ICU's."""
    statistics = inputs.production.statistics
    return (statistics is not None and statistics.provider == "icu") or any(
        _ICU.search(without_comments(query.sql)) is not None
        for query in inputs.application.queries
        if "icu" in query.sql.lower()
    )


def look(trial: PairTrial, stage: Stage) -> StageRun:
    """Run a stage. Its result reports errors."""
    started = time.monotonic()
    versions = (str(trial.pair.old), str(trial.pair.new))
    unread = tuple(
        hide(line, trial.inputs.secrets)
        for kind, line in trial.inputs.unread
        if not NEEDS[stage] or kind in NEEDS[stage]
    )
    passed = tuple(
        replace(each, directory=hide(each.directory, trial.inputs.secrets))
        for each in trial.inputs.application.passed_over
        if not NEEDS[stage] or each.option in NEEDS[stage]
    )
    if NEEDS[stage] and not NEEDS[stage] & trial.inputs.application.given:
        told = tuple(hide(problem, trial.inputs.secrets) for problem in trial.inputs.problems)
        report = StageReport(stage, problems=told)
        return StageRun(
            stage, trial.name, versions, report, nothing=not unread, unread=unread, passed_over=passed
        )
    error = ""
    try:
        report = trial.report(stage, _LOOKS[stage])
    except (PgFeaturesError, psycopg.Error, OSError) as raised:
        error = hide(str(raised), trial.inputs.secrets)
        report = StageReport(stage, not_looked_at=(NotLookedAt(f"stage {stage}", error.split("\n")[0]),))
    known = trial.inputs.secrets
    report = replace(
        report,
        findings=tuple(hidden(finding, known) for finding in report.findings),
        problems=tuple(
            hide(problem, known) for problem in (*trial.inputs.problems, *trial.problems, *report.problems)
        ),
        not_looked_at=tuple(
            NotLookedAt(hide(each.what, known), hide(each.why, known)) for each in report.not_looked_at
        ),
        executed=tuple(each for each in report.executed if _is_open(each, known)),
    )
    installs = tuple((install.source, str(install.bindir)) for install in trial.installs)
    seconds = time.monotonic() - started
    return StageRun(
        stage, trial.name, versions, report, seconds, error,
        installs=installs, unread=unread, passed_over=passed,
    )  # fmt: skip


def _is_open(each: Executed, secrets: frozenset[str]) -> bool:
    """Whether a statement and its values have no password, so that tests may be written of it."""
    return all(hide(text, secrets) == text for text in (each.sql, *filter(None, each.values)))


_LOOKS: dict[Stage, Callable[[PairTrial], StageReport]] = {
    "settings": settings.look,
    "schema": schema.look,
    "queries": queries.look,
    "plans": plans.look,
    "incompatibilities": incompatibilities.look,
    "results": results.look,
    "upgrade": upgrade.look,
}
_SEVERITIES = ("error", "warning", "note")


def summed_up(runs: Sequence[StageRun], options: ReadinessOptions) -> Readiness:
    """The findings of all stages and pairs, the worst first, without those that the baseline accepts.

    A finding that occurs for several neighboring pairs is reported once.
    """
    baseline = Baseline.read(Path(options.baseline)) if options.baseline else Baseline()
    return together(runs, baseline.accepts, baseline.expired())


def together(
    runs: Sequence[StageRun], accepts: Callable[[Finding], bool], problems: Sequence[str] = ()
) -> Readiness:
    """The findings of runs, as :func:`summed_up` gives them.

    Parameters:
        accepts: whether a finding is an accepted one.
        problems: further lines for the user.
    """
    runs = sorted(runs, key=_place_of_run)
    found: dict[tuple[object, ...], Finding] = {}
    for finding in (each for run in runs for each in run.report.findings):
        # pairs with one new version tell the same, and prove it by other commands; so may stages
        key = (finding.place, finding.object, finding.message, finding.behavior)
        if key not in found or (finding.certainty == "affects") > (found[key].certainty == "affects"):
            found[key] = finding
    named = {each for run in runs for each in run.report.named}
    ordered = sorted(united(_once(list(found.values())), {run.versions for run in runs}, named), key=_rank)
    accepted = [finding for finding in ordered if accepts(finding)]
    known = set(accepted)
    told = dict.fromkeys(problem for run in runs for problem in run.report.problems)
    told.update(dict.fromkeys(f"{run.stage} {run.pair}: {run.error}" for run in runs if run.error))
    told.update(dict.fromkeys(problems))
    return Readiness(
        tuple(finding for finding in ordered if finding not in known),
        tuple(accepted),
        tuple(runs),
        tuple(told),
    )


def _place_of_run(run: StageRun) -> tuple[PgVersion, PgVersion, int]:
    """Where a run belongs, however the runs were distributed: by versions, then as the stages follow each other."""
    old, new = map(PgVersion, run.versions)
    return old, new, STAGES.index(run.stage)


def _once(found: list[Finding]) -> list[Finding]:
    """The findings, without those that another stage reports in more detail.

    These are an error in a function's body, for which ``queries`` reports the exact place, and a changed default,
    for which ``incompatibilities`` reports the meaning.
    """
    parsed = [finding for finding in found if finding.stage == "queries" and finding.sqlstate]
    exact = {_cause(finding) for finding in parsed}
    at = {(finding.place, finding.sqlstate) for finding in parsed if finding.place}
    known = {finding.object for finding in found if finding.stage == "incompatibilities"}
    return [
        finding
        for finding in found
        if not (
            finding.stage == "schema"
            and (_cause(finding) in exact or (finding.place, finding.sqlstate) in at)
        )
        and not (finding.stage == "settings" and finding.severity == "note" and _setting(finding) in known)
    ]


def _setting(finding: Finding) -> str:
    return (finding.object or "").removeprefix("setting ")


def _cause(finding: Finding) -> tuple[str | None, str, str]:
    """The file, and the server's message."""
    file = finding.place.file if finding.place else None
    return file, finding.sqlstate or "", finding.message.partition(": ")[2]


def _rank(finding: Finding) -> tuple[Any, ...]:
    place = finding.place
    return (
        finding.certainty != "affects",
        _SEVERITIES.index(finding.severity),
        STAGES.index(finding.stage),
        -finding.weight,
        place.file if place else "",
        place.line if place else 0,
        place.column if place else 0,
        finding.message,
    )
