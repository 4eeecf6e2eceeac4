"""The values of the fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]


def test_each_test_has_a_fresh_database_and_a_connection_in_autocommit(run: Run) -> None:
    source = """
import pytest

@pytest.mark.parametrize("n", range(4))
def test_it(pg_connection, pg_database, n):
    assert pg_connection.autocommit
    assert pg_connection.info.dbname == pg_database.name
    pg_connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    assert pg_database.sql("SELECT a FROM t") == [(1,)]
"""
    run(source, "--pg=9.6,18").assert_outcomes(passed=8)


def test_a_schema_file_is_in_each_database(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makefile(".sql", schema="CREATE TABLE t (a int);", data="COPY t FROM stdin;\n1\n\\.\n")
    source = """
def test_a(pg_connection):
    assert pg_connection.execute("DELETE FROM t RETURNING a").fetchall() == [(1,)]

def test_b(pg_connection):
    assert pg_connection.execute("DELETE FROM t RETURNING a").fetchall() == [(1,)]
"""
    run(source, "--pg=9.6,18", "-o", "pg_schema=schema.sql\ndata.sql").assert_outcomes(passed=4)
    wrong = run(source, "--pg=18", "-o", "pg_schema=nowhere.sql")
    wrong.assert_outcomes(errors=2)
    wrong.stdout.fnmatch_lines(["*there is no file */nowhere.sql*", "*what to do: *"])
    pytester.makefile(".sql", schema="SELECT 1;\nSELEC 2;\n")
    wrong = run(source, "--pg=18", "-o", "pg_schema=schema.sql")
    wrong.stdout.fnmatch_lines(["*schema.sql:2: 42601 syntax_error: *"])
    wrong.stdout.no_fnmatch_line("*Traceback*")


def test_the_template_can_be_sql_a_path_or_a_function(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makefile(".sql", schema="CREATE TABLE t AS SELECT 1 AS a")
    for returned in (
        "'CREATE TABLE t AS SELECT 1 AS a'",
        "pathlib.Path('schema.sql')",
        "lambda connection: connection.execute('CREATE TABLE t AS SELECT 1 AS a')",
    ):
        source = f"""
import pathlib, pytest

@pytest.fixture(scope="session")
def pg_template():
    return {returned}

def test_a(pg_connection):
    assert pg_connection.execute("SELECT a FROM t").fetchone() == (1,)
    pg_connection.execute("DROP TABLE t")

def test_b(pg_connection):
    assert pg_connection.execute("SELECT a FROM t").fetchone() == (1,)
"""
        run(source, "--pg=18").assert_outcomes(passed=2)


def test_with_transactions_one_database_is_rolled_back(run: Run) -> None:
    source = """
import pytest
pytestmark = pytest.mark.pg(isolation="transaction")
names = set()

@pytest.fixture(scope="session")
def pg_template():
    return "CREATE TABLE t (a int)"

@pytest.mark.parametrize("n", range(3))
def test_it(pg_connection, n):
    names.add((pg_connection.info.server_version, pg_connection.info.dbname))
    assert len({version for version, _ in names}) == len(names)
    assert pg_connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    pg_connection.execute("INSERT INTO t VALUES (1)")
    with pg_connection.transaction():
        pg_connection.execute("INSERT INTO t VALUES (2)")
"""
    run(source, "--pg=9.6,18").assert_outcomes(passed=6)


def test_async_tests_have_a_connection(run: Run) -> None:
    source = """
import pytest

@pytest.mark.asyncio
async def test_it(pg_async_connection):
    cursor = await pg_async_connection.execute("SELECT 1")
    assert await cursor.fetchone() == (1,)
    assert pg_async_connection.autocommit
"""
    run(source, "--pg=14,18").assert_outcomes(passed=2)


def test_own_clusters_have_any_version_and_are_gone_after_the_test(run: Run) -> None:
    source = """
import pytest
made = []

def test_by_itself(create_pg, request):
    assert f"pg{create_pg().version.major}" in request.node.name

@pytest.mark.pg(matrix=False)
def test_newest_of_the_matrix(create_pg):
    assert str(create_pg().version.major) == "18"

def test_the_cells(create_pg, pg_cluster):
    own = create_pg("own")
    made.append(own)
    assert own.version == pg_cluster.version
    assert own.pid != pg_cluster.pid

@pytest.mark.pg(matrix=False)
def test_another(create_pg):
    old, new = create_pg("old", version="13"), create_pg("new", settings={"work_mem": "1MB"})
    made.extend([old, new])
    assert (str(old.version.major), str(new.version.major)) == ("13", "18")
    assert new.sql("SHOW work_mem") == [("1MB",)]

def test_gone():
    assert made
    assert not any(cluster.running() or cluster.datadir.exists() for cluster in made)
"""
    result = run(source, "--pg=14,18", "-v")
    result.assert_outcomes(passed=7)
    result.stdout.fnmatch_lines_random(
        [
            "test_it.py::test_by_itself?pg14? PASSED*",
            "test_it.py::test_by_itself?pg18? PASSED*",
            "test_it.py::test_newest_of_the_matrix PASSED*",
        ]
    )
    result.stdout.re_match_lines([r"pg14 +14\.\d+ +2 +2 +0 +0 ", r"pg18 +18\.\d+ +2 +2 "])


def test_outside_of_the_matrix_the_cells_server_is_the_newest_one_that_is_allowed(run: Run) -> None:
    source = """
import pytest
pytestmark = pytest.mark.pg(matrix=False)

@pytest.mark.pg("<18", settings={"work_mem": "1MB"})
def test_it(pg_cluster, create_pg):
    assert pg_cluster.version == create_pg().version
    assert str(pg_cluster.version.major) == "14"
    assert pg_cluster.sql("SHOW work_mem") == [("1MB",)]

@pytest.mark.pg("13")
def test_excluded(pg_cluster): pass
"""
    result = run(source, "--pg=14,18", "-v")
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["test_it.py::test_it?pg14? PASSED*"])
    pairs = run("import pytest\n@pytest.mark.pg(matrix=False)\ndef test_it(pg_pair): pass", "--pg=14,18")
    pairs.stdout.fnmatch_lines(["*test_it*matrix=False and pg_pair*", "what to do: *create_pg"])
    wrong = run("import pytest\n@pytest.mark.pg(matrix='14')\ndef test_it(create_pg): pass", "--pg=18")
    wrong.stdout.fnmatch_lines(["*matrix='14' is neither True nor False*", "what to do: *"])


def test_the_clients_of_pytest_postgresql_work_on_our_cluster(run: Run) -> None:
    source = """
from pytest_postgresql import factories

postgresql = factories.postgresql("pg_cluster")

def test_a(postgresql):
    postgresql.execute("CREATE TABLE t (a int)")
    postgresql.commit()

def test_b(postgresql):
    postgresql.execute("CREATE TABLE t (a int)")
"""
    run(source, "--pg=9.6,14,18").assert_outcomes(passed=6)


def test_a_stopped_shared_server_is_said_to_be(run: Run) -> None:
    source = """
def test_a(pg_connection, pg_cluster): pg_cluster.stop()
def test_b(pg_connection): pass
"""
    result = run(source, "--pg=18")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*pg18 is stopped*", "*create_pg*"])


BUSY = """
import signal
import pytest

class Interrupted(Exception): pass

@pytest.fixture(autouse=True)
def timeout():
    def interrupt(*_): raise Interrupted
    signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.alarm(0)

@pytest.mark.parametrize("isolation", [
    pytest.param("database", marks=pytest.mark.pg(isolation="database")),
    pytest.param("transaction", marks=pytest.mark.pg(isolation="transaction")),
])
def test_waits(pg_connection, isolation):
    signal.alarm(1)
    pg_connection.execute("SELECT pg_sleep(600)")

def test_afterwards(pg_cluster):
    [(count,)] = pg_cluster.sql("SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'"
                                " AND state = 'active'")
    assert count == 0
"""


def test_an_interrupted_query_is_canceled_and_its_test_fails_once(run_alone: Run) -> None:
    result = run_alone(BUSY, "--pg", "18")
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.no_fnmatch_line("*another command is already in progress*")


COMMITS = """
import pytest

pytestmark = pytest.mark.pg(isolation="transaction")

def test_method(pg_connection): pg_connection.commit()

def test_rollback(pg_connection): pg_connection.rollback()

def test_statement(pg_connection):
    pg_connection.execute("CREATE TABLE stays ()")
    pg_connection.execute("COMMIT")
    pg_connection.execute("BEGIN")

def test_alone_again(pg_connection):
    assert pg_connection.execute("SELECT to_regclass('stays')").fetchone() == (None,)

def test_failed(pg_connection):
    with pytest.raises(Exception, match="syntax"):
        pg_connection.execute("SELEC")

def test_savepoint(pg_connection):
    with pg_connection.transaction():
        pg_connection.execute("CREATE TABLE stays ()")
"""


def test_code_that_commits_in_a_test_that_is_rolled_back_is_told_what_to_do(run: Run) -> None:
    result = run(COMMITS, "--pg", "18")
    result.assert_outcomes(failed=2, passed=4, errors=1)
    result.stdout.fnmatch_lines_random(
        [
            '*commit() in a test with isolation="transaction", which runs in a transaction*',
            '*rollback() in a test with isolation="transaction", which runs in a transaction*',
            '*the test has isolation="transaction", and ended its transaction with COMMIT or ROLLBACK*',
            "*the code may use a savepoint, by `with connection.transaction():`*",
        ]
    )


OWN_CONNECTION = """
import psycopg
import pytest

pytestmark = pytest.mark.pg(isolation="transaction")
names = {}

@pytest.fixture
def used(pg_database): return names.setdefault(pg_database.cluster.version, [])

def test_rolls_back(pg_database, pg_connection, used):
    used.append(pg_database.name)
    with pg_connection.transaction():
        pg_connection.execute("CREATE TABLE stays ()")
    with pytest.raises(psycopg.errors.DivisionByZero), pg_connection.transaction():
        pg_connection.execute("CREATE TABLE another ()")
        pg_connection.execute("SELECT 1 / 0")
    with psycopg.connect(pg_database.dsn) as own:
        own.execute("SELECT FROM pg_class")
        own.execute("CREATE TABLE not_committed ()")
        own.rollback()

def test_commits(pg_database, pg_connection, used):
    assert pg_database.name == used[-1]
    with psycopg.connect(pg_database.dsn) as own:
        own.execute("CREATE TABLE stays ()")

def test_has_another_database(pg_database, pg_connection, used):
    assert pg_database.name != used[-1]
    used.append(pg_database.name)
    assert pg_connection.execute("SELECT to_regclass('stays')").fetchone() == (None,)

def test_commits_without_a_connection_of_ours(pg_database, used):
    assert pg_database.name == used[-1]
    pg_database.sql("CREATE TABLE stays ()")

def test_has_yet_another_database(pg_database, pg_connection, used):
    assert pg_database.name != used[-1]
    used.append(pg_database.name)
    assert pg_connection.execute("SELECT to_regclass('stays')").fetchone() == (None,)

@pytest.mark.pg(isolation="database")
def test_beside_it(pg_connection): pass

def test_databases_made_meanwhile_change_nothing(pg_database, create_database, used):
    assert pg_database.name == used[-1]
    create_database()

def test_still_the_same(pg_database, used):
    assert pg_database.name == used[-1]

@pytest.fixture
def create_database(pg_cluster):
    return lambda: pg_cluster.sql("CREATE DATABASE made_meanwhile")
"""


def test_what_a_connection_of_the_codes_own_commits_goes_with_its_database(run: Run) -> None:
    run(OWN_CONNECTION, "--pg", "10,18").assert_outcomes(passed=16)


ASYNC = """
import pytest

pytestmark = [pytest.mark.asyncio, pytest.mark.pg(isolation="transaction")]
STAYS = "SELECT to_regclass('stays')"

async def test_writes(pg_async_connection):
    await pg_async_connection.execute("CREATE TABLE stays ()")

async def test_is_rolled_back(pg_async_connection):
    assert await (await pg_async_connection.execute(STAYS)).fetchone() == (None,)

async def test_method(pg_async_connection): await pg_async_connection.commit()

async def test_rollback(pg_async_connection): await pg_async_connection.rollback()

async def test_statement(pg_async_connection):
    await pg_async_connection.execute("CREATE TABLE stays ()")
    await pg_async_connection.execute("COMMIT")
    await pg_async_connection.execute("BEGIN")

async def test_idle(pg_async_connection):
    await pg_async_connection.execute("CREATE TABLE stays ()")
    await pg_async_connection.execute("COMMIT")

async def test_failed(pg_async_connection):
    with pytest.raises(Exception, match="syntax"):
        await pg_async_connection.execute("SELEC")

async def test_closed(pg_async_connection): await pg_async_connection.close()

async def test_savepoint(pg_async_connection):
    async with pg_async_connection.transaction():
        await pg_async_connection.execute("CREATE TABLE stays ()")
"""

INTERRUPTED_ASYNC = """
import signal
import pytest

pytestmark = pytest.mark.asyncio

class Interrupted(Exception): pass

@pytest.fixture
def timeout():
    def interrupt(*_): raise Interrupted
    signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.alarm(0)

@pytest.mark.parametrize("isolation", [
    pytest.param("database", marks=pytest.mark.pg(isolation="database")),
    pytest.param("transaction", marks=pytest.mark.pg(isolation="transaction")),
])
async def test_waits(pg_async_connection, isolation, timeout):
    signal.alarm(1)
    await pg_async_connection.execute("SELECT pg_sleep(600)")

async def test_afterwards(pg_cluster):
    [(count,)] = pg_cluster.sql("SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'"
                                " AND state = 'active'")
    assert count == 0
"""


def test_async_tests_are_rolled_back_and_told_what_to_do(run: Run) -> None:
    result = run(ASYNC, "--pg", "18")
    result.assert_outcomes(failed=2, passed=7, errors=2)
    result.stdout.fnmatch_lines_random(
        [
            '*commit() in a test with isolation="transaction", which runs in a transaction*',
            '*rollback() in a test with isolation="transaction", which runs in a transaction*',
            '*the test has isolation="transaction", and ended its transaction with COMMIT or ROLLBACK*',
        ]
    )


def test_an_interrupted_async_query_is_canceled(run_alone: Run) -> None:
    # An exception that a signal handler raises in the event loop breaks ast.parse in early 3.11: no imports then.
    result = run_alone(INTERRUPTED_ASYNC, "--pg", "18")
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.no_fnmatch_line("*another command is already in progress*")


WRONG = """
def test_setting(create_pg): create_pg(setting={"work_mem": "1MB"})
def test_settings(create_pgs): create_pgs("a", "b", version_="18")
def test_old(create_pg): create_pg(version="8.4")
"""


def test_wrong_arguments_of_create_pg_are_told_with_the_nearest(run: Run) -> None:
    result = run(WRONG, "--pg", "18")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "*create_pg() has no argument 'setting': did you mean settings=[?]",
            "*create_pgs() has no argument 'version_': did you mean version=[?]",
            "*8.4: there is no such version",
        ]
    )
    result.stdout.no_fnmatch_line("*--pg 8.4*")


def test_an_async_connection_without_pytest_asyncio_says_what_to_install(run: Run) -> None:
    result = run("def test_it(pg_async_connection): pass", "--pg", "18", "-p", "no:asyncio")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the fixture pg_async_connection needs pytest-asyncio*"])
