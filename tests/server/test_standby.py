"""Physical standbys, on servers from before and after each change in how one is made."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest

from pytest_pgfeatures.errors import ServerError, WaitTimeoutError
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster


# 9.5 takes exclusive backups, 9.6 has others beside them, 12 has no recovery.conf, 15 renamed the functions.
VERSIONS = [
    *("9.3", "9.6", "14", "18"),
    *(pytest.param(version, marks=pytest.mark.thorough) for version in ("9.5", "11", "13", "16")),
]
pytest_plugins = ["pytester"]
pytestmark = pytest.mark.pg(matrix=False)  # they pick their own versions

REPLICA = {"wal_level": "replica"}


@pytest.fixture(params=VERSIONS)
def primary(request: pytest.FixtureRequest, create_pg: Callable[..., Cluster]) -> Cluster:
    return create_pg("primary", version=request.param, settings=REPLICA)


def slots(cluster: Cluster) -> list[str]:
    if cluster.version in VersionSet("<9.4"):
        return []
    return [name for (name,) in cluster.sql("SELECT slot_name FROM pg_replication_slots ORDER BY 1")]


def test_a_standby_has_what_the_primary_had_and_gets_what_it_writes(primary: Cluster) -> None:
    primary.sql("CREATE TABLE t AS SELECT generate_series(1, 1000) AS i")
    standby = primary.standby("standby")
    primary.sql("INSERT INTO t VALUES (1001)")
    primary.wait_for_catchup(standby)
    assert standby.sql("SELECT count(*), max(i), pg_is_in_recovery() FROM t") == [(1001, 1001, True)]


@pytest.mark.parametrize("primary", ["9.6", "18"], indirect=True)
def test_a_wait_goes_on_in_another_session_if_the_standby_ends_its_own(primary: Cluster) -> None:
    standby = primary.standby("standby")
    with ThreadPoolExecutor() as threads, standby.connect() as connection:
        waiting = threads.submit(primary.wait_for_catchup, standby, lsn="0/8000000")
        ended = (
            "SELECT count(pg_terminate_backend(pid)) > 0 FROM pg_stat_activity WHERE query ~ '[0]/8000000'"
        )
        for _ in range(3):
            while connection.execute(ended).fetchone() != (True,):
                assert not waiting.done(), waiting.exception()
        switch = "pg_switch_xlog" if primary.version in VersionSet("<10") else "pg_switch_wal"
        while not waiting.done():
            primary.sql("CREATE TABLE IF NOT EXISTS t (i int)")
            primary.sql(f"INSERT INTO t VALUES (1); SELECT {switch}()")
        waiting.result()


@pytest.mark.parametrize("primary", ["9.6", "18"], indirect=True)
def test_a_standby_s_name_is_quoted_as_sql_quotes_it(primary: Cluster) -> None:
    standby = primary.standby(r"it's \ one")
    primary.wait_for_catchup(standby, "flush")
    assert primary.sql("SELECT application_name FROM pg_stat_replication") == [(r"it's \ one",)]


def test_a_standby_refuses_writes(primary: Cluster) -> None:
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        primary.standby().sql("CREATE TABLE t (i int)")


def test_promoted_it_takes_writes_and_the_old_primary_does_not_see_them(primary: Cluster) -> None:
    primary.sql("CREATE TABLE t (i int)")
    standby = primary.standby()
    primary.wait_for_catchup(standby)
    standby.promote()
    standby.sql("INSERT INTO t VALUES (1)")
    assert standby.sql("SELECT count(*) FROM t") == [(1,)]
    assert primary.sql("SELECT count(*) FROM t") == [(0,)]
    with pytest.raises(ServerError, match="primary already"):
        standby.promote()


def test_a_cascaded_standby_follows_the_promotion_of_the_one_it_streams_from(primary: Cluster) -> None:
    primary.sql("CREATE TABLE t (i int)")
    middle = primary.standby("middle")
    last = middle.standby("last")
    primary.sql("INSERT INTO t VALUES (1)")
    primary.wait_for_catchup(middle)
    middle.wait_for_catchup(last)
    assert last.sql("SELECT count(*) FROM t") == [(1,)]
    middle.promote()
    middle.sql("INSERT INTO t VALUES (2)")
    middle.wait_for_catchup(last)
    assert last.sql("SELECT array_agg(i) FROM t") == [([1, 2],)]


def test_a_standby_is_made_while_the_primary_is_written_to(primary: Cluster) -> None:
    primary.sql("CREATE TABLE t (i int PRIMARY KEY, v text)")
    with primary.connect() as writer, writer.pipeline() as pipeline:
        for i in range(3000):
            writer.execute("INSERT INTO t VALUES (%s, repeat('x', 500))", [i])
        pipeline.sync()
        standby = primary.standby()  # while the server works off the pipeline
    primary.wait_for_catchup(standby)
    checksum = "SELECT count(*), sum(hashtext(t::text)::bigint) FROM t"
    assert standby.sql(checksum) == primary.sql(checksum)
    assert standby.sql("SELECT count(*) FROM t WHERE i = 2999") == [(1,)]


def test_no_slot_is_left_when_a_standby_ends(primary: Cluster) -> None:
    middle = primary.standby("Middle-1")
    middle.standby("last")
    expected = [] if primary.version in VersionSet("<9.4") else ["middle_1"]
    assert slots(primary) == expected
    middle.remove()
    assert slots(primary) == []
    assert primary.standbys == []


@pytest.mark.parametrize("version", ["9.6", "18"])
def test_a_standby_keeps_up_over_a_restart_of_either(create_pg: Callable[..., Cluster], version: str) -> None:
    primary = create_pg("primary", version=version, settings=REPLICA)
    primary.sql("CREATE TABLE t (i int)")
    standby = primary.standby()
    standby.stop()
    primary.sql("INSERT INTO t VALUES (1)")
    primary.restart()
    standby.start()
    primary.sql("INSERT INTO t VALUES (2)")
    primary.wait_for_catchup(standby)
    assert standby.sql("SELECT array_agg(i) FROM t") == [([1, 2],)]


@pytest.mark.parametrize("version", ["9.5", "14", "18"])
def test_tablespaces_are_the_standbys_own(create_pg: Callable[..., Cluster], version: str) -> None:
    primary = create_pg("primary", version=version, settings=REPLICA)
    place = primary.datadir.parent / "space"
    place.mkdir(mode=0o700)
    facts = primary.datadir.stat()
    os.chown(place, facts.st_uid, facts.st_gid)
    primary.sql(f"CREATE TABLESPACE space LOCATION '{place}'")
    primary.sql("CREATE TABLE t TABLESPACE space AS SELECT generate_series(1, 1000) AS i")
    standby = primary.standby()
    standby.promote()
    standby.sql("DELETE FROM t")
    assert primary.sql("SELECT count(*) FROM t") == [(1000,)]
    assert standby.sql("SELECT count(*) FROM t") == [(0,)]


def test_settings_are_the_primarys_and_those_given(create_pg: Callable[..., Cluster]) -> None:
    primary = create_pg("primary", version="16", settings={"work_mem": "5MB"})
    standby = primary.standby(settings={"hot_standby_feedback": True})
    shown = "SELECT current_setting('work_mem'), current_setting('hot_standby_feedback')"
    assert standby.sql(shown) == [("5MB", "on")]
    assert primary.sql(shown) == [("5MB", "off")]


def test_over_tcp_the_standby_has_the_primarys_password(create_pg: Callable[..., Cluster]) -> None:
    primary = create_pg("primary", version="16", tcp=True)
    standby = primary.standby()
    assert (standby.host, standby.port != primary.port) == ("127.0.0.1", True)
    assert standby.sql("SELECT inet_server_addr() IS NOT NULL") == [(True,)]


def test_a_server_with_minimal_wal_says_what_it_needs(create_pg: Callable[..., Cluster]) -> None:
    with pytest.raises(ServerError, match="wal_level is minimal") as error:
        create_pg("primary", version="9.6").standby()
    assert 'settings={"wal_level": "replica"}' in (error.value.remedy or "")


def test_waiting_in_vain_shows_both_logs(create_pg: Callable[..., Cluster]) -> None:
    primary = create_pg("primary", version="16")
    standby = primary.standby("left-behind")
    standby.sql("SELECT pg_wal_replay_pause()")
    primary.sql("CREATE TABLE t (i int)")
    with pytest.raises(WaitTimeoutError) as error:
        primary.wait_for_catchup(standby, timeout=0.3)
    text = str(error.value)
    assert "log of primary" in text
    assert "log of left-behind" in text
    assert str(standby.log.path) in text


def test_there_is_no_mode_of_another_name(create_pg: Callable[..., Cluster]) -> None:
    primary = create_pg("primary", version="16")
    with pytest.raises(ServerError, match="no mode 'apply'"):
        primary.wait_for_catchup("standby", "apply")


def test_the_standby_of_a_shared_server_ends_with_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_one(pg_cluster):
            pg_cluster.standby("short-lived")
            assert len(pg_cluster.standbys) == 1

        def test_two(pg_cluster):
            assert pg_cluster.standbys == []
            assert pg_cluster.sql("SELECT count(*) FROM pg_replication_slots") == [(0,)]
        """
    )
    pytester.runpytest_inprocess("--pg=16").assert_outcomes(passed=2)


def test_a_failure_shows_the_log_of_each_node(pytester: pytest.Pytester, tmp_path: Path) -> None:
    pytester.makepyfile(
        """
        def test_fails(create_pg):
            primary = create_pg("first-node")
            standby = primary.standby("second-node")
            standby.crash()
            assert False
        """
    )
    result = pytester.runpytest_inprocess("--pg=16")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*Server log of first-node (PostgreSQL 16*", "*Server log of second-node (PostgreSQL 16*"]
    )
