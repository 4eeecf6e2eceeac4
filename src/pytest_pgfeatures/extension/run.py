"""Run all stages on all majors in parallel."""

from __future__ import annotations

import itertools
import os
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import CapabilityMissingError, PgFeaturesError
from pytest_pgfeatures.extension import build, create, migrate, regress, suites, tap, update
from pytest_pgfeatures.extension.excluded import unmatched, without_excluded
from pytest_pgfeatures.extension.judge import judged, unavailable, unstarted
from pytest_pgfeatures.extension.kept import keep
from pytest_pgfeatures.extension.known import with_known
from pytest_pgfeatures.extension.model import STAGES, NothingToDoError
from pytest_pgfeatures.extension.source import snapshot, written
from pytest_pgfeatures.extension.workspace import Workspace
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import InstallUsed, JobResults, Outcome, Result
from pytest_pgfeatures.server.upgrade import MODES, NEEDS_NEW
from pytest_pgfeatures.threads import Pool, first_completed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from pytest_pgfeatures.extension.model import Done
    from pytest_pgfeatures.extension.options import Options
    from pytest_pgfeatures.extension.source import Source
    from pytest_pgfeatures.install import Cell, Install
    from pytest_pgfeatures.server import Clusters
    from pytest_pgfeatures.version import PgVersion

_ALONE: tuple[tuple[str, Callable[[Workspace], Done]], ...] = (
    ("build", build.build),
    ("install", build.install),
    ("create", create.create),
    ("update", update.update),
    ("regress", regress.regress),
    ("tap", tap.tap),
    ("test", suites.test),
    ("drop", create.drop),
)
"""The stages that need no other major, in the order of execution."""
_WITH_TESTS = ("regress", "tap", "test")
_AFTER = {stage.name: stage.after for stage in STAGES}
_ALLOWING = (Outcome.PASSED, Outcome.NOTHING_TO_DO, Outcome.UNEXPECTED_PASS)
_NO_FAULT = (Outcome.PASSED, Outcome.NOT_RUN)
_MODES = {mode.name: mode.versions for mode in MODES}


def try_extension(
    source: Source,
    options: Options,
    cells: Sequence[Cell],
    clusters: Clusters,
    *,
    jobs: int | None = None,
    report: Callable[[Result], object] | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Tried:
    """Test an extension on each major. A failure on one major does not stop the others.

    Parameters:
        cells: the majors.
        jobs: the number of majors to run in parallel; by default two per processor, because much of the time is
            spent waiting for servers.
        report: called with each result as soon as it is known.
        progress: called with a description, the number of finished pieces of work, and the total.

    Raises:
        Interrupted: by the user.
    """
    started = time.monotonic()
    before = snapshot(source.directory) if source.directory else {}
    matrix = _Matrix(source, options, clusters, report or _say_nothing)
    pool = Pool(jobs or 2 * (os.cpu_count() or 1))
    try:
        _run_in_order(pool, _tasks(matrix, cells, options), partial(progress or _say_nothing, source.name))
        if "upgrade" in options.wanted:
            for workspace in matrix.workspaces.values():
                matrix.sum_up_upgrades(workspace)
    except BaseException as error:
        matrix.closed = True
        clusters.close()  # the threads wait for these servers and programs; this ends them
        pool.shutdown(cancel_futures=True)
        if not isinstance(error, KeyboardInterrupt):
            raise
        matrix.fill_up(cells)
        raise Interrupted(_results(matrix, cells, started, before)) from None
    pool.shutdown()
    return Tried(_results(matrix, cells, started, before), matrix.workspaces)


@dataclass(frozen=True, slots=True)
class Tried:
    """The state after the last stage.

    Parameters:
        results: all results.
        workspaces: what the stages of each major shared, by cell. Its servers live as long as ``clusters``.
    """

    results: JobResults
    workspaces: Mapping[str, Workspace]


class Interrupted(Exception):  # noqa: N818  # no error: the user's own wish
    """The user has interrupted the run.

    Parameters:
        results: the results so far; the remaining stages count as not run.
    """

    def __init__(self, results: JobResults) -> None:
        super().__init__("interrupted")
        self.results = results


def _results(
    matrix: _Matrix, cells: Sequence[Cell], started: float, before: dict[str, tuple[int, int]]
) -> JobResults:
    """The results in the order in which reports show them."""
    source = matrix.source
    warnings = list(matrix.warnings)
    if source.directory and (changed := written(before, snapshot(source.directory))):
        warnings.append(
            f"while this ran, files of {source.directory} were written: {', '.join(changed[:10])}"
        )
    versions = {cell: workspace.install.version for cell, workspace in matrix.workspaces.items()}
    warnings += unmatched(matrix.options.excluded, matrix.results.values(), versions)
    order = {stage.name: number for number, stage in enumerate(STAGES)}
    columns = {cell.id: number for number, cell in enumerate(cells)}
    results = sorted(
        (result for results in matrix.results.values() for result in results),
        key=lambda result: (order[result.item.area], columns[result.cell]),
    )
    return JobResults(
        source.name,
        {cell.id: matrix.used.get(cell.id) for cell in cells},
        tuple(results),
        time.monotonic() - started,
        tuple(warnings),
    )


def _say_nothing(*_: object) -> None:
    """The default of ``report`` and ``progress``: do nothing."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A piece of work.

    Parameters:
        name: identifies the task.
        after: the names of the tasks that must finish first.
    """

    name: tuple[str, ...]
    after: tuple[tuple[str, ...], ...]
    call: Callable[[], object]


def _tasks(matrix: _Matrix, cells: Sequence[Cell], options: Options) -> Iterator[_Task]:
    """All tasks."""
    for cell in cells:
        yield _Task(("alone", cell.id), (), partial(matrix.alone, cell))
    for cell in cells:
        alone: tuple[str, ...] = ("alone", cell.id)
        later = [other.id for other in cells if other.major > cell.major]
        filled = alone
        if "dump" in options.wanted:
            filled = ("dump", cell.id)
            after = (alone, *(("alone", other) for other in later[:1]))
            yield _Task(filled, after, partial(matrix.dump, cell.id, later[0] if later else None))
        if "upgrade" in options.wanted:
            for other, mode in itertools.product(later, options.modes):
                after = (filled, ("alone", other))  # dump first: it needs the server, which upgrades stop
                yield _Task(
                    ("upgrade", cell.id, other, mode), after, partial(matrix.upgrade, cell.id, other, mode)
                )


def _run_in_order(pool: Pool, tasks: Iterable[_Task], progress: Callable[[int, int], object]) -> None:
    """Run each task as soon as the tasks it depends on have finished."""
    waiting = list(tasks)
    count = len(waiting)
    progress(0, count)
    over: set[tuple[str, ...]] = set()
    running: dict[Future[object], _Task] = {}
    while waiting or running:
        for task in [task for task in waiting if over.issuperset(task.after)]:
            waiting.remove(task)
            running[pool.submit(task.call)] = task
        for future in first_completed(running):
            future.result()
            over.add(running.pop(future).name)
            progress(len(over), count)


class _Matrix:
    """Runs the stages on all majors, and collects the results."""

    def __init__(
        self,
        source: Source,
        options: Options,
        clusters: Clusters,
        report: Callable[[Result], object],
    ) -> None:
        self.source = source
        self.options = options
        self.clusters = clusters
        self.report = report
        self.closed = False
        self.used: dict[str, InstallUsed] = {}
        self.workspaces: dict[str, Workspace] = {}
        self.results: dict[tuple[str, str], list[Result]] = {}
        """The results of each stage and its objects, by stage and cell."""
        self.warnings: dict[str, None] = {}
        self._upgrades: defaultdict[str, dict[tuple[PgVersion, str, str], Result]] = defaultdict(dict)
        """The results of the upgrades from each cell, by the new version, its cell and the mode."""

    # --- one major alone -----------------------------------------------------------------------------------

    def alone(self, cell: Cell) -> None:
        """The stages that need no other major."""
        try:
            install = self._resolve(cell)
        except PgFeaturesError as error:
            for stage in self.options.wanted:
                self._keep([unavailable(unstarted(stage, cell.id, str(cell.major)), error)])
            return
        self.used[cell.id] = InstallUsed.of(install)
        workspace = Workspace(cell.id, self.source, self.options, install, self.clusters)
        self.workspaces[cell.id] = workspace
        for stage, function in _ALONE:
            if stage in self.options.wanted:
                self._keep(self._run(stage, workspace, partial(function, workspace)))
                keep(workspace, stage, workspace.tree if stage in _WITH_TESTS else None, *workspace.servers())
                workspace.discard_scratch()

    def _resolve(self, cell: Cell) -> Install:
        """An install with all capabilities; otherwise one with those that the extension needs; otherwise any."""
        needs = (
            [{*NEEDS_NEW, "pgxs"}, {"pgxs"}] if self.source.is_built else [{f"contrib:{self.source.name}"}]
        )
        for needed in needs:
            try:
                return self.clusters.resolver.resolve(cell.request, needed)
            except CapabilityMissingError:
                continue
        return self.clusters.resolver.resolve(cell.request)

    # --- from one major to others --------------------------------------------------------------------------

    def dump(self, cell: str, following: str | None) -> None:
        """Run the stage ``dump``."""
        if cell not in self.workspaces:
            return
        workspace = self.workspaces[cell]
        target = self.workspaces[following] if following is not None and self._is_created(following) else None
        self._keep(self._run("dump", workspace, partial(migrate.dump, workspace, target)))

    def upgrade(self, cell: str, later: str, mode: str) -> None:
        """Run one upgrade, if the extension could be created on both majors and the later one supports the mode."""
        if not (self._is_created(cell) and self._is_created(later)):
            return
        old, new = self.workspaces[cell], self.workspaces[later]
        if new.install.version not in _MODES[mode]:
            return
        first = next(each for each in self.options.modes if new.install.version in _MODES[each])
        # tests can't see the mode of the upgrade
        natively = self._of("regress", new.cell) if mode == first else None
        if natively is not None and not (natively.ran and natively.outcome in _NO_FAULT):
            natively = None
        call = partial(migrate.upgrade, old, new, mode, natively)
        ((result,), _) = judged(_unstarted("upgrade", old), old.install, call)
        self._upgrades[old.cell][new.install.version, new.cell, mode] = result

    def sum_up_upgrades(self, workspace: Workspace) -> None:
        """Combine the results of all upgrades from a major into one."""
        parts = [part for _, part in sorted(self._upgrades[workspace.cell].items())]
        if not parts:
            self._keep(self._run("upgrade", workspace, _no_later_major))
            return
        bad = (Outcome.FAILED, Outcome.UNAVAILABLE)
        worst = next((bad for bad in bad if any(part.outcome is bad for part in parts)), Outcome.PASSED)
        reported = [part for part in parts if part.outcome is worst]
        if worst is Outcome.PASSED:
            majors = sorted({part.summary.split()[0] for part in parts})
            summary, details = f"to {', '.join(majors)} ({' and '.join(self.options.modes)})", []
        else:
            summary = "; ".join(part.summary for part in reported)
            details = [line for part in reported for line in (f"{part.summary}:", *part.evidence.details)]
        result = replace(
            reported[0],
            seconds=sum(part.seconds for part in parts),
            summary=summary,
            evidence=Evidence(details=tuple(details)),
        )
        self._keep(self._with_known([result], workspace))

    def _is_created(self, cell: str) -> bool:
        """Whether the extension could be created on a major."""
        return _allows(self._of("create", cell))

    def _of(self, stage: str, cell: str) -> Result | None:
        """The result of a stage as a whole."""
        return self.results.get((stage, cell), [None])[0]

    # --- running and judging -------------------------------------------------------------------------------

    def _run(self, stage: str, workspace: Workspace, call: Callable[[], Done]) -> list[Result]:
        after = _AFTER[stage]
        if after is not None and not _allows(before := self._of(after, workspace.cell)):
            return self._with_known([_unstarted(stage, workspace, before)], workspace)

        def without() -> Done:
            return without_excluded(call(), workspace.install, self.options.excluded)

        results, warnings = judged(_unstarted(stage, workspace), workspace.install, without)
        self.warnings.update(dict.fromkeys(f"{workspace.cell} {stage}: {warning}" for warning in warnings))
        return self._with_known(results, workspace)

    def _with_known(self, results: list[Result], workspace: Workspace) -> list[Result]:
        return with_known(results, workspace.install, self.options.known_failures)

    def fill_up(self, cells: Sequence[Cell]) -> None:
        """Add a result for each stage that had not finished when the run was interrupted."""
        for cell, stage in itertools.product(cells, self.options.wanted):
            if (stage, cell.id) not in self.results:
                result = unstarted(stage, cell.id, str(cell.major))
                self.results[stage, cell.id] = [replace(result, summary="interrupted", blocked_by="SIGINT")]

    def _keep(self, results: list[Result]) -> None:
        if self.closed:  # the stage failed only because the servers are gone
            return
        self.results[results[0].item.id, results[0].cell] = results
        self.report(results[0])


def _unstarted(stage: str, workspace: Workspace, blocked_by: Result | None = None) -> Result:
    return unstarted(stage, workspace.cell, str(workspace.install.version.major), blocked_by)


def _allows(result: Result | None) -> bool:
    """Whether the stages that depend on a stage can run, given its result."""
    return result is not None and result.outcome in _ALLOWING


def _no_later_major() -> Done:
    raise NothingToDoError("no later major in the matrix has the extension")
