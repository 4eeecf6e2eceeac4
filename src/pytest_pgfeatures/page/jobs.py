"""The pages of the verbs and of a pytest run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.delta import Group
from pytest_pgfeatures.page.experiments import experiment_section
from pytest_pgfeatures.page.findings import changes_section, findings_section
from pytest_pgfeatures.page.matrix import counts_of, matrix_section
from pytest_pgfeatures.page.write import write_page
from pytest_pgfeatures.report.differences import natural
from pytest_pgfeatures.report.readiness import results as readiness_results
from pytest_pgfeatures.results.model import JobResults, installs_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pgfeatures.behaviors.delta import BehaviorChange
    from pytest_pgfeatures.measure.outcome import Measured
    from pytest_pgfeatures.readiness.run import Readiness
    from pytest_pgfeatures.report.readiness_document import ReadinessAsked
    from pytest_pgfeatures.version import PgMajor, PgVersion

    Version = PgMajor | PgVersion


def write_run(
    path: Path,
    run: JobResults,
    *,
    title: str,
    asked: int | None = None,
    experiments: Sequence[tuple[Measured, str]] = (),
) -> None:
    """Write the page of behaviors, tests, stages of an extension, or commands.

    Parameters:
        path: the file.
        run: the results.
        title: the heading.
        asked: the number of requested cells, if the run ended before it had a result for each.
        experiments: the measured experiments, each with the command that repeats it.

    Raises:
        OSError: the file can't be written.
    """
    sections, counts = [], []
    if run.results or not experiments:
        sections.append(matrix_section(run))
        counts += counts_of(run.results, len(run.results) if asked is None else asked)
    if experiments:
        sections += [experiment_section(each, command) for each, command in experiments]
        counts.append(("experiments", len(experiments)))
    write_page(path, title, sections, counts=counts, facts=_facts(run))


def write_readiness(path: Path, found: Readiness, asked: ReadinessAsked) -> None:
    """Write the page of ``pgfeatures readiness``: its findings, and the matrix of stages and pairs of versions.

    Parameters:
        path: the file.
        found: what was found.
        asked: what was asked.

    Raises:
        OSError: the file can't be written.
    """
    stages = tuple(readiness_results(found))
    run = JobResults(asked.command, installs_of(stages), stages, sum(stage.seconds for stage in stages))
    certain = len(found.affects)
    counts = [
        ("affect", certain),
        ("may affect", len(found.findings) - certain),
        ("accepted", len(found.accepted)),
        ("stages asked", len(stages)),
        ("ran", sum(stage.ran for stage in stages)),
        ("without input", sum(not stage.ran for stage in stages)),
    ]
    versions = [f"{each.pair}: {' to '.join(each.versions)}" for each in found.runs]
    matrix = matrix_section(
        run, "Stages", lambda result: asked.again.get(f"{result.item.id} {result.cell}", "")
    )
    write_page(
        path,
        f"Readiness: PostgreSQL {asked.old} to {asked.new}",
        [findings_section(found), matrix],
        counts=counts,
        facts=[*_facts(run), ("versions", ", ".join(dict.fromkeys(versions)))],
    )


def write_delta(
    path: Path, old: Version, new: Version, changes: Sequence[BehaviorChange], run: JobResults | None = None
) -> None:
    """Write the page of ``pgfeatures delta``: the documented changes, and the servers' answers if any were asked.

    Parameters:
        path: the file.
        old, new: the versions.
        changes: the differences.
        run: the results of the behaviors on both versions; None if no server was asked.

    Raises:
        OSError: the file can't be written.
    """
    groups = Counter(change.group for change in changes)
    counts = [(group.value.lower(), groups[group]) for group in Group if groups[group]]
    cells = sorted({result.cell for result in run.results}, key=natural) if run is not None else []
    sections = [changes_section(old, new, changes, cells[-1] if cells else None)]
    if run is not None:
        sections.append(matrix_section(run, "On the servers"))
        counts += counts_of(run.results, len(run.results))
    facts = (
        _facts(run) if run is not None else [("run", f"pgfeatures delta {old} {new}; no server was asked")]
    )
    write_page(path, f"PostgreSQL {old} to {new}", sections, counts=counts, facts=facts)


def _facts(run: JobResults) -> list[tuple[str, str]]:
    facts = [("run", run.subject)]
    servers = [f"{install.version} ({install.source})" for install in run.installs.values() if install]
    if servers:
        facts.append(("servers", ", ".join(servers)))
    if run.seconds:
        facts.append(("seconds", f"{run.seconds:.1f}"))
    return facts + [("warning", warning) for warning in run.warnings]
