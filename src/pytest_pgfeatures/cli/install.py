"""``pgfeatures install``: make installs ready for use."""

from __future__ import annotations

from pathlib import Path

import click

from pytest_pgfeatures.cli.arguments import named_versions
from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.install.lockfile import LockFile
from pytest_pgfeatures.install.manifest import read_record
from pytest_pgfeatures.install.request import parse_requests
from pytest_pgfeatures.install.resolve import Resolver
from pytest_pgfeatures.install.store import LOCK_NAME
from pytest_pgfeatures.progress import DownloadBars


@click.command("install")
@click.argument("versions", nargs=-1, required=True, callback=named_versions)
@click.option(
    "--needs", multiple=True, metavar="CAPABILITY", help="Only installs with this capability; repeatable."
)
@json_option("of each cell the install or the error")
@click.option("--lock", is_flag=True, help=f"Record the archives' hashes in {LOCK_NAME} here.")
def command(versions: tuple[str, ...], needs: tuple[str, ...], json_file: Path | None, lock: bool) -> None:
    """Make installs of these VERSIONS ready for use: 14..18, >=15, latest, all, pypi:17, maven:12.

    Installs that are already on this machine are not downloaded. If the current directory has a pgfeatures.lock,
    archives are checked against it.
    """
    from pytest_pgfeatures.report.install_documents import cell_object

    resolver = Resolver(lock=LockFile(Path.cwd() / LOCK_NAME) if lock else None, progress=DownloadBars())
    cells = resolver.cells(parse_requests(",".join(versions)))
    found = resolver.prepare(cells, needs)
    objects = [cell_object(cell.id, install) for cell, install in zip(cells, found, strict=True)]
    write_files((json_file, lambda path: write_json(path, objects)))
    for cell, install in zip(cells, found, strict=True):
        if isinstance(install, PgFeaturesError):
            click.echo(f"pgfeatures: {install}", err=True)
            continue
        click.echo(f"{cell.id}: {install}")
        lock_file = resolver.inventory.lock
        if lock_file is not None and (record := read_record(install.bindir.parent)) is not None:
            with resolver.store.lock("lockfile"):
                lock_file.add(record.entry)
    if any(isinstance(install, PgFeaturesError) for install in found):
        raise SystemExit(2)
