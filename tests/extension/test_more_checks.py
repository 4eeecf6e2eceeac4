"""A control file's promises, the compiler's messages, the tests' needs of a server, and an interrupted run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

NONE = {"tiny--1.0.sql": "SELECT 1;\n"}


def test_a_trusted_extension_that_needs_a_superuser_all_the_same(gate):
    files = {
        "tiny--1.0.sql": "DO $$BEGIN IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = session_user)"
        " THEN RAISE 'only root'; END IF; END$$;\n"
    }
    place = gate.write(files=files, control="default_version = '1.0'\ntrusted = true\n")
    gate.run(place, "--stage", "drop", status=1)
    assert (gate.outcome("create"), gate.outcome("drop")) == ("passed", "passed")
    assert gate.of("create", "trusted:tiny")["summary"].endswith("by a role without superuser: only root")


def test_a_relocatable_extension_that_remembers_its_schema(gate):
    body = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$SELECT 1 FROM {}t$$;\n"
    control = "default_version = '1.0'\nrelocatable = true\ntrusted = true\n"
    remembers = (
        "DO $d$BEGIN EXECUTE format($f$" + body.format("%I.").strip() + "$f$, current_schema()); END$d$;\n"
    )
    place = gate.write(files={"tiny--1.0.sql": "CREATE TABLE t ();\n" + remembers}, control=control)
    gate.run(place, "--stage", "create", status=1)
    assert gate.of("create", "relocatable:tiny")["details"] == ["the body of function pgfeatures_after.f()"]


def test_compiler_warnings_that_a_major_brings(gate):
    source = '#include "postgres.h"\n#if PG_VERSION_NUM >= 170000\n#warning "new"\n#endif\n#warning "old"\n'
    files = NONE | {"tiny.c": source + '#include "fmgr.h"\nPG_MODULE_MAGIC;\n'}
    place = gate.write(files=files, makefile="MODULES = tiny")
    printed = gate.run(place, "--pg", "16,17", "--stage", "build")
    table = printed.partition("compiler warning")[2]
    assert "pg17    tiny.c:3: #warning" in table
    assert "tiny.c:5" not in table
    assert len(gate.of("build")["compiler_warnings"]) == 2


def test_a_makefile_that_builds_only_one_thing_at_a_time(gate):
    makefile = "all: one two\none:\n\tsleep 1 && touch one\ntwo:\n\ttest -e one && touch two"
    place = gate.write(files=NONE, makefile=makefile)
    (place / "Makefile").write_text((place / "Makefile").read_text() + "\n.DEFAULT_GOAL := all\n")
    printed = gate.run(place, "--stage", "build")
    assert gate.outcome("build") == "passed"
    assert ("doesn't build with --jobs" in printed) == ((os.cpu_count() or 1) > 1)


def test_tests_have_their_temporary_configuration_and_tablespaces(gate):
    files = NONE | {
        "tiny.conf": "work_mem = '7MB'\n",
        "sql/t.sql": "SHOW work_mem;\nCREATE TABLE t () TABLESPACE elsewhere;\n",
        "expected/t.out": "SHOW work_mem;\n work_mem \n----------\n 7MB\n(1 row)\n\n"
        "CREATE TABLE t () TABLESPACE elsewhere;\n",
        "pgfeatures.toml": '[extension]\ntablespaces = ["elsewhere"]\nmodes = ["copy"]\n',
    }
    place = gate.write(files=files, makefile="REGRESS = t\nREGRESS_OPTS = --temp-config=$(srcdir)/tiny.conf")
    gate.run(place, "--pg", "17,18", "--stage", "regress", "--stage", "dump", "--stage", "upgrade")
    assert [gate.outcome(stage) for stage in ("regress", "dump", "upgrade")] == ["passed"] * 3


def test_an_interrupted_run_reports_what_is_known(gate, reachable_path):
    """As the shell says it: 130; and what a killed compiler leaves is in the run's directory."""
    makefile = "all: slow\nslow:\n\techo $$TMPDIR > $(MARKER)/it; sleep 1000"
    marker = reachable_path / "marker"
    marker.mkdir()
    marker.chmod(0o777)
    place = gate.write(files=NONE, makefile=makefile)
    (place / "Makefile").write_text((place / "Makefile").read_text() + "\n.DEFAULT_GOAL := all\n")
    report = gate.place / "report.json"
    running = subprocess.Popen(
        [
            *(str(Path(sys.executable).with_name("pgfeatures")), "extension", str(place), "--pg", "17"),
            *("--json", str(report), "--make", f"MARKER={marker}"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
    )
    try:
        deadline = time.monotonic() + 120
        while not (marker / "it").exists() or not (marker / "it").read_text().strip():
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        running.send_signal(signal.SIGINT)
        printed = running.communicate(timeout=120)[0]
    assert running.returncode == 130, printed
    gate.report = json.loads(report.read_text())
    assert {row["outcome"] for row in gate.report["results"]} == {"not run"}
    assert gate.of("build")["summary"] == "interrupted"
    temporary = Path((marker / "it").read_text().strip())
    assert temporary.name == ".tmp"
    assert not temporary.exists()


def test_objects_are_compiled_once_for_each_content(gate, reachable_path):
    """Though each run has other directories."""
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    reachable_path.chmod(0o777)
    log = reachable_path / "ccache.log"
    new = f"{gate.place} {time.time()}"  # no earlier run has compiled this
    source = f'#include "postgres.h"\n#include "fmgr.h"\nPG_MODULE_MAGIC;\nconst char *new = "{new}";\n'
    place = gate.write(files=NONE | {"tiny.c": source}, makefile="MODULES = tiny")
    for result in ("cache_miss", "direct_cache_hit"):
        gate.run(place, "--stage", "build", PATH=programs, CCACHE_LOGFILE=str(log))
        assert f"Result: {result}" in log.read_text()
        log.unlink()
