"""Logical replication between servers, of one major and of different ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.server import replicate_bidirectionally, wait_for_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster, Database

    CreatePgs = Callable[..., tuple[Cluster, ...]]

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.pg(matrix=False)  # they pick their own versions

LOGICAL = {"wal_level": "logical"}


@pytest.mark.parametrize(
    ("old", "new"), [("10", "11"), ("13", "13"), ("14", "18"), ("16", "14"), ("18", "12"), ("18", "18")]
)
def test_a_subscriber_gets_what_a_publisher_of_any_major_has_and_writes(
    create_pgs: CreatePgs, old: str, new: str
) -> None:
    publisher, subscriber = create_pgs(
        "publisher", "subscriber", version={"publisher": old, "subscriber": new}, settings=LOGICAL
    )
    for node in (publisher, subscriber):
        node.sql("CREATE TABLE t (i int PRIMARY KEY, v text)")
    publisher.sql("INSERT INTO t SELECT g, 'copied' FROM generate_series(1, 1000) g")
    publisher.sql("CREATE PUBLICATION pub FOR TABLE t")
    subscriber.sql(f"CREATE SUBSCRIPTION sub CONNECTION '{publisher.dsn()}' PUBLICATION pub")
    subscriber.wait_for_subscription_sync(publisher, "sub")
    publisher.sql("UPDATE t SET v = 'streamed' WHERE i <= 10")
    publisher.sql("DELETE FROM t WHERE i = 1")
    publisher.wait_for_catchup("sub")
    assert subscriber.sql("SELECT v, count(*) FROM t GROUP BY v ORDER BY v") == [
        ("copied", 990),
        ("streamed", 9),
    ]


def test_nodes_are_started_side_by_side_with_the_names_and_versions_asked_for(create_pgs: CreatePgs) -> None:
    nodes = create_pgs("a", "b", "c", version={"b": "14", "c": "16"}, settings={"work_mem": "5MB"})
    assert [(node.name, str(node.version.major)) for node in nodes[1:]] == [("b", "14"), ("c", "16")]
    assert {node.sql("SHOW work_mem")[0][0] for node in nodes} == {"5MB"}


def test_what_is_written_on_each_of_three_nodes_arrives_on_all_and_stops_there(create_pgs: CreatePgs) -> None:
    nodes = create_pgs("a", "b", "c", version={"a": "16", "b": "17", "c": "18"}, settings=LOGICAL)
    for node in nodes:
        node.sql("CREATE TABLE t (i int, v text, PRIMARY KEY (i))")
    replicate_bidirectionally(nodes)
    for i, node in enumerate(nodes):
        node.sql("INSERT INTO t VALUES (%s, %s)", [i, node.name])
    wait_for_all(nodes)
    for node in nodes:
        assert node.sql("SELECT v FROM t ORDER BY i") == [("a",), ("b",), ("c",)]
        assert node.sql("SELECT sum(apply_error_count) FROM pg_stat_subscription_stats") == [(0,)]


def test_servers_before_16_are_not_connected_bidirectionally(create_pgs: CreatePgs) -> None:
    nodes = create_pgs("a", "b", version={"a": "15", "b": "16"}, settings=LOGICAL)
    with pytest.raises(ServerError, match="a is PostgreSQL 15"):
        replicate_bidirectionally(nodes)
    assert nodes[1].sql("SELECT count(*) FROM pg_publication") == [(0,)]


def test_a_publisher_without_the_name_of_a_subscription_is_refused(create_pg: Callable[..., Cluster]) -> None:
    cluster = create_pg("node", version="16")
    with pytest.raises(ServerError, match="name if a publisher is given"):
        cluster.wait_for_subscription_sync(cluster)


def test_no_slot_stays_on_a_shared_publisher(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        pytestmark = pytest.mark.pg(settings={"wal_level": "logical"})

        def test_one(create_pg, pg_database):
            pg_database.sql("CREATE TABLE t (i int)")
            pg_database.sql("CREATE PUBLICATION pub FOR TABLE t")
            subscriber = create_pg("subscriber")
            subscriber.sql("CREATE TABLE t (i int)")
            subscriber.sql(f"CREATE SUBSCRIPTION sub CONNECTION '{pg_database.dsn}' PUBLICATION pub")
            assert pg_database.sql("SELECT count(*) >= 1 FROM pg_replication_slots") == [(True,)]

        def test_two(pg_database):
            assert pg_database.sql("SELECT * FROM pg_replication_slots") == []
        """
    )
    pytester.runpytest_inprocess("--pg=13,18").assert_outcomes(passed=4)


@pytest.mark.pg(">=10", settings=LOGICAL, matrix=True)
def test_slots_of_other_databases_are_left_alone(pg_database: Database) -> None:
    cluster = pg_database.cluster
    cluster.sql("SELECT pg_create_logical_replication_slot('kept', 'pgoutput')")
    pg_database.sql("SELECT pg_create_logical_replication_slot('dropped', 'pgoutput')")
    pg_database.drop_slots()
    slots = cluster.sql("SELECT slot_name FROM pg_replication_slots WHERE slot_type = 'logical'")
    cluster.sql("SELECT pg_drop_replication_slot('kept')")
    assert slots == [("kept",)]
