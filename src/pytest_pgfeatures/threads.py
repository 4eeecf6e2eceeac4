"""Waits for work in threads so that no signal is missed.

Python runs a signal's handler in the main thread, between two instructions. If the signal arrives just before that
thread blocks, the handler runs only when the wait is over, so that Ctrl-C seems to do nothing. The main thread
therefore waits for a moment only, again and again.
"""

from __future__ import annotations

import contextlib
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from concurrent.futures import Executor, Future

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_MOMENT = 0.2
"""Seconds."""


def first_completed(futures: Collection[Future[Answer]]) -> set[Future[Answer]]:
    """Wait until some of the futures are done, and return those."""
    while not (done := wait(futures, _MOMENT, FIRST_COMPLETED).done):
        pass
    return done


@contextlib.contextmanager
def pool(threads: int, close: Callable[[], object]) -> Iterator[Executor]:
    """A pool of threads for the block. An error in the block, such as KeyboardInterrupt, ends their work.

    Parameters:
        threads: at most this many at the same time.
        close: ends what the threads wait for, such as all servers.
    """
    made = ThreadPoolExecutor(threads)
    try:
        yield made
    except BaseException:
        close()
        raise
    finally:
        made.shutdown(cancel_futures=True)


def in_order(pool: Executor, function: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
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
