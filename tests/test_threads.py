"""The main thread waits for its threads, and a signal still reaches it."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.server.waiting import wait_until
from pytest_pgfeatures.threads import first_completed, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 60.0


class SignalArrivedError(Exception):
    """Raised by the handler."""


@pytest.fixture
def unwoken() -> Iterator[None]:
    """SIGUSR1 raises, but does not wake the main thread, as if it arrived just before that thread blocks: it is
    masked there, so that another thread receives it."""

    def handle(*_: object) -> None:
        raise SignalArrivedError

    before = signal.signal(signal.SIGUSR1, handle)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    yield
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
    signal.signal(signal.SIGUSR1, before)


def main_thread_waits() -> bool:
    """Whether the main thread waits for a lock, and not only for the interpreter."""
    of_main = Path(f"/proc/self/task/{threading.main_thread().native_id}/stat")
    return all(of_main.read_text().rpartition(")")[2].split()[0] == "S" for _ in range(100))


@pytest.mark.usefixtures("unwoken")
def test_a_signal_that_does_not_wake_the_main_thread_still_ends_the_wait() -> None:
    arrived = threading.Event()
    in_time = []

    def work(_: int) -> None:
        wait_until(main_thread_waits, "the main thread to wait", timeout=SECONDS)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        in_time.append(arrived.wait(SECONDS))

    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()  # the thread is there: the signal can't come while it is being started
        with pytest.raises(SignalArrivedError):
            next(in_order(pool, work, [1]))
        arrived.set()
    assert in_time == [True]


def test_answers_come_in_the_order_of_the_items() -> None:
    first_is_last = threading.Event()

    def work(number: int) -> int:
        if number == 1:
            assert first_is_last.wait(SECONDS)
        else:
            first_is_last.set()
        return number * 10

    with ThreadPoolExecutor(2) as pool:
        assert list(in_order(pool, work, [1, 2])) == [10, 20]


def test_calls_that_have_not_begun_are_cancelled() -> None:
    begun = []
    go_on = threading.Event()

    def work(number: int) -> None:
        begun.append(number)
        if number == 2:
            assert go_on.wait(SECONDS)

    with ThreadPoolExecutor(1) as pool:
        answers = in_order(pool, work, [1, 2, 3])
        next(answers)
        answers.close()
        go_on.set()
    assert begun in ([1], [1, 2])


def test_what_is_completed_first() -> None:
    ended = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        slow, fast = pool.submit(ended.wait, SECONDS), pool.submit(int)
        assert first_completed([slow, fast]) == {fast}
        ended.set()
        assert first_completed([slow]) == {slow}
