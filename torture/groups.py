"""A control group with little memory on a machine with much memory: runs use a disk, and are not killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from pytest_pgfeatures.install import Store
from torture import namespaces
from torture.installs import install
from torture.model import Check, each
from torture.place import place, until_empty
from torture.said import problems_of

MAJOR = "14"
MEGABYTES = 256
FILLS = f"""
def test_it(pg_connection, pg_cluster):
    pg_connection.execute(
        "CREATE UNLOGGED TABLE t AS SELECT repeat('x', 1000) AS a FROM generate_series(1, {MEGABYTES + 64} * 1000)"
    )
    assert not str(pg_cluster.datadir).startswith("/dev/shm")
"""
"""A test that writes more than the group's memory."""
_TOP = Path("/sys/fs/cgroup")
_DISK = Path("/var/tmp")


def _little_memory() -> list[str]:
    group = _made()
    disk = Path(tempfile.mkdtemp(prefix="torture-", dir=_DISK))
    try:
        disk.chmod(0o755)
        store = Store.open(disk / "store")
        source = install(MAJOR).bindir.parent
        shutil.copytree(source, store.installs / source.name, symlinks=True)
        with place() as where:
            where.write(FILLS)
            where.environment["PGFEATURES_CACHE"] = str(store.root)
            del where.environment["PGFEATURES_RUN"]

            def join() -> None:
                (group / "cgroup.procs").write_text(str(os.getpid()))

            problems = problems_of(where, where.start(f"--pg={MAJOR}", prepare=join))
            problems += until_empty(lambda: [str(each) for each in disk.rglob("postmaster.pid")])
            return problems + where.left()
    finally:
        shutil.rmtree(disk, ignore_errors=True)
        until_empty(lambda: (group / "cgroup.procs").read_text().split())
        group.rmdir()


def _made() -> Path:
    """Create a control group with a limit."""
    first = (_TOP / "memory").is_dir()
    group = (_TOP / "memory" if first else _TOP) / f"torture-{os.path.basename(tempfile.mktemp())}"
    group.mkdir()
    (group / ("memory.limit_in_bytes" if first else "memory.max")).write_text(f"{MEGABYTES << 20}")
    return group


def _missing() -> str:
    if missing := namespaces.missing_mounts():
        return missing
    try:
        _made().rmdir()
    except OSError as error:
        return f"this machine allows no control groups: {error}"
    return ""


CHECKS = (Check("memory: a control group of 256 MB", 4, each(_little_memory), missing=_missing),)
