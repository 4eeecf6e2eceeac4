"""The pages of the verbs and of a pytest run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.page.matrix import counts_of, matrix_section
from pytest_pgfeatures.page.write import write_page

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.results.model import JobResults


def write_run(path: Path, run: JobResults, *, title: str, asked: int | None = None) -> None:
    """Write the page of behaviors, tests, stages of an extension, or commands.

    Parameters:
        path: the file.
        run: the results.
        title: the heading.
        asked: the number of requested cells, if the run ended before it had a result for each.

    Raises:
        OSError: the file can't be written.
    """
    write_page(
        path,
        title,
        [matrix_section(run)],
        counts=counts_of(run.results, len(run.results) if asked is None else asked),
        facts=_facts(run),
    )


def _facts(run: JobResults) -> list[tuple[str, str]]:
    facts = [("run", run.subject)]
    servers = [f"{install.version} ({install.source})" for install in run.installs.values() if install]
    if servers:
        facts.append(("servers", ", ".join(servers)))
    if run.seconds:
        facts.append(("seconds", f"{run.seconds:.1f}"))
    return facts + [("warning", warning) for warning in run.warnings]
