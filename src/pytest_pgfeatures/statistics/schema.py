"""The schema of a database, by a pg_dump that fits its server, in our transaction's snapshot."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install import Store
from pytest_pgfeatures.install.resolve import Resolver
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

_STANDBYS_EXPORT = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
_LOCK_TIMEOUT_MS = 5000
_AT_LEAST_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Dumping:
    """How pg_dump connects.

    Parameters:
        dsn: as it was given.
        resolver: finds an install with pg_dump; None to find one in the user's store.
        timeout: of each statement, in seconds.
    """

    dsn: str
    resolver: Resolver | None
    timeout: float


def dumped_schema(
    connection: psycopg.Connection[Any], dumping: Dumping, unreadable: Sequence[str], unseen: list[str]
) -> str | None:
    """What pg_dump --schema-only prints; None if it can't run, which is added to ``unseen``.

    Parameters:
        connection: in the transaction whose snapshot pg_dump takes.
        unreadable: relations that the role may not read, and pg_dump so can't lock.
    """
    version = PgVersion.from_num(connection.info.server_version)
    try:
        resolver = dumping.resolver or Resolver(Store.open())
        install = resolver.client("pg_dump", version)
    except PgFeaturesError as error:
        unseen.append(f"the schema: no pg_dump for {version}: {error.problem}")
        return None
    arguments = ["--schema-only", "--no-password", f"--lock-wait-timeout={_LOCK_TIMEOUT_MS}"]
    if (snapshot := _snapshot(connection)) is not None:
        arguments.append(f"--snapshot={snapshot}")
    for relation in _quoted(connection, unreadable):
        arguments.append(f"--exclude-table={relation}")
    environment, address = _address(dumping.dsn)
    try:
        ended = subprocess.run(
            [install.program("pg_dump"), *arguments, f"--dbname={address}"],
            env=environment | dict(install.environment) | {"LC_MESSAGES": "C", "PGCLIENTENCODING": "UTF8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=max(dumping.timeout, _AT_LEAST_SECONDS),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        unseen.append(f"the schema: pg_dump of {install.version} did not end: {error}")
        return None
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().splitlines() or ["it printed nothing"]
        unseen.append(f"the schema: pg_dump of {install.version} failed: {said[0]}")
        return None
    return ended.stdout.decode("utf-8", "surrogateescape")


def _snapshot(connection: psycopg.Connection[Any]) -> str | None:
    """The snapshot of our transaction; None on a standby before 10, which can't export one."""
    if PgVersion.from_num(connection.info.server_version) not in _STANDBYS_EXPORT and connection.execute(
        "SELECT pg_is_in_recovery()"
    ).fetchone() == (True,):
        return None
    row = connection.execute("SELECT pg_export_snapshot()").fetchone()
    return row[0] if row else None


def _quoted(connection: psycopg.Connection[Any], names: Sequence[str]) -> list[str]:
    """Relations as pg_dump's patterns that match nothing else."""
    return [".".join(f'"{part}"' for part in name.split(".", 1)) for name in names]


def _address(dsn: str) -> tuple[dict[str, str], str]:
    """The environment and the connection string; the password is in the environment, where others can't see it."""
    parts = conninfo_to_dict(dsn)
    password = parts.pop("password", None)
    environment = dict(os.environ)
    if password is not None:
        environment["PGPASSWORD"] = str(password)
    return environment, make_conninfo(**{name: str(value) for name, value in parts.items()})
