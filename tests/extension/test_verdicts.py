"""No false red: what the gate must not blame on an extension, and how it says what it does."""

from __future__ import annotations


def stages(*names):
    return [word for name in names for word in ("--stage", name)]


MAKES_A_ROLE = """
DO $$BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN
        RAISE NOTICE 'there is a reader already';
    ELSE
        CREATE ROLE reader;
    END IF;
END$$;
"""


def test_regression_tests_run_on_a_server_without_roles_of_earlier_stages(gate):
    """Neither do they meet in one stage: 1.0 finds no role of 1.1."""
    place = gate.write(
        files={
            "tiny--1.0.sql": MAKES_A_ROLE,
            "tiny--1.1.sql": MAKES_A_ROLE.replace("RAISE NOTICE", "RAISE EXCEPTION"),
            "tiny--1.0--1.1.sql": "SELECT 1;\n",
            "sql/tiny.sql": "CREATE EXTENSION tiny;\n",
            "expected/tiny.out": "CREATE EXTENSION tiny;\n",
        },
        makefile="REGRESS = tiny",
    )
    printed = gate.run(place, *stages("update", "regress", "drop"))
    assert [gate.outcome(stage) for stage in ("create", "update", "regress", "drop")] == ["passed"] * 4
    assert "warning: pg17 drop: DROP EXTENSION leaves the role reader" in printed


def test_the_schema_that_a_control_file_names_stays_after_drop_and_no_other(gate):
    script = "CREATE TABLE t (); GRANT USAGE ON SCHEMA tiny TO public;\n"
    place = gate.write(
        files={"tiny--1.0.sql": f"{script}CREATE SCHEMA other; ALTER EXTENSION tiny DROP SCHEMA other;\n"},
        control="default_version = '1.0'\nschema = tiny\n",
    )
    gate.run(place, *stages("drop"), status=1)
    assert gate.of("drop")["summary"] == "DROP EXTENSION leaves 1 object behind"
    assert "-- SCHEMA other" in gate.of("drop")["details"]


def test_an_obsolete_version_is_judged_on_its_own_line(gate):
    place = gate.write(
        files={
            "tiny--0.9.sql": "CREATE TABLE t (a int) WITH OIDS;\n",
            "tiny--0.9--1.0.sql": "SELECT 1;\n",
            "tiny--1.0.sql": "CREATE TABLE t (a int);\n",
        }
    )
    printed = gate.run(place, *stages("update", "drop"), status=1)
    assert (gate.outcome("create"), gate.outcome("drop")) == ("passed", "passed")
    assert gate.outcome("create", "version:0.9") == "failed"
    assert gate.outcome("update", "script:tiny--0.9--1.0.sql") == "not run"
    assert "create version:0.9 on pg17: failed" in printed
    known = ("create:17:version:0.9:WITH OIDS is gone", "create:17:version:1.0:mistaken")
    gate.run(place, *stages("drop"), *(f"--known-failure={each}" for each in known), status=1)
    assert gate.outcome("create", "version:0.9") == "known failure"
    assert gate.outcome("create", "version:1.0") == "unexpected pass"


def test_a_known_failure_hides_no_stage_that_was_not_run(gate):
    place = gate.write(files={"tiny--1.0.sql": "SELECT nonsense;\n"})
    known = ("--known-failure", "create:17:nonsense is not there yet")
    gate.run(place, *stages("drop"), *known, status=1)
    assert gate.outcome("create") == "known failure"
    assert (gate.outcome("drop"), gate.of("drop")["blocked_by"]) == ("not run", "create")
    gate.run(place, *stages("drop"), *known, "--known-failure", "drop:17:as create")
    assert gate.outcome("drop") == "known failure"


BASE = """
CREATE TABLE t (a int);
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE OPERATOR FAMILY family USING btree;
CREATE FUNCTION one(int, text) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 0';
CREATE FUNCTION two(text, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 0';
"""
ADDED = """
GRANT SELECT ON t TO pg_monitor;
GRANT SELECT ON t TO pg_read_all_stats;
GRANT EXECUTE ON FUNCTION pg_catalog.pg_ls_dir(text) TO pg_monitor;
GRANT EXECUTE ON FUNCTION pg_catalog.pg_ls_dir(text) TO pg_read_all_stats;
ALTER DATABASE extension SET work_mem = '5MB';
ALTER DATABASE extension SET enable_sort = off;
ALTER FUNCTION f() SET work_mem = '5MB';
ALTER FUNCTION f() SET enable_sort = off;
ALTER TABLE t SET (fillfactor = 50);
ALTER TABLE t SET (autovacuum_enabled = off);
ALTER OPERATOR FAMILY family USING btree ADD FUNCTION 1 (int, text) one(int, text);
ALTER OPERATOR FAMILY family USING btree ADD FUNCTION 1 (text, int) two(text, int);
"""


def test_another_order_of_what_has_none_is_no_difference(gate):
    """But each of these statements is one, if an update forgets it."""
    backwards = [f"{line}\n" for line in reversed(ADDED.split("\n")) if line]
    files = {"tiny--1.0.sql": BASE, "tiny--1.1.sql": BASE + ADDED}
    control = "default_version = '1.1'\n"
    place = gate.write(files=files | {"tiny--1.0--1.1.sql": "".join(backwards)}, control=control)
    gate.run(place, *stages("update"), "--pg", "14,18")
    forgets = "".join(backwards[::2])
    place = gate.write(files=files | {"tiny--1.0--1.1.sql": forgets}, control=control)
    gate.run(place, *stages("update"), status=1)
    details = gate.of("update", "script:tiny--1.0--1.1.sql")["details"]
    assert sum(line.startswith("-- ") for line in details) == len(backwards) // 2


TABLES = """
CREATE TABLE cache (a int);
CREATE TABLE setting (id serial, name text, ours bool DEFAULT true, at timestamptz DEFAULT now());
SELECT pg_catalog.pg_extension_config_dump('setting', 'WHERE NOT ours');
INSERT INTO setting (name) VALUES ('made by the script');
"""
DUMPED_SEQUENCE = "SELECT pg_catalog.pg_extension_config_dump('setting_id_seq', '');\n"
DATA = "INSERT INTO cache VALUES (1); INSERT INTO setting (name, ours) VALUES ('mine', false);\n"


def test_a_table_that_is_deliberately_no_configuration_table(gate):
    """Not the rows of now() either, which are another's after each CREATE EXTENSION."""
    place = gate.write(files={"tiny--1.0.sql": TABLES + DUMPED_SEQUENCE, "data.sql": DATA})
    printed = gate.run(place, *stages("dump"), "--data", "data.sql")
    assert gate.of("dump")["summary"] == (
        "to pg17; keeps the rows of public.setting; does not keep the rows of public.cache"
    )
    assert "pg17 dump: public.cache does not keep rows: it is no configuration table" in printed


def test_a_configuration_table_whose_sequence_is_lost(gate):
    place = gate.write(files={"tiny--1.0.sql": TABLES, "data.sql": DATA})
    known = ("--known-failure", "dump:17:table:public.other:mistaken")
    gate.run(place, *stages("dump"), "--data", "data.sql", *known, status=1)
    lost = gate.of("dump", "sequence:public.setting_id_seq")
    assert lost["outcome"] == gate.outcome("dump") == "failed"
    assert gate.outcome("dump", "table:public.other") == "unexpected pass"
    assert "of the configuration table public.setting loses its value" in lost["summary"]
    known = "dump:17:sequence:public.setting_id_seq"
    gate.run(place, *stages("dump"), "--data", "data.sql", "--known-failure", known)
    assert gate.outcome("dump") == "known failure"


def test_a_configuration_table_whose_own_rows_come_twice(gate):
    """The script's rows are dumped, too, and CREATE EXTENSION makes them again."""
    place = gate.write(files={"tiny--1.0.sql": (TABLES + DUMPED_SEQUENCE).replace("WHERE NOT ours", "")})
    gate.run(place, *stages("dump"), status=1)
    assert gate.outcome("dump", "table:public.setting") == "failed"


WORKER = """
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
    BackgroundWorkerInitializeConnection("extension", NULL, 0);
    for (;;)
    {
        WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, 0, PG_WAIT_EXTENSION);
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
    }
}
void _PG_init(void)
{
    BackgroundWorker worker = {0};
    worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
    worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
    worker.bgw_restart_time = 1;
    strcpy(worker.bgw_library_name, "tiny");
    strcpy(worker.bgw_function_name, "stay");
    strcpy(worker.bgw_name, "tiny");
    RegisterBackgroundWorker(&worker);
}
"""
WAIT_FOR_IT = """
DO $$BEGIN
    WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'tiny' AND datname = 'extension') LOOP
        PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
    END LOOP;
END$$;
"""


def test_a_worker_that_stays_in_the_database_is_no_failure(gate):
    files = {
        "tiny.c": WORKER,
        "tiny--1.0.sql": "SELECT 1;\n",
        "tiny--1.1.sql": "SELECT 1;\n",
        "tiny--1.0--1.1.sql": WAIT_FOR_IT,
    }
    place = gate.write(files=files, makefile="MODULES = tiny")
    gate.run(place, *stages("update", "drop"), "--preload-library", "tiny")
    assert [gate.outcome(stage) for stage in ("create", "update", "drop")] == ["passed"] * 3
