"""A directory of client programs for PATH: an install's own, and those of newer ones that it lacks.

The directory has client programs only. Where the whole directory of binaries is on PATH, other tools take it for a
server that the machine has.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install.client_compatibility import COMPATIBLE_CLIENTS
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from pytest_pgfeatures.install.model import Install
    from pytest_pgfeatures.install.resolve import Resolver

# https://www.postgresql.org/docs/current/reference-client.html and contrib-prog-client.html, with names of older
# majors; but not ecpg and pg_config, which build programs
PROGRAMS = (
    *("clusterdb", "createdb", "createlang", "createuser", "dropdb", "droplang", "dropuser", "oid2name"),
    *(
        "pg_amcheck",
        "pg_basebackup",
        "pg_combinebackup",
        "pg_dump",
        "pg_dumpall",
        "pg_isready",
        "pg_receivewal",
    ),
    *("pg_receivexlog", "pg_recvlogical", "pg_restore", "pg_verifybackup", "pgbench", "psql", "reindexdb"),
    *("vacuumdb", "vacuumlo"),
)
_LAUNCHER = """#!/bin/sh
# PostgreSQL {version} came without {program}. When it is called, it is looked for, and fetched if need be.
exec {python} -P -m pytest_pgfeatures.install.client_programs {program} {version} "$@"
"""


def client_directory(resolver: Resolver, install: Install, parent: Path) -> Path:
    """The directory of client programs for servers of an install; created now if it doesn't exist.

    Parameters:
        resolver: finds programs that the install lacks; nothing is fetched before one of them is called.
        install: the servers' install.
        parent: the directory in which it is created, which nobody else may write.

    Raises:
        OSError: it can't be created.
    """
    links = {name: str(install.bindir / name) for name in PROGRAMS if install.has(name)}
    lacking = [client.program for client in COMPATIBLE_CLIENTS if client.program not in links]
    newer = resolver.clients_at_hand(lacking, install.version) if lacking else {}
    links |= {name: str(found.bindir / name) for name, found in newer.items()}
    scripts = {name: _launcher(name, install.version) for name in lacking if name not in newer}
    key = hashlib.sha256(json.dumps([links, scripts]).encode()).hexdigest()[:16]
    place = parent / f"{install.version.major}-{key}"
    if not place.is_dir():
        _make(place, links, scripts)
    return place


def _launcher(program: str, version: PgVersion) -> str:
    import shlex

    return _LAUNCHER.format(program=program, version=version, python=shlex.quote(sys.executable))


def _make(place: Path, links: dict[str, str], scripts: dict[str, str]) -> None:
    unfinished = place.with_name(f".{place.name}-{os.urandom(4).hex()}")
    unfinished.mkdir(parents=True)
    try:
        for name, target in links.items():
            (unfinished / name).symlink_to(target)
        for name, script in scripts.items():
            (unfinished / name).write_text(script, encoding="utf-8")
            (unfinished / name).chmod(0o755)
        for directory in (unfinished, place.parent):
            directory.chmod(0o755)  # whatever the umask
        unfinished.rename(place)
    except OSError:
        shutil.rmtree(unfinished)
        if not place.is_dir():  # or another process created it first
            raise


def main() -> int:
    """Run a client program for servers of a version. The arguments are its name, the version, and the
    program's own arguments.

    Returns:
        127, as a shell does, if it can't be found; otherwise, this process becomes the program.
    """
    from pytest_pgfeatures.install.resolve import Resolver

    name, version, *arguments = sys.argv[1:]
    environment = dict(os.environ)
    program: str | None
    try:
        install = Resolver().client(name, PgVersion(version))
        program = str(install.program(name))
        environment |= dict(install.environment)
    except PgFeaturesError as error:
        print(f"{name}: {error}", file=sys.stderr)
        program = _further_on_path(name)
    return os.execve(program, [program, *arguments], environment) if program else 127


def _further_on_path(name: str) -> str | None:
    """A program on PATH that is not one of our scripts."""
    for directory in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(name, path=directory)
        if found and b"pytest_pgfeatures.install.client_programs" not in Path(found).read_bytes()[:1000]:
            return found
    return None


if __name__ == "__main__":
    sys.exit(main())
