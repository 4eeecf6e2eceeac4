"""Several processes that run checks in parallel, each in its own namespaces.

A lane reads requests from its standard input and writes results to its standard output, as lines of JSON.

    {"check": "kill: session", "attempts": 10}  ->  {"failures": [...], "missing": ""}
"""

from __future__ import annotations

import gc
import json
import os
import queue
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from torture import namespaces

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.model import Check

LANE = "--lane"


@dataclass(slots=True)
class Tally:
    """The results of a check so far.

    Parameters:
        name: the check's name.
        attempts: the number of attempts.
        failures: a line for each failed attempt.
        missing: the reason why the check could not run; empty if it could.
        seconds: the total time of all lanes.
    """

    name: str
    attempts: int = 0
    failures: list[str] = field(default_factory=list)
    missing: str = ""
    seconds: float = 0.0


def run_in_lanes(
    checks: dict[str, int], units: dict[str, int], lanes: int, tell: Callable[[Tally], object]
) -> list[Tally]:
    """Run checks and return the results of each. SIGINT (Ctrl-C) ends it with the results so far.

    Parameters:
        checks: the number of attempts of each check.
        units: the number of attempts of each check that belong together.
        lanes: the number of processes.
        tell: receives each tally that changes.
    """
    tallies = {name: Tally(name) for name in checks}
    work: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
    for name, attempts in _in_turns(checks, units):
        work.put((name, attempts))
    telling = threading.Lock()
    interrupted = threading.Event()

    def serve() -> None:
        lane = _Lane()
        while True:
            try:
                name, attempts = work.get_nowait()
            except queue.Empty:
                lane.close()
                return
            begun = time.monotonic()
            answer = lane.ask(name, attempts)
            if interrupted.is_set():
                return
            if answer is None:
                lane = _Lane()
                answer = {"failures": [f"the lane ended while it made {attempts} attempts"], "missing": ""}
            with telling:
                tally = tallies[name]
                tally.seconds += time.monotonic() - begun
                tally.missing = answer["missing"]
                tally.attempts += 0 if tally.missing else attempts
                tally.failures += answer["failures"]
                tell(tally)

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(lanes)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        interrupted.set()
    return list(tallies.values())


def _in_turns(checks: dict[str, int], units: dict[str, int]) -> list[tuple[str, int]]:
    """Return each check's attempts in units, all first units first, so that slow checks don't come last."""
    turns: list[list[tuple[str, int]]] = []
    for name, attempts in checks.items():
        for turn, begin in enumerate(range(0, attempts, units[name])):
            if turn == len(turns):
                turns.append([])
            turns[turn].append((name, min(units[name], attempts - begin)))
    return [unit for turn in turns for unit in turn]


class _Lane:
    """A process that runs checks."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [*namespaces.prefix(), sys.executable, "-m", "torture", LANE],
            env=namespaces.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, name: str, attempts: int) -> dict[str, Any] | None:
        """Make this many attempts and return the results; None if the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"check": name, "attempts": attempts}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def serve(checks: dict[str, Check]) -> None:
    """Run as a lane."""
    gc.freeze()  # keeps forked processes from copying this memory
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # the checks' own output
    for line in sys.stdin:
        asked = json.loads(line)
        check = checks[asked["check"]]
        missing = check.missing()
        failures: list[str] = []
        if not missing:
            try:
                failures = check.measure(asked["attempts"]).failures
            except Exception:
                failures = [traceback.format_exc()]
        try:
            print(json.dumps({"failures": failures, "missing": missing}), file=answers, flush=True)
        except BrokenPipeError:
            os._exit(1)  # no process reads the results any more
