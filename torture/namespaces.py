"""Private namespaces, if the machine allows them (Linux): anything left in them is certainly ours.

In a private IPC namespace, a process sees only System V segments of its descendants. In a private mount namespace,
``/dev/shm`` is an empty in-memory directory that disappears with the namespace. In a private PID namespace there
are no other processes, and all end with the first one. In a private network namespace every port is free.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys

_INSIDE = "TORTURE_NAMESPACES"
_SIOCSIFFLAGS = 0x8914
_LOOPBACK = (
    f"import fcntl, socket, struct; "
    f"fcntl.ioctl(socket.socket(), {_SIOCSIFFLAGS}, struct.pack('16sh22x', b'lo', 1))"
)
"""Brings up the loopback interface, which is down in a new network namespace."""
_SCRIPT = 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm && "$1" -I -c "$2" && shift 2 && "$@"'
_AS_BEFORE = ("setpriv", "--ambient-caps=-all", "--inh-caps=-all")
"""Drops the capabilities that a user other than root needs to create the namespaces."""


@functools.cache
def prefix() -> tuple[str, ...]:
    """Return the prefix that makes a command run in private namespaces; empty if there are none."""
    if shutil.which("unshare") is None or shutil.which("setpriv") is None:
        return ()
    command = ["unshare", "--ipc", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    script = ["sh", "-c", _SCRIPT, "sh", sys.executable, _LOOPBACK]
    if os.geteuid() != 0:
        command += ["--user", "--map-current-user", "--keep-caps"]
        script += _AS_BEFORE
    tried = subprocess.run([*command, *script, "true"], capture_output=True, check=False)
    return (*command, *script) if tried.returncode == 0 else ()


def environment() -> dict[str, str]:
    """Return the environment of a command in private namespaces."""
    return os.environ | ({_INSIDE: "1"} if prefix() else {})


def is_inside() -> bool:
    """Whether this process is in private namespaces."""
    return _INSIDE in os.environ


def missing() -> str:
    """Return the reason why private namespaces are unavailable; empty if they are available."""
    return "" if is_inside() else "this machine doesn't let this user create namespaces (unshare)"


def missing_mounts() -> str:
    """Return the reason why no file system can be mounted; empty if one can."""
    return missing() or ("" if os.geteuid() == 0 else "only root may mount a file system")
