"""The stage upgrade, from 16 to 18: what does not survive is found, and nothing is left of the servers."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.readiness.run import Readiness

SCHEMA = """\
CREATE ROLE app LOGIN PASSWORD 'geheim-17';
ALTER ROLE app SET work_mem = '5MB';
CREATE EXTENSION hstore VERSION '1.7';
CREATE FUNCTION fold(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT lower($1)';
CREATE FUNCTION folded(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN fold($1); END';
CREATE TABLE tasks (id serial PRIMARY KEY, title text, more hstore);
CREATE MATERIALIZED VIEW titles AS SELECT title FROM tasks WITH NO DATA;
CREATE INDEX tasks_folded ON tasks (folded(title));
INSERT INTO tasks (title, more) SELECT 'Task ' || n, hstore('n', n::text) FROM generate_series(1, 500) n;
"""
QUERY = "SELECT count(*) FROM tasks;\n"
HALFWAY = "CREATE VIEW checkpoints AS SELECT checkpoints_timed FROM pg_stat_bgwriter;\n"


def options(directory: Path, schema: str) -> dict[str, Any]:
    (directory / "schema.sql").write_text(schema)
    (directory / "queries.sql").write_text(QUERY)
    (directory / "postgresql.conf").write_text("work_mem = 7MB\nold_snapshot_threshold = 10\n")
    return {
        "old": "16",
        "new": "18",
        "schema": [directory / "schema.sql"],
        "queries": [directory / "queries.sql"],
        "config": [directory / "postgresql.conf"],
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Readiness:
    return readiness(**options(tmp_path_factory.mktemp("upgrade"), SCHEMA), stages=["upgrade"])


@pytest.mark.thorough
def test_an_index_that_relies_on_search_path_survives_pg_upgrade_and_no_maintenance(found: Readiness) -> None:
    told = {each.object: each for each in found.findings}
    index = told["public.tasks"]
    assert (index.severity, index.certainty, index.sqlstate) == ("error", "affects", "42883")
    assert "after pg_upgrade --copy, pg_upgrade --link, pg_upgrade --swap" in index.message
    assert "search_path" in index.remedy
    assert "fold(text) does not exist" in told["upgrade by dump and restore"].message


def test_the_script_for_afterwards_was_run(found: Readiness) -> None:
    (run,) = found.runs
    assert "\\connect application\n" in run.report.afterwards
    assert "hstore is 1.7, and 1.8 is installed\nALTER EXTENSION hstore UPDATE;\n" in run.report.afterwards
    assert "ANALYZE;\n" in run.report.afterwards
    assert dict(run.report.counts) == {"methods that succeeded": 3, "tables compared": 1}
    assert any(
        each.message.startswith("after") and "ANALYZE fails" in each.message for each in found.findings
    )


def test_a_stale_materialized_view_is_no_finding_and_what_an_install_lacks_is_told(tmp_path: Path) -> None:
    schema = """
        CREATE TABLE tasks (id int PRIMARY KEY);
        INSERT INTO tasks VALUES (1);
        CREATE MATERIALIZED VIEW counted AS SELECT count(*) FROM tasks;
        CREATE MATERIALIZED VIEW twice AS SELECT 2 * count AS count FROM counted;
        CREATE MATERIALIZED VIEW at_random AS SELECT random() FROM tasks;
        INSERT INTO tasks VALUES (2);
    """
    found = readiness(**options(tmp_path, schema) | {"new": "maven:18"}, stages=["upgrade"])
    assert not found.findings
    assert dict(found.runs[0].report.counts) == {"methods that succeeded": 1, "tables compared": 3}
    missed = {each.what: each.why for each in found.not_looked_at}
    assert "pg_upgrade" in missed["pg_upgrade --check"]
    assert missed.keys() >= {"pg_upgrade --copy", "pg_upgrade --link", "pg_upgrade --swap"}


KILLERS = """\
CREATE TABLE kept (id int PRIMARY KEY);
INSERT INTO kept VALUES (1);
CREATE FUNCTION factorial_of(bigint) RETURNS numeric IMMUTABLE LANGUAGE sql AS 'SELECT factorial($1)';
CREATE OPERATOR !+ (PROCEDURE = factorial_of, LEFTARG = bigint);
CREATE AGGREGATE collected(anyelement) (SFUNC = array_append, STYPE = anyarray, INITCOND = '{}');
CREATE TABLE named (id int PRIMARY KEY, what regproc, "who is" aclitem);
CREATE TABLE parent (id int, how regoper);
CREATE TABLE child () INHERITS (parent);
CREATE TABLE rows_of (one pg_catalog.pg_class);
"""


@pytest.mark.thorough
def test_each_thing_that_pg_upgrade_refuses_is_told_and_the_ways_go_on_without_it(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(KILLERS)
    found = readiness(old="13", new="18", schema=[tmp_path / "schema.sql"], stages=["upgrade"])
    told = " ".join(each.message for each in found.findings if each.object == "pg_upgrade --check")
    for name in (
        "public.!+",
        "public.collected(anyelement)",
        "public.named.what",
        "public.named.who is",
        "public.parent.how",
        "public.rows_of.one",
    ):
        assert name in told, name
    (dropped,) = [
        each.why for each in found.not_looked_at if each.what == "objects that pg_upgrade --check names"
    ]
    assert "table public.named.what" in dropped
    assert not any("pg_upgrade --check found" in each.why for each in found.not_looked_at)


@pytest.mark.pg(matrix=False)
def test_a_pg_upgrade_that_fails_halfway_stops_no_other_stage_and_leaves_no_server(
    tmp_path: Path,
    pg_readiness: Callable[..., Readiness],
    _pg_session: Any,  # noqa: PT019 (its value is used)
) -> None:
    found = pg_readiness("upgrade", "results", **options(tmp_path, SCHEMA + HALFWAY))
    told = {each.object: each.message for each in found.findings if each.stage == "upgrade"}
    refused = 'ended with status 1: column "checkpoints_timed" does not exist'
    assert refused in told["upgrade by pg_upgrade --copy"]
    missed = {each.what: each.why for each in found.not_looked_at}
    assert missed["pg_upgrade --link"].startswith("pg_upgrade --copy failed")
    assert "pg_upgrade --swap" in missed
    (results,) = [run for run in found.runs if run.stage == "results"]
    assert not results.error
    assert dict(results.report.counts)["with the same result"] == 1
    assert not [cluster for cluster in _pg_session.workbench.clusters if cluster.name.startswith("upgraded")]


def _parent(pid: int) -> int:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def _own_processes(word: str) -> Iterator[int]:
    """Our descendants with a word in their command lines."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            pid = int(process.name)
            if word.encode() in (process / "cmdline").read_bytes():
                above = pid
                while above > 1 and above != os.getpid():
                    above = _parent(above)
                if above == os.getpid():
                    yield pid


@pytest.mark.pg(matrix=False)
def test_a_pg_upgrade_that_is_killed_is_told_and_leaves_nothing_running(tmp_path: Path) -> None:
    ended, killed = threading.Event(), []

    def kill() -> None:
        while not ended.wait(0.01) and not killed:
            for pid in _own_processes("/pg_upgrade\0--old-bindir\0"):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        schema = "CREATE TABLE tasks (id int PRIMARY KEY); INSERT INTO tasks VALUES (1);"
        found = readiness(**options(tmp_path, schema), stages=["upgrade"])
    finally:
        ended.set()
        killer.join()
    (told,) = found.findings
    assert told.object == "pg_upgrade --check"
    assert "was killed by signal 9" in told.message
    assert "memory may have run out" in told.remedy
    assert dict(found.runs[0].report.counts)["methods that succeeded"] == 1
    assert not list(_own_processes("upgraded-16"))


@pytest.mark.thorough
def test_what_pg_upgrade_refuses_is_told_in_its_words_with_the_columns(tmp_path: Path) -> None:
    schema = "CREATE TABLE calls (id int, what regproc);\nINSERT INTO calls VALUES (1, 'now');\n"
    found = readiness(**options(tmp_path, schema), stages=["upgrade"])
    (finding,) = found.findings
    assert finding.object == "pg_upgrade --check"
    assert "one of the reg* data types in user tables" in finding.message
    assert "(public.calls.what)" in finding.message
    assert finding.remedy == "You can drop the problem columns and restart the upgrade."
    (dropped,) = found.not_looked_at
    assert dropped.why == "pg_upgrade is run without it: table public.calls.what"
    assert dict(found.runs[0].report.counts) == {"methods that succeeded": 4, "tables compared": 1}


@pytest.mark.thorough
def test_a_value_that_a_server_refuses_is_told_once_and_the_upgrade_goes_on_without_it(
    tmp_path: Path,
) -> None:
    given = options(tmp_path, "CREATE TABLE t (a int); INSERT INTO t VALUES (1);") | {
        "old": "11",
        "new": "12",
    }
    (tmp_path / "postgresql.conf").write_text("work_mem = 7MB\ndefault_with_oids = on\n")
    found = readiness(**given, stages=["settings", "upgrade"])
    assert [(each.stage, each.place and each.place.line) for each in found.affects] == [("settings", 2)]
