"""``pgfeatures verify --pg 15,16``: run the atlas through pytest."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import pg_option
from pytest_pgfeatures.cli.result_files import file_option, json_option, unwritten

if TYPE_CHECKING:
    from pathlib import Path


@click.command("verify", context_settings={"ignore_unknown_options": True})
@pg_option("Versions, such as 14..18 or 15,16 or pypi:17,maven:12.")
@json_option("the results")
@file_option("--html", "the matrix and its evidence", "a page")
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
def command(pg: str | None, json_file: Path | None, html: Path | None, pytest_args: tuple[str, ...]) -> None:
    """Check every behavior of the atlas on real servers, and print the matrix.

    Other arguments are passed to pytest, for example -k 16/parallel-hash-full-join, -n auto, --lf, -x, -v or
    --junitxml FILE.

    If nothing has been fetched yet and all behaviors are asked for, a dozen of them come first, on the oldest and
    the newest version.

    The exit status is 0 if every behavior is as documented, or is unavailable because an install
    lacks a capability.
    """
    from pytest_pgfeatures.cli.first_look import first_look
    from pytest_pgfeatures.cli.runner import CommandName, chosen_workers, run_atlas
    from pytest_pgfeatures.plugin.progress import ProgressBar
    from pytest_pgfeatures.progress import work_bar

    if json_file is None and html is None:
        first_look(pg, pytest_args)
    arguments = ["-rN", *pytest_args]
    for option, file in (("--pg-json", json_file), ("--pg-html", html)):
        if file is not None:
            arguments.append(f"{option}={file.absolute()}")
    with work_bar(redirect=False) as show_progress:
        bar = []
        if sys.stderr.isatty():
            bar.append(ProgressBar(show_progress))
            arguments.insert(0, "--override-ini=console_output_style=classic")  # without percentages
        name = CommandName("pgfeatures verify", [*(("--pg", pg) if pg else ()), *pytest_args])
        status = run_atlas(pg, arguments, plugins=[name, chosen_workers(), *bar])
    for file, error in name.unwritten():
        unwritten(file, error)
    sys.exit(status)
