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


THE_SAME = """
settings() { psql -Atc "SELECT name, setting FROM pg_settings WHERE source <> 'client' ORDER BY 1" "$@"; }
settings > ours
TZ=UTC initdb -D it -U postgres --locale=C --encoding=UTF8 --no-sync > initdb.log || exit
pg_ctl -D it -s -w -l log -o "-k $PWD -c listen_addresses=''" start || exit
settings -h "$PWD" -U postgres postgres > theirs
pg_ctl -D it -s -m immediate stop
diff ours theirs | sed -n 's/^[<>] \\([^|]*\\).*/\\1/p' | sort -u > differ
diff differ expected
"""


def test_settings_are_those_of_initdb_and_pg_ctl(gate):
    """But for the places of files and of the socket, and fsync, which pg_regress switches off, too."""
    files = ["config_file", "data_directory", "hba_file", "ident_file", "unix_socket_directories"]
    place = gate.write(
        files=ONE
        | {"compare": THE_SAME, "expected": "".join(f"{name}\n" for name in sorted(["fsync", *files]))}
    )
    gate.run(place, "--pg", "14,18", "--stage", "test", "--test", "sh compare")


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


def test_a_connected_worker_does_not_disturb_the_tests_after_an_upgrade(gate):
    """A preloaded library's worker connects to the tests' database, which then can't be dropped."""
    code = """
#include "postgres.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "storage/latch.h"
#include "utils/wait_event.h"
PG_MODULE_MAGIC;
PGDLLEXPORT void stay(Datum argument);
void stay(Datum argument)
{
    BackgroundWorkerUnblockSignals();
    BackgroundWorkerInitializeConnection("contrib_regression", NULL, 0);
    for (;;)
    {
        (void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, 0, PG_WAIT_EXTENSION);
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
    }
}
void _PG_init(void);
void _PG_init(void)
{
    BackgroundWorker worker = {0};
    worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
    worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
    worker.bgw_restart_time = 1;
    strcpy(worker.bgw_library_name, "tiny");
    strcpy(worker.bgw_function_name, "stay");
    strcpy(worker.bgw_type, "tiny");
    strcpy(worker.bgw_name, "tiny");
    RegisterBackgroundWorker(&worker);
}
"""
    waits = """DO $$BEGIN
    WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'tiny') LOOP
        PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
    END LOOP;
END$$;
"""
    files = ONE | {"tiny.c": code, "sql/waits.sql": waits, "expected/waits.out": waits}
    place = gate.write(files=files, makefile="MODULES = tiny\nREGRESS = waits")
    stages = ("--stage", "upgrade", "--stage", "regress", "--mode", "copy")
    gate.run(place, "--pg", "16,18", *stages, "--preload-library", "tiny")
    assert gate.of("upgrade", major="pg16")["summary"] == "to pg18 (copy)"
    assert gate.of("regress", major="pg18")["tests"] == [{"kind": "regress", "found": 1, "run": 1}]


def test_each_test_runs_after_an_upgrade_too(gate):
    """A Makefile that asks the server what to test, and names fewer tests on one that was upgraded."""
    files = ONE | {
        f"{where}/{name}.{end}": ""
        for name in ("one", "two")
        for where, end in (("sql", "sql"), ("expected", "out"))
    }
    asks = "SELECT 'two' WHERE current_setting('data_directory') NOT LIKE '%-to-18%'"
    place = gate.write(
        files=files, makefile=f'REGRESS = one $(shell psql -Atc "{asks}" postgres 2>/dev/null)'
    )
    stages = ("--stage", "regress", "--stage", "upgrade", "--mode", "copy")
    gate.run(place, "--pg", "16,18", *stages, status=1)
    assert gate.of("regress", major="pg18")["tests"] == [{"kind": "regress", "found": 2, "run": 2}]
    assert gate.of("upgrade", major="pg16")["summary"] == (
        "regression tests after pg_upgrade (copy) to pg18: 1 regress tests ran, and 2 without an upgrade"
    )
