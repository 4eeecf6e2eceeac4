"""``pgfeatures clean``: free the store's disk space."""

from __future__ import annotations

import click

from pytest_pgfeatures.install.clean import KINDS, clean
from pytest_pgfeatures.install.store import Store


@click.command("clean")
@click.argument("what", nargs=-1, type=click.Choice(KINDS))
@click.option("--dry-run", "-n", is_flag=True, help="Only show what would be removed.")
def command(what: tuple[str, ...], dry_run: bool) -> None:
    """Remove installs, templates, clients, compiled objects or leftovers from the store; by default all of them.

    Clients are directories of client programs for PATH. Compiled objects are those of extensions. Leftovers are
    files of processes that were killed. Nothing that a running process uses is removed. Installs are downloaded
    again when they are next needed.
    """
    store = Store.open()
    freed = 0
    for removal in clean(store, what or KINDS, dry_run=dry_run):
        done = f"kept ({removal.kept})" if removal.kept else ("would remove" if dry_run else "removed")
        click.echo(f"{done} {_megabytes(removal.size)} {removal.path}")
        freed += 0 if removal.kept else removal.size
    click.echo(f"{'to be freed' if dry_run else 'freed'}: {_megabytes(freed).strip()} in {store.root}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:7.1f} MB"
