"""The servers of the gate: as pristine as a new one, and as initdb and pg_ctl would give them."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.thorough

ONE = {"tiny--1.0.sql": "CREATE TABLE t ();\n"}
REGRESS = ("--stage", "regress")


def asserted(condition):
    """A test that a condition holds."""
    query = f"DO $$ BEGIN ASSERT {condition}; END $$;\n"
    return {"sql/run.sql": query, "expected/run.out": query}


def test_what_the_tests_leave_does_not_disturb_them_after_an_upgrade(gate):
    """Roles, databases, and settings of the system and of roles."""
    script = """CREATE ROLE left_behind LOGIN;
CREATE DATABASE left_behind OWNER left_behind;
ALTER SYSTEM SET wal_level = 'minimal';
ALTER ROLE postgres SET statement_timeout = '9min';
"""
    files = ONE | {"sql/leaves.sql": script, "expected/leaves.out": script}
    place = gate.write(files=files, makefile="REGRESS = leaves")
    gate.run(place, "--pg", "16,18", "--stage", "upgrade", "--stage", "regress")
    assert gate.of("upgrade", major="pg16")["summary"] == "to pg18 (copy and link)"


def test_the_log_line_prefix_is_the_default(gate):
    same = "(SELECT boot_val = setting FROM pg_settings WHERE name = 'log_line_prefix')"
    place = gate.write(files=ONE | asserted(same), makefile="REGRESS = run")
    gate.run(place, "--pg", "14,18", *REGRESS)


@pytest.mark.parametrize("given", ["log_line_prefix=%u ", "log_line_prefix = %u "])
def test_a_setting_keeps_its_final_blank(gate, given):
    place = gate.write(
        files=ONE | asserted("current_setting('log_line_prefix') = '%u '"), makefile="REGRESS = run"
    )
    gate.run(place, *REGRESS, "--setting", given)


@pytest.mark.parametrize(
    "path", ["$(top_srcdir)/contrib/tiny/tiny.conf", "./tiny.conf", "/nowhere/else.conf"]
)
def test_temp_config_is_applied_or_a_warning(gate, path):
    value = "4MB" if "nowhere" in path else "7MB"
    files = ONE | asserted(f"current_setting('work_mem') = '{value}'") | {"tiny.conf": "work_mem = '7MB'\n"}
    place = gate.write(files=files, makefile=f"REGRESS = run\nREGRESS_OPTS = --temp-config={path}")
    printed = gate.run(place, *REGRESS)
    warned = (
        "warning: pg17 regress: --temp-config=/nowhere/else.conf can't be read, so the server runs without it"
    )
    assert (warned in printed) == ("nowhere" in path)


def test_tests_that_connect_to_the_loopback_address(gate):
    """The server itself connects there: by libpq, without port and password, as on a server that trusts all. By
    default, libpq finds the server's socket."""
    itself = "dblink_connect('{}dbname=contrib_regression') = 'OK'"
    files = ONE | asserted(itself.format(""))
    place = gate.write(files=files, makefile="REGRESS = run\nREGRESS_OPTS = --load-extension=dblink")
    gate.run(place, *REGRESS)
    files = ONE | asserted(f"{itself.format('')} AND {itself.format('host=127.0.0.1 ')}")
    place = gate.write(files=files, makefile="REGRESS = run\nREGRESS_OPTS = --load-extension=dblink")
    gate.run(place, *REGRESS, status=1)
    (place / "pgfeatures.toml").write_text("[extension]\ntcp = true\n")
    gate.run(place, *REGRESS, "--pg", "14,18")


def test_a_server_that_starts_too_slowly_is_unavailable(gate):
    code = """
#include "postgres.h"
#include "fmgr.h"
PG_MODULE_MAGIC;
void _PG_init(void);
void _PG_init(void) { pg_usleep(1000L * 1000 * 600); }
"""
    place = gate.write(files=ONE | {"tiny.c": code}, makefile="MODULES = tiny")
    gate.run(place, "--preload-library", "tiny", "--timeout", "9", "--stage", "create", status=1)
    create = gate.of("create")
    assert (create["outcome"], create["capability"]) == ("unavailable", "time")
    assert "waited 9 seconds in vain" in create["summary"]
    assert "the machine is too slow, or a preloaded library waits" in create["summary"]
