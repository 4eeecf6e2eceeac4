"""``pgfeatures clean``: free the store's disk space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.install.clean import KINDS, clean
from pytest_pgfeatures.install.store import Store

if TYPE_CHECKING:
    from pathlib import Path


@click.command("clean")
@click.argument("what", nargs=-1, type=click.Choice(KINDS))
@click.option("--dry-run", "-n", is_flag=True, help="Only show what would be removed.")
@json_option("root, freed and removals")
def command(what: tuple[str, ...], dry_run: bool, json_file: Path | None) -> None:
    """Remove installs, templates, clients, compiled objects or leftovers from the store; by default all of them.

    Clients are directories of client programs for PATH. Compiled objects are those of extensions. Leftovers are
    files of processes that were killed. Nothing that a running process uses is removed. Installs are downloaded
    again when they are next needed.
    """
    from pytest_pgfeatures.report.install_documents import CleanDocument

    store = Store.open()
    removals = []
    for removal in clean(store, what or KINDS, dry_run=dry_run):
        removals.append(removal)
        done = f"kept ({removal.kept})" if removal.kept else ("would remove" if dry_run else "removed")
        click.echo(f"{done} {_megabytes(removal.size)} {removal.path}")
    document = CleanDocument.of(store.root, removals, dry_run=dry_run)
    write_files((json_file, lambda path: write_json(path, document)))
    click.echo(
        f"{'to be freed' if dry_run else 'freed'}: {_megabytes(document.freed).strip()} in {store.root}"
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:7.1f} MB"
