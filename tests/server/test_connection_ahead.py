"""A test's connection, opened ahead: it is handed over only if a new one would be the same."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest

from pytest_pgfeatures.server import Databases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.server import Cluster, Database

    CreatePg = Callable[..., Cluster]

pytestmark = pytest.mark.pg(">=13")
AHEAD = "FROM pg_stat_activity WHERE datname ~ '^test_' AND pid <> pg_backend_pid()"
FACTS = """
    SELECT name, setting, source FROM pg_settings
    WHERE name NOT IN ('application_name', 'transaction_isolation') ORDER BY name
"""


@contextmanager
def opened(cluster: Cluster) -> Iterator[tuple[Databases, set[int]]]:
    """Databases of which the next one has a connection, and that connection's process."""
    databases = Databases(cluster)
    databases.take(connects=True)
    cluster.poll_query_until(f"SELECT count(*) {AHEAD}", 1)
    yield databases, {pid for (pid,) in cluster.sql(f"SELECT pid {AHEAD}")}
    databases.close()


def process(database: Database) -> int:
    """The process of the database's next connection."""
    with database.connect() as connection:
        return connection.info.backend_pid


def test_it_is_as_a_new_one(create_pg: CreatePg) -> None:
    with opened(cluster := create_pg()) as (databases, ahead):
        database = databases.take(connects=True)
        with database.connect() as connection, database.connect() as new:
            assert connection.info.backend_pid in ahead
            assert new.info.backend_pid not in ahead
            assert connection.info.get_parameters() == new.info.get_parameters()
            assert connection.autocommit == new.autocommit
            assert connection.prepare_threshold == new.prepare_threshold
            one = f"FROM pg_stat_activity WHERE pid = {connection.info.backend_pid}"
            cluster.poll_query_until(f"SELECT wait_event {one}", "ClientRead")
            facts = "query, state, backend_xid, backend_xmin, usename, datname, application_name"
            assert new.execute(f"SELECT {facts} {one}").fetchall() == [
                ("", "idle", None, None, "postgres", database.name, "")
            ]
            assert connection.execute(FACTS).fetchall() == new.execute(FACTS).fetchall()


def test_no_session_is_left_in_a_database_whose_name_is_known(create_pg: CreatePg) -> None:
    with opened(cluster := create_pg()) as (databases, ahead):
        database = databases.take()
        count = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database.name}'"
        assert cluster.sql(count) == [(0,)]
        cluster.sql(f"ALTER DATABASE {database.name} SET work_mem = '7MB'")
        assert database.sql("SHOW work_mem") == [("7MB",)]
        assert process(database) not in ahead


@pytest.mark.parametrize(
    "statements",
    [
        ("ALTER ROLE postgres SET work_mem = '7MB'",),
        ("ALTER ROLE postgres SET work_mem = '7MB'", "ALTER ROLE postgres RESET work_mem"),
        ("ALTER ROLE postgres SET work_mem = '7MB'", "VACUUM FULL pg_db_role_setting"),
        ("ALTER SYSTEM SET work_mem = '7MB'",),
        (f"SELECT pg_terminate_backend(pid) {AHEAD}",),
    ],
)
def test_what_was_changed_since_needs_a_new_one(create_pg: CreatePg, statements: tuple[str, ...]) -> None:
    with opened(cluster := create_pg()) as (databases, ahead):
        for statement in statements:
            cluster.sql(statement)
        cluster.reload()
        database = databases.take()
        with database.connect() as connection:
            assert connection.info.backend_pid not in ahead
            now = connection.execute("SHOW work_mem").fetchone()
        assert now == database.sql("SHOW work_mem")[0]


def test_a_restarted_server_needs_a_new_one(create_pg: CreatePg) -> None:
    with opened(cluster := create_pg()) as (databases, ahead):
        cluster.restart()
        assert process(databases.take()) not in ahead


def test_options_need_a_new_one(create_pg: CreatePg) -> None:
    with (
        opened(create_pg()) as (databases, ahead),
        databases.take().connect(application_name="mine") as connection,
    ):
        assert connection.info.backend_pid not in ahead
        assert connection.info.get_parameters()["application_name"] == "mine"


def test_what_psycopg_learned_since_holds(create_pg: CreatePg) -> None:
    with opened(create_pg()) as (databases, ahead):
        known = psycopg.adapters.get_loader

        class Shouting(psycopg.adapt.Loader):
            def load(self, data: psycopg.abc.Buffer) -> str:
                return bytes(data).decode().upper()

        before = known(psycopg.adapters.types["text"].oid, psycopg.pq.Format.TEXT)
        assert before is not None
        psycopg.adapters.register_loader("text", Shouting)
        try:
            with databases.take().connect() as connection:
                assert connection.info.backend_pid in ahead
                assert connection.execute("SELECT 'a'::text").fetchone() == ("A",)
        finally:
            psycopg.adapters.register_loader("text", before)


@pytest.mark.parametrize(
    "asked", [{"settings": {"log_connections": "on"}}, {"pg_hba": ["local all alice trust"]}]
)
def test_there_is_none_on_a_server_that_a_test_configured(
    create_pg: CreatePg, asked: dict[str, object]
) -> None:
    databases = Databases(cluster := create_pg(**asked))
    for _ in range(4):
        assert databases.take(connects=True).sql("SELECT 1") == [(1,)]
        cluster.poll_query_until(f"SELECT count(*) {AHEAD}", 0)
    databases.close()


def test_there_is_none_while_a_variable_of_libpq_is_set(
    create_pg: CreatePg, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGTZ", "Asia/Tokyo")
    databases = Databases(cluster := create_pg())
    for _ in range(4):
        with databases.take(connects=True).connect() as connection:
            assert connection.execute("SHOW TimeZone").fetchone() == ("UTC",)
        cluster.poll_query_until(f"SELECT count(*) {AHEAD}", 0)
    databases.close()


def test_none_is_left_at_the_end(create_pg: CreatePg) -> None:
    with opened(cluster := create_pg()):
        pass
    assert cluster.sql(f"SELECT count(*) {AHEAD}") == [(0,)]


def test_a_test_with_a_database_has_no_session_in_it(pg_database: Database, pg_cluster: Cluster) -> None:
    [(name,)] = pg_database.sql("SELECT current_database()")
    query = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'"
    pg_cluster.poll_query_until(query, 0)
