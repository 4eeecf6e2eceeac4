"""Physical standbys: a copy of a running server's data directory, which follows it.

The copy is made between the backup functions of the server itself, with our own fast copy in between. That needs
no client program (embedded builds have no pg_basebackup), is the same on every major, and takes a fraction of
pg_basebackup's time (https://www.postgresql.org/docs/current/continuous-archiving.html, "Making a Base Backup
Using the Low Level API").
"""

from __future__ import annotations

import os
import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.server.configuration import quoted
from pytest_pgfeatures.server.copying import copy_tree
from pytest_pgfeatures.server.replication import HAS_SLOTS, drop_slots
from pytest_pgfeatures.server.waiting import SECONDS
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Account
    from pytest_pgfeatures.server.cluster import Cluster


@dataclass(frozen=True, slots=True)
class BackupFunctions:
    """How a server is told that its files are being copied."""

    versions: VersionSet
    start: str
    stop: str
    """Returns what belongs into the copy's ``backup_label``; none where the server has written that file."""


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
"""Servers whose new slot can keep WAL from now on (https://www.postgresql.org/docs/release/9.6.0/)."""
_STANDBY_SIGNAL = VersionSet(">=12")
"""Servers that read a standby's settings from ``postgresql.conf`` (https://www.postgresql.org/docs/release/12.0/)."""

# What a backup shall not have: https://www.postgresql.org/docs/current/protocol-replication.html, BASE_BACKUP.
# The WAL that the copy needs it gets from the sender, as it does all later one.
_EMPTY_DIRECTORIES = frozenset(
    (
        "pg_dynshmem",
        "pg_notify",
        "pg_replslot",
        "pg_serial",
        "pg_snapshots",
        "pg_stat_tmp",
        "pg_subtrans",
        "pg_tblspc",  # copied apart
        "pg_wal",
        "pg_xlog",
    )
)
_NO_FILES = frozenset(
    (
        "current_logfiles",
        "postmaster.opts",
        "postmaster.pid",
        "recovery.conf",
        "recovery.done",
        "standby.signal",
        "tablespace_map",
    )
)
_NO_NAMES = ("pg_internal.init", "pgsql_tmp")
_CONTROL_FILE = "global/pg_control"
"""Comes last, so that recovery starts from a checkpoint that is not newer than the files."""


def is_standby(cluster: Cluster) -> bool:
    """Whether a server is in recovery: a standby that has been promoted no longer is."""
    return bool(cluster.sql("SELECT pg_is_in_recovery()")[0][0])


def check_can_send(cluster: Cluster) -> None:
    """See that a server has been set up to have standbys.

    Raises:
        ServerError: it has not.
    """
    rows = cluster.sql("SELECT current_setting('wal_level'), current_setting('max_wal_senders')")
    level, senders = rows[0]
    if level == "minimal" or senders == "0":
        raise ServerError(
            f"{cluster.name} can't have a standby: its wal_level is {level}, its max_wal_senders {senders}",
            remedy='ask for a server with settings={"wal_level": "replica"}; before 10 that is not the default',
        )


def back_up(cluster: Cluster, home: Path, account: Account | None) -> Path:
    """Copy a running server's data directory.

    Parameters:
        cluster: not a standby itself: up to 9.5 those have no backup functions.
        home: where to, an existing directory.
        account: who will own the copy; None for us.

    Returns:
        the copy: ``data`` in ``home``.
    """
    functions = next(row for row in BACKUP_FUNCTIONS if cluster.version in row.versions)
    data = home / "data"
    with cluster.connect() as connection:
        connection.execute(functions.start.encode())
        copy_tree(cluster.datadir, data, account, leave_out=_left_out, live=True)
        _copy_tablespaces(cluster.datadir, home, account)
        write_owned(data / _CONTROL_FILE, (cluster.datadir / _CONTROL_FILE).read_bytes(), account)
        row = connection.execute(functions.stop.encode()).fetchone()
    if row is not None and row[0] is not None:
        write_owned(data / "backup_label", row[0].encode(), account)
    return data


def _left_out(path: str) -> bool:
    first, _, rest = path.partition("/")
    name = path.rpartition("/")[2]
    return (
        path == _CONTROL_FILE
        or path in _NO_FILES
        or (first in _EMPTY_DIRECTORIES and rest != "")
        or name.startswith(_NO_NAMES)
    )


def _copy_tablespaces(source: Path, home: Path, account: Account | None) -> None:
    """Copy what ``pg_tblspc`` points to, so that the standby writes to files of its own."""
    for entry in (source / "pg_tblspc").iterdir():
        link = home / "data" / "pg_tblspc" / entry.name
        if not entry.is_symlink():  # a tablespace in place
            copy_tree(entry, link, account, leave_out=_left_out, live=True)
            continue
        target = home / f"tablespace-{entry.name}"
        copy_tree(entry.resolve(), target, account, live=True)
        link.symlink_to(target)


def write_owned(path: Path, content: bytes, account: Account | None) -> None:
    """Write a file that the server may read and rename."""
    path.write_bytes(content)
    path.chmod(0o600)
    if account is not None:
        os.chown(path, account.uid, account.gid)


def slot_name(standby_name: str) -> str:
    """The slot that keeps the WAL a standby has not received yet: its name in the letters that slots may have."""
    return re.sub("[^a-z0-9_]", "_", standby_name.lower())


def make_slot(upstream: Cluster, standby_name: str) -> str | None:
    """Make a slot for a standby, which keeps WAL from now on where the server can do that.

    Returns:
        its name; None on 9.3, which has no slots.
    """
    if upstream.version not in HAS_SLOTS:
        return None
    name = slot_name(standby_name)
    reserve = ", true" if upstream.version in _RESERVES_WAL else ""
    upstream.sql(f"SELECT pg_create_physical_replication_slot(%s{reserve})", [name])
    return name


def follow(standby: Cluster, upstream: Cluster, slot: str | None, account: Account | None) -> None:
    """Write what turns a copied data directory into a standby's
    (https://www.postgresql.org/docs/current/warm-standby.html#STANDBY-SERVER-SETUP).

    12 moved it from ``recovery.conf`` to ``postgresql.conf`` (https://www.postgresql.org/docs/release/12.0/).
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
        write_owned(standby.datadir / "standby.signal", b"", account)
    else:
        values |= {"standby_mode": "on", "recovery_target_timeline": "latest"}
        text = "".join(f"{name} = {quoted(value)}\n" for name, value in values.items())
        write_owned(standby.datadir / "recovery.conf", text.encode(), account)


def wait_until_streaming(standby: Cluster, upstream: Cluster) -> None:
    """Wait until a standby receives what its sender writes."""
    from psycopg import sql

    upstream.poll_query_until(
        f"SELECT count(*) FROM pg_stat_replication"
        f" WHERE application_name = {sql.quote(standby.name)} AND state = 'streaming'",
        1,
    )


def promote(cluster: Cluster, account: Account | None, *, seconds: float = SECONDS) -> None:
    """Have a standby become a primary, as ``pg_ctl promote`` does, and wait until it is one.

    Raises:
        ServerError: it is no standby.
        WaitTimeoutError: it still recovers after the deadline.
    """
    if not is_standby(cluster):
        raise ServerError(f"{cluster.name} is a primary already", remedy="promote a standby")
    write_owned(cluster.datadir / "promote", b"", account)
    cluster.send_signal(signal.SIGUSR1)
    cluster.poll_query_until("SELECT NOT pg_is_in_recovery()", seconds=seconds)


def forget(standby: Cluster, upstream: Cluster) -> None:
    """Drop the slot of a standby that has ended, if its sender still runs."""
    if upstream.running():
        drop_slots(upstream, f"slot_name = '{slot_name(standby.name)}'")  # in letters that need no quoting
