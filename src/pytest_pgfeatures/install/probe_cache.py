"""Keep the results of probes in the store, so that an unchanged install is not probed again."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StoreError, UnusableInstallError, VersionError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.install.account import server_account
from pytest_pgfeatures.install.model import Install
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from pytest_pgfeatures.install.store import Store

_FORMAT = 4
"""A version number, increased when probes change, so that older records are not used."""

# The cache of the dynamic loader, which changes when any library is installed or removed.
_LOADER_CACHE = "/etc/ld.so.cache"


def probed(store: Store, bindir: Path, source: str) -> Install:
    """The install in ``bindir``: from the store's record if its files are unchanged, else probed. An unusable
    install is probed each time, because it may have been repaired.

    Raises:
        UnusableInstallError: this host can't load it, or the account that servers run as can't reach it.
        StoreError: another process was probing it the whole time.
    """
    _check_reach(bindir)
    record = store.probes / f"{hashlib.sha256(os.fsencode(bindir)).hexdigest()[:20]}.json"
    known = _read(record, bindir, source)
    if known is None:
        try:
            # otherwise, 16 processes would probe the same install at the same time
            with store.lock(f"probe-{record.stem}"):
                known = _read(record, bindir, source) or _probe(store, bindir, source, record)
        except StoreError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            known = _probe(store, bindir, source, None)  # a result that can't be kept is found out each time
    return known


def _check_reach(bindir: Path) -> None:
    account = server_account()
    if account is not None and (barrier := account.barrier(bindir)) is not None:
        raise UnusableInstallError(
            f"the user {account.name}, who runs the servers, may not enter {barrier}, on the way to {bindir}",
            remedy=f"let everyone enter it (chmod go+x {barrier}), or move the install",
        )


def _read(record: Path, bindir: Path, source: str) -> Install | None:
    try:
        known = json.loads(record.read_bytes())
        if known["identity"] != _identity(bindir, known["watched"]):
            return None
        return Install(
            PgVersion(known["version"]),
            source,
            bindir,
            frozenset(known["capabilities"]),
            tuple((name, value) for name, value in known["environment"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError, VersionError):
        return None  # none yet, or written by another version of ours


def _probe(store: Store, bindir: Path, source: str, record: Path | None) -> Install:
    from pytest_pgfeatures.install.probe import find_layout, probe

    install = probe(bindir, source)
    if record is None:
        return install
    sharedir = find_layout(bindir, install.version).sharedir
    watched = [str(sharedir / "extension")] if sharedir else []
    content = {
        "bindir": str(bindir),
        "identity": _identity(bindir, watched),
        "watched": watched,
        "version": str(install.version),
        "capabilities": sorted(install.capabilities),
        "environment": install.environment,
    }
    with store.explaining():
        write_atomically(record, json.dumps(content, indent=1) + "\n", mode=0o644)
    return install


def _identity(bindir: Path, watched: list[str]) -> list[list[int] | None]:
    """A value that changes when an install is replaced or gets an extension, or when the host's libraries
    change."""
    places = [bindir / "postgres", bindir, Path(_LOADER_CACHE), *map(Path, watched)]
    return [[_FORMAT], *map(_facts, places)]


def _facts(place: Path) -> list[int] | None:
    try:
        facts = place.stat()
    except OSError:
        return None
    return [facts.st_ino, facts.st_size, facts.st_mtime_ns]
