"""Upgrading and dumping clusters between majors, with the real programs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

import psycopg
import pytest

from pytest_pgfeatures.errors import (
    CapabilityMissingError,
    ServerError,
    ServerStartError,
    WaitTimeoutError,
)
from pytest_pgfeatures.server import upgrade_check
from pytest_pgfeatures.server.maintenance import amcheck
from pytest_pgfeatures.server.upgrade_check import control_data
from pytest_pgfeatures.version import PgMajor

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster

pytestmark = pytest.mark.pg(matrix=False)  # they pick their own versions

CREATE = Callable[..., "Cluster"]


def fill(cluster: Cluster) -> None:
    cluster.sql("CREATE ROLE clerk")
    cluster.sql("CREATE DATABASE shop OWNER clerk")
    cluster.sql("CREATE TABLE stock AS SELECT g AS item FROM generate_series(1, 1000) g", dbname="shop")


def filled(cluster: Cluster) -> bool:
    return cluster.sql("SELECT count(*), sum(item) FROM stock", dbname="shop") == [(1000, 500500)]


@pytest.mark.parametrize(
    ("old", "new", "mode", "options"),
    [
        ("14", "18", "copy", ["--encoding=LATIN1"]),
        ("14", "15", "link", ["--encoding=LATIN1", "--wal-segsize=1"]),
        ("16", "18", "swap", ["--data-checksums"]),
    ],
)
def test_pg_upgrade_takes_everything_along(create_pg: CREATE, old, new, mode, options) -> None:
    cluster = create_pg(version=old, initdb_options=options, settings={"work_mem": "5MB"})
    fill(cluster)
    described = (
        "SELECT current_setting('data_checksums'), current_setting('wal_segment_size'),"
        " current_setting('work_mem'), pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'template0'"
    )
    before = cluster.sql(described)
    upgraded = cluster.upgrade_to(new, mode, settings={"maintenance_work_mem": "77MB"})
    assert upgraded.version.major == PgMajor(new)
    assert not cluster.running()
    assert filled(upgraded)
    assert upgraded.sql(described) == before
    assert upgraded.sql("SHOW maintenance_work_mem") == [("77MB",)]


def test_a_refusal_shows_what_pg_upgrade_printed_and_its_report(create_pg: CREATE) -> None:
    cluster = create_pg(version="14")
    cluster.sql("CREATE TABLE grants (given aclitem)")  # of another size from 16 on
    reason = (
        r'ended with status 1: Your installation contains the "aclitem" data type .* \(public.grants.given\)'
    )
    with pytest.raises(ServerError, match=reason) as caught:
        cluster.upgrade_to("17")
    assert "drop the problem columns" in str(caught.value.remedy)
    told = "\n".join(caught.value.details)
    assert "aclitem" in told
    assert "public.grants.given" in told
    assert cluster.start().sql("SELECT count(*) FROM grants") == [(0,)]


def test_what_is_lacking_is_named(create_pg: CREATE) -> None:
    with pytest.raises(CapabilityMissingError, match="needs pg_controldata and pg_resetwal of 13") as caught:
        create_pg(version="maven:13").upgrade_to("18")
    assert caught.value.capability == "pg_controldata"


@pytest.mark.parametrize(
    ("version", "mode", "message"),
    [
        ("17", "swap", "pg_upgrade of PostgreSQL 17[.0-9]* has no --swap"),
        ("17", "move", "there is no mode 'move'"),
        ("15", "copy", "can't turn into the older 15"),
    ],
)
def test_what_can_not_be_asked_for(create_pg: CREATE, version, mode, message) -> None:
    cluster = create_pg(version="16")
    with pytest.raises(ServerError, match=message):
        cluster.upgrade_to(version, mode)
    assert cluster.running()


def test_a_deadline_ends_pg_upgrade_and_its_servers(create_pg: CREATE) -> None:
    cluster = create_pg(version="17")
    with pytest.raises(WaitTimeoutError, match="the end of pg_upgrade"):
        cluster.upgrade_to("18", timeout=0.7)
    assert filled_after_restart(cluster)


def filled_after_restart(cluster: Cluster) -> bool:
    cluster.start()  # refused if pg_upgrade's server still ran there
    fill(cluster)
    return filled(cluster)


def test_a_check_says_what_pg_upgrade_would_refuse_and_changes_nothing(create_pg: CREATE) -> None:
    cluster = create_pg(version="14")
    fill(cluster)
    pid = cluster.pid
    assert cluster.upgrade_to("17", check_only=True) is cluster
    assert (cluster.pid, cluster.successors) == (pid, [])
    cluster.sql("CREATE TABLE grants (given aclitem)")
    with pytest.raises(ServerError, match="pg_upgrade --link --check from PostgreSQL 14") as caught:
        cluster.upgrade_to("17", "link", check_only=True)
    assert "public.grants.given" in "\n".join(caught.value.details)
    assert (cluster.pid, cluster.running(), cluster.successors) == (pid, True, [])
    assert filled(cluster)


@pytest.mark.thorough
@pytest.mark.parametrize(("before", "after"), [(False, True), (True, False), (True, True), (True, None)])
def test_checksums_can_be_switched_on_the_way(create_pg: CREATE, before: bool, after: bool | None) -> None:
    cluster = create_pg(version="16", initdb_options=["--data-checksums"] if before else [])
    fill(cluster)
    upgraded = cluster.upgrade_to("18", checksums=after)
    assert upgraded.sql("SHOW data_checksums") == [("on" if (before and after is None) or after else "off",)]
    assert filled(upgraded)


def test_settings_of_a_file_are_the_new_servers(create_pg: CREATE, tmp_path: Path) -> None:
    path = tmp_path / "postgresql.conf"
    path.write_text("port = 1\nlisten_addresses = '*'\nwork_mem = 7MB  # ours\ninclude 'more.conf'\n")
    (tmp_path / "more.conf").write_text("my.text = 'it''s'\n")
    old = create_pg(version="14", settings=path)
    for cluster in (old, old.upgrade_to("18", settings=path), old.start().dump_to("17", settings=path)):
        assert cluster.sql("SELECT current_setting('work_mem'), current_setting('my.text')") == [
            ("7MB", "it's")
        ]
        assert cluster.sql("SHOW listen_addresses") == [("",)]
    path.write_text("vacuum_cleanup_index_scale_factor = 0.1\n")  # up to 13
    cluster = create_pg(version="17")
    with pytest.raises(ServerStartError, match=r"18\S* does not start with these settings") as caught:
        cluster.upgrade_to("18", settings=path)
    assert cluster.running()
    assert "this major has no setting vacuum_cleanup_index_scale_factor" in str(caught.value)


RELIES_ON_SEARCH_PATH = """
CREATE TABLE factors (factor int);
INSERT INTO factors VALUES (3);
CREATE FUNCTION times(int) RETURNS int IMMUTABLE LANGUAGE plpgsql
    AS 'BEGIN RETURN $1 * factor FROM factors; END';
CREATE TABLE t AS SELECT g AS a FROM generate_series(1, 10) g;
CREATE INDEX ON t (times(a));
CREATE MATERIALIZED VIEW m AS SELECT a FROM t;
CREATE MATERIALIZED VIEW of_m AS SELECT count(*) FROM m;
CREATE MATERIALIZED VIEW empty AS SELECT a FROM t WITH NO DATA;
CREATE TABLE parted (a int) PARTITION BY RANGE (a);
CREATE TABLE "Part 1" PARTITION OF parted FOR VALUES FROM (1) TO (9);
INSERT INTO parted VALUES (1);
"""


def test_maintenance_shows_what_no_longer_works(create_pg: CREATE) -> None:
    cluster = create_pg(version="16")
    cluster.sql("CREATE DATABASE other")
    for dbname in ("postgres", "other"):
        cluster.sql(RELIES_ON_SEARCH_PATH, dbname=dbname)
    cluster.maintain()
    with pytest.raises(ServerError, match=r"refused 4 of 26 maintenance statements") as caught:
        cluster.upgrade_to("17", maintain=True)
    told = str(caught.value)
    for dbname in ("postgres", "other"):
        assert f'{dbname}: VACUUM (ANALYZE) public.t: 42P01 relation "factors" does not exist' in told
        assert f"{dbname}: REINDEX TABLE public.t: 42P01" in told
    assert "search_path = pg_catalog, pg_temp" in told


def test_after_maintenance_everything_has_statistics(create_pg: CREATE) -> None:
    cluster = create_pg(version="14")
    cluster.sql(RELIES_ON_SEARCH_PATH.replace("plpgsql", "plpgsql SET search_path = public"))
    upgraded = cluster.upgrade_to("17", maintain=True)
    analyzed = "SELECT DISTINCT tablename FROM pg_stats WHERE schemaname = 'public' ORDER BY 1"
    assert upgraded.sql(analyzed) == [
        ("Part 1",),
        ("factors",),
        ("m",),
        ("of_m",),
        ("parted",),
        ("t",),
        ("t_times_idx",),
    ]
    assert upgraded.sql("SELECT relispopulated FROM pg_class WHERE relname = 'empty'") == [(False,)]


def test_a_dump_into_a_new_server(create_pg: CREATE) -> None:
    cluster = create_pg(version="maven:13", tcp=True)
    fill(cluster)
    restored = cluster.dump_to("15")
    assert restored.version.major == PgMajor("15")
    assert cluster.running()
    assert filled(restored)
    assert restored.sql("SELECT rolname FROM pg_roles WHERE rolname = 'clerk'") == [("clerk",)]


def test_a_dump_of_one_database_into_a_running_server(create_pg: CREATE) -> None:
    old, new = create_pg(version="16"), create_pg(version="18")
    fill(old)
    new.sql("CREATE ROLE clerk")
    assert old.dump_to(new, "shop") is new
    assert filled(new)
    with pytest.raises(ServerError, match="psql of 18") as caught:
        old.dump_to(new, "shop")
    assert 'database "shop" already exists' in str(caught.value)
    with pytest.raises(ServerError, match="pg_dump of 18") as caught:
        old.dump_to(new, "no such")
    assert 'database "no such" does not exist' in str(caught.value)


def test_servers_over_tcp_keep_their_passwords(create_pg: CREATE) -> None:
    old, new = (create_pg(version=version, tcp=True) for version in ("14", "18"))
    assert old.password != new.password
    old.sql("CREATE ROLE reader LOGIN PASSWORD 'of a reader'")
    fill(old)
    for target in (old.dump_to(new), old.dump_to("17"), old.upgrade_to("18")):
        assert filled(target)
        target.connect("shop", user="reader", password="of a reader").close()
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            target.connect(password="wrong")


@pytest.mark.parametrize("version", ["9.6", "11", "13"])
def test_the_check_needs_no_program_of_an_old_server(create_pg: CREATE, version) -> None:
    cluster = create_pg(version=version)
    assert cluster.upgrade_to("17", check_only=True) is cluster
    ended = upgrade_check.ask(cluster, "17")
    assert ended.status == 0, ended.output
    assert "Clusters are compatible" in ended.output
    assert cluster.sql("SELECT 1") == [(1,)]
    assert cluster.successors == []


def test_what_the_server_tells_is_what_pg_controldata_prints(create_pg: CREATE) -> None:
    """On a server that has the program."""
    cluster = create_pg(version="16", needs=["pg_controldata"])
    cluster.sql("CHECKPOINT")
    printed = subprocess.run(
        cluster.program("pg_controldata", cluster.datadir)[0], capture_output=True, text=True, check=True
    ).stdout
    known = {name: value.strip() for name, _, value in (line.partition(":") for line in printed.splitlines())}
    told = dict(control_data(cluster))
    assert {name: known.get(name) for name in told if name in known} == {
        name: value for name, value in told.items() if name in known
    }
    assert len(known.keys() & told.keys()) > 15


def test_the_check_of_a_server_without_the_functions_names_what_is_missing(create_pg: CREATE) -> None:
    with pytest.raises(CapabilityMissingError, match="no functions that tell the same") as caught:
        create_pg(version="9.5").upgrade_to("17", check_only=True)
    assert caught.value.capability == "pg_controldata"


@pytest.mark.pg(">=18")
def test_amcheck_finds_an_index_in_another_order(pg_connection: psycopg.Connection) -> None:
    order = "FUNCTION ordered(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT"
    pg_connection.execute(f"CREATE {order} $1 - $2'".encode())
    pg_connection.execute(
        "CREATE OPERATOR CLASS own FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,"
        " OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 ordered(int, int)"
    )
    pg_connection.execute("CREATE TABLE numbers AS SELECT generate_series(1, 9) AS id")
    pg_connection.execute("CREATE INDEX numbers_id ON numbers (id own)")
    assert amcheck(pg_connection) == []
    pg_connection.execute(f"CREATE OR REPLACE {order} $2 - $1'".encode())
    ((name, said),) = amcheck(pg_connection) or []
    assert name == "index public.numbers_id"
    assert "item order invariant violated" in said
