"""Namespaces of our own, where the machine allows them (Linux): what is left there is ours for certain.

In an IPC namespace of its own a process sees no System V segments but those of its descendants; with a mount
namespace, ``/dev/shm`` is an empty directory in memory that goes with it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

_INSIDE = "TORTURE_NAMESPACES"
_MOUNT = 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm && exec "$@"'


def enter() -> None:
    """Start this Python program anew in namespaces of its own; returns in there, or where there are none."""
    if is_inside() or (unshare := _unshare()) is None:
        return
    os.environ[_INSIDE] = "1"
    arguments = [*unshare, "sh", "-c", _MOUNT, "sh", sys.executable, *sys.orig_argv[1:]]
    os.execvp(arguments[0], arguments)


def is_inside() -> bool:
    """Whether we are in namespaces of our own."""
    return _INSIDE in os.environ


def _unshare() -> list[str] | None:
    """The command that makes namespaces, None where it may not."""
    if shutil.which("unshare") is None:
        return None
    command = ["unshare", "--ipc", "--mount"]
    if os.geteuid() != 0:
        command.append("--map-root-user")
    tried = subprocess.run([*command, "sh", "-c", _MOUNT, "sh", "true"], capture_output=True, check=False)
    return command if tried.returncode == 0 else None
