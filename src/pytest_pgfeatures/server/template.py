"""initdb once, then copies.

A template is a data directory as initdb created it, in the store: one for each install, set of initdb options
and release of this library. Nothing ever runs in it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import secrets
import shutil
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError, ServerError
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.server.configuration import INITDB_ENVIRONMENT, initdb_arguments
from pytest_pgfeatures.server.copying import ForeignFileError, copy_tree, punch_zeros

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Account, Install, Store
    from pytest_pgfeatures.results.program import Finished
    from pytest_pgfeatures.server.process import SupervisorClient
    from pytest_pgfeatures.server.run_directory import RunDirectory

_LAYOUT = 2
"""A version number, increased when the owners or the set of templates' files change."""


def template(
    store: Store, supervisor: SupervisorClient, install: Install, initdb_options: tuple[str, ...] = ()
) -> Path:
    """The data directory to copy for clusters of this install; created now if it doesn't exist.

    Parameters:
        initdb_options: additional options, such as ``--wal-segsize=1``
            (https://www.postgresql.org/docs/current/app-initdb.html).

    Raises:
        ServerError: initdb refused; the details are its output.
        StoreError: the store can't be written, or there is no room for initdb's files.
    """
    arguments = initdb_arguments(initdb_options)
    place = store.templates / f"pg{install.version.major}-{_key(install, arguments, supervisor)}"
    if not place.exists():
        with store.lock(place.name):
            if not place.exists():
                _make(store, supervisor, install, arguments, place)
    return place


def _key(install: Install, arguments: tuple[str, ...], supervisor: SupervisorClient) -> str:
    program = (install.bindir / "postgres").stat()
    facts = (
        str(install.version),
        str(install.bindir),
        program.st_mtime_ns,
        program.st_size,
        arguments,
        supervisor.account.uid if supervisor.account else os.geteuid(),
        _our_version(),
        _LAYOUT,
    )
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


@functools.cache
def _our_version() -> str:
    from importlib.metadata import version

    return version("pytest-pgfeatures")


def _make(
    store: Store, supervisor: SupervisorClient, install: Install, arguments: tuple[str, ...], place: Path
) -> None:
    """Run initdb beside ``place``, and move the result there in one step."""
    run = supervisor.directory
    home = run.directory(f"initdb-{secrets.token_hex(4)}")
    work = run.directory(f"{home.name}/data", theirs=True)
    try:
        ended = supervisor.run(
            [install.program("initdb"), f"--pgdata={work}", *arguments],
            output=home / "log",
            environment=program_environment(install) | INITDB_ENVIRONMENT,
        )
        if ended.status != 0:
            raise _refused(run, install, ended)
        for leftover in place.parent.glob(f".{place.name}-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        _keep(store, work, place, supervisor.account)
    finally:
        run.remove(home)


def _keep(store: Store, work: Path, place: Path, account: Account | None) -> None:
    """Copy initdb's files into the store, where the servers' user may read them and not write."""
    unfinished = place.with_name(f".{place.name}-{secrets.token_hex(4)}")
    with store.explaining():
        try:
            if account is None:
                copy_tree(work, unfinished)
            else:
                readers = (os.geteuid(), account.gid)
                copy_tree(work, unfinished, readers, group_reads=True, only_of=account.uid)
            for segment in (*unfinished.glob("pg_wal/0*"), *unfinished.glob("pg_xlog/0*")):
                punch_zeros(segment)
            unfinished.rename(place)
        except OSError as error:
            shutil.rmtree(unfinished, ignore_errors=True)
            if isinstance(error, ForeignFileError):
                raise ServerError(
                    f"what initdb has made {error.strerror}: {error.filename}",
                    remedy="see what else runs as the user who runs the servers",
                ) from error
            raise


def _refused(run: RunDirectory, install: Install, ended: Finished) -> PgFeaturesError:
    """The error to raise if initdb failed."""
    details = (" ".join(ended.argv), *ended.output.splitlines()[-20:])
    full = "No space left" in ended.output or "Disk quota" in ended.output
    if full or (run.is_full() and not re.search("error|FATAL|PANIC|option", ended.output)):
        return run.full(*details)
    return ServerError(
        f"initdb of {install} ended with status {ended.status}",
        details=details,
        remedy=_remedy(ended.output),
    )


def _remedy(output: str) -> str:
    if match := re.search(r"(?:unrecognized|invalid) option.*", output):
        return f"this major's initdb does not know an option ({match[0]}); see its manual page"
    if "could not look up effective user ID" in output:
        return (
            f"PostgreSQL runs only as a user that has a name: give user {os.geteuid()} a line in /etc/passwd"
        )
    if not output.strip():
        return "it printed nothing: look for the kernel's out-of-memory killer in the system's log"
    return "see what it printed"
