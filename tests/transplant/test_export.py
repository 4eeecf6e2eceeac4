"""Statistics are exported by a role of any rights, beside writers, and nothing is written."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.errors import StatisticsError
from pytest_pgfeatures.scripts.load import load
from pytest_pgfeatures.statistics import reading as reading_module
from pytest_pgfeatures.statistics.document import read_statistics
from pytest_pgfeatures.statistics.model import HISTOGRAM, MCV
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.statistics.session import reading
from pytest_pgfeatures.statistics.values import without_values
from pytest_pgfeatures.version import PgMajor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.statistics.model import ColumnStatistics, Statistics

pytestmark = pytest.mark.pg("9.6,14,18")
_SCHEMA = """
    CREATE TABLE mine (a int, name text, e int4range);
    INSERT INTO mine SELECT i % 10, 'person ' || i, int4range(i, i + 5) FROM generate_series(1, 5000) i;
    CREATE INDEX ON mine (lower(name));
    CREATE TABLE others (a int PRIMARY KEY, secret text);
    INSERT INTO others SELECT i, 'secret ' || i % 3 FROM generate_series(1, 1000) i;
    CREATE TABLE hidden AS SELECT 1 AS a;
    ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
    ANALYZE
"""


def _column(statistics: Statistics, relation: str, name: str) -> ColumnStatistics | None:
    found = [
        column
        for each in statistics.relations
        if each.name == relation
        for column in each.columns
        if column.name == name
    ]
    return found[0] if found else None


def _kinds(column: ColumnStatistics | None) -> dict[int, str | None]:
    return {slot.kind: slot.values for slot in column.slots} if column else {}


@pytest.fixture
def shop(pg_database: object, pg_cluster: Cluster) -> tuple[Cluster, str]:
    dbname = pg_database.name  # type: ignore[attr-defined]
    with pg_cluster.connect(dbname) as connection:
        connection.execute(_SCHEMA)
    return pg_cluster, dbname


def test_a_role_of_least_rights_gets_what_it_may_see_and_the_rest_is_said(shop: tuple[Cluster, str]) -> None:
    cluster, dbname = shop
    cluster.sql("DROP ROLE IF EXISTS least")
    cluster.sql("CREATE ROLE least LOGIN")
    with cluster.connect(dbname) as owner:
        owner.execute("GRANT SELECT ON mine, hidden TO least")
        seen = export(f"{cluster.dsn(dbname)} user=least")
        whole = export(cluster.dsn(dbname))
        owner.execute("DROP OWNED BY least")
    cluster.sql("DROP ROLE least")
    assert whole.unseen == ()
    assert [(each.name, each.pages, each.reltuples) for each in seen.relations] == [
        (each.name, each.pages, each.reltuples) for each in whole.relations
    ]
    own = _kinds(_column(seen, "mine", "name"))
    assert own == _kinds(_column(whole, "mine", "name"))
    assert own[HISTOGRAM] is not None
    assert _column(seen, "others", "secret") is None
    assert _kinds(_column(whole, "others", "secret"))[MCV] is not None
    assert any("may not SELECT from public.others" in line for line in seen.unseen)
    assert any("may not read pg_statistic" in line for line in seen.unseen)
    assert any("policies hide rows of public.hidden from the role least" in line for line in seen.unseen)
    assert seen.schema is not None
    assert "CREATE TABLE public.mine" in seen.schema
    assert "others" not in seen.schema


@pytest.mark.pg("14,18")
def test_the_owner_of_a_table_gets_its_extended_statistics(shop: tuple[Cluster, str]) -> None:
    cluster, dbname = shop
    cluster.sql("DROP ROLE IF EXISTS owner")
    cluster.sql("CREATE ROLE owner LOGIN")
    with cluster.connect(dbname) as connection:
        connection.execute("""
            CREATE STATISTICS of_others (mcv) ON a, secret FROM others;
            CREATE TABLE owned AS SELECT i % 7 AS b, i % 7 / 2 AS c, nullif('v' || i % 3, 'v1') AS d
              FROM generate_series(1, 900) i;
            CREATE STATISTICS of_owned ON b, c, d, (lower(d)), (b * c) FROM owned;
            CREATE STATISTICS of_one ON (b + c) FROM owned;
            ALTER TABLE owned OWNER TO owner;
            ANALYZE owned, others
        """)
        seen = export(f"{cluster.dsn(dbname)} user=owner", schema=False)
        whole = export(cluster.dsn(dbname), schema=False)
        connection.execute("DROP OWNED BY owner")
    cluster.sql("DROP ROLE owner")
    assert {each.name for each in seen.extended} == {"of_owned", "of_one"}
    assert seen.extended == tuple(each for each in whole.extended if each.table == "owned")
    assert all(each.expressions and each.expressions[0].slots for each in seen.extended)
    assert any("public.of_others are missing" in line for line in seen.unseen)


def test_a_writer_at_work_goes_on_and_what_is_read_is_of_one_moment(shop: tuple[Cluster, str]) -> None:
    cluster, dbname = shop
    stop, wrote = threading.Event(), []

    def write() -> None:
        with cluster.connect(dbname) as connection:
            while not stop.is_set():
                connection.execute("INSERT INTO mine VALUES (1, 'new')")
                connection.execute(f"CREATE TABLE made_{len(wrote)} ()".encode())
                wrote.append(1)

    before = cluster.sql("SELECT txid_current()")[0][0]
    writer = threading.Thread(target=write)
    writer.start()
    try:
        statistics = export(cluster.dsn(dbname))
        last = len(wrote)
    finally:
        stop.set()
        writer.join()
    assert len(wrote) >= last > 0
    made = {each.name for each in statistics.relations if each.name.startswith("made_")}
    assert statistics.schema is not None
    assert made == {name for name in _created(statistics.schema) if name.startswith("made_")}
    assert cluster.sql("SELECT txid_current()")[0][0] > before


def _created(schema: str) -> set[str]:
    return {
        line.split()[2].removeprefix("public.") for line in schema.splitlines() if line[:12] == "CREATE TABLE"
    }


def test_the_transaction_only_reads(shop: tuple[Cluster, str]) -> None:
    cluster, dbname = shop
    with pytest.raises(StatisticsError, match="read-only transaction"):
        _write_while_reading(cluster, dbname)
    assert cluster.sql("SELECT to_regclass('written')", dbname=dbname) == [(None,)]


def _write_while_reading(cluster: Cluster, dbname: str) -> None:
    with reading(cluster.dsn(dbname), timeout=30) as connection:
        assert connection.execute("SHOW transaction_isolation").fetchone() == ("repeatable read",)
        assert connection.execute("SHOW statement_timeout").fetchone() == ("30s",)
        assert connection.execute("SHOW lock_timeout").fetchone() == ("5s",)
        connection.execute("CREATE TABLE written ()")


@pytest.mark.pg("18")
def test_a_connection_that_is_refused_or_lost_is_told(shop: tuple[Cluster, str]) -> None:
    cluster, dbname = shop
    with pytest.raises(StatisticsError, match=r'refused: .*role "nobody" does not exist'):
        export(f"{cluster.dsn(dbname)} user=nobody")
    with pytest.raises(StatisticsError, match="the connection was lost"):
        _read_while_terminated(cluster, dbname)


def _read_while_terminated(cluster: Cluster, dbname: str) -> None:
    with reading(cluster.dsn(dbname), timeout=30) as connection:
        (pid,) = connection.execute("SELECT pg_backend_pid()").fetchone() or (0,)
        cluster.sql(f"SELECT pg_terminate_backend({pid})")
        connection.execute("SELECT 1")


@pytest.mark.pg("18")
@pytest.mark.parametrize(
    "step", ["_relations", "columns_of", "metapages", "with_ends", "extended_of", "dumped_schema"]
)
def test_a_connection_that_is_lost_in_any_step_is_told_and_nothing_goes_on(
    step: str, shop: tuple[Cluster, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, dbname = shop
    usual = getattr(reading_module, step)

    def lose(connection: psycopg.Connection, *arguments: Any) -> object:
        pid = connection.info.backend_pid
        cluster.sql(f"SELECT pg_terminate_backend({pid})")
        cluster.poll_query_until(f"SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = {pid})")
        return usual(connection, *arguments)

    monkeypatch.setattr(reading_module, step, lose)
    with pytest.raises(StatisticsError, match="the connection was lost: ") as raised:
        export(cluster.dsn(dbname))
    assert raised.value.remedy
    # pg_dump ends, as the snapshot that it takes is gone
    cluster.poll_query_until(f"SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = '{dbname}'")


@pytest.mark.pg("18")
def test_a_server_that_ends_meanwhile_is_told(
    create_pg: Callable[..., Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = create_pg()
    usual = reading_module.dumped_schema

    def lose(connection: psycopg.Connection, *arguments: Any) -> object:
        cluster.stop("immediate")
        return usual(connection, *arguments)

    monkeypatch.setattr(reading_module, "dumped_schema", lose)
    with pytest.raises(StatisticsError, match="the connection was lost: "):
        export(cluster.dsn())


@pytest.mark.pg("18")
def test_a_locked_relation_is_not_waited_for(
    shop: tuple[Cluster, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, dbname = shop
    monkeypatch.setattr("pytest_pgfeatures.statistics.session._LOCK_TIMEOUT_MS", 50)
    with cluster.connect(dbname, autocommit=False) as locker:
        locker.execute("LOCK TABLE others IN ACCESS EXCLUSIVE MODE")
        statistics = export(cluster.dsn(dbname), schema=False)
    assert any("a relation is locked" in line for line in statistics.unseen)
    assert next(each.pages for each in statistics.relations if each.name == "others") > 0


@pytest.mark.pg("9.6,18")
def test_without_the_schema_that_was_asked_for_there_is_no_file(
    shop: tuple[Cluster, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, dbname = shop
    monkeypatch.setattr("pytest_pgfeatures.statistics.session._LOCK_TIMEOUT_MS", 50)
    monkeypatch.setattr("pytest_pgfeatures.statistics.schema._LOCK_TIMEOUT_MS", 50)
    file = tmp_path / "shop.json"
    arguments = ["statistics", cluster.dsn(dbname), "--output", str(file)]
    with cluster.connect(dbname, autocommit=False) as locker:
        locker.execute("LOCK TABLE others IN ACCESS EXCLUSIVE MODE")
        ended = CliRunner().invoke(pgfeatures, arguments)
        assert ended.exit_code == 2
        assert "can't read the schema: pg_dump: error: query failed: ERROR:  canceling" in ended.stderr
        assert "public.others" in ended.stderr
        assert "--no-schema" in ended.stderr
        assert not file.exists()
        ended = CliRunner().invoke(pgfeatures, [*arguments, "--no-schema"])
    assert ended.exit_code == 0
    assert "not seen: a relation is locked" in ended.stderr
    assert "not seen: the ends of indexes" in ended.stderr
    assert read_statistics(file).unseen


@pytest.mark.pg("9.6,10,18")
def test_a_sequence_that_can_not_be_read_costs_no_schema(shop: tuple[Cluster, str]) -> None:
    cluster, dbname = shop
    cluster.sql("DROP ROLE IF EXISTS least")
    cluster.sql("CREATE ROLE least LOGIN")
    with cluster.connect(dbname) as owner:
        owner.execute("""
            CREATE SCHEMA "a ""b"; CREATE TABLE "a ""b"."c.d" (id serial); CREATE SEQUENCE apart;
            CREATE TABLE counted (id serial);
            CREATE TABLE uses (a int DEFAULT nextval('apart'));
            CREATE SCHEMA closed; CREATE TABLE closed.t (id serial);
            GRANT SELECT ON counted, uses, "a ""b"."c.d", closed.t TO least; GRANT USAGE ON SCHEMA "a ""b" TO least
        """)
        seen = export(f"{cluster.dsn(dbname)} user=least")
    old = cluster.version.major < PgMajor("10")
    assert seen.schema is not None
    assert _created(seen.schema) == ({"uses"} if old else {"uses", "counted", '"a'})
    assert (
        any(
            'may not SELECT from a "b.c.d_id_seq, closed.t_id_seq, public.apart' in line
            for line in seen.unseen
        )
        == old
    )
    assert any("closed.t" in line for line in seen.unseen)
    cluster.sql("CREATE DATABASE again")
    try:
        with cluster.connect("again") as connection:
            load(connection, seen.schema)
            connection.execute("INSERT INTO uses DEFAULT VALUES")
    finally:
        cluster.sql("DROP DATABASE again")
        with cluster.connect(dbname) as owner:
            owner.execute("DROP OWNED BY least")
        cluster.sql("DROP ROLE least")


@pytest.mark.pg("18")
def test_values_are_left_out_of_named_and_of_text_columns(shop: tuple[Cluster, str], tmp_path: Path) -> None:
    cluster, dbname = shop
    file = tmp_path / "shop.json"
    arguments = ["statistics", cluster.dsn(dbname), "--output", str(file)]
    ended = CliRunner().invoke(
        pgfeatures, [*arguments, "--without-values", "text", "--without-values", "mine.a"]
    )
    assert ended.exit_code == 0, ended.output
    assert "without the values of 4 columns" in ended.stderr
    assert "estimates and plans will differ" in ended.stderr
    assert "person" not in file.read_text()
    left = read_statistics(file)
    assert _kinds(_column(left, "mine", "a")).keys() == {3}
    assert _kinds(_column(left, "others", "a"))[HISTOGRAM] is not None
    name = _column(left, "mine", "name")
    assert name is not None
    assert (name.avg_width, name.n_distinct) == (11, -1.0)
    texts = [each for relation in left.relations for each in relation.columns if each.type == "text"]
    assert texts
    assert all(each.ends is None for each in texts)
    with pytest.raises(StatisticsError, match="there are no statistics of such a column"):
        without_values(left, ["mine.nothing"])


@pytest.mark.pg("18")
def test_the_command_writes_to_standard_output(shop: tuple[Cluster, str]) -> None:
    cluster, dbname = shop
    ended = CliRunner().invoke(pgfeatures, ["statistics", cluster.dsn(dbname), "--no-schema"])
    assert ended.exit_code == 0
    assert json.loads(ended.stdout)["content"]["schema"] is None
    ended = CliRunner().invoke(pgfeatures, ["statistics", "host=/nowhere"])
    assert ended.exit_code == 2
    assert "the connection was refused" in ended.output
