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
"""Takes the loopback interface up, which in a new network namespace is down."""
_SCRIPT = 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm && "$1" -I -c "$2" && shift 2 && "$@"'
_AS_BEFORE = ("setpriv", "--ambient-caps=-all", "--inh-caps=-all")
"""Without the capabilities that another user than root needs to make the namespaces."""


@functools.cache
def prefix() -> tuple[str, ...]:
    """The prefix that makes a command run in private namespaces; empty if there are none."""
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
    """The environment of a command in private namespaces."""
    return os.environ | ({_INSIDE: "1"} if prefix() else {})


def is_inside() -> bool:
    """Whether this process is in private namespaces."""
    return _INSIDE in os.environ


def missing() -> str:
    """Why private namespaces are unavailable; empty if they are available."""
    return "" if is_inside() else "this machine gives this user no namespaces of its own (unshare)"


def missing_mounts() -> str:
    """Why no file system can be mounted; empty if it can."""
    return missing() or ("" if os.geteuid() == 0 else "only root may mount a file system")
