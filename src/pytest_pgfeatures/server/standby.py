"""Physical standbys: servers that start from a copy of a running server's data directory and follow it.

We call the server's backup functions and copy the files ourselves in between. This needs no client program
(embedded builds have no pg_basebackup), works the same on every major, and takes a fraction of pg_basebackup's time
(https://www.postgresql.org/docs/current/continuous-archiving.html, "Making a Base Backup Using the Low Level API").
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.server.account_files import write_file
from pytest_pgfeatures.server.configuration import quoted
from pytest_pgfeatures.server.replication import HAS_SLOTS, drop_slots
from pytest_pgfeatures.server.waiting import SECONDS
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Account
    from pytest_pgfeatures.server.cluster import Cluster


@dataclass(frozen=True, slots=True)
class BackupFunctions:
    """The statements that start and stop a backup."""

    versions: VersionSet
    start: str
    stop: str
    """Returns the content of the copy's ``backup_label``; null if the server writes that file itself."""


# https://www.postgresql.org/docs/15/functions-admin.html#FUNCTIONS-ADMIN-BACKUP and older editions
BACKUP_FUNCTIONS: tuple[BackupFunctions, ...] = (
    BackupFunctions(
        VersionSet("<9.6"), "SELECT pg_start_backup('standby', true)", "SELECT NULL FROM pg_stop_backup()"
    ),
    BackupFunctions(
        VersionSet("9.6..14"),
        "SELECT pg_start_backup('standby', true, false)",
        "SELECT labelfile FROM pg_stop_backup(false)",
    ),
    BackupFunctions(
        VersionSet(">=15"),
        "SELECT pg_backup_start('standby', true)",
        "SELECT labelfile FROM pg_backup_stop(false)",
    ),
)

_RESERVES_WAL = VersionSet(">=9.6")
"""Servers whose slots can reserve WAL immediately (https://www.postgresql.org/docs/release/9.6.0/)."""
_STANDBY_SIGNAL = VersionSet(">=12")
"""Servers with a standby's settings in ``postgresql.conf`` (https://www.postgresql.org/docs/release/12.0/)."""


def is_standby(cluster: Cluster) -> bool:
    """Whether a server is in recovery. A promoted standby no longer is."""
    return bool(cluster.sql("SELECT pg_is_in_recovery()")[0][0])


def check_can_send(cluster: Cluster) -> None:
    """Check that a server's settings allow standbys.

    Raises:
        ServerError: they don't.
    """
    rows = cluster.sql("SELECT current_setting('wal_level'), current_setting('max_wal_senders')")
    level, senders = rows[0]
    if level == "minimal" or senders == "0":
        raise ServerError(
            f"{cluster.name} can't have a standby: its wal_level is {level}, its max_wal_senders {senders}",
            remedy='ask for a server with settings={"wal_level": "replica"}; before 10 that is not the default',
        )


def back_up(cluster: Cluster, follower: Cluster, tablespaces: Path) -> None:
    """Copy a running server's data directory, and give the copy a configuration of its own.

    Parameters:
        cluster: the running server. It must not be a standby, because up to 9.5 those have no backup functions.
        follower: the cluster whose data directory is created.
        tablespaces: an empty directory for copies of the tablespaces that are outside of the data directory.
    """
    functions = next(row for row in BACKUP_FUNCTIONS if cluster.version in row.versions)
    directory = follower.new_directory(cluster.datadir)._replace(tablespaces=str(tablespaces))
    with cluster.connect() as connection:
        connection.execute(functions.start.encode())
        follower.supervisor.fill(directory)
        row = connection.execute(functions.stop.encode()).fetchone()
    if row is not None and row[0] is not None:
        write_file(follower.datadir / "backup_label", row[0].encode(), follower.supervisor.account)


def slot_name(standby_name: str) -> str:
    """The name of a standby's replication slot: the standby's name in the characters that slot names may have."""
    return re.sub("[^a-z0-9_]", "_", standby_name.lower())


def make_slot(upstream: Cluster, standby_name: str) -> str | None:
    """Create a replication slot for a standby. From 9.6 on, the slot reserves WAL immediately.

    Returns:
        the slot's name; None on 9.3, which has no slots.
    """
    if upstream.version not in HAS_SLOTS:
        return None
    name = slot_name(standby_name)
    reserve = ", true" if upstream.version in _RESERVES_WAL else ""
    upstream.sql(f"SELECT pg_create_physical_replication_slot(%s{reserve})", [name])
    return name


def follow(standby: Cluster, upstream: Cluster, slot: str | None, account: Account | None) -> None:
    """Configure a copied data directory as a standby's
    (https://www.postgresql.org/docs/current/warm-standby.html#STANDBY-SERVER-SETUP).

    PostgreSQL 12 moved the settings from ``recovery.conf`` to ``postgresql.conf``
    (https://www.postgresql.org/docs/release/12.0/).
    """
    from psycopg.conninfo import make_conninfo

    sender = make_conninfo(
        host=str(upstream.socket_directory),
        port=upstream.port,
        user=upstream.user,
        application_name=standby.name,
    )
    values = {"primary_conninfo": sender}
    if slot is not None:
        values["primary_slot_name"] = slot
    if standby.version in _STANDBY_SIGNAL:
        standby.append_conf("", **values)
        write_file(standby.datadir / "standby.signal", b"", account)
    else:
        values |= {"standby_mode": "on", "recovery_target_timeline": "latest"}
        text = "".join(f"{name} = {quoted(value)}\n" for name, value in values.items())
        write_file(standby.datadir / "recovery.conf", text.encode(), account)


def wait_until_streaming(standby: Cluster, upstream: Cluster) -> None:
    """Wait until a standby streams from its sender."""
    from psycopg import sql

    upstream.poll_query_until(
        f"SELECT count(*) FROM pg_stat_replication"
        f" WHERE application_name = {sql.quote(standby.name)} AND state = 'streaming'",
        1,
    )


def promote(cluster: Cluster, account: Account | None, *, timeout: float = SECONDS) -> None:
    """Promote a standby, as ``pg_ctl promote`` does, and wait until it is a primary.

    Raises:
        ServerError: the server is not a standby.
        WaitTimeoutError: the server is still in recovery after the deadline.
    """
    if not is_standby(cluster):
        raise ServerError(f"{cluster.name} is a primary already", remedy="promote a standby")
    write_file(cluster.datadir / "promote", b"", account)
    cluster.send_signal(signal.SIGUSR1)
    cluster.poll_query_until("SELECT NOT pg_is_in_recovery()", timeout=timeout)


def forget(standby: Cluster, upstream: Cluster) -> None:
    """Drop the slot of a standby that has ended, if its sender still runs."""
    if upstream.running():
        drop_slots(upstream, f"slot_name = '{slot_name(standby.name)}'")  # slot names need no quoting
