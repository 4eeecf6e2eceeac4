"""Waits for work in threads so that no signal is missed.

Python runs a signal's handler in the main thread, between two instructions. If the signal arrives just before that
thread blocks, the handler runs only when the wait is over, so that Ctrl-C seems to do nothing. The main thread
therefore waits for a moment only, again and again.

:mod:`concurrent.futures` and :mod:`threading` are written in Python, so the exception of a handler may come between
the taking of a lock and the block that releases it. The threads that need the lock would then wait for ever, and
so would the end of the process. So signals that arrive while a pool takes work, or is waited for, are handled
afterwards.
"""

from __future__ import annotations

import contextlib
import signal
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from threading import RLock, current_thread, main_thread
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from concurrent.futures import Future
    from typing import Any, Self

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Given = ParamSpec("Given")

_MOMENT = 0.1
"""Seconds."""
_SIGNALS: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """In the main thread, handle signals after the block."""
    if current_thread() is not main_thread():
        yield
        return
    arrived: list[int] = []
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, lambda number, _frame: arrived.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        for number in arrived:
            signal.raise_signal(number)


class Pool(ThreadPoolExecutor):
    """A pool of threads that a signal can't block."""

    def submit(
        self, function: Callable[Given, Answer], /, *arguments: Given.args, **named: Given.kwargs
    ) -> Future[Answer]:
        """Have a thread call a function."""
        with _signals_wait():
            return super().submit(function, *arguments, **named)


def first_completed(futures: Collection[Future[Answer]]) -> set[Future[Answer]]:
    """Wait until some of the futures are done, and return those."""
    done: set[Future[Answer]] = set()
    while not done:
        with _signals_wait():
            done = wait(futures, _MOMENT, FIRST_COMPLETED).done
    return done


@contextlib.contextmanager
def pool(threads: int, close: Callable[[], object]) -> Iterator[Pool]:
    """A pool of threads for the block. An error in the block, such as KeyboardInterrupt, ends their work.

    Parameters:
        threads: at most this many at the same time.
        close: ends what the threads wait for, such as all servers.
    """
    executor = Pool(threads)
    try:
        yield executor
    except BaseException:
        close()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def in_order(pool: Pool, function: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
    """Call a function in a pool for each item, as :meth:`concurrent.futures.Executor.map` does.

    If the iteration ends early, the calls that have not begun are cancelled.

    Yields:
        what the function returned, in the order of the items.
    """
    futures = [pool.submit(function, item) for item in items]
    try:
        for future in futures:
            first_completed([future])
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


class once(Generic[Answer]):  # noqa: N801 (a decorator)
    """A property that is computed on first use, once for each object, however many threads ask for it.

    :class:`functools.cached_property` locks all objects, or none from Python 3.12 on.
    """

    def __init__(self, compute: Callable[[Any], Answer]) -> None:
        self._compute = compute
        self._locks = RLock()
        self.__doc__ = compute.__doc__

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Answer: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Answer:
        if instance is None:
            return self
        known = instance.__dict__
        with self._locks:
            lock = known.setdefault(f"lock of {self._name}", RLock())
        with lock:
            if self._name not in known:
                known[self._name] = self._compute(instance)
            answer: Answer = known[self._name]
            return answer
