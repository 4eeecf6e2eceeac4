"""pgfeatures run: any command, once for each version, as a user runs it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))


def pgfeatures_run(*arguments, status=0, cwd=None, **environment):
    """Run ``pgfeatures run`` without a terminal; what it printed."""
    ran = subprocess.run(
        [PGFEATURES, "run", *arguments],
        env={**os.environ, "COLUMNS": "100", **environment},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == status, ran.stdout
    return ran.stdout


def test_the_command_meets_a_server_of_each_version():
    printed = pgfeatures_run("--pg", "14..16", "--", "psql", "-Atc", "SHOW server_version")
    versions = [line for line in printed.splitlines() if line[:3] in ("14.", "15.", "16.")]
    assert [line[:2] for line in versions] == ["14", "15", "16"]


def test_every_version_runs_even_when_one_fails():
    printed = pgfeatures_run("--pg", "14..16", "--", "sh", "-c", "test {major} != 15", status=1)
    results = [line.split()[2:] for line in printed.splitlines() if line.startswith("pg1")]
    assert [result[0] for result in results] == ["passed", "exit", "passed"]


def test_the_environment_leads_every_kind_of_client_there():
    script = (
        'set -e; test -S $PGHOST/.s.PGSQL.$PGPORT; test $PGUSER = postgres; test -z "$PGPASSWORD"; '
        'psql "$DATABASE_URL" -Atc "SELECT 1"; psql "{dsn}" -Atc "SELECT 1"; '
        'test "$($PG_CONFIG --version | cut -d" " -f2)" = {version}; '
        '"$(dirname $PG_CONFIG)"/psql --version | grep -F {version}'
    )
    pgfeatures_run("--pg", "pypi:17", "--", "bash", "-c", script)


def test_with_tcp_there_is_a_password_and_no_way_in_without_it():
    script = (
        'set -e; test $PGHOST = 127.0.0.1; psql "$DATABASE_URL" -Atc "SELECT inet_server_port()" | grep $PGPORT; '
        'PGPASSWORD=wrong psql -w -c "SELECT 1" 2>&1 | grep "password authentication failed"'
    )
    pgfeatures_run("--pg", "13,16", "--tcp", "--", "bash", "-c", script)


def test_our_own_libpq_variables_do_not_lead_the_command_astray():
    pgfeatures_run("--pg", "16", "--", "psql", "-c", "SELECT 1", PGHOST="192.0.2.1", PGSERVICE="nowhere")


def test_settings_reach_the_servers_under_their_newest_names():
    printed = pgfeatures_run(
        *("--pg", "15", "--setting", "debug_parallel_query=on"),
        "--",
        "psql",
        "-Atc",
        "SHOW force_parallel_mode",
    )
    assert "on" in printed.splitlines()


def test_several_at_once_print_one_after_the_other(tmp_path):
    printed = pgfeatures_run(
        *("--pg", "14..17", "-j", "2", "--junit", str(tmp_path / "junit.xml")),
        *("--", "sh", "-c", "echo first {major}; sleep 0.2; echo second {major}; test {major} != 16"),
        status=1,
    )
    assert "passes on 14, 15 and 17, fails on 16: 1" in printed.splitlines()
    said = [line for line in printed.splitlines() if line.startswith(("first", "second"))]
    assert said == [f"{word} {major}" for major in (14, 15, 16, 17) for word in ("first", "second")]
    suite = ET.parse(tmp_path / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "0")
    failed = [case for case in suite if case.find("failure") is not None]
    assert [case.get("classname") for case in failed] == ["pg16"]
    assert "first 16\nsecond 16" in failed[0].find("system-out").text


def test_github_gets_a_step_summary(tmp_path):
    summary = tmp_path / "summary.md"
    pgfeatures_run("--pg", "15,16", "--", "true", GITHUB_STEP_SUMMARY=str(summary))
    lines = summary.read_text().splitlines()
    assert lines[0] == "### `true`"
    assert [line.split("|")[1].strip() for line in lines if "passed" in line] == ["pg15", "pg16"]
    assert not any("passes on" in line for line in lines)


def test_what_an_upgrade_changes_is_named_last_and_what_fails_alike_is_not(tmp_path):
    summary = tmp_path / "summary.md"
    check = ("psql", "-v", "ON_ERROR_STOP=1", "-c", "CREATE TABLE t (a abstime)")  # gone in 12
    where = {"GITHUB_STEP_SUMMARY": str(summary)}
    printed = pgfeatures_run("--pg", "11,18", "--", *check, status=1, **where).splitlines()
    assert printed[-2:] == ["passes on 11, fails on 18: 1", f"  {shlex.join(check)}"]
    assert summary.read_text().rstrip().splitlines()[-1] == "- passes on 11, fails on 18: 1"
    printed = pgfeatures_run("--pg", "17,18", "--", "false", status=1).splitlines()
    assert printed[-1] == "fails on 17 and 18 alike: 1"


def test_a_difference_is_confirmed_where_asked(tmp_path):
    once = ("sh", "-c", f"mkdir {tmp_path / 'made'}")  # by the first that runs
    printed = pgfeatures_run("--pg", "17,18", "--confirm", "--", *once, status=1).splitlines()
    assert printed[-3:] == [
        "depends on order or on what ran before: 1",
        f"  {shlex.join(once)}",
        f"    passed on 17, fails alone: pgfeatures run --pg 17 -- {shlex.join(once)}",
    ]
    gone = ("psql", "-v", "ON_ERROR_STOP=1", "-c", "SHOW old_snapshot_threshold")  # in 17
    printed = pgfeatures_run("--pg", "16,17", "--confirm", "--", *gone, status=1).splitlines()
    assert printed[-2:] == ["passes on 16, fails on 17: 1", f"  {shlex.join(gone)}"]


def test_a_server_without_clients_is_lent_those_of_a_newer_one():
    printed = pgfeatures_run("--pg", "maven:13", "--", "psql", "-Atc", "SHOW server_version")
    assert "13." in printed
    assert "psql, pg_dump, pgbench of 1" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--pg", "14..x", "--", "true"), "'x' is not a PostgreSQL version"),
        (("--setting", "wal_level", "--", "true"), "is not NAME=VALUE"),
        (("--junit", "/nowhere/at/all.xml", "--", "true"), "/nowhere/at/all.xml: No such file or directory"),
        (("--junit", "/", "--", "true"), "can't write /: Is a directory"),
        (("--nonsense", "--", "true"), "No such option"),
    ],
)
def test_a_mistake_is_told_without_a_traceback(arguments, message):
    printed = pgfeatures_run(*arguments, status=2)
    assert message in printed
    assert "Traceback" not in printed


def test_a_command_that_is_not_there_fails_on_each_version():
    printed = pgfeatures_run("--pg", "15,16", "--", "no-such-command", status=1)
    assert printed.count("can't run no-such-command: No such file or directory") >= 2


def test_a_setting_that_would_hide_the_server_is_refused():
    printed = pgfeatures_run("--pg", "16", "--setting", "port=1", "--", "true", status=1)
    assert "the setting port is not for you to choose" in printed
    assert "Traceback" not in printed


def test_a_setting_that_the_server_refuses_is_told_with_its_log():
    printed = pgfeatures_run("--pg", "16", "--setting", "no_such=1", "--", "true", status=1)
    assert 'unrecognized configuration parameter "no_such"' in printed
    assert "what to do: this major has no setting no_such" in printed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_in_the_middle_leaves_no_server(tmp_path, number):
    marker = tmp_path / "pid"
    pid_file = '"$(psql -Atc "SHOW data_directory")/postmaster.pid"'
    script = f"head -1 {pid_file} > {marker}.new; mv {marker}.new {marker}; sleep 60"
    running = subprocess.Popen(
        [PGFEATURES, "run", "--pg", "16", "--", "sh", "-c", script],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not marker.exists():
            assert not has_ended(running)
            assert time.monotonic() < deadline
            time.sleep(0.02)
        server = int(marker.read_text())
        if number == signal.SIGINT:  # as the terminal sends it: to the command, too
            os.killpg(running.pid, number)
        else:
            running.send_signal(number)
        deadline = time.monotonic() + 30
        while not has_ended(running):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        deadline = time.monotonic() + 30
        while Path(f"/proc/{server}").exists():
            assert time.monotonic() < deadline, "the server outlived the run"
            time.sleep(0.02)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_signal_to_the_run_alone_ends_the_command_too(tmp_path, number, jobs):
    script = f"touch {tmp_path}/$$; exec sleep 60"
    running = subprocess.Popen(
        [PGFEATURES, "run", "--pg", "16,17", "-j", jobs, "--", "sh", "-c", script],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()):
            assert not has_ended(running)
            assert time.monotonic() < deadline
            time.sleep(0.02)
        running.send_signal(number)
        deadline = time.monotonic() + 30
        while not has_ended(running) or any(Path(f"/proc/{pid.name}").exists() for pid in tmp_path.iterdir()):
            assert time.monotonic() < deadline, "a command outlived the run"
            time.sleep(0.02)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        assert running.wait() != 0


def has_ended(process):
    """Whether a child has ended. Its pid stays its own until it is waited for, and so does that of its group."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
