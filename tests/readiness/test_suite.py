"""The stage suite: an application's own tests are run on both servers, and what they send is compared."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.readiness.stages.suite import compared
from pytest_pgfeatures.readiness.suite.recorded import known_by, read_recorded

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.run import Readiness

APP = '''\
import psycopg

SHOP = """
    SELECT name, made
      FROM shop WHERE id = %s
"""


def make(connection):
    connection.execute("CREATE TABLE shop (id int PRIMARY KEY, name text, made timestamp)")
    connection.execute("INSERT INTO shop SELECT n, 'shop ' || n, now() FROM generate_series(1, 100) n")
    connection.commit()


def checkpoints(connection):
    try:
        with connection.transaction():
            return connection.execute("SELECT id, checkpoints_timed FROM shop, pg_stat_bgwriter").fetchone()
    except psycopg.Error:
        return None


def built(connection, column):
    return connection.execute(f"SELECT {column} FROM shop WHERE id IN (3, 4, 5)").fetchall()


def years(connection):
    return connection.execute("SELECT extract(year FROM %s::interval)::int", ["1.99 years"]).fetchone()[0]
'''
TESTS = """\
import psycopg
import pytest

import app


@pytest.fixture(scope="session")
def connection():
    with psycopg.connect("") as connection:
        app.make(connection)
        yield connection


def test_shop(connection):
    assert connection.execute(app.SHOP, [3]).fetchone()[0] == "shop 3"


def test_what_swallows_an_error(connection):
    app.checkpoints(connection)


def test_years(connection):
    assert app.years(connection) == 1


def test_built(connection):
    assert len(app.built(connection, "name")) == 3


def test_that_always_fails(connection):
    assert app.years(connection) == 7
"""


def command(directory: Path, *options: str) -> str:
    """The command that runs the suite, with the Python that we run in."""
    words = [sys.executable, "-m", "pytest", "-q", "-pno:cacheprovider", f"--rootdir={directory}", *options]
    return shlex.join([*words, str(directory / "test_app.py")])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory: Path = tmp_path_factory.mktemp("suite")
    (directory / "app.py").write_text(APP)
    (directory / "test_app.py").write_text(TESTS)
    return directory


@pytest.fixture(scope="module")
def found(project: Path) -> Readiness:
    return readiness(
        old="14",
        new="18",
        run=command(project),
        queries=[project / "app.py"],
        stages=["suite", "schema", "queries"],
    )


def of_suite(found: Readiness) -> list[Finding]:
    return [each for each in found.findings if each.stage == "suite"]


def test_an_error_that_the_suite_swallows_is_found_at_its_line(found: Readiness) -> None:
    refused = [each for each in found.findings if each.sqlstate == "42703"]
    assert [(each.certainty, each.place and each.place.line) for each in refused] == [("affects", 18)]
    assert refused[0].place
    assert APP.splitlines()[17][refused[0].place.column - 1 :].startswith("checkpoints_timed")


def test_a_test_that_fails_on_the_new_server_alone_is_told_after_a_second_run(found: Readiness) -> None:
    (test,) = [each for each in of_suite(found) if each.object and each.object.startswith("test ")]
    assert test.object == "test test_app.test_years"
    assert (test.severity, test.certainty) == ("error", "affects")
    assert "passes on 14" in test.message
    assert "assert 2 == 1" in test.message


def test_what_the_suite_sends_feeds_the_other_stages(found: Readiness) -> None:
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    assert not [run.error for run in found.runs if run.error]
    assert not any(run.nothing for run in found.runs)
    assert counts["schema"]["statements"] == 2  # CREATE TABLE, which it committed, and COPY of the rows
    assert counts["suite"]["tests with a result"] == 5
    assert counts["suite"]["of them failed on both"] == 1
    # SHOP, checkpoints, years and the INSERT as the suite sent them; built, whose column the program puts in, as it
    # was sent, and as it was read
    assert counts["queries"]["statements"] == 6
    assert counts["queries"]["accepted by 14"] - counts["queries"]["accepted by 18"] == 1
    assert any("the suite ended with status 1 on 14" in problem for problem in found.problems)


def test_a_suite_that_connects_elsewhere_is_told(tmp_path: Path) -> None:
    found = readiness(old="14", new="18", run="echo a container of its own", stages=["suite"])
    (run,) = found.runs
    assert "sent no statement to the server of 14" in run.error
    assert "a container of its own" in run.error
    assert "take PGHOST, PGPORT, PGUSER, PGPASSWORD or DATABASE_URL" in run.error


def test_a_suite_that_could_not_run_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("SELECT 1;")
    found = readiness(
        old="14", new="18", run="true", queries=[tmp_path / "q.sql"], stages=["suite", "incompatibilities"]
    )
    others = [each.why for run in found.runs for each in run.report.not_looked_at]
    assert [text.count("sent no statement") for text in found.problems] == [1]
    assert not any("sent no statement" in text for text in others)
    alone = readiness(
        old="14", new="18", run="true", queries=[tmp_path / "q.sql"], stages=["incompatibilities"]
    )
    assert [text.partition(":")[0] for text in alone.problems] == [
        "the answers lack what the stage suite finds"
    ]


def test_a_suite_of_any_language_writes_its_junit_file_where_it_is_told_to(tmp_path: Path) -> None:
    script = tmp_path / "suite.sh"
    script.write_text("""\
psql -qc 'CREATE DATABASE shop' && psql -qd shop -c 'CREATE TABLE t (a int)' -c "COPY t FROM STDIN" </dev/null
for n in 1 2 3; do psql -qd shop -c "SELECT $n FROM t WHERE a = $n" & done; wait
failed=$(psql -Atd shop -c "SELECT '1.99 years'::interval = '2 years'")
[ "$failed" = t ] && said='<failure message="it is two"/>'
echo "<testsuites><testsuite><testcase classname='shop' name='years' file='suite.sh' line='2'>$said</testcase>\
<testcase classname='shop' name='other'/></testsuite></testsuites>" > "$1"
""")
    found = readiness(old="14", new="18", run=f"sh {script} {{junit}}", stages=["suite"])
    (run,) = found.runs
    assert not run.error
    (test,) = of_suite(found)
    assert test.place
    assert (test.place.file, test.place.line) == ("suite.sh", 3)
    assert "the test shop.years passes on 14" in test.message
    counts = dict(run.report.counts)
    assert counts["databases"] == 2
    assert counts["sent"] == 7
    assert counts["statements"] == 5


def test_rows_that_the_suite_left_and_those_that_it_rolled_back_are_data(tmp_path: Path) -> None:
    script = tmp_path / "suite.sh"
    script.write_text("""\
psql -qc 'CREATE DATABASE shop' && psql -qvON_ERROR_STOP=1 -d shop <<'END'
CREATE TABLE kept (id serial PRIMARY KEY, years text);
CREATE TABLE child (kept int REFERENCES kept DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "too large" (long text);
INSERT INTO "too large" SELECT repeat('x', 40000000);
CREATE TABLE "Rolled back" (id int PRIMARY KEY, years text);
INSERT INTO kept (years) VALUES ('1.99 years'), ('3 years');
INSERT INTO child VALUES (2);
BEGIN;
INSERT INTO "Rolled back" VALUES (1, '2.99 years');
ROLLBACK;
BEGIN;
INSERT INTO "Rolled back" VALUES (1, E'it''s\\\\1');
ROLLBACK;
SELECT id, years::interval FROM kept ORDER BY 1;
SELECT id, years::interval FROM "Rolled back" WHERE years ~ 'y' ORDER BY 1;
INSERT INTO kept (years) VALUES ('x') RETURNING id;
DELETE FROM kept WHERE years = 'x';
END
psql -qd shop -c 'CREATE TABLE keys (id int PRIMARY KEY); INSERT INTO keys VALUES (1)' -c 'SELECT * FROM keys'
""")
    stages = ["suite", "settings", "schema", "results"]
    found = readiness(old="9.3", new="18", run=f"sh {script}", stages=stages)
    assert not [run.error for run in found.runs if run.error]
    told = {each.excerpt: each.message for each in found.findings if each.stage == "results"}
    assert len(told) == 2
    assert all("rows differ" in message for message in told.values()), told
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    assert counts["results"]["with the same result"] >= 4  # INSERT gets the next number of the sequence
    assert not any("refused" in problem for problem in found.problems), found.problems
    assert any('public."too large" in shop are not taken along' in problem for problem in found.problems)
    assert counts["suite"]["tables with rows at the end"] == 3
    assert counts["suite"]["INSERTs into others"] == 2


@pytest.mark.thorough
def test_a_hundred_databases_of_parallel_workers_are_one_schema(tmp_path: Path) -> None:
    script = tmp_path / "suite.sh"
    script.write_text("""\
for worker in 1 2 3 4; do
    for n in $(seq 25); do
        shop=shop_$((worker * 100 + n))
        psql -qc "CREATE DATABASE $shop" || exit 1
        psql -qd $shop -c 'CREATE TABLE orders (id int PRIMARY KEY, due interval)' \\
            -c "INSERT INTO orders VALUES ($n, '1.99 years')" -c 'SELECT due FROM orders ORDER BY id'
        psql -qc "DROP DATABASE $shop"
    done &
done
wait
""")
    found = readiness(old="14", new="18", run=f"sh {script}", stages=["suite", "schema", "results"])
    assert not [run.error for run in found.runs if run.error]
    assert not of_suite(found)
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    assert (counts["suite"]["databases"], counts["suite"]["statements"]) == (101, 5)
    assert counts["suite"]["INSERTs into others"] == 25
    assert counts["schema"]["statements"] == 26  # CREATE TABLE once
    told = [each.message for each in found.findings if each.stage == "results"]
    assert any("the same load leaves other values in due" in message for message in told), told


@pytest.mark.processes
def test_run_compares_what_any_command_sends(tmp_path: Path) -> None:
    script = tmp_path / "suite.sh"
    script.write_text("""\
psql -c 'SELECT pg_is_in_backup()' && psql -c 'SELECT pg_backup_start_time()' && exit
psql -c 'TABLE pg_authid' -c 'TABLE pg_database'
""")
    arguments = ["run", "--pg", "14,18", "--compare", "--json", str(tmp_path / "found.json")]
    ended = CliRunner().invoke(pgfeatures, [*arguments, "--", "sh", str(script)])
    assert ended.exit_code == 1, ended.output
    (finding,) = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert (finding["stage"], finding["sqlstate"], finding["certainty"]) == ("suite", "42883", "affects")
    assert "1 received by 14 alone, 2 received by 18 alone" in " ".join(ended.output.split())
    for wrong in (["--pg", "14"], ["--pg", "14,18", "--setting", "work_mem=1MB"]):
        ended = CliRunner().invoke(pgfeatures, ["run", *wrong, "--compare", "--", "true"])
        assert ended.exit_code == 2
        assert "--compare" in ended.output


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT 'a' , 1.5e3 FROM t  WHERE b=$1", "SELECT 'it''s', 2\n FROM t WHERE b=$2;"),
        ("SELECT a -- it's a\n FROM /* the */ t WHERE b = 'c'", "SELECT a FROM t WHERE b = 'd'"),
        ("DROP DATABASE test_4711", "DROP DATABASE test_12"),
        ("SELECT * FROM s_9f86d081884c7d65.t", "SELECT * FROM s_60303ae22b998861.t"),
        ("SELECT a IN (1, 2,3)", "SELECT a IN (7)"),
        ("INSERT INTO t VALUES (1), (2)", "INSERT INTO t VALUES (3)"),
    ],
)
def test_a_statement_is_known_without_what_changes_from_run_to_run(one: str, other: str) -> None:
    assert known_by(one) == known_by(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a FROM t1", "SELECT a FROM t2"),
        ("SELECT 'a'", "SELECT a"),
        ("SELECT int4 1", "SELECT int8 1"),
    ],
)
def test_other_statements_are_known_apart(one: str, other: str) -> None:
    assert known_by(one) != known_by(other)


def _line(session: str, severity: str, message: str, *, state: str = "00000", query: str = "") -> str:
    fields = [""] * 26
    fields[1], fields[2], fields[5], fields[11], fields[12], fields[13], fields[19] = (
        "postgres", "shop", session, severity, state, message, query,
    )  # fmt: skip
    return ",".join('"' + field.replace('"', '""') + '"' for field in fields) + "\n"


def test_only_definitions_that_were_committed_are_the_schema(tmp_path: Path) -> None:
    sent = [
        ("a", "CREATE TABLE kept (a int)"),
        ("a", "BEGIN"),
        ("b", "begin"),
        ("a", "CREATE TABLE too (a int)"),
        ("b", "CREATE TABLE gone (a int)"),
        ("a", "COMMIT"),
        ("b", "ROLLBACK"),
        ("b", "CREATE TABLE kept (a int)"),
        ("b", "CREATE DATABASE other"),
    ]
    log = tmp_path / "suite.csv"
    log.write_text(
        "".join(_line(session, "LOG", f"statement: {sql}") for session, sql in sent[:-1])
        + _line("b", "ERROR", "it exists", state="42P07", query="CREATE TABLE kept (a int)")
        + _line("b", "LOG", f"execute <unnamed>: {sent[-1][1]}")
        + "".join(_line(session, "LOG", "disconnection: session time: 0") for session in "ab")
    )
    recorded = read_recorded(log)
    assert recorded.definitions == {
        "shop": [("CREATE TABLE kept (a int)", ""), ("CREATE TABLE too (a int)", "")]
    }
    assert recorded.statements["CREATE TABLE kept (a int)"].errors == {"42P07": 1}
    assert recorded.executions == len(sent)


def test_each_kind_of_difference_is_told(tmp_path: Path) -> None:
    both = [_line("a", "LOG", f"statement: SELECT f({n})") for n in range(3)]
    logs = {
        "old": [
            *both,
            _line("a", "LOG", "statement: SELECT 1 / 0"),
            _line("a", "ERROR", "division by zero", state="22012", query="SELECT 1 / 0"),
            _line("a", "LOG", "statement: TABLE t"),
        ],
        "new": [
            *both,
            _line("a", "WARNING", "f is old", state="01P01"),
            _line("a", "LOG", "statement: SELECT 2 / 0"),
            _line("a", "ERROR", "out of range", state="22003", query="SELECT 2 / 0"),
            _line("a", "LOG", "statement: TABLE t"),
            _line("a", "ERROR", "no rights", state="42501", query="TABLE t"),
            _line("a", "LOG", "statement: SELECT f(1)"),
            _line("a", "ERROR", "aborted", state="25P02", query="SELECT f(1)"),
        ],
    }
    for name, lines in logs.items():
        (tmp_path / name).write_text("".join(lines))
    old, new = (read_recorded(tmp_path / name) for name in logs)
    told = {(each.kind, each.key): each for each in compared(old, new, ("14", "18"))}
    assert told.keys() == {
        ("warning", "SELECT f(?)"),
        ("another error", "SELECT ? / ?"),
        ("error", "TABLE t"),
    }
    assert (
        "22003 out of range; 14: 22012 division by zero" in told["another error", "SELECT ? / ?"].description
    )


def test_which_of_several_workers_ran_a_test_is_no_difference(tmp_path: Path) -> None:
    """Each has a schema of its own, and the same statements are sent once more by one, once less by another."""
    workers = {"old": ("gw0", "gw0", "gw1"), "new": ("gw0", "gw1", "gw1")}
    read = []
    for name, schemas in workers.items():
        again = ["TABLE t"] * (2 if name == "new" else 1)
        sent = [*(f"SET search_path = s_{schema}" for schema in schemas), *again]
        (tmp_path / name).write_text("".join(_line("a", "LOG", f"statement: {sql}") for sql in sent))
        read.append(read_recorded(tmp_path / name))
    told = [(each.kind, each.key) for each in compared(*read, ("14", "18"))]
    assert told == [("executions", "TABLE t")]
