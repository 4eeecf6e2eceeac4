"""pgfeatures extension: small extensions, written here, through all stages, as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from psycopg import pq

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))
STAGES = ["build", "install", "create", "update", "regress", "tap", "test", "dump", "upgrade", "drop"]

ADDER = {
    "Makefile": """
EXTENSION = adder
MODULES = adder
DATA = adder--1.0.sql adder--1.0--1.1.sql adder--1.1.sql
REGRESS = adder
REGRESS_OPTS = --load-extension=adder
ISOLATION = two
ISOLATION_OPTS = --load-extension=adder
PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
""",
    "adder.control": "default_version = '1.1'\nmodule_pathname = '$libdir/adder'\nrelocatable = true\n",
    "adder.c": """
#include "postgres.h"
#include "fmgr.h"
PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(add_one);
Datum
add_one(PG_FUNCTION_ARGS)
{
    PG_RETURN_INT32(PG_GETARG_INT32(0) + 1);
}
""",
    "adder--1.0.sql": "CREATE FUNCTION add_one(int) RETURNS int LANGUAGE c STRICT AS 'MODULE_PATHNAME';\n",
    "adder--1.0--1.1.sql": "CREATE DOMAIN positive AS int CHECK (VALUE > 0);\n",
    "adder--1.1.sql": (
        "CREATE FUNCTION add_one(int) RETURNS int LANGUAGE c STRICT AS 'MODULE_PATHNAME';\n"
        "CREATE DOMAIN positive AS int CHECK (VALUE > 0);\n"
    ),
    "sql/adder.sql": "CREATE TABLE kept AS SELECT add_one(41);\nSELECT * FROM kept;\n",
    "expected/adder.out": (
        "CREATE TABLE kept AS SELECT add_one(41);\nSELECT * FROM kept;\n"
        " add_one \n---------\n      42\n(1 row)\n\n"
    ),
    "specs/two.spec": """
session one
step a { SELECT add_one(1); }
session two
step b { SELECT add_one(2); }
permutation a b
""",
    "expected/two.out": """Parsed test spec with 2 sessions

starting permutation: a b
step a: SELECT add_one(1);
add_one
-------
      2
(1 row)

step b: SELECT add_one(2);
add_one
-------
      3
(1 row)

""",
}
NOTES = {
    "Makefile": """
EXTENSION = notes
DATA = notes--1.sql notes--1--2.sql notes--2.sql
PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
""",
    "notes.control": "default_version = '2'\nrequires = 'citext'\n",
    "notes--1.sql": "CREATE TABLE note (id int, said citext, draft bool);\n",
    "notes--1--2.sql": (
        "ALTER TABLE note DROP draft, ADD at date;\n"
        "SELECT pg_catalog.pg_extension_config_dump('note', 'WHERE id > 9');\n"
    ),
    "notes--2.sql": (
        "CREATE TABLE note (id int, said citext, at date);\n"
        "SELECT pg_catalog.pg_extension_config_dump('note', 'WHERE id > 9');\n"
    ),
}


def write(place, files, **changed):
    """An extension's files; ``changed`` replaces some, under names with _ for what no name of Python has."""
    replaced = {
        name: changed.pop(key)
        for name in files
        if (key := name.replace("--", "_").replace(".", "_")) in changed
    }
    assert not changed
    for name, text in (files | replaced).items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return place


WHOLE = dict.fromkeys(STAGES, "passed") | {"tap": "none", "test": "none"}
"""The outcomes of an extension like :data:`ADDER`, which has no tests but regression tests."""


def run(place, *arguments, status=0, **environment):
    """Run ``pgfeatures extension``; what it printed, and its report."""
    report = place.parent / f"{place.name}.json"
    report.unlink(missing_ok=True)
    ran = subprocess.run(
        [PGFEATURES, "extension", str(place), "--json", str(report), *arguments],
        env={**os.environ, "COLUMNS": "100", "CI": "", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == status, ran.stdout
    return ran.stdout, json.loads(report.read_text()) if report.exists() else None


def outcomes(report, major):
    return {
        row["stage"]: row["outcome"]
        for row in report["results"]
        if row["major"] == major and not row["object"]
    }


def result(report, stage, major="pg17", object=None):
    (found,) = [
        row
        for row in report["results"]
        if (row["stage"], row["object"], row["major"]) == (stage, object, major)
    ]
    return found


def tree(place):
    return {path: path.stat().st_mtime_ns for path in place.rglob("*")}


def test_an_extension_in_c_through_all_stages(tmp_path):
    place = write(tmp_path / "adder", ADDER)
    (place / "pgfeatures.toml").write_text('[extension]\npg = "16,18"\nmodes = ["copy"]\ndata = "data.sql"\n')
    (place / "data.sql").write_text("CREATE TABLE bought AS SELECT add_one(6)::positive AS amount")
    before = tree(place)
    printed, report = run(place)
    assert list(outcomes(report, "pg16")) == STAGES
    assert outcomes(report, "pg16") == WHOLE, printed
    assert outcomes(report, "pg18") == WHOLE | {"upgrade": "none"}
    assert result(report, "create", "pg16")["summary"] == "adder 1.0, 1.1, relocated"
    assert result(report, "update", "pg16")["summary"] == "1 script"
    assert result(report, "dump", "pg16")["summary"] == "to pg16, pg18"
    assert result(report, "regress", "pg16")["summary"] == "1 test, 1 isolation test"
    assert result(report, "upgrade", "pg16")["summary"] == "to pg18 (copy)"
    assert tree(place) == before
    for major in report["majors"].values():  # what they share has none of it
        assert not list(Path(major["bindir"]).parent.glob("**/adder*"))
    drawn = [line.split() for line in printed.splitlines()]
    assert ["regress", "passed", "passed"] in drawn


def test_an_extension_in_sql_that_requires_another(tmp_path):
    place = write(tmp_path / "my notes", NOTES)
    _, report = run(place, "--pg", "17", "--stage", "update", "--stage", "dump", "--stage", "drop")
    assert outcomes(report, "pg17") == dict.fromkeys(
        ["build", "install", "create", "update", "dump", "drop"], "passed"
    )


def test_an_installed_extension(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed, report = run(
        Path("hstore"), "--pg", "maven:13,17", "--stage", "upgrade", "--stage", "drop", status=1
    )
    assert outcomes(report, "pg17") == {
        **dict.fromkeys(["build", "install"], "none"),
        **dict.fromkeys(["create", "drop"], "passed"),
        "upgrade": "none",
    }
    lacking = result(report, "upgrade", "pg13")
    assert (lacking["outcome"], lacking["capability"]) == ("unavailable", "pg_controldata")
    assert "unavailable" in printed


def test_what_goes_wrong_is_shown(tmp_path):
    """A compiler's error, an update that leads elsewhere, a wrong answer, what is left behind; GitHub is told."""
    place = write(
        tmp_path / "adder",
        ADDER,
        adder_1_0_1_1_sql="CREATE DOMAIN positive AS int CHECK (VALUE >= 0);\n",
        **{"expected/adder_out": ADDER["expected/adder.out"].replace("42", "43")},
    )
    script = place / "adder--1.1.sql"
    script.write_text(
        script.read_text() + "CREATE TABLE left_behind (); ALTER EXTENSION adder DROP TABLE left_behind;\n"
    )
    broken = write(tmp_path / "broken", ADDER)
    (broken / "adder.c").write_text(ADDER["adder.c"].replace("PG_GETARG_INT32(0) + 1", "nowhere + 1"))
    summary = tmp_path / "summary.md"
    told = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    known = (
        "--known-failure",
        "regress:17:a wrong expectation",
        "--known-failure",
        "create:>=16:it was fixed",
    )
    junit = tmp_path / "junit.xml"

    printed, report = run(broken, "--pg", "17", "--junit", str(junit), status=1, **told)
    assert outcomes(report, "pg17") == dict.fromkeys(STAGES, "not run") | {"build": "failed"}
    build = result(report, "build")
    assert (build["file"], build["line"]) == ("adder.c", 9)
    assert "'nowhere' undeclared" in build["summary"].replace("‘", "'").replace("’", "'")
    annotation = next(line for line in printed.splitlines() if line.startswith("::error "))
    assert (
        f"file={os.path.relpath(broken / 'adder.c')},line=9,title=broken build on pg17%3A failed::"
        in annotation
    )
    assert "| build | ❌ failed |" in summary.read_text()
    suite = ET.parse(junit).getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("10", "1", "9")

    wanted = ("--stage", "update", "--stage", "regress", "--stage", "drop")
    printed, report = run(place, "--pg", "17", *wanted, *known, status=1)
    assert outcomes(report, "pg17") == {
        **dict.fromkeys(["build", "install"], "passed"),
        "create": "unexpected pass",
        **dict.fromkeys(["update", "drop"], "failed"),
        "regress": "known failure",
    }
    update = result(report, "update")
    assert update["summary"] == "adder 1.0--1.1 differs from a fresh 1.1"
    script = result(report, "update", object="script:adder--1.0--1.1.sql")
    assert any(line.startswith("+") and ">= 0" in line for line in script["details"])
    assert "-      43" in result(report, "regress")["details"]
    assert "+      42" in result(report, "regress")["details"]
    assert "a wrong expectation" in result(report, "regress")["summary"]
    assert "-- TABLE left_behind" in result(report, "drop")["details"]
    assert "it was fixed" in printed


@pytest.mark.thorough
def test_a_test_that_hangs_is_ended_and_its_server_log_shown(tmp_path):
    place = write(
        tmp_path / "notes",
        NOTES | {"sql/hang.sql": "SET log_statement = 'all';\nSELECT pg_sleep(1000);\n"},
        Makefile=NOTES["Makefile"].replace("DATA =", "REGRESS = hang\nDATA ="),
    )
    _, report = run(place, "--pg", "17", "--stage", "regress", "--timeout", "10", status=1)
    regress = result(report, "regress")
    assert regress["summary"].endswith("; it was in: SELECT pg_sleep(1000);")
    assert regress["outcome"] == "failed"
    assert "make installcheck still ran after 10 seconds, and was killed" in regress["summary"]
    assert any("statement: SELECT pg_sleep(1000)" in line for line in regress["details"])


def test_a_crash_in_a_test_is_told_and_the_next_stage_waits_for_the_server(tmp_path):
    place = write(tmp_path / "adder", ADDER)
    (place / "adder.c").write_text(
        ADDER["adder.c"].replace("PG_RETURN", "*(volatile int *) 0 = 1;\n    PG_RETURN")
    )
    _, report = run(place, "--pg", "17", "--stage", "regress", "--stage", "dump", status=1)
    regress = result(report, "regress")
    assert regress["outcome"] == "failed"
    assert "was terminated by signal 11" in regress["summary"]
    assert any("server closed the connection unexpectedly" in line for line in regress["details"])
    assert result(report, "dump")["outcome"] == "passed"


def test_what_is_lacking_is_named(tmp_path):
    """No PGXS in a server alone, no compiler, an extension that is required and not there."""
    place = write(tmp_path / "adder", ADDER)
    _, report = run(place, "--pg", "maven:13", "--stage", "build", status=1)
    build = result(report, "build", "pg13")
    assert (build["outcome"], build["capability"]) == ("unavailable", "pgxs")
    run(place, "--pg", "maven:13", "--stage", "build", "--allow-missing")

    _, report = run(place, "--pg", "17", "--make", "CC=no-such-compiler", "--stage", "build", status=1)
    build = result(report, "build")
    assert (build["outcome"], build["capability"]) == ("unavailable", "no-such-compiler")

    notes = write(tmp_path / "notes", NOTES, notes_control="default_version = '2'\nrequires = 'nowhere'\n")
    _, report = run(notes, "--pg", "17", "--stage", "create", status=1)
    create = result(report, "create")
    assert (create["outcome"], create["capability"]) == ("unavailable", "contrib:nowhere")
    assert "requires the extension nowhere" in create["summary"]


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"README": ""}, (), "has no Makefile\n    it has README\n"),
        ({}, (), "has no Makefile\n    it has nothing\n"),
        ({"Makefile": ""}, (), "has no control file of an extension"),
        (ADDER, ("--stage", "biuld"), "there is no stage 'biuld'"),
        (ADDER, ("--known-failure", "regress:17"), "does not say stage, pg and reason"),
        (ADDER, ("--make", "CC"), "--make 'CC' is not NAME=VALUE"),
        (ADDER, ("--mode", "move"), "pg_upgrade has no mode 'move'"),
        (ADDER, ("--previous", "v9"), "v9 is no directory, no tarball and no tag of"),
        (ADDER | {"pgfeatures.toml": "[extension]\nstages = 1\n"}, (), "stages = 1 has the wrong type"),
        (ADDER | {"pgfeatures.toml": "[extension\n"}, (), "can't be read"),
        (
            ADDER | {"pyproject.toml": "[tool.pgfeatures.extension]\nshared-preload-library = []\n"},
            (),
            "did you mean 'shared_preload_libraries'?",
        ),
    ],
)
def test_a_mistake_is_told_without_a_traceback(tmp_path, files, arguments, message):
    place = tmp_path / "it"
    place.mkdir()
    printed, _ = run(write(place, files), *arguments, status=2)
    assert message in printed
    assert "Traceback" not in printed


def test_neither_a_directory_nor_a_name(tmp_path):
    printed, _ = run(tmp_path / "nowhere", status=2)
    assert "is neither a directory nor the name of an extension" in printed


def test_without_make(tmp_path):
    place = write(tmp_path / "adder", ADDER)
    printed, _ = run(place, status=2, PATH=str(tmp_path))
    assert "there is no make on PATH" in printed


def test_two_runs_at_once_on_a_tree_that_writes_into_itself(tmp_path):
    writes = ADDER["Makefile"] + "\nall: note\nnote:\n\tmkdir -p sql/more && cp adder.c sql/more\n"
    place = write(tmp_path / "adder", ADDER, Makefile=writes)
    before = tree(place)
    command = [PGFEATURES, "extension", str(place), "--pg", "17", "--stage", "regress"]
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(2)
    ]
    printed = [each.communicate(timeout=200)[0] for each in runs]
    assert [each.returncode for each in runs] == [0, 0], printed
    assert tree(place) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_in_the_middle_leaves_nothing_running(tmp_path, reachable_path, number):
    marker = reachable_path / "pids"
    marker.mkdir(mode=0o777)
    marker.chmod(0o777)
    waits = ADDER["Makefile"] + f"\nall: wait\nwait:\n\tsleep 1000 & echo $$! > {marker}/$$$$; wait\n"
    place = write(tmp_path / "adder", ADDER, Makefile=waits)
    before = tree(place)
    running = subprocess.Popen(
        [PGFEATURES, "extension", str(place), "--pg", "16,17", "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
    )
    try:
        wait_until(lambda: len([path for path in marker.iterdir() if path.read_text().strip()]) == 2)
        pids = [int(path.read_text()) for path in marker.iterdir()]
    finally:
        running.send_signal(number)
        printed = running.communicate(timeout=60)[0]
    assert running.returncode != 0
    assert "Traceback" not in printed
    wait_until(lambda: not any(alive(pid) for pid in pids))
    assert tree(place) == before


def alive(pid):
    status = Path(f"/proc/{pid}/stat")
    if not Path("/proc/self").exists():
        return subprocess.run(["ps", "-p", str(pid)], capture_output=True, check=False).returncode == 0
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.thorough
def test_no_variable_of_libpq_reaches_a_stage(tmp_path):
    """Neither pg_regress and isolationtester, nor pg_dump, pg_upgrade and our own connections."""
    place = write(tmp_path / "adder", ADDER)
    (place / "pgfeatures.toml").write_text('[extension]\npg = "14,18"\nmodes = ["copy"]\n')
    hostile = {option.envvar.decode(): "hostile" for option in pq.Conninfo.get_defaults() if option.envvar}
    _, report = run(place, **hostile | {"PGHOSTADDR": "127.0.0.1", "PGTZ": "hostile"})
    assert outcomes(report, "pg14") == WHOLE
    assert outcomes(report, "pg18") == WHOLE | {"upgrade": "none"}
