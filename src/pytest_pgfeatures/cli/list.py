"""``pgfeatures list``: show available installs, and releases that can be downloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.install.capabilities import CLIENT_TOOLS, FEATURES
from pytest_pgfeatures.install.inventory import REMOTE
from pytest_pgfeatures.install.resolve import Resolver
from pytest_pgfeatures.report.install_documents import InstallObject, ReleaseObject

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install.inventory import Inventory
    from pytest_pgfeatures.install.model import Install
    from pytest_pgfeatures.install.release import Release
    from pytest_pgfeatures.version import PgMajor


@click.command("list")
@json_option("the list")
@click.option(
    "--available", is_flag=True, help="Instead, show the newest release of each major that can be downloaded."
)
def command(json_file: Path | None, available: bool) -> None:
    """Show the installs at hand, oldest first, with their capabilities."""
    inventory = Resolver().inventory
    if available:
        _show_available(inventory, json_file)
        return
    installs = sorted(inventory.at_hand(), key=lambda install: install.version)
    objects = [InstallObject.of(install) for install in installs]
    write_files((json_file, lambda path: write_json(path, objects)))
    show_installs(installs)


def show_installs(installs: list[Install]) -> None:
    """Print a table of installs and their locations."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    if not installs:
        click.echo("none at hand: 'pgfeatures install latest' fetches one")
        return
    console = Console()
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column("version", no_wrap=True)
    table.add_column("source", no_wrap=True)
    for feature in FEATURES:
        table.add_column(feature.name, justify="center", no_wrap=True)
    table.add_column("tools", justify="right", no_wrap=True)
    table.add_column("ext.", justify="right", no_wrap=True)
    for install in installs:
        marks = ("+" if install.has(feature.name) else "-" for feature in FEATURES)
        table.add_row(str(install.version), install.source, *marks, *_counts(install))
    console.print(table)
    console.print(
        f"tools: how many of {', '.join(CLIENT_TOOLS)}; ext.: extensions of contrib",
        style="dim",
        highlight=False,
    )
    for install in installs:
        console.print(f"{install.version!s:8} {install.bindir}", soft_wrap=True, highlight=False)


def _counts(install: Install) -> tuple[str, str]:
    """Return the numbers of client programs and of extensions in an install."""
    tools = sum(install.has(tool) for tool in CLIENT_TOOLS)
    return f"{tools}/{len(CLIENT_TOOLS)}", str(
        sum(name.startswith("contrib:") for name in install.capabilities)
    )


def _show_available(inventory: Inventory, json_file: Path | None) -> None:
    rows = [
        (major, source, release) for source in REMOTE for major, release in _newest(inventory, source).items()
    ]
    objects = [ReleaseObject(str(release.version), source) for _, source, release in sorted(rows)]
    write_files((json_file, lambda path: write_json(path, objects)))
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table("major", *REMOTE, box=box.SIMPLE_HEAD, pad_edge=False)
    for major in sorted({major for major, _, _ in rows}):
        offered = {source: str(release.version) for one, source, release in rows if one == major}
        table.add_row(str(major), *(offered.get(source, "-") for source in REMOTE))
    Console().print(table)


def _newest(inventory: Inventory, source: str) -> dict[PgMajor, Release]:
    """Return the newest release of each major."""
    ascending = sorted(inventory.releases(source), key=lambda release: release.order)
    return {release.version.major: release for release in ascending}
