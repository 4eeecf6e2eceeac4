"""Databases for tests: fresh ones, made from a template, and not kept for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from pytest_pgfeatures.errors import PgFeaturesError, ServerError
from pytest_pgfeatures.plugin.template import loader
from pytest_pgfeatures.server import Database, Databases
from pytest_pgfeatures.server.database import kept_of
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster

    CreatePg = Callable[..., Cluster]


@pytest.mark.pg
def test_each_is_fresh(create_pg: CreatePg) -> None:
    databases = Databases(create_pg())
    names = set()
    for _ in range(5):
        database = databases.take()
        names.add(database.name)
        database.sql("CREATE TABLE t (a int)")
    assert len(names) == 5
    databases.close()


@pytest.mark.pg
def test_each_has_what_the_template_was_loaded_with_once(create_pg: CreatePg) -> None:
    loaded = []

    def load(connection: psycopg.Connection) -> None:
        loaded.append(connection.info.dbname)
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")

    databases = Databases(create_pg(), load)
    for _ in range(4):
        database = databases.take()
        assert database.sql("SELECT a FROM t") == [(1,)]
        database.sql("DROP TABLE t")
    assert len(loaded) == 1
    databases.close()


@pytest.mark.pg
def test_the_oldest_used_ones_are_dropped(create_pg: CreatePg) -> None:
    cluster = create_pg()
    databases = Databases(cluster)
    first = databases.take()
    with first.connect():  # even while a forgotten session is in it
        for _ in range(kept_of(cluster)):
            databases.take()
        cluster.poll_query_until(
            f"SELECT NOT EXISTS (SELECT FROM pg_database WHERE datname = '{first.name}')", True
        )
    databases.close()


@pytest.mark.pg(">=13")
def test_more_are_made_ahead_when_tests_wait_for_them(create_pg: CreatePg) -> None:
    cluster = create_pg()
    databases = Databases(cluster)
    for _ in range(8):
        databases.take()
    cluster.poll_query_until("SELECT count(*) FROM pg_database WHERE datname ~ '^test_'", 8 + 4)
    databases.close()


@pytest.mark.pg("18")
def test_a_stopped_server_has_none(create_pg: CreatePg) -> None:
    cluster = create_pg()
    databases = Databases(cluster)
    databases.take()
    cluster.stop()
    with pytest.raises(ServerError, match="is stopped") as caught:
        databases.take()
    assert "create_pg" in str(caught.value.remedy)
    databases.close()


@pytest.mark.pg("18")
def test_a_restarted_server_has_more(create_pg: CreatePg) -> None:
    cluster = create_pg()
    databases = Databases(cluster)
    names = {databases.take().name}
    cluster.restart("immediate")
    for _ in range(5):
        database = databases.take()
        assert database.sql("SELECT 1") == [(1,)]
        names.add(database.name)
    assert len(names) == 6
    databases.close()


@pytest.mark.pg("18")
def test_wrong_sql_names_the_file_and_the_line(create_pg: CreatePg, tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE a (a int);\n\nCREATE TABEL b (b int);\n")
    databases = Databases(create_pg(), loader(tmp_path / "schema.sql", tmp_path))
    for _ in range(2):  # and again, as each test asks anew
        with pytest.raises(PgFeaturesError) as caught:
            databases.take()
        assert caught.value.problem.startswith("schema.sql:3: 42601 syntax_error: ")
    databases.close()


def test_a_schema_that_is_not_there_is_named(tmp_path: Path) -> None:
    from pathlib import Path

    with pytest.raises(PgFeaturesError, match="there is no file") as caught:
        loader(Path("nowhere.sql"), tmp_path)
    assert str(tmp_path / "nowhere.sql") in caught.value.problem


def test_a_template_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PgFeaturesError, match="pg_template returned 5"):
        loader(5, tmp_path)


PID = "SELECT pg_backend_pid()"


@pytest.mark.pg
def test_a_connection_that_is_given_back_is_as_new(pg_cluster: Cluster) -> None:
    database = Database(pg_cluster, "postgres")
    connection = database.borrow()
    (pid,) = connection.execute(PID).fetchone()
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE left_over (a int)")
    connection.execute("CREATE TEMP TABLE mine (a int)")
    connection.execute("PREPARE p AS SELECT 1")
    connection.execute("SET work_mem = '77MB'")
    connection.execute("SET ROLE pg_monitor" if pg_cluster.version in VersionSet(">=10") else "SELECT 1")
    database.give_back(connection)
    again = database.borrow()
    assert again.execute(PID).fetchone() == (pid,)
    assert again.execute(
        "SELECT count(*) FROM pg_class WHERE relname IN ('left_over', 'mine')"
    ).fetchone() == (0,)
    assert again.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)
    assert again.execute("SELECT current_setting('work_mem'), current_user").fetchone() == ("4MB", "postgres")
    assert database.borrow() is not again, "another borrower has another one"
    database.close_borrowed()


@pytest.mark.pg
def test_a_connection_that_is_broken_is_not_lent_again(pg_cluster: Cluster) -> None:
    database = Database(pg_cluster, "postgres")
    broken = database.borrow()
    with pytest.raises(psycopg.OperationalError):
        broken.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    database.give_back(broken)
    assert database.borrow() is not broken
    assert broken.closed


@pytest.mark.pg
def test_a_url_leads_to_the_database_for_any_driver(pg_cluster: Cluster) -> None:
    import sqlalchemy

    name = "a/b c?%d@e"
    pg_cluster.sql(f'CREATE DATABASE "{name}"')
    try:
        with psycopg.connect(pg_cluster.url(name)) as connection:
            assert connection.execute("SELECT current_database()").fetchone() == (name,)
        engine = sqlalchemy.create_engine(pg_cluster.url(name, "postgresql+psycopg"))
        with engine.connect() as session:
            assert session.execute(sqlalchemy.text("SELECT current_database()")).scalar_one() == name
        engine.dispose()
        with pytest.raises(PgFeaturesError, match="JDBC connects only by TCP"):
            pg_cluster.url(name, "jdbc:postgresql")
    finally:
        pg_cluster.sql(f'DROP DATABASE "{name}"')


@pytest.mark.pg
def test_a_url_of_a_server_with_tcp_has_the_password(create_pg: CreatePg) -> None:
    cluster = create_pg(tcp=True)
    with psycopg.connect(cluster.url()) as connection:
        assert connection.execute("SELECT inet_server_port()").fetchone() == (cluster.port,)
    jdbc = urlsplit(cluster.url(scheme="jdbc:postgresql").removeprefix("jdbc:"))
    assert (jdbc.hostname, jdbc.port, jdbc.path) == ("127.0.0.1", cluster.port, "/postgres")
    assert parse_qs(jdbc.query) == {"user": ["postgres"], "password": [cluster.password]}
