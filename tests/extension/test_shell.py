"""A shell in the live server after a failure, as a person at a terminal uses it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import termios
import time
from pathlib import Path

import pytest
from tests.extension.conftest import PGFEATURES

FAILS = {
    "tiny--1.0.sql": "CREATE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 42';\n",
    "sql/run.sql": "CREATE TABLE left_by_the_test AS SELECT 1;\n",
    "expected/run.out": "other\n",
}
DEADLINE = 120


class Terminal:
    """A program at a terminal."""

    def __init__(self, arguments, **environment):
        self.ours, theirs = pty.openpty()
        variables = {**os.environ, "CI": "", "SHELL": "/bin/sh", "PS1": "", **environment}
        termios.tcsetwinsize(theirs, (50, 200))
        self.program = subprocess.Popen(
            arguments,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=variables,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal
        )
        os.close(theirs)
        self.shown = ""

    def until(self, text):
        """Read until a text appears; return all before it."""
        deadline = time.monotonic() + DEADLINE
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            if select.select([self.ours], [], [], 1)[0]:
                self.shown += self._read()
        before, _, self.shown = self.shown.partition(text)
        return before

    def _read(self):
        try:
            return os.read(self.ours, 1 << 16).decode(errors="replace")
        except OSError:  # all other ends are closed
            pytest.fail(f"it ended: {self.shown}")

    def type(self, line):
        os.write(self.ours, f"{line}\n".encode())

    def answer(self, command):
        """The output of a shell's command. The terminal shows what is typed, so that the mark is put together."""
        self.type(f"{command}; echo =$((1))=")
        return self.until("=1=").replace("\r", "")

    def ended(self):
        self.type("exit 0")
        try:
            while os.read(self.ours, 1 << 16):
                pass
        except OSError:
            pass
        os.close(self.ours)
        return self.program.wait(DEADLINE)


@pytest.fixture
def at_terminal():
    started = []

    def start(*arguments, **environment):
        started.append(Terminal([PGFEATURES, "extension", *map(str, arguments)], **environment))
        return started[-1]

    yield start
    for each in started:
        if each.program.poll() is None:
            each.program.terminate()
            each.program.wait(DEADLINE)
            os.close(each.ours)  # what still runs there is hung up on


@pytest.mark.thorough
def test_a_shell_after_a_failure(gate, at_terminal):
    """In the server of the tests, with what they left, in the copy of the sources; Ctrl-C ends no server."""
    place = gate.write(files=FAILS, makefile="REGRESS = run")
    terminal = at_terminal(place, "--pg", "17", "--stage", "regress", "--shell", "--tcp")
    shown = terminal.until("TCP: host=127.0.0.1 port=")
    assert "/bin/sh in the server of pg17, after regress failed; it ends with the shell" in shown
    assert "psql connects to extension; databases: contrib_regression, extension, postgres" in shown
    assert "1 of 1 tests failed" in shown
    assert "\n42\n" in terminal.answer("psql -Atc 'SELECT answer()'")
    assert "\nleft_by_the_test\n" in terminal.answer(
        "psql -d contrib_regression -Atc \"SELECT relname FROM pg_class WHERE relname = 'left_by_the_test'\""
    )
    assert "\n42\n" in terminal.answer("psql -h 127.0.0.1 -Atc 'SELECT answer()'")
    assert "run.out" in terminal.answer("ls results")
    terminal.type("sh -c 'echo =$((2))=; exec sleep 1000'")
    terminal.until("=2=")
    os.write(terminal.ours, b"\x03")
    assert "\n42\n" in terminal.answer("psql -Atc 'SELECT answer()'")
    assert terminal.ended() == 1


@pytest.mark.thorough
def test_a_shell_where_the_extension_cannot_be_created(gate, at_terminal):
    place = gate.write(files={"tiny--1.0.sql": "SELECT 1/0;\n"})
    terminal = at_terminal(place, "--pg", "17", "--stage", "drop", "--shell")
    shown = terminal.until("databases: extension, postgres")
    assert "/bin/sh in the server of pg17, after create failed" in shown
    assert "CREATE EXTENSION tiny: division by zero" in shown.partition("after create failed")[2]
    assert "tiny.control" in terminal.answer("ls")
    pid = int(terminal.answer("echo =pid=$$").rpartition("=pid=")[2])
    terminal.program.terminate()
    terminal.program.wait(DEADLINE)
    deadline = time.monotonic() + DEADLINE
    while Path(f"/proc/{pid}").exists():  # the shell ends with the run
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.close(terminal.ours)


@pytest.mark.thorough
def test_no_shell_without_a_failure(gate, at_terminal):
    place = gate.write(files={"tiny--1.0.sql": "SELECT 1;\n"})
    terminal = at_terminal(place, "--pg", "17", "--stage", "create", "--shell")
    terminal.until("No shell: nothing failed.")
    assert terminal.ended() == 0


def test_a_shell_that_nobody_could_use(gate, at_terminal):
    """Before anything is built."""
    place = gate.write(files=FAILS)
    printed = gate.run(place, "--shell", status=2)
    assert "--shell needs a terminal, and the standard input isn't one" in printed
    terminal = at_terminal(place, "--shell", CI="true")
    terminal.until("--shell is for a person at a terminal, and the variable CI is set")
    assert terminal.ended() == 2
