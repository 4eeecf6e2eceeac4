"""The command's exit after a signal, and if its output or its files can't be written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.server.removal import MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from _pytest.mark import ParameterSet

PGFEATURES = Path(sys.executable).with_name("pgfeatures")
FULL = Path("/dev/full")
NO_ROOM = "No space left on device"
PRINTING = (
    ["--help"],
    ["show"],
    ["show", "16/any-value"],
    ["delta", "15", "16"],
    ["delta", "15", "16", "--json", "-"],
    ["list"],
    ["list", "--json", "-"],
    ["matrix", "--pg", "16"],
    ["measure", "--list"],
    ["bisect", "--pg", "15,16", "SELECT 'é'"],
    ["run", "--pg", "16", "-j", "2", "--", "echo", "é"],
    ["verify", "--pg", "16", "-k", "16/any-value"],
)
FOR_ALL = ("show", "run", "verify")
"""The verbs that stand for all where one module serves all: the others are run by ``make test-all``."""
ASCII = (
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
)


def each(verbs: Iterable[Sequence[str]]) -> list[ParameterSet]:
    """The parameters of a test that runs each verb."""
    return [
        pytest.param(verb, id=" ".join(verb), marks=() if verb[0] in FOR_ALL else pytest.mark.thorough)
        for verb in verbs
    ]


def pgfeatures(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    """Run the command. The standard error, and unless it is given, the standard output are read."""
    return subprocess.run(
        [PGFEATURES, *map(str, arguments)],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", **options},
        check=False,
    )


@pytest.fixture
def application(tmp_path):
    """The arguments of a readiness that finds something."""
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a int) WITH OIDS;\n")
    return ["readiness", "--from", "10", "--to", "16", "--schema", str(tmp_path / "a.sql")]


def assert_told(ended: subprocess.CompletedProcess[str], *lines: str) -> None:
    """It ended with status 2 and a line for each of these, and without a traceback."""
    assert ended.returncode == 2, ended
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
    for line in lines:
        assert line in ended.stderr, ended.stderr


# --- the standard output --------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", each(PRINTING))
def test_a_full_disk_under_the_output_is_told(arguments):
    with FULL.open("w") as full:
        ended = pgfeatures(*arguments, stdout=full)
    assert_told(ended, f"pgfeatures: can't write to standard output: {NO_ROOM}")


@pytest.mark.parametrize("arguments", each(PRINTING))
def test_a_reader_that_has_gone_is_told(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = pgfeatures(*arguments, stdout=writing)
    finally:
        os.close(writing)
    assert_told(ended, "pgfeatures: can't write to standard output: Broken pipe")


def test_a_closed_output_is_told_and_no_file_takes_its_number():
    look = "import os, sys; print(os.readlink('/proc/self/fd/1'), file=sys.stderr)"
    ended = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", PGFEATURES, "run", "--pg", "16", "--", sys.executable, "-c", look],
        capture_output=True,
        text=True,
        check=False,
    )
    assert_told(ended, "can't write to standard output: Bad file descriptor", "/dev/null")


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", each(PRINTING[1:]))
def test_in_an_ascii_locale_nothing_is_lost(arguments):
    usual = pgfeatures(*arguments)
    for environment in ASCII:
        ended = pgfeatures(*arguments, env=os.environ | environment)
        assert ended.returncode == usual.returncode in (0, 1), ended.stderr
        if (
            "--json" in arguments
        ):  # the report, which rich draws as the encoding can, is on the standard error
            assert json.loads(ended.stdout) == json.loads(usual.stdout)
            continue
        assert ended.stderr == usual.stderr
        if "SELECT 'é'" in arguments:
            assert "\\xe9" in ended.stdout


@pytest.mark.parametrize("environment", ASCII, ids=["of the streams", "of all"])
def test_sql_on_standard_input_is_utf8_in_any_locale(environment):
    ended = pgfeatures("needs", "--pg", "15,16", "-", input="SELECT 'é€'", env=os.environ | environment)
    assert ended.returncode == 0, ended.stderr
    broken = subprocess.run([PGFEATURES, "needs", "-"], input=b"\xff", capture_output=True, check=False)
    assert broken.returncode == 2
    assert b"standard input is no text in UTF-8 (byte 0)" in broken.stderr


def test_a_full_disk_under_the_errors_changes_no_status():
    with FULL.open("w") as full:
        assert pgfeatures("run", "--pg", "16", "--", "true", stderr=full).returncode == 0
        assert pgfeatures("run", "--pg", "16", "--", "false", stderr=full).returncode == 1


# --- files ----------------------------------------------------------------------------------------------------


def test_readiness_writes_what_it_can_and_tells_the_rest(application, tmp_path):
    with FULL.open("w") as full:
        ended = pgfeatures(
            *application,
            *("--json", "/dev/full", "--junit", tmp_path / "j.xml", "--sarif", "/dev/full"),
            *("--html", tmp_path / "p.html"),
            stdout=full,
        )
    assert_told(ended, f"can't write /dev/full: {NO_ROOM}", f"can't write to standard output: {NO_ROOM}")
    assert ended.stderr.count("can't write /dev/full") == 2
    assert (tmp_path / "j.xml").read_text().endswith("</testsuites>")
    assert (tmp_path / "p.html").read_text().rstrip().endswith("</html>")
    shown = pgfeatures(*application, "--json", "/dev/full", "--html", "/dev/full")
    assert_told(shown, "can't write /dev/full")
    assert "WITH OIDS" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["verify", "--pg", "16", "-k", "16/any-value"], ["--json", "--html"]),
        (["run", "--pg", "16"], ["--json", "--junit"]),
        (["measure", "-k", "16/freeze-wal", "--pg", "18"], ["--json", "--html", "--benchmark-json"]),
        (["extension", "citext", "--pg", "16", "--stage", "create"], ["--json", "--junit", "--html"]),
        (["delta", "15", "16"], ["--json", "--html"]),
        (["delta", "15", "16", "--verify", "--area", "jsonb"], ["--html"]),
    ],
    ids=lambda value: " ".join(value[:1]),
)
def test_each_file_that_is_not_written_is_told(arguments, options, tmp_path):
    whole = tmp_path / "whole"
    for chosen in options:
        files = [
            text
            for each in options
            for text in (each, "/dev/full" if each == chosen else f"{whole}{each}.json")
        ]
        ended = pgfeatures(*arguments, *files, *(("--", "true") if arguments[0] == "run" else ()))
        assert_told(ended, f"pgfeatures: can't write /dev/full: {NO_ROOM}", "what to do: make room")
        assert ended.stdout, "the results are shown all the same"
        for other in set(options) - {chosen}:
            assert Path(f"{whole}{other}.json").stat().st_size > 100
    assert {path.name for path in tmp_path.iterdir()} <= {f"whole{each}.json" for each in options}


def test_merge_and_the_summary_of_a_step_are_told_too(tmp_path):
    assert (
        pgfeatures("verify", "--pg", "16", "-k", "16/any-value", "--json", tmp_path / "a.json").returncode
        == 0
    )
    ended = pgfeatures("merge", tmp_path / "a.json", "--json", "/dev/full", "--html", tmp_path / "b")
    assert_told(ended, f"can't write /dev/full: {NO_ROOM}")
    assert (tmp_path / "b").exists()
    summary = os.environ | {"GITHUB_STEP_SUMMARY": "/dev/full"}
    assert_told(
        pgfeatures("run", "--pg", "16", "--", "true", env=summary), f"can't write /dev/full: {NO_ROOM}"
    )


# --- limits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verb",
    [
        ["run", "--pg", "16", "--", "true"],
        ["measure", "--pg", "15,16", "-k", "freeze-wal"],
        ["verify", "--pg", "16", "-k", "16/any-value"],
        ["bisect", "--pg", "15,16", "SELECT 1"],
    ],
    ids=lambda verb: verb[0],
)
def test_too_few_open_files_are_told(verb):
    ended = subprocess.run(
        ["prlimit", "--nofile=16:16", PGFEATURES, *verb], capture_output=True, text=True, check=False
    )
    assert ended.returncode in (0, 1, 2)
    assert "Traceback" not in ended.stderr + ended.stdout
    assert ended.returncode == 0 or "what to do: " in ended.stderr + ended.stdout


# --- signals --------------------------------------------------------------------------------------------------

LONG = {
    "run": ["run", "--pg", "16,17", "--", "sleep", "600"],
    "bisect": ["bisect", "--pg", "16,17", "SELECT pg_sleep(600)"],
    "needs": ["needs", "--pg", "9.6,10,14,15,16,17,18", "-"],
    "verify": ["verify", "--pg", "15,16"],
    "verify -n 2": ["verify", "--pg", "15,16", "-n2"],
    "measure": ["measure", "--pg", "15..17"],
    "extension": ["extension", "citext", "--pg", "15..17"],
    "readiness": ["readiness", "--from", "15", "--to", "17", "--schema", "schema.sql"],
    "delta": ["delta", "--verify", "15", "16"],
    "show": ["show", "--pg", "14..17", "16/any-value"],
}


def catches(pid: int) -> bool:
    """Whether a process has a handler for SIGTERM."""
    status = Path(f"/proc/{pid}/status").read_text()
    (mask,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(mask, 16) >> (signal.SIGTERM - 1) & 1)


MOMENTS = {
    "before a server exists": lambda process, runs: catches(process.pid),
    "with a supervisor": lambda process, runs: list(runs.glob("*/*/*")),
    "with a server": lambda process, runs: list(runs.glob("*/*/*/data/postmaster.pid")),
}


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        *(pytest.param(moment, signal.SIGINT, marks=pytest.mark.thorough) for moment in list(MOMENTS)[:2]),
        ("with a server", signal.SIGINT),
        pytest.param("with a server", signal.SIGTERM, marks=pytest.mark.thorough),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
@pytest.mark.parametrize(
    "verb",
    [
        verb
        if verb in ("run", "verify -n 2", "readiness")
        else pytest.param(verb, marks=pytest.mark.thorough)
        for verb in LONG
    ],
)
def test_a_signal_ends_each_verb_at_any_moment(verb, moment, number, reachable_path):
    (reachable_path / "schema.sql").write_text("SELECT pg_sleep(600);\n")
    runs = reachable_path / "runs"
    runs.mkdir(mode=0o755)
    running = subprocess.Popen(
        [PGFEATURES, *LONG[verb]],
        cwd=reachable_path,
        env=os.environ | {"PGFEATURES_RUN": str(runs)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 120
        while running.poll() is None and not MOMENTS[moment](running, runs):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        running.send_signal(number)
        printed, said = running.communicate(timeout=120)
    finally:
        running.kill()
        running.wait()
    if verb in ("needs", "show") and running.returncode in (0, 1):
        return  # it was done before
    assert running.returncode == 128 + number, (printed, said)
    assert "Traceback" not in said
    assert "Aborted" not in said
    deadline = time.monotonic() + 30  # the supervisor removes them, if there was one
    while any({file.name for file in run.iterdir()} > {MARK} for run in runs.glob("*/*/")):
        assert time.monotonic() < deadline, [*runs.glob("*/*/*")]
        time.sleep(0.02)


IN_A_CALLBACK = """
import os, signal, sys, time, weakref
from pytest_pgfeatures.cli import process

class Object: pass

def verb():
    destroyed = Object()
    reference = weakref.ref(destroyed, lambda _: os.kill(os.getpid(), {number}))
    del destroyed
    time.sleep(20)
    print("not reached")
    return 0

process._verb = verb
sys.exit(process.run())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_in_a_callback_that_lets_no_exception_through_ends_the_command(number):
    ended = subprocess.run(
        [sys.executable, "-c", IN_A_CALLBACK.format(number=int(number))],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + number, "", "")


WITH_A_LOCK = """
import os, signal, sys, time
from pytest_pgfeatures.cli import process
from pytest_pgfeatures.threads import in_order, pool

def signalled(frame, event, called):
    # Just after the lock of a future is taken, or of an event on which a new thread waits.
    is_taken = event == "c_return" and called.__name__ in ("__enter__", "acquire")
    if is_taken and frame.f_code.co_filename.endswith({file!r}):
        sys.setprofile(None)
        os.kill(os.getpid(), {number})

def verb():
    with pool(2, lambda: None) as threads:
        sys.setprofile(signalled)
        list(in_order(threads, lambda _: time.sleep(0.5), range(20)))
    print("not reached")
    return 0

process._verb = verb
sys.exit(process.run())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("file", ["concurrent/futures/_base.py", "threading.py"])
def test_a_signal_while_a_lock_is_taken_ends_the_command(file, number):
    ended = subprocess.run(
        [sys.executable, "-c", WITH_A_LOCK.format(file=file, number=int(number))],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + number, "", "")


def test_an_ignored_signal_stays_ignored():
    ended = subprocess.run(
        ["sh", "-c", f"trap '' INT; exec {PGFEATURES} run --pg 16 -- sh -c 'kill -INT $PPID; true'"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
