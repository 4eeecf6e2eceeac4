"""``pgfeatures delta 15 16 --verify``: show the differences between two majors."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.result_files import file_option, json_option, write_files
from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.version import read_version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pgfeatures.behaviors.delta import BehaviorChange
    from pytest_pgfeatures.catalog.comparison import Comparison
    from pytest_pgfeatures.results.model import JobResults
    from pytest_pgfeatures.version import PgMajor, PgVersion

    Version = PgMajor | PgVersion


@click.command("delta")
@click.argument("old")
@click.argument("new")
@click.option(
    "--area", "areas", multiple=True, metavar="AREA", help="Show only this area, such as sql; repeatable."
)
@click.option(
    "-v", "--verbose", is_flag=True, help="Also show the answers of both versions, notes and sources."
)
@click.option("--format", "form", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
@json_option("the differences")
@click.option("--verify", is_flag=True, help="Check these behaviors on a server of each version.")
@file_option("--html", "the differences", "a page")
@click.option(
    "--catalog", is_flag=True, help="Compare what two servers provide: functions, settings, keywords, ..."
)
def command(
    old: str,
    new: str,
    areas: tuple[str, ...],
    verbose: bool,
    form: str,
    json_file: Path | None,
    verify: bool,
    html: Path | None,
    catalog: bool,
) -> None:
    """Show what differs between two versions, as the atlas documents it. No server is started.

    OLD and NEW are versions such as 15 or 16.2. A major stands for its newest release. Incompatibilities come
    first, then changed defaults, then new features.

    With --catalog, two servers are compared, and OLD and NEW may also name installs, as for --pg (14, pypi:17,
    path:DIR): functions, operators, casts, types, settings, keywords, catalogs, roles, extensions, error
    conditions, wait events, EXPLAIN's options, and programs. The contents of a server are read once and kept
    for later runs.

    With --verify, the exit status is 0 if each behavior is as documented on both servers, or is unavailable because
    an install lacks a capability.
    """
    if verify and (form != "text" or json_file or catalog):
        raise click.UsageError("--verify prints a matrix; for JSON use pgfeatures verify --json")
    if html is not None and catalog:
        raise click.UsageError("--catalog has no page; write --format markdown")
    if catalog:
        _print_comparison(_compare(old, new), form, json_file)
        return
    from pytest_pgfeatures.behaviors.delta import delta
    from pytest_pgfeatures.behaviors.registry import atlas

    versions = read_version(old), read_version(new)
    behaviors = atlas().values()
    known = {each.area for each in behaviors}
    if unknown := sorted(set(areas) - known):
        raise click.UsageError(f"there is no area {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    changes = delta(*versions, [each for each in behaviors if not areas or each.area in areas])
    verified, status = bool(changes and verify), 0
    if not verified:
        write_files(
            (json_file, lambda path: _write_objects(path, versions, changes)),
            (html, lambda path: _write_page(path, versions, changes)),
        )
    _print(versions, changes, form, verbose=verbose)
    if verified:
        from pytest_pgfeatures.cli.runner import CommandName, run_atlas
        from pytest_pgfeatures.plugin.results import Gatherer

        gatherer = Gatherer()
        name = CommandName("pgfeatures delta", [*(f"--area={area}" for area in areas), "--verify", old, new])
        changed = [change.behavior for change in changes]
        status = run_atlas(f"{old},{new}", ["-rN", "-q"], behaviors=changed, plugins=[name, gatherer])
        write_files((html, lambda path: _write_page(path, versions, changes, gatherer.run())))
    sys.exit(status)


def _write_page(
    path: Path,
    versions: tuple[Version, Version],
    changes: Sequence[BehaviorChange],
    run: JobResults | None = None,
) -> None:
    # this takes half of a run's time, and most runs have no page
    from pytest_pgfeatures.page.jobs import write_delta

    write_delta(path, *versions, changes, run)


def _print(
    versions: tuple[Version, Version], changes: Sequence[BehaviorChange], form: str, *, verbose: bool
) -> None:
    from pytest_pgfeatures.report.delta import delta_markdown, render_delta

    if form == "markdown":
        click.echo(delta_markdown(*versions, changes))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for part in render_delta(*versions, changes, verbose=verbose):
        console.print(
            part, crop=False
        )  # the rows are as wide as the terminal: looking takes a tenth of a run's time
    if not changes:
        old, new = versions
        console.print(f"The atlas knows of nothing that differs between {old} and {new}.")


def _compare(old: str, new: str) -> Comparison:
    from pytest_pgfeatures.catalog.comparison import compare
    from pytest_pgfeatures.catalog.snapshot import catalog_of
    from pytest_pgfeatures.install import parse_requests
    from pytest_pgfeatures.workbench import Workbench

    with Workbench() as workbench:
        resolver = workbench.resolver
        named = (("OLD", old), ("NEW", new))
        sides = [resolver.cells(parse_requests(side, who, required=True)) for who, side in named]
        for side, cells in zip((old, new), sides, strict=True):
            if len(cells) != 1:
                raise click.UsageError(f"{side!r} is more than one version; name one on each side")
        before_it, after_it = (cells[0].major for cells in sides)
        if before_it > after_it:
            raise VersionError(f"{old} to {new} runs backwards", remedy=f"write {new} before {old}")
        installs = [resolver.resolve(cells[0].request) for cells in sides]
        before, after = (catalog_of(each, workbench.clusters) for each in installs)
    return compare(before, after)


def _write_objects(path: Path, versions: tuple[Version, Version], changes: Sequence[BehaviorChange]) -> None:
    from pytest_pgfeatures.report.behavior_documents import delta_objects  # needs what a look alone doesn't

    write_json(path, delta_objects(*versions, changes))


def _print_comparison(comparison: Comparison, form: str, json_file: Path | None) -> None:
    from pytest_pgfeatures.report.catalog import comparison_markdown, render_comparison

    write_files((json_file, lambda path: write_json(path, comparison)))
    if form == "markdown":
        click.echo(comparison_markdown(comparison))
    else:
        from rich.console import Console

        console = Console(highlight=False)
        for part in render_comparison(comparison):
            console.print(part)
