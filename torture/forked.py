"""Thousands of pytest runs, forked from a process that has already imported all modules.

They are real runs of pytest, each in its own session, with this plugin and pytest-xdist and no other plugin.
Forking only saves the half second that each run would take to import the same modules again.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from typing import TYPE_CHECKING

import psycopg  # noqa: F401
import pytest
import xdist.plugin
import xdist.workermanage  # noqa: F401

import pytest_pgfeatures.plugin  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def pytest_run(*arguments: str) -> int:
    """Run pytest in this process, and return its exit status."""
    plugins = ("-p", "xdist", "-p", "pytest_pgfeatures.plugin", "-p", "no:warnings")
    return int(pytest.main(["-q", "--rootdir=.", "--import-mode=importlib", *plugins, *arguments]))


class Forked:
    """A forked process, similar to a :class:`subprocess.Popen`.

    Parameters:
        run: the function that it runs; returns its exit status.
        where: its working directory.
        environment: its environment variables.
        output: a file for its output.

    Attributes:
        pid: its process id, and that of its session.
    """

    def __init__(
        self, run: Callable[[], int], where: Path, environment: dict[str, str], output: Path
    ) -> None:
        self._status: int | None = None
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self._become(where, environment, output)
                status = run()
            except BaseException:
                traceback.print_exc()
                status = 70
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)

    @staticmethod
    def _become(where: Path, environment: dict[str, str], output: Path) -> None:
        os.setsid()
        os.chdir(where)
        os.environ.clear()
        os.environ.update(environment)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        printed = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nothing, 0), (printed, 1), (printed, 2)):
            os.dup2(source, target)
        os.closerange(3, 256)

    def poll(self) -> int | None:
        """Return its exit status, negative if a signal ended it; None while it runs."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def wait(self, timeout: float = 180.0) -> int:
        """Wait for its end, and return its exit status.

        Raises:
            TimeoutError: it was still running after ``timeout`` seconds; it has been killed.
        """
        deadline = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() >= deadline:
                self.kill()
                self.wait()
                raise TimeoutError(f"it hangs: not at its end after {timeout:g} s")
            time.sleep(0.005)
        return status

    def kill(self) -> None:
        """Send SIGKILL if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
