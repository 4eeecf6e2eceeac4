"""Notice when a shared server crashes or ends, and wait for its recovery.

When a server process is terminated by a signal, the postmaster terminates all other server processes and starts
recovery. Until that is complete, it refuses connections. When the postmaster itself ends, the server has ended.
https://www.postgresql.org/docs/current/runtime-config-error-handling.html, the setting ``restart_after_crash``
"""

from __future__ import annotations

import contextlib
import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import WaitTimeoutError
from pytest_pgfeatures.server import linux
from pytest_pgfeatures.server.waiting import SECONDS, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server.cluster import Cluster

_CAUSE = re.compile(r"LOG:  (.* \(PID \d+\) (?:was terminated by|exited with) .*)")
_WORKER_S_END = re.compile(r'LOG:  (?:background worker "|worker process: ).* exited with exit code [01]$')
"""Background workers' ends that are no crash, as of an apply worker whose subscription is dropped
(https://www.postgresql.org/docs/current/bgworker.html)."""
_KILLED = f"was terminated by signal {signal.SIGKILL:d}:"
_CRASH = "LOG:  terminating any other active server processes"
_READY = "LOG:  database system is ready to accept"
_SECONDS_FOR_LOG = 2.0
"""Time for a killed process to end, and for its postmaster to log that."""


@dataclass(frozen=True, slots=True)
class Incident:
    """A server's crash or end.

    Parameters:
        text: a sentence for a report.
        lost: whether the server can't be used any more.
    """

    text: str
    lost: bool


class Watch:
    """Looks for incidents in servers' logs, and remembers the position up to which it has read each log."""

    def __init__(self) -> None:
        self._seen: dict[Cluster, int] = {}

    def look(self, cluster: Cluster, *, timeout: float = SECONDS) -> Incident | None:
        """Return a server's crash or end since the last look; None if there was none.

        Parameters:
            cluster: a server that was started and not stopped.
            timeout: how long to wait for recovery after a crash, in seconds.
        """
        since = self._seen.get(cluster, 0)
        name = f"{cluster.name} (PostgreSQL {cluster.version})"
        _wait_for_the_dying(cluster, since)
        if (status := cluster.exit_status()) is not None:
            return Incident(f"{name} has ended: {_ended(status)}", lost=True)
        cause = crash(cluster, since)
        recovered = cause is None or wait_for_recovery(cluster, since, timeout=timeout)
        _, self._seen[cluster] = cluster.log.lines(since)
        if cause is None:
            return None
        if recovered:
            return Incident(f"{name} has crashed and recovered: {cause}", lost=False)
        if (status := cluster.exit_status()) is not None:
            return Incident(f"{name} has crashed: {cause}; {_ended(status)}", lost=True)
        return Incident(f"{name} has crashed, and not recovered for {timeout:g} seconds: {cause}", lost=True)


def crash(cluster: Cluster, since: int) -> str | None:
    """The cause of a server's crash, as its log has it; None if the server has not crashed.

    Parameters:
        since: a position in its log.
    """
    lines, _ = cluster.log.lines(since)
    if any(map(_cause, lines)) and not any(_CRASH in line for line in lines):
        # The next line shows whether this is a crash: the server can do without some processes.
        _wait_a_little(lambda: any(_CRASH in line for line in cluster.log.lines(since)[0]))
        lines, _ = cluster.log.lines(since)
    cause = None
    for line in lines:
        if ended := _cause(line):
            cause = ended
        elif _CRASH in line:
            return cause or "see its log"
    return None


def wait_for_recovery(cluster: Cluster, since: int, *, timeout: float = SECONDS) -> bool:
    """Wait until a crashed server is ready again. Return whether it is.

    Parameters:
        since: a position in its log, before the crash.
        timeout: the deadline, in seconds.
    """

    def ready() -> bool:
        lines, _ = cluster.log.lines(since)
        last = max((number for number, line in enumerate(lines) if _CRASH in line), default=len(lines))
        return any(_READY in line for line in lines[last:])

    try:
        wait_until(lambda: ready() or cluster.exit_status() is not None, "the recovery", timeout=timeout)
    except WaitTimeoutError:
        return False
    return ready()


def was_killed(cluster: Cluster) -> bool:
    """Whether a new server did not start because its postmaster or one of its processes was sent SIGKILL."""
    return cluster.exit_status() == -signal.SIGKILL or _KILLED in cluster.log.text()


def recovers(cluster: Cluster, since: int) -> bool:
    """Wait for the recovery of a server that has just refused or broken a connection.

    Return whether the server had crashed and is ready again.

    Parameters:
        since: a position in its log, before the crash.
    """
    _wait_for_cause(cluster, since)
    return crash(cluster, since) is not None and wait_for_recovery(cluster, since)


def _cause(line: str) -> str | None:
    """The end of a server process that may be a crash, as a line of the log has it."""
    match = _CAUSE.search(line)
    return match[1] if match and not _WORKER_S_END.search(line) else None


def _wait_for_cause(cluster: Cluster, since: int) -> None:
    """Wait until the postmaster has logged that one of its processes was killed."""

    def noticed() -> bool:
        return any(map(_cause, cluster.log.lines(since)[0])) or cluster.exit_status() is not None

    _wait_a_little(noticed)


def _wait_for_the_dying(cluster: Cluster, since: int) -> None:
    """Wait until the server processes that a signal kills have ended, and their parents have noticed and logged it.

    The sender of the signal, or the client, goes on before that. Until then the server accepts connections, and
    breaks them a moment later.
    """
    if cluster.pid is None:
        return
    if linux.is_killed(cluster.pid) or linux.is_gone(cluster.pid):
        with contextlib.suppress(WaitTimeoutError):
            wait_until(lambda: cluster.exit_status() is not None, f"the end of {cluster.name}")
    elif any(map(linux.is_killed, linux.children(cluster.pid))):
        _wait_for_cause(cluster, since)
    else:  # the postmaster may have noticed, and not have logged yet
        postmaster = cluster.pid
        _wait_a_little(lambda: linux.waits(postmaster))


def _wait_a_little(condition: Callable[[], object]) -> None:
    """Wait a short time for a condition that may never become true."""
    with contextlib.suppress(WaitTimeoutError):
        wait_until(condition, "the server's log", timeout=_SECONDS_FOR_LOG)


def _ended(status: int) -> str:
    if status >= 0:
        return f"its postmaster ended with status {status}"
    return f"its postmaster was terminated by signal {-status} ({signal.Signals(-status).name})"
