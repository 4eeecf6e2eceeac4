"""``pgfeatures merge A.json B.json --html all.html``: put the results of several machines together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import check_writable, writing

if TYPE_CHECKING:
    from pytest_pgfeatures.results.model import JobResults, Tally

EXIT_FAILED = 1


@click.command("merge")
@click.argument("files", nargs=-1, required=True, type=Path, metavar="FILE...")
@click.option("--json", "json_file", type=Path, metavar="FILE", help="Write all results to FILE as JSON.")
@click.option(
    "--html", type=Path, metavar="FILE", help="Write the matrix and its evidence to FILE as a page."
)
def command(files: tuple[Path, ...], json_file: Path | None, html: Path | None) -> None:
    """Put the results of several runs together, and print the matrix.

    Each FILE is what pgfeatures verify --json or pytest --pg-json wrote. If an item ran in the same cell twice, the
    last file's result counts.

    The exit status is 0 if nothing failed or deviated.
    """
    from pytest_pgfeatures.report.document import matrix_document, write_json
    from pytest_pgfeatures.report.merging import merged, read_document
    from pytest_pgfeatures.results.model import Tally

    for file in (json_file, html):
        if file is not None:
            check_writable(file)
    read = [read_document(file) for file in files]
    run = merged([each for each, _ in read])
    missing = sum(not_reached for _, not_reached in read)
    behaviors = [result for result in run.results if result.item.kind == "behavior"]
    tally = Tally.of(behaviors, len(behaviors) + missing)
    if json_file is not None:
        with writing(json_file):
            write_json(json_file, matrix_document(run, tally))
    if html is not None:
        from pytest_pgfeatures.page.jobs import write_run

        with writing(html):
            write_run(
                html, run, title=f"{run.subject}: PostgreSQL by version", asked=len(run.results) + missing
            )
    _print(run, tally)
    if run.failures(allow_missing=True):
        raise SystemExit(EXIT_FAILED)


def _print(run: JobResults, tally: Tally) -> None:
    from rich.console import Console

    from pytest_pgfeatures.report.differences import difference_lines
    from pytest_pgfeatures.report.matrix import render_matrix
    from pytest_pgfeatures.report.summary import summary_table

    console = Console(highlight=False)
    behaviors = [result for result in run.results if result.item.kind == "behavior"]
    tests = [result for result in run.results if result.item.kind == "test" and result.cell]
    if behaviors:
        for part in render_matrix(behaviors, tally, console):
            console.print(part)
    if tests:
        for line in (*summary_table(tests, console.width), *difference_lines(tests)):
            console.print(line, markup=False, soft_wrap=True)
    for warning in run.warnings:
        click.echo(f"pgfeatures: warning: {warning}", err=True)
