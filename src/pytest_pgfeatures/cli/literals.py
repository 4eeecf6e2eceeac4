"""``pgfeatures literals``: the models of numeric literals against real servers, a million texts each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from pytest_pgfeatures.literals.longrun import Tally

EXIT_DIFFERENT = 1
REPORT_COLUMNS = 250


@click.command("literals")
@click.option(
    "--pg", metavar="VERSIONS", default="", help="Versions, such as 14..18 (default: the newest at hand)."
)
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
@click.option("--seed", type=int, default=1, show_default=True, help="Other texts for another seed.")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports/literals"),
    show_default=True,
    help="Where what is known is kept; a run that was stopped goes on from there.",
)
def command(pg: str, count: int, inputs: int, batch: int, seed: int, directory: Path) -> None:
    """Compare the models of numeric literals and input functions with real servers.

    Prints how many texts of which class had which outcome, and every difference. The exit status is 0 if there is
    none.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from pytest_pgfeatures.install import Store, parse_requests
    from pytest_pgfeatures.install.resolve import Resolver, lock_in
    from pytest_pgfeatures.literals.longrun import LongRun
    from pytest_pgfeatures.literals.subjects import LITERALS, subjects
    from pytest_pgfeatures.report.literals import literal_tables
    from pytest_pgfeatures.report.progress import download_bars
    from pytest_pgfeatures.server import Clusters

    run = LongRun(directory, seed, batch)
    console = Console()
    tallies: list[Tally] = []
    store = Store.open()
    with download_bars() as downloads:
        resolver = Resolver(store, lock=lock_in(Path.cwd()), progress=downloads)
        installs = [
            resolver.resolve(cell.request) for cell in resolver.cells(parse_requests(pg) if pg else ())
        ]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Clusters(store) as clusters, Progress(*columns, console=console) as progress:
            for install in installs:
                cluster = clusters.create(install)
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
    except KeyboardInterrupt:
        raise PgFeaturesError("stopped", remedy=f"the same command goes on from {directory}") from None
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
    if any(tally.differing for tally in tallies):
        raise SystemExit(EXIT_DIFFERENT)
