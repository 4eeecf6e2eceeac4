"""Copy the files of a running server for a standby, between pg_backup_start and pg_backup_stop.

Only the supervisor's children use this module, as the user who runs the servers. It imports nothing of the
package.
"""

from __future__ import annotations

import os

from copying import change_files, copy_tree  # type: ignore[import-not-found]  # beside this file

TYPE_CHECKING = False  # as in typing, which the supervisor has no time to import
if TYPE_CHECKING:
    from collections.abc import Mapping

# The files that a backup must not contain: https://www.postgresql.org/docs/current/protocol-replication.html,
# BASE_BACKUP. The copy streams its WAL from the sender, including the WAL that makes it consistent.
_EMPTY_DIRECTORIES = frozenset(
    (
        "pg_dynshmem",
        "pg_notify",
        "pg_replslot",
        "pg_serial",
        "pg_snapshots",
        "pg_stat_tmp",
        "pg_subtrans",
        "pg_tblspc",  # copied separately
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
"""Copied last, so that recovery starts from a checkpoint that is not newer than the files."""


def back_up(
    source: str, target: str, appended: Mapping[str, str], written: Mapping[str, str], tablespaces: str
) -> None:
    """Copy a running server's data directory, and change some of the copy's files.

    Parameters:
        source: the data directory.
        target: an empty directory.
        appended: text to append to files of the copy, by their names.
        written: the contents of other files.
        tablespaces: an empty directory for copies of tablespaces outside the data directory, so that the
            standby has its own files.

    Raises:
        OSError: the file system refused; the files copied so far remain.
    """
    copy_tree(source, target, leave_out=_left_out, live=True)
    with os.scandir(f"{source}/pg_tblspc") as entries:
        for entry in entries:
            link = f"{target}/pg_tblspc/{entry.name}"
            if entry.is_symlink():
                copy_tree(os.path.realpath(entry.path), f"{tablespaces}/{entry.name}", live=True)
                os.symlink(f"{tablespaces}/{entry.name}", link)
            else:  # a tablespace in place
                copy_tree(entry.path, link, leave_out=_left_out, live=True)
    with open(f"{source}/{_CONTROL_FILE}", "rb") as control:
        content = control.read()
    with open(f"{target}/{_CONTROL_FILE}", "xb") as control:
        control.write(content)
    change_files(target, appended, written)


def _left_out(path: str) -> bool:
    first, _, rest = path.partition("/")
    name = path.rpartition("/")[2]
    return (
        path == _CONTROL_FILE
        or path in _NO_FILES
        or (first in _EMPTY_DIRECTORIES and rest != "")
        or name.startswith(_NO_NAMES)
    )
