"""Update from an earlier release: build it, create its extensions with data, then replace it with this release."""

from __future__ import annotations

import lzma
import shutil
import subprocess
import tarfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.extension import build
from pytest_pgfeatures.extension.contents import TableRows, configuration_rows, lost
from pytest_pgfeatures.extension.create import create_extension, versions
from pytest_pgfeatures.extension.migrate import fill
from pytest_pgfeatures.extension.model import LackingError, Object, StageError
from pytest_pgfeatures.extension.objects import cut, difference, extension_versions
from pytest_pgfeatures.extension.rows import owned_rows, rows
from pytest_pgfeatures.extension.source import find_source
from pytest_pgfeatures.extension.typed_values import store
from pytest_pgfeatures.extension.updating import FreshInstall, found, update_extension
from pytest_pgfeatures.extension.workspace import DBNAME, Workspace
from pytest_pgfeatures.install.extraction import UnsafeArchiveError, check_links, extract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import psycopg

    from pytest_pgfeatures.server import Cluster

_BARE = "bare"
"""The database that contains only the extension, so that its objects can be compared."""


def update_from(workspace: Workspace, release: str) -> Iterator[Object | list[Object] | str]:
    """Update from an earlier release, and compare the result with a fresh install of this release.

    Parameters:
        release: a tag of the sources' Git repository, a directory, or a tarball.

    Returns:
        the objects that failed or were not run; otherwise a description of what was done.
    """
    id = f"release:{Path(release).name}"
    directory = workspace.source.directory
    assert directory is not None
    source = find_source(_unpacked(workspace, directory, release))
    options = replace(
        workspace.options,
        requires=tuple(str(directory / each) for each in workspace.options.requires),
        build="",
        install="",
    )
    if options.data:
        options = replace(options, data=str(directory / options.data))
    old = Workspace(f"{workspace.cell}-previous", source, options, workspace.install, workspace.clusters)
    try:
        build.build(old)
        build.install(old)
        fill(old, old.cluster)
        with old.connect(DBNAME, old.cluster) as connection:
            store(
                connection, old.names, None
            )  # columns of the extension's types: a new release may write their values differently
        with old.fresh_database(old.cluster, _BARE) as connection:
            for name in old.names:
                create_extension(connection, name, if_not_exists=True)
    except (StageError, LackingError) as error:
        yield [Object(id, f"{release} is not available on {workspace.cell}: {error.summary}", error.details)]
        return
    before, had = _user_rows(old, old.cluster)
    kept, created = (_configuration(old, old.cluster, had, dbname) for dbname in (DBNAME, _BARE))
    new = workspace.clusters.copy(old.stop(), f"{workspace.cell}-updated")
    try:
        new.install = workspace.install_copy
        new.start()
        for name in workspace.names:
            if name in had:
                yield from _updated(workspace, new, name, had[name], release, id)
        after, _ = _user_rows(workspace, new)
        keeps = _configuration(workspace, new, had, DBNAME)
    except StageError as error:
        yield Object(id, f"from {release}: {error.summary}", error.details)
        return
    finally:
        workspace.clusters.remove(new)
        workspace.clusters.remove(old.cluster)
    if lines := difference(before, after, ("before", "after the update")):
        yield Object(id, f"the update from {release} changes users' data", cut(lines))
    for table, gone in lost(kept, created, keeps):
        count = f"{len(gone)} row{'s' if len(gone) > 1 else ''}"
        yield Object(
            f"table:{table}",
            f"the update from {release} deletes or changes {count} of users in the configuration table {table}",
            cut(gone),
        )


def _updated(
    workspace: Workspace, new: Cluster, name: str, version: str, release: str, id: str
) -> Iterator[Object | str]:
    """Update the extension in the database with data, and in the one without."""
    target, _ = versions(workspace, name)
    for dbname in (DBNAME, _BARE):
        with workspace.connect(dbname, new) as connection:
            if version != target:
                update_extension(connection, name, version, target)
    with workspace.connect(_BARE, new) as connection:
        updated = found(workspace, connection, name, new)
    workspace.updated_from[name] = version
    if lines := FreshInstall.of(workspace, name, None).difference(updated):
        why = (
            f"{name} {target} of {release} differs from this one, and has the same version"
            if version == target
            else f"{name} updated from {version} of {release} differs from a fresh {target}"
        )
        yield Object(id, why, cut(lines))
    else:
        yield f"{name} {version} of {release} to {target}"


def _configuration(
    workspace: Workspace, cluster: Cluster, names: Iterable[str], dbname: str
) -> dict[str, TableRows]:
    """The dumped rows of the configuration tables of extensions."""
    with workspace.connect(dbname, cluster) as connection:
        return {table: rows for name in names for table, rows in configuration_rows(connection, name).items()}


def _user_rows(workspace: Workspace, cluster: Cluster) -> tuple[dict[str, str], dict[str, str]]:
    """The rows of the tables that belong to no extension, and the versions of the extensions."""
    connection: psycopg.Connection
    with workspace.connect(DBNAME, cluster) as connection:
        installed = extension_versions(connection)
        owned = owned_rows(connection, list(installed))
        return {name: text for name, text in rows(connection).items() if name not in owned}, installed


def check_release(directory: Path | None, release: str) -> None:
    """Check that a release exists.

    Parameters:
        directory: the sources; None for an extension that the installs already have.
        release: a tag of the sources' Git repository, a directory, or a tarball.

    Raises:
        PgFeaturesError: it doesn't.
    """
    if directory is None:
        raise PgFeaturesError(
            f"there are no sources to update from {release}", remedy="name a directory, or omit --previous"
        )
    if (directory / release).exists():
        return
    git = shutil.which("git")
    ended = git and subprocess.run(
        [git, *("-c", "safe.directory=*"), "-C", directory, "rev-parse", "--verify", f"{release}^{{tree}}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if not ended or ended.returncode != 0:
        raise PgFeaturesError(
            f"{release} is no directory, no tarball and no tag of {directory}",
            details=tuple(ended.stdout.splitlines()) if ended else ("there is no git on PATH",),
            remedy="name one with --previous; git tag lists the tags, git fetch --tags gets them",
        )


def _unpacked(workspace: Workspace, directory: Path, release: str) -> Path:
    """The sources of a release."""
    path = directory / release
    if path.is_dir():
        return path
    target = workspace.home / ".previous"
    target.mkdir(mode=0o700)
    archive = path
    if not path.is_file():
        archive = workspace.home / ".previous.tar"
        git = shutil.which("git") or "git"
        command = [
            git,
            "-c",
            "safe.directory=*",
            "-C",
            str(directory),
            "archive",
            "-o",
            str(archive),
            release,
        ]
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if ended.returncode != 0:
            raise StageError(f"git archive {release} failed", tuple(ended.stdout.splitlines()))
    try:
        with tarfile.open(archive) as tar:  # tarfile recognizes the compression
            stream = cast("IO[bytes]", tar.fileobj)
            stream.seek(0)
            extract(stream, target)
        check_links(target)
    except (
        tarfile.TarError,
        UnsafeArchiveError,
        OSError,
        EOFError,
        ValueError,
        zlib.error,
        lzma.LZMAError,
    ) as error:
        raise PgFeaturesError(f"{archive} can't be unpacked: {error}", remedy="name a tarball") from None
    entries = list(target.iterdir())
    unpacked = entries[0] if len(entries) == 1 and entries[0].is_dir() else target
    if unpacked != target:
        return unpacked
    named = workspace.home / ".earlier" / directory.name
    named.parent.mkdir(mode=0o700)
    target.rename(named)
    return named
