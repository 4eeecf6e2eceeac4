"""``pgfeatures clean``: free the store's disk space."""

from __future__ import annotations

from dataclasses import asdict

import click

from pytest_pgfeatures.cli.arguments import print_json
from pytest_pgfeatures.install.clean import KINDS, clean
from pytest_pgfeatures.install.store import Store


@click.command("clean")
@click.argument("what", nargs=-1, type=click.Choice(KINDS))
@click.option("--dry-run", "-n", is_flag=True, help="Only show what would be removed.")
@click.option("--json", "as_json", is_flag=True, help="Print an object: root, freed, and a list of removals.")
def command(what: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Remove installs, templates, clients or leftovers from the store; by default all of them.

    Clients are directories of client programs for PATH. Leftovers are files of processes that were killed. Nothing
    that a running process uses is removed. Installs are downloaded again when they are next needed.
    """
    store = Store.open()
    freed = 0
    removals = []
    for removal in clean(store, what or KINDS, dry_run=dry_run):
        if as_json:
            removals.append(
                {**asdict(removal), "path": str(removal.path), "removed": not (dry_run or removal.kept)}
            )
            continue
        done = f"kept ({removal.kept})" if removal.kept else ("would remove" if dry_run else "removed")
        click.echo(f"{done} {_megabytes(removal.size)} {removal.path}")
        freed += 0 if removal.kept else removal.size
    if as_json:
        freed = sum(int(str(each["size"])) for each in removals if not each["kept"])
        print_json({"root": str(store.root), "dry_run": dry_run, "freed": freed, "removals": removals})
        return
    click.echo(f"{'to be freed' if dry_run else 'freed'}: {_megabytes(freed).strip()} in {store.root}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:7.1f} MB"
