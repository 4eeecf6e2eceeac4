"""Upgrading and dumping clusters between majors, with the real programs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import CapabilityMissingError, ServerError, WaitTimeoutError
from pytest_pgfeatures.server.upgrade_check import control_data
from pytest_pgfeatures.server.waiting import wait_until
from pytest_pgfeatures.version import PgMajor

if TYPE_CHECKING:
    from pytest_pgfeatures.server import Cluster

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
    with pytest.raises(ServerError, match="ended with status 1") as caught:
        cluster.upgrade_to("17")
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
        cluster.upgrade_to("18", seconds=0.7)
    assert filled_after_restart(cluster)


def filled_after_restart(cluster: Cluster) -> bool:
    wait_until(lambda: not (cluster.datadir / "postmaster.pid").exists(), "the end of pg_upgrade's server")
    cluster.start()
    fill(cluster)
    return filled(cluster)


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


@pytest.mark.parametrize("version", ["9.6", "11", "13"])
def test_the_check_needs_no_program_of_an_old_server(create_pg: CREATE, version) -> None:
    cluster = create_pg(version=version)
    ended = cluster.upgrade_check("17")
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
        create_pg(version="9.5").upgrade_check("17")
    assert caught.value.capability == "pg_controldata"
