"""The process of the command: its signals, its standard streams, and its exit status."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING

from pytest_pgfeatures.cli.streams import open_streams

if TYPE_CHECKING:
    from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_MOMENT = 0.01  # seconds


class _Interrupts:
    """Converts each signal to KeyboardInterrupt, and remembers the first one. The exit status depends on the
    signal, not on the exception's path: pytest and other libraries convert the exception to statuses and
    errors of their own. Where Python can't let an exception through (in a destructor, in a weak reference's
    callback), it would print the exception and go on: the signal is then raised again a moment later.
    """

    first: int | None = None

    def __enter__(self) -> _Interrupts:
        sys.unraisablehook = self._ignored
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # set by nohup, or by a shell's "&"
                signal.signal(number, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # the work is done, and the status known

    def _interrupt(self, number: int, _frame: FrameType | None) -> None:
        if self.first is None:
            self.first = number
        raise KeyboardInterrupt

    def _ignored(self, ignored: sys.UnraisableHookArgs) -> None:
        if self.first is not None and issubclass(ignored.exc_type, KeyboardInterrupt):
            again = (threading.main_thread().ident, self.first)
            threading.Timer(_MOMENT, signal.pthread_kill, again).start()
        else:
            sys.__unraisablehook__(ignored)


def run() -> int:
    """Run the command with the process's arguments, and return the exit status."""
    failure = open_streams()
    with _Interrupts() as interrupts:
        try:
            status = _verb()
        except KeyboardInterrupt:  # before or after the verb
            status = 0
    if reason := failure():
        message = f"can't write to standard output: {reason}; the rest of it is lost"
        print(f"pgfeatures: {message}", file=sys.stderr)
        status = 2
    return status if interrupts.first is None else 128 + interrupts.first


def _verb() -> int:
    from pytest_pgfeatures.cli.main import pgfeatures

    try:
        pgfeatures()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0
