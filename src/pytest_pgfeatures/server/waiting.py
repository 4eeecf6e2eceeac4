"""Waiting for a condition, with a deadline."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, TypeVar

from pytest_pgfeatures.errors import WaitTimeoutError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

SECONDS = 180.0
"""The default deadline, the same as in PostgreSQL's own test framework."""


def wait_until(
    condition: Callable[[], T | None],
    what: str,
    *,
    timeout: float = SECONDS,
    interval: float = 0.002,
    details: Callable[[], tuple[str, ...]] = tuple,
) -> T:
    """Call ``condition`` until it returns a true value, and return that value.

    Parameters:
        condition: the function to call.
        what: a description of the condition, for the error.
        timeout: the deadline, in seconds from now.
        interval: seconds between the first calls. Later, it is a twentieth of the time waited so far, but at most a
            tenth of a second. So the wait ends at most that much too late.
        details: a function that returns details for the error; it is called when the error is raised.

    Raises:
        WaitTimeoutError: the deadline passed.
    """
    begun = time.monotonic()
    while not (result := condition()):
        waited = time.monotonic() - begun
        if waited >= timeout:
            raise WaitTimeoutError(
                f"waited {timeout:g} seconds in vain: {what}",
                details=details(),
                remedy="see the server's log; if the machine is only slow, wait longer with timeout=",
            )
        time.sleep(min(max(interval, waited / 20), 0.1, timeout - waited))
    return result


def exists(process: int) -> bool:
    """Return whether there is a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
