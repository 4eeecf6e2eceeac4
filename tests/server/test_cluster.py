"""A cluster's life: start, stop, crash, settings, waiting, TCP."""

from __future__ import annotations

import itertools
import os
import re
import stat
import subprocess
from typing import TYPE_CHECKING

import psycopg
import pytest

from pytest_pgfeatures.errors import ServerError, WaitTimeoutError
from pytest_pgfeatures.install import server_account
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster

    CreatePg = Callable[..., Cluster]


@pytest.mark.pg
def test_it_runs_the_version_it_says(pg_cluster: Cluster) -> None:
    assert pg_cluster.sql("SHOW server_version_num") == [(str(pg_cluster.version.num),)]


@pytest.mark.pg
def test_stopped_it_takes_no_connections_and_started_again_it_has_its_data(create_pg: CreatePg) -> None:
    cluster = create_pg()
    cluster.sql("CREATE TABLE t AS SELECT 1 AS a")
    for mode in ("smart", "fast"):
        cluster.stop(mode)
        assert not cluster.running()
        assert cluster.pid is None
        with pytest.raises(psycopg.OperationalError):
            cluster.connect()
        cluster.start()
        assert cluster.sql("SELECT a FROM t") == [(1,)]


@pytest.mark.pg
def test_after_a_crash_it_recovers_what_was_committed(create_pg: CreatePg) -> None:
    cluster = create_pg()
    cluster.sql("CREATE TABLE t AS SELECT 1 AS a")
    with cluster.connect(autocommit=False) as connection:
        connection.execute("INSERT INTO t VALUES (2)")
        since = cluster.log.position()
        cluster.crash()
        connection.close()
    cluster.start()
    cluster.wait_for_log("automatic recovery in progress", since)
    assert cluster.sql("SELECT a FROM t") == [(1,)]


@pytest.mark.pg
def test_settings_under_their_newest_names_work_on_each_version(create_pg: CreatePg) -> None:
    cluster = create_pg(settings={"debug_parallel_query": "on"})
    name = "debug_parallel_query" if cluster.version in VersionSet(">=16") else "force_parallel_mode"
    assert cluster.sql(f"SHOW {name}") == [("on",)]
    cluster.append_conf(debug_parallel_query="regress", work_mem="1MB")
    assert cluster.sql(f"SHOW {name}") == [("on",)], "nothing counts before a reload"
    cluster.reload()
    cluster.poll_query_until(f"SHOW {name}", "regress")
    assert cluster.sql("SHOW work_mem") == [("1MB",)]


@pytest.mark.pg
def test_a_restart_takes_settings_that_a_reload_does_not(create_pg: CreatePg) -> None:
    cluster = create_pg()
    since = cluster.log.position()
    cluster.append_conf(max_connections=17)
    cluster.reload()
    cluster.wait_for_log('parameter "max_connections" cannot be changed without restarting', since)
    assert cluster.sql("SHOW max_connections") != [("17",)]
    cluster.restart()
    assert cluster.sql("SHOW max_connections") == [("17",)]


@pytest.mark.pg
def test_settings_that_change_behavior_are_at_their_defaults(pg_cluster: Cluster) -> None:
    from_file = {
        name for (name,) in pg_cluster.sql("SELECT name FROM pg_settings WHERE source = 'configuration file'")
    }
    ours = {
        "fsync", "wal_buffers", "wal_init_zero", "port", "log_line_prefix", "logging_collector", "log_destination",
        "unix_socket_directories", "listen_addresses",
    }  # fmt: skip
    by_initdb = {
        "max_connections", "shared_buffers", "dynamic_shared_memory_type", "max_wal_size", "min_wal_size",
        "log_timezone", "timezone", "TimeZone", "datestyle", "DateStyle", "default_text_search_config",
        "lc_messages", "lc_monetary", "lc_numeric", "lc_time", "autovacuum_worker_slots",
    }  # fmt: skip
    assert from_file <= ours | by_initdb
    assert "fsync" in from_file


@pytest.mark.pg
def test_the_socket_is_the_only_way_in(pg_cluster: Cluster) -> None:
    assert pg_cluster.sql("SHOW listen_addresses") == [("",)]
    assert pg_cluster.password is None
    facts = os.stat(pg_cluster.host)  # noqa: PTH116
    assert stat.S_IMODE(facts.st_mode) == 0o700


@pytest.mark.pg
def test_tcp_wants_the_password(create_pg: CreatePg) -> None:
    cluster = create_pg(tcp=True)
    assert cluster.host == "127.0.0.1"
    assert cluster.sql("SELECT host(inet_server_addr()), inet_server_port()") == [("127.0.0.1", cluster.port)]
    for wrong in ("wrong", ""):
        with pytest.raises(psycopg.OperationalError, match="password"):
            cluster.connect(password=wrong)
    if cluster.version in VersionSet(">=10"):
        stored = cluster.sql("SELECT rolpassword FROM pg_authid WHERE rolname = %s", [cluster.user])
        assert stored[0][0].startswith("SCRAM-SHA-256$")


@pytest.mark.pg("18")
def test_two_clusters_have_different_passwords(create_pg: CreatePg) -> None:
    assert create_pg(tcp=True).password != create_pg(tcp=True).password


@pytest.mark.pg
def test_files_are_the_servers_users_alone(create_pg: CreatePg) -> None:
    cluster = create_pg()
    cluster.sql("CREATE DATABASE another")
    account = server_account()
    owner = os.geteuid() if account is None else account.uid
    walks = [os.walk(place) for place in (cluster.datadir, cluster.socket_directory)]
    for directory, _, files in itertools.chain(*walks):
        for path in (directory, *(f"{directory}/{name}" for name in files)):
            try:
                facts = os.lstat(path)
            except FileNotFoundError:
                continue  # the server removes files at any time
            assert facts.st_uid == owner, path
            assert stat.S_ISSOCK(facts.st_mode) or not stat.S_IMODE(facts.st_mode) & 0o077, path
    log = cluster.log.path.stat()
    assert (log.st_uid, stat.S_IMODE(log.st_mode)) == (owner, 0o600)


@pytest.mark.pg("18")
def test_a_deadline_for_a_query_tells_what_it_returned_last(pg_cluster: Cluster) -> None:
    with pytest.raises(WaitTimeoutError) as caught:
        pg_cluster.poll_query_until("SELECT 'no'", "yes", timeout=0.05)
    assert "SELECT 'no' to return 'yes'" in caught.value.problem
    assert "it returned 'no' last" in str(caught.value)


@pytest.mark.pg("18")
def test_a_deadline_for_a_log_line_shows_the_log(create_pg: CreatePg) -> None:
    cluster = create_pg()
    with pytest.raises(WaitTimeoutError) as caught:
        cluster.wait_for_log("never logged", timeout=0.05)
    assert "'never logged'" in caught.value.problem
    assert "database system is ready to accept connections" in str(caught.value)


@pytest.mark.pg("18")
def test_waiting_for_the_log_goes_on_where_it_left_off(create_pg: CreatePg) -> None:
    cluster = create_pg()
    position = cluster.wait_for_log("ready to accept connections")
    assert not cluster.log_contains("ready to accept connections", position)
    cluster.restart()
    assert cluster.wait_for_log("ready to accept connections", position) > position


@pytest.mark.pg("18")
def test_what_has_not_run_cannot_be_reloaded_and_what_runs_not_started(create_pg: CreatePg) -> None:
    cluster = create_pg()
    with pytest.raises(ServerError, match="runs already"):
        cluster.start()
    with pytest.raises(ServerError, match="no shutdown mode 'gentle'"):
        cluster.stop("gentle")
    cluster.stop()
    cluster.stop()
    with pytest.raises(ServerError, match="is stopped"):
        cluster.reload()


@pytest.mark.pg("18")
def test_a_smart_shutdown_waits_for_sessions_up_to_its_deadline(create_pg: CreatePg) -> None:
    cluster = create_pg()
    with cluster.connect(), pytest.raises(WaitTimeoutError, match=r"within 0\.1 seconds of a smart shutdown"):
        cluster.stop("smart", timeout=0.1)
    cluster.stop("fast")
    assert not cluster.running()


@pytest.mark.pg("18")
def test_initdb_options_are_taken(create_pg: CreatePg) -> None:
    assert create_pg(initdb_options=["--wal-segsize=1"]).sql("SHOW wal_segment_size") == [("1MB",)]
    with pytest.raises(ServerError, match=r"initdb of .* ended with status") as caught:
        create_pg(initdb_options=["--no-such-option"])
    assert caught.value.remedy is not None
    assert "no-such-option" in caught.value.remedy


@pytest.mark.pg(">=14", needs=["psql"])
def test_client_programs_find_the_server(create_pg: CreatePg) -> None:
    for cluster in (create_pg(), create_pg(tcp=True)):
        argv, environment = cluster.program("psql", "-XAtc", "SHOW port", "postgres")
        ended = subprocess.run(argv, env=environment, capture_output=True, text=True, check=True)
        assert ended.stdout.strip() == str(cluster.port)


@pytest.mark.pg("18")
def test_libpq_variables_of_the_user_do_not_lead_elsewhere(
    create_pg: CreatePg, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PGHOST": "nowhere.invalid",
        "PGPORT": "1",
        "PGUSER": "nobody",
        "PGDATA": "/x",
    }.items():
        monkeypatch.setenv(name, value)
    assert create_pg().sql("SELECT current_user") == [("postgres",)]


@pytest.mark.pg("18")
def test_a_name_is_in_what_is_printed(create_pg: CreatePg) -> None:
    cluster = create_pg("primary")
    assert re.fullmatch(r"<Cluster primary: PostgreSQL 18\.\d+, running>", repr(cluster))
    assert create_pg("primary").name == "primary-2"
