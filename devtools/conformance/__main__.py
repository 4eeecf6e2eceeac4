"""``python -m devtools.conformance``: compare the models of numeric literals with servers, on millions of texts."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from devtools.conformance.run import ConformanceRun, Tally
from devtools.conformance.subjects import LITERALS, subjects
from devtools.conformance.tables import literal_tables
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EXIT_DIFFERENT, EXIT_ERROR = 1, 2
REPORT_COLUMNS = 250


@click.command("python -m devtools.conformance")
@click.option("--pg", metavar="VERSIONS", help="Versions, such as 14..18 (default: the newest at hand).")
@click.option(
    "--count", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Literals per version."
)
@click.option(
    "--inputs",
    type=click.IntRange(min=0),
    default=50_000,
    show_default=True,
    help="Texts for each type's input function, per version.",
)
@click.option("--batch", type=int, default=10_000, show_default=True, help="Texts in one round trip.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed gives other texts.")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports/literals"),
    show_default=True,
    help="Directory for the results so far. A run that was stopped continues from there.",
)
def command(pg: str | None, count: int, inputs: int, batch: int, seed: int, directory: Path) -> None:
    """Compare the models of numeric literals and input functions with real servers.

    Prints the number of texts by class and outcome, and every difference. The exit status is 0 without
    differences, 1 with differences, 2 if the comparison is impossible.
    """
    console = Console()
    tallies: list[Tally] = []
    try:
        run = ConformanceRun(directory, seed, batch)
        with reported(tallies, directory, console):
            compare(pg, count, inputs, run, tallies, console)
    except PgFeaturesError as error:
        click.echo(f"{type(error).__name__}: {error}", err=True)
        sys.exit(EXIT_ERROR)
    except KeyboardInterrupt:
        click.echo(f"stopped; the same command goes on from {directory}", err=True)
        sys.exit(EXIT_ERROR)
    if any(tally.differing for tally in tallies):
        sys.exit(EXIT_DIFFERENT)


def compare(
    pg: str | None, count: int, inputs: int, run: ConformanceRun, tallies: list[Tally], console: Console
) -> None:
    """Compare all subjects on each version, one server after the other.

    Parameters:
        pg: the versions, as ``--pg`` takes them.
        count: the number of literals.
        inputs: the number of texts for each input function; 0 for none.
        run: stores the results.
        tallies: receives the tally of each version and subject.
        console: shows the progress.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        Workbench(pg) as workbench,
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
    ):
        installs = [workbench.resolver.resolve(cell.request) for cell in workbench.cells]
        for install in installs:
            cluster = workbench.clusters.create(install)
            with cluster.connect(dbname="postgres") as connection:
                for subject in subjects(inputs):
                    wanted = count if subject.name == LITERALS else inputs
                    task = progress.add_task(f"{install.version} {subject.name}", total=wanted)
                    tally = run.tally(install.version, subject)
                    tallies.append(tally)
                    progress.update(task, completed=tally.compared)
                    for _ in run.compare(connection, install.version, subject, wanted, tally):
                        progress.update(task, completed=tally.compared)
            cluster.stop("immediate")


@contextlib.contextmanager
def reported(tallies: Sequence[Tally], directory: Path, console: Console) -> Iterator[None]:
    """Print the tables when a run ends, for whatever reason, and write them to ``report.txt``."""
    try:
        yield
    finally:
        for table in literal_tables(tallies):
            console.print(table)
        if tallies:
            directory.mkdir(parents=True, exist_ok=True)
            with (directory / "report.txt").open("w", encoding="utf-8") as file:
                wide = Console(file=file, width=REPORT_COLUMNS)
                for table in literal_tables(tallies):
                    wide.print(table)
            console.print(f"also in {directory / 'report.txt'}")


if __name__ == "__main__":
    command()
