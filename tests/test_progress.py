"""Bars on a terminal, and nothing where there is none."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

SHOWS = """
import sys, time
from pytest_pgfeatures.progress import work_bar
with work_bar() as told:
    told("behaviors", 1, 4)
    print("a message", file=sys.stderr)
    told("behaviors", 2, 4)
"""


def test_a_terminal_shows_how_much_is_done_and_what_is_left() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", SHOWS], stderr=theirs, env={**os.environ, "TERM": "xterm"}):
        os.close(theirs)
        shown = b""
        try:
            while read := os.read(ours, 4096):
                shown += read
        except OSError:  # the other side is closed
            pass
    os.close(ours)
    assert b"behaviors" in shown
    assert b"2/4" in shown
    assert b"left" in shown
    assert b"a message\r\n" in shown


def test_what_is_no_terminal_gets_no_bar() -> None:
    ended = subprocess.run([sys.executable, "-c", SHOWS], capture_output=True, text=True, check=True)
    assert ended.stderr == "a message\n"
