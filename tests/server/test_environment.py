"""No variable of libpq and no file of its reaches a connection or a program of ours.

A decoy listens where hostile variables lead: on 127.0.0.1, port 5432, the port that our sockets are named after.
Its log tells of every connection, whatever comes of it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from filelock import FileLock
from psycopg import pq

from pytest_pgfeatures.install import Resolver, Store
from pytest_pgfeatures.libpq import NOT_OPTIONS, SAID_BY_EACH_CONNECTION, connecting, during_test, inherited
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.configuration import Access
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.server import Cluster, Database

    CreatePg = Callable[..., Cluster]

pytest_plugins = ["pytester"]

DECOY_PORT = 5432
VALUES = {
    "PGHOST": "127.0.0.1",
    "PGHOSTADDR": "127.0.0.1",
    "PGPORT": str(DECOY_PORT),
    "PGUSER": "decoy",
    "PGPASSWORD": "decoy",
    "PGDATABASE": "decoy",
    "PGREQUIRESSL": "1",
    "PGLOCALEDIR": "/nowhere",
}
"""Those that are meant for the decoy; the others are given what libpq or the server refuses."""
VARIABLES = sorted(
    {option.envvar.decode() for option in pq.Conninfo.get_defaults() if option.envvar}
    | NOT_OPTIONS
    | VALUES.keys()
)
HOSTILE = {name: VALUES.get(name, "hostile") for name in VARIABLES}


@pytest.fixture(scope="module")
def decoy() -> Iterator[Cluster]:
    """A server on 127.0.0.1:5432; another process that runs these tests is waited for."""
    lock = FileLock(
        Path(tempfile.gettempdir()) / f"pgfeatures-tests-{os.getuid()}-{DECOY_PORT}.lock", timeout=1200
    )
    with lock, Clusters(Store.open()) as clusters:
        wait_until(_port_is_free, f"port {DECOY_PORT} of 127.0.0.1 to be free", timeout=600)
        yield clusters.create(
            Resolver().resolve("16"),
            name="decoy",
            settings={"log_connections": "on"},
            access=Access.by_tcp(password="not known", port=DECOY_PORT),
        )


def _port_is_free() -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", DECOY_PORT))
        except OSError:
            return False
    return True


@pytest.fixture
def unvisited(decoy: Cluster) -> Iterator[Cluster]:
    """The decoy, to which nothing may connect during the test; that its log would tell is seen at the end."""
    since = decoy.log.position()
    yield decoy
    assert decoy.port == DECOY_PORT
    assert "connection received: host=127.0.0.1" not in decoy.log.text(since)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        decoy.connect(password="wrong")
    decoy.wait_for_log("connection received: host=127.0.0.1", since)


@pytest.fixture
def hostile_home(tmp_path: Path) -> Path:
    """A home directory with every file that libpq and psql look for."""
    (tmp_path / ".postgresql").mkdir()
    for name in ("postgresql.crt", "postgresql.key", "root.crt", "root.crl"):
        (tmp_path / ".postgresql" / name).write_text("hostile\n")
    (tmp_path / ".pgpass").write_text("*:*:*:*:decoy\n")  # mode 0644, of which libpq warns
    (tmp_path / ".pg_service.conf").write_text(
        f"[hostile]\nhostaddr=127.0.0.1\nport={DECOY_PORT}\nuser=decoy\n[]\nhostaddr=127.0.0.1\n"
    )
    (tmp_path / ".psqlrc").write_text("\\echo hostile\n\\set ON_ERROR_STOP on\n")
    return tmp_path


@pytest.mark.parametrize("variable", VARIABLES)
@pytest.mark.pg("9.6,>=18")
def test_no_variable_reaches_a_connection(
    variable: str, pg_database: Database, unvisited: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, HOSTILE[variable])
    assert pg_database.sql("SELECT current_database()") == [(pg_database.name,)]
    with pg_database.connect() as connection:
        told = connection.info.get_parameters()
        assert "hostile" not in told.values()
        assert connection.execute("SHOW data_directory").fetchone() == (str(pg_database.cluster.datadir),)
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)
    assert os.environ[variable] == HOSTILE[variable]


@pytest.mark.pg("9.6,>=14")
def test_a_server_starts_and_is_made_ready_in_a_hostile_environment(
    create_pg: CreatePg, unvisited: Cluster, monkeypatch: pytest.MonkeyPatch, hostile_home: Path
) -> None:
    for name, value in (HOSTILE | {"HOME": str(hostile_home)}).items():
        monkeypatch.setenv(name, value)
    primary = create_pg("primary", settings={"wal_level": "logical"}, tcp=True)
    primary.sql("CREATE TABLE t AS SELECT 1 AS a")
    standby = primary.standby()
    primary.wait_for_catchup(standby)
    assert standby.sql("SELECT a FROM t") == [(1,)]
    standby.promote()
    standby.sql("INSERT INTO t VALUES (2)")
    assert primary.dump_to(str(primary.version.major)).sql("SELECT a FROM t") == [(1,)]


@pytest.mark.pg("14", needs=["pg_upgrade"])
def test_an_upgrade_works_in_a_hostile_environment(
    create_pg: CreatePg, unvisited: Cluster, monkeypatch: pytest.MonkeyPatch, hostile_home: Path
) -> None:
    for name, value in (HOSTILE | {"HOME": str(hostile_home)}).items():
        monkeypatch.setenv(name, value)
    cluster = create_pg(tcp=True)
    cluster.sql("CREATE TABLE t AS SELECT 1 AS a")
    assert cluster.upgrade_to("18").sql("SELECT a FROM t") == [(1,)]


@pytest.mark.pg("14,18", needs=["psql"])
def test_no_variable_and_no_file_reaches_a_program(
    create_pg: CreatePg, unvisited: Cluster, monkeypatch: pytest.MonkeyPatch, hostile_home: Path
) -> None:
    for name, value in (
        HOSTILE | {"HOME": str(hostile_home), "PSQLRC": str(hostile_home / ".psqlrc")}
    ).items():
        monkeypatch.setenv(name, value)
    cluster = create_pg(tcp=True)
    argv, environment = cluster.program("psql", "-At", "-c", "SHOW data_directory", "postgres")
    ended = subprocess.run(argv, env=environment, capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == (f"{cluster.datadir}\n", "")


@pytest.mark.pg(">=18")
@pytest.mark.parametrize("version", ["9.6", "18"])
def test_a_connection_from_within_is_the_superusers_if_it_names_no_user(version: str) -> None:
    """As on a server whose account has the superuser's name, whoever runs us."""
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(Resolver().resolve(version), access=Access(user="Another One"))
        cluster.sql("CREATE EXTENSION dblink")
        address = f"host={cluster.host} port={cluster.port} dbname=postgres"
        query = f"SELECT who FROM dblink('{address}', 'SELECT session_user::text') AS far (who text)"
        assert cluster.sql(query) == [("Another One",)]


def test_threads_that_connect_at_once_leave_the_environment_as_it_was(
    pg_cluster: Cluster, unvisited: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in HOSTILE.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    together = threading.Barrier(8)

    def connect(_: int) -> str:
        together.wait()
        return str(pg_cluster.sql("SHOW data_directory")[0][0])

    with ThreadPoolExecutor(8) as executor:
        assert set(executor.map(connect, range(64))) == {str(pg_cluster.datadir)}
    assert dict(os.environ) == before


def test_what_a_test_sets_while_a_connection_is_opened_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen_by_programs() -> dict[str, str]:
        told = subprocess.run(["env"], capture_output=True, text=True, check=True).stdout
        return {name: value for name, _, value in (line.partition("=") for line in told.splitlines())}

    for name in ("PGOPTIONS", "PGTZ", "PGSERVICE"):
        monkeypatch.setenv(name, "before")
    with connecting():
        assert os.environ["PGOPTIONS"] == os.environ["PGTZ"] == "before"
        assert {"PGOPTIONS", "PGTZ", "PGSERVICE"}.isdisjoint(seen_by_programs())  # as libpq sees it
        monkeypatch.delenv("PGTZ")
        monkeypatch.setenv("PGSERVICE", "after")
        monkeypatch.setenv("PGGEQO", "after")
    after = {"PGOPTIONS": "before", "PGSERVICE": "after", "PGGEQO": "after"}
    for environment in (os.environ, seen_by_programs()):
        assert {name: environment[name] for name in after} == after
        assert "PGTZ" not in environment


def test_the_tests_own_password_file_is_there_while_a_connection_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A test may connect while a database for the next one is made in the background."""
    monkeypatch.setenv("PGPASSFILE", "the tests' own")
    with connecting():
        seen = subprocess.run(["printenv", "PGPASSFILE"], capture_output=True, text=True, check=True)
    assert seen.stdout == "the tests' own\n"


@pytest.mark.pg("9.6,>=18")
def test_a_test_connects_by_its_password_file_while_other_threads_connect(
    create_pg: CreatePg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = create_pg(tcp=True)
    (tmp_path / "passwords").write_text(f"*:{cluster.port}:*:*:{cluster.password}\n")
    (tmp_path / "passwords").chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "passwords"))
    ended = threading.Event()

    def connect() -> None:
        while not ended.is_set():
            cluster.connect(host=str(cluster.socket_directory)).close()

    with ThreadPoolExecutor(1) as executor:
        background = executor.submit(connect)
        try:
            for _ in range(100):
                address = f"postgresql://{cluster.user}@{cluster.host}:{cluster.port}/postgres"
                psycopg.connect(address).close()
        finally:
            ended.set()
        background.result()


def test_what_a_test_sets_meanwhile_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGOPTIONS", "PGTZ", "PGHOST"):
        monkeypatch.setenv(name, "inherited")
    started_with = inherited(os.environ)
    assert "PGHOST" not in started_with
    monkeypatch.setenv("PGSSLMODE", "disable")
    with during_test(started_with):
        assert {"PGOPTIONS", "PGTZ"}.isdisjoint(os.environ)
        assert (os.environ["PGHOST"], os.environ["PGSSLMODE"]) == ("inherited", "disable")
        os.environ["PGTZ"] = "Europe/Vienna"
    assert (os.environ["PGOPTIONS"], os.environ["PGTZ"]) == ("inherited", "Europe/Vienna")


SUITE = """
import os, subprocess

import psycopg
import pytest
from pytest_postgresql import factories

client = factories.postgresql("postgresql_proc")
on_ours = factories.postgresql("pg_cluster")

DIRECTORY = "SHOW data_directory"
{started_with}


def test_sync(pg_connection, pg_cluster):
    assert pg_connection.execute(DIRECTORY).fetchone() == (str(pg_cluster.datadir),)

async def test_async(pg_async_connection, pg_cluster):
    cursor = await pg_async_connection.execute(DIRECTORY)
    assert await cursor.fetchone() == (str(pg_cluster.datadir),)

def test_dsn(pg_database, pg_cluster):
    with psycopg.connect(pg_database.dsn) as connection:
        assert connection.execute(DIRECTORY).fetchone() == (str(pg_cluster.datadir),)
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)

async def test_async_dsn(pg_database, pg_cluster):
    async with await psycopg.AsyncConnection.connect(pg_database.dsn) as connection:
        assert await (await connection.execute(DIRECTORY)).fetchone() == (str(pg_cluster.datadir),)

@pytest.mark.pg
def test_own(create_pg):
    cluster = create_pg(tcp=True)
    with psycopg.connect(cluster.dsn()) as connection:
        assert connection.execute(DIRECTORY).fetchone() == (str(cluster.datadir),)

def test_many(pg_database):
    for number in range(3):
        pg_database.sql(f"CREATE TABLE t{{number}} ()")

def test_process(client, postgresql_proc):
    assert client.execute(DIRECTORY).fetchone() == (postgresql_proc.datadir,)

def test_client(on_ours, pg_cluster):
    assert on_ours.execute(DIRECTORY).fetchone() == (str(pg_cluster.datadir),)

@pytest.mark.parametrize("number", range(5))
def test_databases(pg_connection, pg_cluster, number):
    assert pg_connection.execute(DIRECTORY).fetchone() == (str(pg_cluster.datadir),)

def test_literals(pg_connection):
    from pytest_pgfeatures.literals import evaluate
    assert evaluate(pg_connection, ["1.5"])

def test_a_program_of_a_test(pg_database, pg_cluster):
    if pg_cluster.install.has("psql"):
        argv = [pg_cluster.install.program("psql"), "-XAtc", DIRECTORY, pg_database.dsn]
        assert subprocess.check_output(argv, text=True) == str(pg_cluster.datadir) + chr(10)

def test_without_a_server():
    assert {{name: os.environ.get(name) for name in STARTED_WITH}} == STARTED_WITH

def test_the_variables_that_say_which_server_are_left(pg_connection):
    for name in {said}:
        assert os.environ[name] == STARTED_WITH[name]
"""


def test_a_hostile_environment_leads_no_test_to_another_server(
    pytester: pytest.Pytester, unvisited: Cluster, hostile_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in HOSTILE.items():
        monkeypatch.setenv(name, value)
    said = sorted(SAID_BY_EACH_CONNECTION)
    pytester.makepyfile(test_it=SUITE.format(started_with=f"STARTED_WITH = {HOSTILE!r}", said=said))
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")
    pytester._monkeypatch.setenv("HOME", str(hostile_home))
    versions = ("9.6", "14", "18")
    for more in ((), ("-n", "2")):
        result = pytester.runpytest_subprocess("-p", "no:cacheprovider", f"--pg={','.join(versions)}", *more)
        on_each = SUITE.count("def test_") - 1 + 4
        result.assert_outcomes(passed=len(versions) * on_each + 1)


@pytest.mark.thorough
@pytest.mark.parametrize("service", ["hostile", "missing"])
def test_a_service_reaches_no_test(
    service: str,
    pytester: pytest.Pytester,
    unvisited: Cluster,
    hostile_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytester._monkeypatch.setenv("HOME", str(hostile_home))
    monkeypatch.setenv("PGSERVICE", service)
    if service == "missing":
        monkeypatch.setenv("PGSERVICEFILE", "/nowhere/pg_service.conf")
    monkeypatch.setenv("PGPASSFILE", str(hostile_home / ".pgpass"))
    pytester.makepyfile(
        """
        import psycopg

        def test_it(pg_connection, pg_database):
            assert psycopg.connect(pg_database.dsn).execute("SELECT 1").fetchone() == (1,)
        """
    )
    pytester.runpytest_subprocess("--pg=18").assert_outcomes(passed=1)


@pytest.mark.thorough
def test_commands_are_led_to_their_own_servers(
    unvisited: Cluster, hostile_home: Path, tmp_path: Path
) -> None:
    environment = os.environ | HOSTILE | {"HOME": str(hostile_home)}
    pgfeatures = str(Path(sys.executable).with_name("pgfeatures"))

    def run(*arguments: str) -> str:
        ended = subprocess.run(
            [pgfeatures, *arguments],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout
        return ended.stdout

    asked = ("psql", "-XAtc", "SELECT 'version ' || current_setting('server_version_num')::int / 10000")
    assert "version 14\n" in run("run", "--pg", "14", "--", *asked)
    assert "version 18\n" in run("run", "--pg", "18", "--tcp", "--", *asked)
    program = "import os, psycopg; print(psycopg.connect('').info.server_version // 10000)"
    assert "14\n" in run("run", "--pg", "14", "--", sys.executable, "-c", program)
    run("verify", "--pg", "9.6,18", "-k", "load-balance-hosts or parallel-hash or 16/pg-dump")
    run("bisect", "--pg", "14..16", "SELECT 1")
    (tmp_path / "script.sql").write_text("SELECT 1;\n")
    run("needs", "--pg", "16..18", "script.sql")
