"""The account that servers run as when the tests run as root.

PostgreSQL refuses to run as root (https://www.postgresql.org/docs/current/postgres-user.html). So its programs
are started as an unprivileged user, who must be able to reach all files that they read.
"""

from __future__ import annotations

import functools
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from pytest_pgfeatures.errors import StoreError

VARIABLE = "PGFEATURES_SERVER_USER"
DEFAULTS = ("postgres", "nobody")
_CAP_KILL = 5
"""linux/capability.h."""


@dataclass(frozen=True, slots=True)
class Account:
    """An operating system user: its uid, primary gid and all gids."""

    name: str
    uid: int
    gid: int
    groups: tuple[int, ...] = ()

    def may(self, path: Path, mode: int) -> bool:
        """Whether the permission bits of ``path`` grant it ``mode``: 4 read, 2 write, 1 search."""
        facts = path.stat()
        if facts.st_uid == self.uid:
            granted = facts.st_mode >> 6
        elif facts.st_gid == self.gid or facts.st_gid in self.groups:
            granted = facts.st_mode >> 3
        else:
            granted = facts.st_mode
        return granted & mode == mode

    def barrier(self, path: Path) -> Path | None:
        """The first directory on the way to ``path``, itself included, that the account may not search; None if
        there is none.

        Directories that do not exist yet count as searchable.
        """
        for step in (*reversed(path.parents), path):
            if not step.exists():
                return None
            if stat.S_ISDIR(step.stat().st_mode) and not self.may(step, 1):
                return step
        return None


def server_account() -> Account | None:
    """The account that servers run as; None if this process isn't root, as they then run as the current user.

    ``PGFEATURES_SERVER_USER`` names it. By default it is ``postgres`` if that user exists, else ``nobody``.

    Raises:
        StoreError: there is no such user, or it is root.
    """
    if os.geteuid() != 0:
        return None
    return _account(os.environ.get(VARIABLE) or None)


def may_signal_others() -> bool:
    """Whether root may signal the processes of other users: on Linux not without the capability CAP_KILL, which
    containers can take away (https://man7.org/linux/man-pages/man7/capabilities.7.html)."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return True
    effective = [int(line.split()[1], 16) for line in lines if line.startswith("CapEff:")]
    return not effective or bool(effective[0] >> _CAP_KILL & 1)


@functools.cache
def _account(named: str | None) -> Account:
    import pwd

    for name in (named,) if named else DEFAULTS:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        if found.pw_uid == 0:
            raise StoreError(
                f"{VARIABLE}={name} is root, which PostgreSQL refuses to run as",
                remedy=f"set {VARIABLE} to an unprivileged user",
            )
        groups = tuple(os.getgrouplist(name, found.pw_gid))
        return Account(name=name, uid=found.pw_uid, gid=found.pw_gid, groups=groups)
    if named:
        problem = f"there is no user {named!r} ({VARIABLE}) to run servers as"
    else:
        problem = (
            f"running as root, and there is none of the users {' and '.join(DEFAULTS)} to run servers as"
        )
    raise StoreError(problem, remedy=f"set {VARIABLE} to an existing unprivileged user, or don't run as root")
