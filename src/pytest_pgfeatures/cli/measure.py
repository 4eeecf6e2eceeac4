"""``pgfeatures measure``: repeat the documents' measurements."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import pg_option
from pytest_pgfeatures.cli.result_files import file_option, json_option, result_file, write_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.measure.kept import Kept
    from pytest_pgfeatures.measure.model import Experiment, Scale
    from pytest_pgfeatures.measure.outcome import Measured

EXIT_FAILED = 1


@click.command("measure")
@pg_option("Versions to choose the sides from, such as 15,16 (default: all).")
@click.option(
    "-k", "keyword", metavar="WORDS", help="Only experiments with these words in id, title or source."
)
@click.option(
    "--scale",
    type=click.Choice(["quick", "document"]),
    default="quick",
    show_default=True,
    help="Small sizes, or those of the documents where the machine has room.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Rounds, each on servers of its own. Fewer than 5 give no interval.",
)
@click.option(
    "--resume",
    type=Path,
    metavar="DIR",
    help="Keep rounds in DIR as they come, and take up those that are there.",
)
@json_option("all values")
@click.option(
    "--benchmark-json",
    "benchmark_file",
    type=result_file,
    metavar="FILE",
    help="Write the times to FILE in the format of pytest-benchmark, whose tools compare runs.",
)
@click.option(
    "--plot",
    "plots",
    type=Path,
    metavar="DIR",
    help="Draw each experiment into DIR, as SVG and PNG (matplotlib).",
)
@file_option("--html", "all tables and plots", "a page")
@click.option(
    "--list",
    "only_list",
    is_flag=True,
    help="List the experiments, and run none. With --scale document, show the cost of each; the time is known from"
    " rounds in the --resume directory.",
)
def command(
    pg: str | None,
    keyword: str | None,
    scale: Scale,
    rounds: int,
    resume: Path | None,
    json_file: Path | None,
    benchmark_file: Path | None,
    plots: Path | None,
    html: Path | None,
    only_list: bool,
) -> None:
    """Run the documents' experiments on real servers, and compare the ratios with the documents' figures.

    The sides of an experiment take turns within each round. What counts is their ratio with its 95% interval: as
    documented, only its direction, undecided here, or opposite. Absolute times depend on the machine. They are
    shown, and never judged.

    The exit status is 1 if an experiment failed or none could be run, whatever was measured; else 0.
    """
    from rich.console import Console

    from pytest_pgfeatures.experiments.registry import documents_experiments, selected
    from pytest_pgfeatures.measure.interval import LEAST_ROUNDS
    from pytest_pgfeatures.measure.kept import Kept
    from pytest_pgfeatures.measure.takes import takes
    from pytest_pgfeatures.report import measure as report

    experiments = selected(documents_experiments().values(), keyword)
    console = Console(highlight=False)
    if only_list:
        known = [_known(each, resume) for each in experiments] if scale == "document" else []
        console.print(
            report.render_list(
                experiments,
                [takes(each, of, rounds=rounds) for each, of in zip(experiments, known, strict=False)],
            )
        )
        return
    kept = Kept(resume) if resume is not None else None
    if plots is not None:
        from pytest_pgfeatures.report.plots import check_plots

        check_plots(plots)
    options = f" --pg {shlex.quote(pg)}" if pg else ""
    options += f" --rounds {rounds}" if rounds != LEAST_ROUNDS else ""
    program = f"pgfeatures measure --scale {scale}{options}"
    files = {"json": json_file, "benchmark": benchmark_file, "plots": plots, "html": html}
    results: list[Measured] = []
    try:
        for measured in _measured(experiments, pg, scale, rounds, kept):
            results.append(measured)
            for part in report.render_measured(measured):
                console.print(part)
    except KeyboardInterrupt:
        if results:
            _write(results, files, program, keyword)
        console.print(f"Interrupted: {len(results)} of {len(experiments)} experiments were measured.")
        raise
    _write(results, files, program, keyword)
    console.print(report.render_summary(results))
    if any(each.failed for each in results) or all(each.trouble for each in results):
        raise SystemExit(EXIT_FAILED)


def _known(experiment: Experiment, resume: Path | None) -> Measured | None:
    """The kept rounds of an experiment, those at the document's scale if there are any."""
    from pytest_pgfeatures.measure.kept import Kept

    kept = Kept(resume) if resume is not None else None
    return (kept.found(experiment, "document") or kept.found(experiment, "quick")) if kept else None


def _measured(
    experiments: Sequence[Experiment], pg: str | None, scale: Scale, rounds: int, kept: Kept | None
) -> Iterator[Measured]:
    from pytest_pgfeatures.measure.run import Measuring
    from pytest_pgfeatures.progress import work_bar
    from pytest_pgfeatures.workbench import Workbench

    with work_bar() as show_progress, Workbench(pg) as workbench:
        cells = workbench.cells if pg else None
        measuring = Measuring(
            workbench.clusters, cells=cells, scale=scale, rounds=rounds, progress=show_progress, kept=kept
        )
        yield from measuring.all(experiments)


def _write(
    results: Sequence[Measured], files: Mapping[str, Path | None], program: str, keyword: str | None
) -> None:
    """Write the requested files."""
    from pytest_pgfeatures.files import write_atomically
    from pytest_pgfeatures.page.experiments import write_experiments
    from pytest_pgfeatures.report.benchmark_json import benchmark_json
    from pytest_pgfeatures.report.measure import measurements_json
    from pytest_pgfeatures.report.plots import draw_all

    write_files(
        (files["json"], lambda path: write_atomically(path, measurements_json(results))),
        (files["benchmark"], lambda path: write_atomically(path, benchmark_json(results))),
        (files["plots"], lambda path: draw_all(results, path)),
        (files["html"], lambda path: write_experiments(path, results, command=program, keyword=keyword)),
    )
