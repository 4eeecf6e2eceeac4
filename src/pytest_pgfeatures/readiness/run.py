"""Run the stages for each pair of versions."""

from __future__ import annotations

import pkgutil
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.causes import explained, once, wants_cause
from pytest_pgfeatures.readiness.inputs.table import INPUTS
from pytest_pgfeatures.readiness.model import (
    SEVERITIES,
    STAGES,
    BehaviorVerdict,
    Finding,
    NotLookedAt,
    PassedOver,
    Place,
    StageName,
    StageReport,
)
from pytest_pgfeatures.readiness.options import ReadinessOptions, read_options
from pytest_pgfeatures.readiness.pairs import Trials
from pytest_pgfeatures.readiness.secrets import hidden
from pytest_pgfeatures.readiness.servers.trial import Progress, Trial
from pytest_pgfeatures.readiness.toml_files import read_baseline
from pytest_pgfeatures.threads import in_order, pool
from pytest_pgfeatures.version import PgVersion
from pytest_pgfeatures.workbench import Workbench

INPUTS_OF = {stage: frozenset(row.kind for row in INPUTS if stage in row.stages) for stage in STAGES}
"""The kinds of inputs that each stage looks at, of which it needs one; none for the stage that judges by all."""


@dataclass(frozen=True, slots=True)
class StageRun:
    """The run of one stage for one pair.

    Parameters:
        pair: the pair's name, such as ``14-18``.
        versions: of the two servers.
        error: why the stage could not start or finish; empty if it finished.
        nothing: whether no input that the stage looks at was given.
        unread: inputs for the stage that were named and not read, one line each.
        passed_over: files that were not read, of directories given to the stage's options.
        installs: for each server, the source of its install and the directory of its programs.
    """

    stage: StageName
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
    """The result for an application."""

    findings: tuple[Finding, ...]  # of all stages and pairs, without the accepted ones, the worst first
    accepted: tuple[Finding, ...] = ()  # by the baseline
    runs: tuple[StageRun, ...] = field(default=(), repr=False)
    problems: tuple[str, ...] = ()  # files that could not be read and other errors, one line each

    @property
    def not_looked_at(self) -> tuple[NotLookedAt, ...]:
        """Everything that no stage could look at."""
        return tuple(dict.fromkeys(each for run in self.runs for each in run.report.not_looked_at))

    @property
    def passed_over(self) -> tuple[PassedOver, ...]:
        """The files of given directories that were not read, by suffix."""
        return tuple(dict.fromkeys(each for run in self.runs for each in run.passed_over))

    @property
    def answers(self) -> tuple[BehaviorVerdict, ...]:
        """For each behavior that breaks something, whether it affects the application."""
        return tuple(dict.fromkeys(each for run in self.runs for each in run.report.answers))

    @property
    def afterwards(self) -> str:
        """The script to run after the upgrade; empty if the stage ``upgrade`` produced none."""
        return "".join(dict.fromkeys(run.report.afterwards for run in self.runs))

    @property
    def affects(self) -> tuple[Finding, ...]:
        """The findings that certainly affect the application."""
        return tuple(finding for finding in self.findings if finding.certainty == "affects")


def readiness(
    *,
    directory: Path | None = None,
    progress: Progress = lambda _what, _done, _all: None,
    **given: Any,
) -> Readiness:
    """Look for what an upgrade breaks or changes in an application.

    Parameters:
        directory: the project's, whose ``pgfeatures.toml`` or ``pyproject.toml`` is read.
        progress: called with a description, the number of finished items, and the total.
        given: options under the names of :class:`~pytest_pgfeatures.readiness.options.ReadinessOptions`.
    """
    options = read_options(directory, given)
    with Workbench(directory=directory) as workbench:
        return look_for(options, Trials(workbench.clusters, progress))


def look_for(
    options: ReadinessOptions,
    trials: Trials,
    *,
    chosen: Callable[[str], bool] = lambda _: True,  # whether to run a stage for a pair: 14-18 queries
    ended: Callable[[StageRun], object] = lambda _: None,  # called with the run of each stage when it ends
    at_once: int = 1,  # the number of pairs and stages that may run side by side
    keep: bool = False,  # whether the servers of a pair keep running, for later calls with the same inputs
) -> Readiness:
    """Run the stages for each pair of versions."""
    jobs: list[tuple[Trial, list[StageName]]] = []
    for trial in trials.of(options):
        stages: dict[StageName | None, list[StageName]] = {}
        for each in sorted(STAGES, key=lambda each: each == _LAST):
            if each in (options.stages or STAGES) and chosen(f"{trial.name} {each}"):
                stages.setdefault(each if each in _ALONE and at_once > 1 else None, []).append(each)
        jobs += ((trial, some) for some in stages.values())
    left = Counter(trial for trial, _ in jobs)

    def run(job: tuple[Trial, list[StageName]]) -> list[StageRun]:
        trial, stages = job
        runs = []
        for stage in stages:
            runs.append(look(trial, stage))
            ended(runs[-1])
        left[trial] -= 1
        if not keep and not left[trial]:
            trial.close()
        return runs

    def interrupt() -> None:
        for trial in left:
            trial.interrupt()

    if at_once == 1:
        found = list(map(run, jobs))
    else:
        with pool(at_once, interrupt) as workers:
            found = list(in_order(workers, run, jobs))
    return summed_up([each for runs in found for each in runs], options)


def look(trial: Trial, stage: StageName) -> StageRun:
    """Run a stage. Its result reports errors."""
    started = time.monotonic()
    inputs, needed = trial.inputs, INPUTS_OF[stage] or {row.kind for row in INPUTS}
    unread = tuple(line for kind, line in inputs.unread if kind in needed)
    has_input = stage == _LAST or not needed.isdisjoint(inputs.given)
    report, error = StageReport(stage), ""
    try:
        report = trial.report(stage, _report) if has_input else report
    except Exception as raised:  # an error in one stage doesn't end the others
        error = _said(raised)
    texts = {each: (each.sql, *each.values) for each in report.executed}
    # tests may be written of what contains no password
    executed = tuple(each for each, said in texts.items() if hidden(said, inputs.secrets) == said)
    run = StageRun(
        stage,
        trial.name,
        (str(trial.pair.old), str(trial.pair.new)),
        replace(report, problems=(*inputs.problems, *trial.problems, *report.problems), executed=executed),
        time.monotonic() - started,
        error,
        not has_input and not unread,
        tuple((install.source, str(install.bindir)) for install in trial.installs if has_input),
        unread,
        tuple(each for each in inputs.passed_over if each.option in needed),
    )
    return hidden(run, inputs.secrets)


_ALONE = frozenset({"settings", "upgrade"})
"""The stages that don't use anything that the other ones change in the servers."""
_LAST: StageName = "incompatibilities"  # the stage that judges by the findings of all others
_LACKING = "the answers lack what the stage {} finds: {}"
"""The problem of the last stage with another one that could not look."""


def _said(error: Exception) -> str:
    """The message of an error; of one that we did not foresee, with its place."""
    if isinstance(error, PgFeaturesError | psycopg.Error | OSError):
        return str(error)
    return "".join(traceback.format_exception(error, limit=-1))


def _report(trial: Trial, stage: StageName) -> StageReport:
    """The report of a stage; its findings have their causes, and say which conditions guard them."""
    look = pkgutil.resolve_name(f"{__package__}.stages.{stage}:look")
    if stage != _LAST:
        report = StageReport.of(stage, look(trial))
        findings = (explained(each, trial.shown) if wants_cause(each) else each for each in report.findings)
        return replace(report, findings=tuple(filter(None, map(trial.guards.marked, findings))))
    others, problems = [], []
    for other, needed in INPUTS_OF.items():
        if needed & trial.inputs.given:
            try:
                others.append(trial.report(other, _report))
            except Exception as error:
                problems.append(_LACKING.format(other, _said(error)))
    return StageReport.of(stage, (*look(trial, others), *problems))


def summed_up(runs: Sequence[StageRun], options: ReadinessOptions) -> Readiness:
    """The findings of all stages and pairs, the worst first, without those that the baseline accepts. One that
    occurs for several neighboring pairs is reported once."""
    baseline = read_baseline(options.baseline)
    expired = [each for each in baseline if each.has_expired]
    problems = [f"the baseline accepted this until {each.until}: {each.reason}" for each in expired]
    return together(runs, lambda finding: any(each.accepts(finding) for each in baseline), problems)


def together(
    runs: Sequence[StageRun], accepts: Callable[[Finding], bool], problems: Sequence[str] = ()
) -> Readiness:
    """The findings of runs, in whatever order these ended, with further problems; see :func:`summed_up`."""
    runs = sorted(runs, key=lambda run: (*map(PgVersion, run.versions), STAGES.index(run.stage)))
    found: dict[tuple[object, ...], Finding] = {}
    for finding in (each for run in runs for each in run.report.findings):
        # pairs with the same new version find the same, but prove it by other commands; so may stages
        key = (finding.place, finding.object, finding.message, finding.behavior)
        if key not in found or (finding.certainty == "affects") > (found[key].certainty == "affects"):
            found[key] = finding
    ordered = sorted(once(found.values(), [run.report for run in runs]), key=_rank)
    accepted = tuple(filter(accepts, ordered))
    known = set(accepted)
    failed = [run for run in runs if run.error]
    of_failed = {_LACKING.format(run.stage, run.error) for run in failed}
    all_problems = dict.fromkeys((
        *(each for run in runs for each in run.report.problems if each not in of_failed),
        *(f"{run.stage} {run.pair}: {run.error}" for run in failed),
        *problems,
    ))  # fmt: skip
    left = tuple(finding for finding in ordered if finding not in known)
    return Readiness(left, accepted, tuple(runs), tuple(all_problems))


def _rank(finding: Finding) -> tuple[Any, ...]:
    return (
        finding.certainty != "affects",
        SEVERITIES.index(finding.severity),
        STAGES.index(finding.stage),
        -finding.weight,
        finding.place or Place("", 0),
        finding.message,
    )
