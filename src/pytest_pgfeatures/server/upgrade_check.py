"""Run ``pg_upgrade --check`` on a running server. It upgrades nothing, and the server keeps running.

The check of a running server needs one program of the old server's install: pg_controldata. Server-only builds
don't have it. In this case a script takes its place. It prints, in the format of pg_controldata, what the server's
functions ``pg_control_system()``, ``pg_control_init()`` and ``pg_control_checkpoint()`` return (9.6 and later;
https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CONTROLDATA).
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import CapabilityMissingError
from pytest_pgfeatures.server.upgrade import checked_mode, forget, refusal, run_pg_upgrade, successor
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pgfeatures.errors import ServerError
    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.results.program import Finished
    from pytest_pgfeatures.server.cluster import Cluster
    from pytest_pgfeatures.server.factory import Upgrade, Workshop

# The labels that pg_controldata prints, and the functions' columns (src/backend/utils/misc/pg_controldata.c).
_SYSTEM = {"pg_control version number": "pg_control_version", "Catalog version number": "catalog_version_no"}
_INIT = {
    "Maximum data alignment": "max_data_alignment",
    "Database block size": "database_block_size",
    "Blocks per segment of large relation": "blocks_per_segment",
    "WAL block size": "wal_block_size",
    "Bytes per WAL segment": "bytes_per_wal_segment",
    "Maximum length of identifiers": "max_identifier_length",
    "Maximum columns in an index": "max_index_columns",
    "Maximum size of a TOAST chunk": "max_toast_chunk_size",
    "Size of a large-object chunk": "large_object_chunk_size",
    "Data page checksum version": "data_page_checksum_version",
}
_CHECKPOINT = {
    "TimeLineID": "timeline_id",
    "NextXID": "next_xid",
    "NextOID": "next_oid",
    "NextMultiXactId": "next_multixact_id",
    "NextMultiOffset": "next_multi_offset",
    "oldestXID": "oldest_xid",
    "oldestMultiXid": "oldest_multi_xid",
}


def check(
    workshop: Workshop[Cluster], old: Cluster, install: Install, wanted: Upgrade, *, timeout: float
) -> tuple[Finished, ServerError | None]:
    """Check with pg_upgrade whether it could upgrade a running server; see :meth:`Cluster.upgrade_to`.

    Returns:
        the finished program, and the error to raise if the check failed.
    """
    options = [*checked_mode(old, install, wanted).options, "--check"]
    if not old.running():
        old.start()
    programs = _programs(workshop, old)
    new = successor(workshop, old, install, wanted.settings)
    try:
        ended = run_pg_upgrade(workshop, old, new, programs, options, timeout)
        return ended, refusal(workshop, old, new, options, ended) if ended.status else None
    finally:
        forget(old, new)


def ask(cluster: Cluster, version: str | Install, *, timeout: float = 600.0) -> Finished:
    """Run ``pg_upgrade --check`` of another install on a running server.

    Returns:
        the finished program with all its output. Its ``status`` is not 0 if the check found a problem.
    """
    return cluster._clusters.upgrade_check(cluster, version, timeout=timeout)


def _programs(workshop: Workshop[Cluster], old: Cluster) -> Path:
    """The directory of the old server's programs; if pg_controldata is missing, a new one that has a substitute."""
    if old.install.has("pg_controldata", "pg_resetwal"):
        return old.install.bindir
    if old.version not in VersionSet(">=9.6"):
        raise CapabilityMissingError(
            f"{old.install} has no pg_controldata, and PostgreSQL {old.version} no functions that tell the same",
            capability="pg_controldata",
        )
    directory = workshop.home("programs")
    for name in ("postgres", "pg_ctl"):
        (directory / name).symlink_to(old.install.bindir / name)
    text = "".join(f"{name + ':':<38}{value}\n" for name, value in control_data(old))
    script = f"#!/bin/sh\nprintf %s {shlex.quote(text)}\n"
    for name in ("pg_controldata", "pg_resetwal", "pg_resetxlog"):
        path = directory / name
        path.write_text(script)
        path.chmod(0o755)
    return directory


def control_data(cluster: Cluster) -> Iterator[tuple[str, object]]:
    """The part of pg_controldata's output for a running server that pg_upgrade reads.

    Returns:
        pg_controldata's labels, with their values.
    """
    for function, names in (("system", _SYSTEM), ("init", _INIT), ("checkpoint", _CHECKPOINT)):
        columns = ", ".join(f"{column}::text" for column in names.values())
        ((*values,),) = cluster.sql(f"SELECT {columns} FROM pg_control_{function}()")
        prefix = "Latest checkpoint's " if function == "checkpoint" else ""
        yield from ((prefix + name, value) for name, value in zip(names, values, strict=True))
    yield "Database cluster state", "in production"
    yield "Date/time type storage", "64-bit integers"
    yield "Float8 argument passing", "by value"
    yield "Default char data signedness", "signed"
