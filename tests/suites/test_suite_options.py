"""Every option and factory argument that pytest-postgresql's README has, in suites that run with --pg."""

from __future__ import annotations

import inspect
import re
from importlib.metadata import metadata

import pytest
from pytest_postgresql import factories

from pytest_pgfeatures.install import Resolver, Store
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.configuration import Access

pytest_plugins = ["pytester"]

# What each option is set to, and what then holds in a test. Those with "nothing to act on" are about starting a
# server by pg_ctl; a suite that has them runs all the same.
OPTIONS = {
    "exec": ("/nowhere/pg_ctl", "postgresql_proc.running()"),  # nothing to act on
    "host": ("localhost", "postgresql_proc.host == 'localhost'"),
    "port": ("{port}", "postgresql_proc.port == {port}"),
    "port-search-count": ("7", "postgresql_proc.running()"),  # nothing to act on
    "user": ("bob", "postgresql.info.user == 'bob'"),
    "password": ("se'cret", 'postgresql.info.password == "se\'cret"'),
    "startparams": ("-w -t 5", "postgresql_proc.running()"),  # nothing to act on
    "postgres-options": ("-c work_mem=7MB", "show(postgresql, 'work_mem') == '7MB'"),
    "unixsocketdir": ("{place}", "postgresql_proc.running()"),  # the cluster has its own
    "dbname": ("named", "postgresql.info.dbname == 'named'"),
    "maintenance-dbname": (
        "kept",
        "layered.dbname.startswith('second')",
    ),  # of a server of one's own, see below
    "load": ("schema.sql", "count(postgresql) == 1"),
    "load-autocommit": (None, "'beside' in databases(postgresql)"),
    "options": ("-c statement_timeout=4321", "show(postgresql, 'statement_timeout') == '4321ms'"),
    "drop-test-database": (None, "count(layered_client) == 0"),
}
FIXTURES = ("postgresql_proc", "postgresql", "layered", "layered_client")
COMMAND_LINE_ONLY = {"drop-test-database"}

SUITE = """
import pathlib

import psycopg
import pytest
from pytest_postgresql import factories


def leave_databases(**connection):
    # One that the janitor of the next layer wants to make.
    connection.pop("autocommit", None)
    with psycopg.connect(**connection | {"dbname": "postgres"}, autocommit=True) as opened:
        opened.execute("CREATE DATABASE second_tmpl")


first = factories.postgresql_proc(load=[leave_databases])
layered = factories.postgresql_noproc(depends_on="first", dbname="second", load=[lambda **_: None])
layered_client = factories.postgresql("layered")


def show(connection, name):
    return connection.execute(f"SHOW {name}").fetchone()[0]


def count(connection):
    return connection.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'stories'").fetchone()[0]


def databases(connection):
    return [name for (name,) in connection.execute("SELECT datname FROM pg_database")]
"""
AUTOCOMMIT_SQL = "CREATE DATABASE beside;"


def readme() -> str:
    """The README of the release that is installed."""
    return metadata("pytest-postgresql").get_payload()


def test_every_option_of_the_readme_is_here():
    assert set(re.findall(r"--postgresql-([a-z-]+)", readme())) == set(OPTIONS)


@pytest.fixture
def place(pytester, unused_tcp_port):
    """A suite with a test for each option, and the options' values."""
    pytester.makefile(".sql", schema="CREATE TABLE stories (name text);", beside=AUTOCOMMIT_SQL)
    values = {"port": unused_tcp_port, "place": pytester.path}
    return pytester, {
        name: (value and value.format(**values), holds.format(**values))
        for name, (value, holds) in OPTIONS.items()
    }


def run_suite(pytester, options, *arguments, ini=""):
    tests = []
    for name, (_, holds) in options.items():
        wanted = ", ".join(fixture for fixture in FIXTURES if re.search(rf"\b{fixture}\b", holds))
        tests.append(f"def test_{name.replace('-', '_')}({wanted}):\n    assert {holds}\n")
    pytester.makepyfile(test_options=SUITE + "\n\n" + "\n\n".join(tests))
    pytester.makeini(f"[pytest]\n{ini}")
    return pytester.runpytest_inprocess(*arguments)


def without(options, *names):
    return {name: option for name, option in options.items() if name not in names}


@pytest.mark.thorough
def test_as_options_on_the_command_line(place):
    pytester, options = place
    together = without(options, "load-autocommit")
    arguments = [
        f"--postgresql-{name}" if value is None else f"--postgresql-{name}={value}"
        for name, (value, _) in together.items()
    ]
    result = run_suite(pytester, together, "--pg=14,18", *arguments)
    result.assert_outcomes(passed=2 * len(together))


def test_as_options_in_the_configuration_file(place):
    pytester, options = place
    together = without(options, "load-autocommit", *COMMAND_LINE_ONLY)
    lines = [f"postgresql_{name.replace('-', '_')} = {value}" for name, (value, _) in together.items()]
    result = run_suite(pytester, together, "--pg=16", "--postgresql-drop-test-database", ini="\n".join(lines))
    result.assert_outcomes(passed=len(together))


@pytest.mark.parametrize(
    ("option", "ini"),
    [("--postgresql-load-autocommit", ""), ("--pg=17", "postgresql_load_autocommit = true")],
    ids=["command line", "configuration file"],
)
def test_loading_without_a_transaction(place, option, ini):
    pytester, options = place
    alone = {"load-autocommit": options["load-autocommit"]}
    result = run_suite(pytester, alone, "--pg=17", "--postgresql-load=beside.sql", option, ini=ini)
    result.assert_outcomes(passed=1)


FACTORIES = """
import os
import pathlib

import psycopg
import pytest
from pytest_postgresql import factories
from pytest_postgresql.janitor import AsyncDatabaseJanitor, DatabaseJanitor

HERE = pathlib.Path(__file__).parent
proc = factories.postgresql_proc(
    executable="/nowhere/pg_ctl",
    host="127.0.0.1",
    port={port},
    user="alice",
    password="of alice",
    dbname="mine",
    options="-c statement_timeout=4321",
    startparams="-w",
    unixsocketdir=str(HERE),
    postgres_options="-c work_mem=7MB",
    load=[HERE / "schema.sql", "loading:one_story", HERE / "beside.sql"],
    load_autocommit=True,
)
client = factories.postgresql("proc", dbname="other", isolation_level=psycopg.IsolationLevel.SERIALIZABLE)
async_client = factories.postgresql_async(
    "proc", dbname="asynchronous", isolation_level=psycopg.IsolationLevel.SERIALIZABLE
)
second = factories.postgresql_noproc(
    depends_on="proc",
    dbname="second",
    load=["loading:one_story"],
    load_autocommit=True,
    maintenance_dbname="beside",
)
third = factories.postgresql_noproc(depends_on="second", dbname="third", load=["loading:one_story"])
of_third = factories.postgresql("third")
async_of_third = factories.postgresql_async("third")


@pytest.fixture
def external(proc):
    return {{"host": proc.host, "port": proc.port, "user": proc.user, "password": proc.password}}


def stories(connection):
    return connection.execute("SELECT count(*) FROM stories").fetchone()[0]


def test_process(proc):
    assert (proc.port, proc.user, proc.password, proc.dbname) == ({port}, "alice", "of alice", "mine")
    assert os.path.exists(os.path.join(proc.unixsocketdir, ".s.PGSQL.{port}"))
    assert os.path.exists(proc.logfile)


def test_client(client):
    assert (client.info.dbname, stories(client)) == ("other", 1)
    assert client.execute("SHOW transaction_isolation").fetchone() == ("serializable",)
    assert client.execute("SHOW statement_timeout").fetchone() == ("4321ms",)
    assert client.execute("SHOW work_mem").fetchone() == ("7MB",)


async def test_async_client(async_client):
    assert async_client.info.dbname == "asynchronous"
    cursor = await async_client.execute("SHOW transaction_isolation")
    assert await cursor.fetchone() == ("serializable",)


def test_layers(of_third, second):
    assert stories(of_third) == 3
    assert second.maintenance_dbname == "beside"


async def test_async_layers(async_of_third):
    cursor = await async_of_third.execute("SELECT count(*) FROM stories")
    assert await cursor.fetchone() == (3,)


def test_janitor(external):
    with DatabaseJanitor(**external, dbname="by_hand"):
        with psycopg.connect(**external, dbname="by_hand") as opened:
            assert opened.info.dbname == "by_hand"


async def test_async_janitor(external):
    async with AsyncDatabaseJanitor(**external, dbname="by_hand"):
        async with await psycopg.AsyncConnection.connect(**external, dbname="by_hand") as opened:
            assert opened.info.dbname == "by_hand"


@pytest.fixture
def session(client):
    from sqlalchemy import create_engine, orm, pool, URL

    info = client.info
    url = URL.create("postgresql+psycopg", info.user, info.password, info.host, info.port, info.dbname)
    engine = create_engine(url, poolclass=pool.NullPool)
    with orm.Session(engine) as session:
        yield session


def test_sqlalchemy(session):
    from sqlalchemy import text

    assert session.scalar(text("SELECT count(*) FROM stories")) == 1
"""
LOADING = """
import psycopg


def one_story(**connection):
    connection.pop("autocommit", None)
    with psycopg.connect(**connection) as opened:
        opened.execute("INSERT INTO stories VALUES ('a story')")
"""


def test_every_factory_argument_is_here():
    used = set(re.findall(r"^    (\w+)=|\b(\w+)=(?=[\"\[p])", FACTORIES, re.MULTILINE))
    names = {name for pair in used for name in pair}
    for factory in (factories.postgresql_proc, factories.postgresql_noproc, factories.postgresql):
        arguments = set(inspect.signature(factory).parameters) - {"process_fixture_name"}
        assert arguments <= names, factory


def test_as_arguments_of_the_factories(place, unused_tcp_port):
    pytester, _ = place
    pytester.makepyfile(test_factories=FACTORIES.format(port=unused_tcp_port), loading=LOADING)
    pytester.makeini(
        "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\npythonpath = ."
    )
    result = pytester.runpytest_inprocess("--pg", "14,18")
    result.assert_outcomes(passed=2 * FACTORIES.count("def test_"))


def test_a_choice_of_ports(pytester, unused_tcp_port):
    pytester.makepyfile(
        f"""
        from pytest_postgresql import factories

        one_of = factories.postgresql_proc(port=[({unused_tcp_port}, {unused_tcp_port}), {{{unused_tcp_port}}}])
        the_same = factories.postgresql_proc(port={unused_tcp_port})
        any_one = factories.postgresql_proc(port=None)

        def test_ports(one_of, the_same, any_one):
            assert one_of.running() and the_same.running() and any_one.running()
            assert len({{one_of.port, the_same.port, any_one.port}}) == 3
        """
    )
    pytester.runpytest_inprocess("--pg", "14,18").assert_outcomes(passed=2)


def test_a_server_of_ones_own_is_left_alone(pytester):
    pytester.makepyfile(
        """
        from pytest_postgresql import factories

        external = factories.postgresql("postgresql_noproc")
        async_external = factories.postgresql_async("postgresql_noproc")

        def test_external(external, postgresql_noproc):
            assert (external.info.host, external.info.port) == (postgresql_noproc.host, postgresql_noproc.port)
            assert external.info.server_version // 10000 == 17
            assert postgresql_noproc.maintenance_dbname == "kept"

        async def test_async_external(async_external):
            assert async_external.info.server_version // 10000 == 17

        def test_ours(postgresql):
            assert postgresql.info.server_version // 10000 in (14, 18)
        """
    )
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function")
    store = Store.open()
    with Clusters(store) as clusters:
        cluster = clusters.create(Resolver(store).resolve("17"), access=Access.by_tcp())
        with cluster.connect(dbname="postgres") as connection:
            connection.execute("CREATE DATABASE kept")
        result = pytester.runpytest_inprocess(
            *("--pg", "14,18", f"--postgresql-host={cluster.host}", f"--postgresql-port={cluster.port}"),
            *(f"--postgresql-password={cluster.password}", "--postgresql-maintenance-dbname=kept"),
        )
    result.assert_outcomes(passed=4)


def test_a_version_whose_server_does_not_start_does_not_fail_the_next(pytester):
    pytester.makepyfile(
        """
        from pytest_postgresql import factories

        proc = factories.postgresql_proc(postgres_options="-c reserved_connections=1")
        client = factories.postgresql("proc")

        def test_it(client):
            assert client.execute("SHOW reserved_connections").fetchone() == ("1",)
        """
    )
    # The setting came in 16: https://www.postgresql.org/docs/release/16.0/
    result = pytester.runpytest_inprocess("--pg", "15,16", "-v")
    result.stdout.fnmatch_lines(["*test_it?pg15? ERROR*", "*test_it?pg16? PASSED*"])
