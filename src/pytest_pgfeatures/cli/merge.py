"""``pgfeatures merge A.json B.json --html all.html``: merge the results of several machines."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.result_files import file_option, json_option, write_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.report.merging import Document
    from pytest_pgfeatures.results.model import JobResults, Tally

EXIT_FAILED = 1


@click.command("merge")
@click.argument("files", nargs=-1, required=True, type=Path, metavar="FILE...")
@json_option("all results")
@file_option("--html", "the matrix and its evidence", "a page")
def command(files: tuple[Path, ...], json_file: Path | None, html: Path | None) -> None:
    """Put the results of several runs together, and print them as the verb prints its own.

    Each FILE is what --json of pgfeatures verify, extension or readiness wrote, or pytest --pg-json. All are of one
    kind, and no item ran in the same cell in two of them.

    The exit status is the verb's: 0 if nothing failed, deviated or was found, and everything was reached.
    """
    from pytest_pgfeatures.report.merging import read_documents

    documents = read_documents(files)
    merge = {"verify or pytest": _verify, "extension": _extension, "readiness": _readiness}[documents[0].kind]
    if status := merge(documents, json_file, html):
        raise SystemExit(status)


def _verify(documents: Sequence[Document], json_file: Path | None, html: Path | None) -> int:
    from pytest_pgfeatures.page.jobs import write_run
    from pytest_pgfeatures.report.document import matrix_document
    from pytest_pgfeatures.report.merging import merged
    from pytest_pgfeatures.results.model import Tally

    run, missing = merged(documents)
    behaviors = [result for result in run.results if result.item.kind == "behavior"]
    tally = Tally.of(behaviors, len(behaviors) + missing)
    asked = len(run.results) + missing
    write_files(
        (json_file, lambda path: write_json(path, matrix_document(run, tally))),
        (html, lambda path: write_run(path, run, title="PostgreSQL by version", asked=asked)),
    )
    _print(run, tally)
    return EXIT_FAILED if missing or run.failures(allow_missing=True) else 0


def _print(run: JobResults, tally: Tally) -> None:
    from rich.console import Console

    from pytest_pgfeatures.report.differences import difference_lines
    from pytest_pgfeatures.report.matrix import render_matrix
    from pytest_pgfeatures.report.summary import summary_table

    console = Console(highlight=False)
    behaviors = [result for result in run.results if result.item.kind == "behavior"]
    tests = [result for result in run.results if result.item.kind == "test" and result.cell]
    if behaviors or tally.asked:
        for part in render_matrix(behaviors, tally, console):
            console.print(part)
    if tests:
        for line in (*summary_table(tests, console.width), *difference_lines(tests)):
            console.print(line, markup=False, soft_wrap=True)


def _extension(documents: Sequence[Document], json_file: Path | None, html: Path | None) -> int:
    from rich.console import Console

    from pytest_pgfeatures.cli.extension import show
    from pytest_pgfeatures.page.jobs import write_run
    from pytest_pgfeatures.page.rerun import rerun_command
    from pytest_pgfeatures.report.document import extension_document
    from pytest_pgfeatures.report.merging import merged_extension

    run, path, failed = merged_extension(documents)

    def write_page(file: Path) -> None:
        named = replace(run, subject=path)
        results = tuple(replace(result, again=rerun_command(result, named)) for result in run.results)
        command = f"pgfeatures extension {shlex.quote(path)}"
        write_run(file, replace(run, subject=command, results=results), title=f"{run.subject} by version")

    write_files(
        (json_file, lambda file: write_json(file, extension_document(run, path=path, failed=failed))),
        (html, write_page),
    )
    show(Console(), run, None, verbose=False, strictly=True)
    return EXIT_FAILED if failed else 0


def _readiness(documents: Sequence[Document], json_file: Path | None, html: Path | None) -> int:
    from pytest_pgfeatures.cli.readiness import exit_status, report, write_results
    from pytest_pgfeatures.report.merging import merged_readiness

    found, asked = merged_readiness(documents)
    write_results(found, asked, json_file=json_file, html=html)
    report(found)
    if asked.interrupted:
        raise PgFeaturesError(
            "some stages did not run: a run was interrupted", remedy="run it again, and merge its new file"
        )
    return exit_status(found, asked.fail_on)
