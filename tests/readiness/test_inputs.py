"""Inputs of readiness, read without a server: each statement, setting and word with its place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install import Resolver, Store
from pytest_pgfeatures.readiness.application import Application, read_inputs
from pytest_pgfeatures.readiness.inputs.access import read_access
from pytest_pgfeatures.readiness.inputs.configuration import read_configuration
from pytest_pgfeatures.readiness.inputs.files import InputReading, found
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader, dumped_from, read_schema
from pytest_pgfeatures.readiness.inputs.table import INPUTS, InputOption
from pytest_pgfeatures.readiness.model import Query, StageReport
from pytest_pgfeatures.readiness.names import Names, read_statement
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.pairs import pairs
from pytest_pgfeatures.readiness.run import INPUTS_OF, StageRun, summed_up
from pytest_pgfeatures.readiness.secrets import HIDDEN, hide, secrets_in
from pytest_pgfeatures.readiness.statements.settings import (
    role_is_set,
    search_path_of,
    settings_in,
    settings_used,
)
from pytest_pgfeatures.readiness.statements.trees import Tree


def no_resolver():
    raise AssertionError("no archive is read here")


def read(**paths: Path | str) -> Application:
    """The inputs of options that name one file or directory each."""
    given = {name: (str(path),) for name, path in paths.items()}
    return read_inputs(ReadinessOptions(old="14", new="18", **given), no_resolver)  # type: ignore[arg-type]


def written(directory: Path, name: str, text: str) -> Path:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def query(sql: str) -> Query:
    return Query(sql, "schema", "a.sql", tuple(range(1, sql.count("\n") + 2)))


# --- placeholders and secrets ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("SELECT %s, %(a)s, :b, ?", "SELECT $1, $2, $3, $4"),
        ("SELECT :a, :a, :b", "SELECT $1, $1, $2"),
        ("SELECT 1 WHERE a=%s AND b<=? AND c=%(x)s", "SELECT 1 WHERE a=$1 AND b<=$2 AND c=$3"),
        ("SELECT $2, ?", "SELECT $2, $3"),
        ("ANALYZE %s; SELECT 1 FROM %s JOIN %s USING (a)", "ANALYZE x1; SELECT 1 FROM x2 JOIN x3 USING (a)"),
        ("SELECT a::int, '%s', ':b', \"?\" -- %s", "SELECT a::int, '%s', ':b', \"?\" -- %s"),
        ("SELECT 1 WHERE data ? 'key' AND x = ?", "SELECT 1 WHERE data ? 'key' AND x = $1"),
        ("SELECT (data -> 'a') ? 'key'", "SELECT (data -> 'a') ? 'key'"),
        ("DELETE FROM %(t)s u WHERE tags ? %s", "DELETE FROM x1 u WHERE tags ? $1"),
        (
            "SELECT ? FROM t WHERE a ILIKE ? ESCAPE ? FETCH FIRST ? ROWS ONLY",
            "SELECT $1 FROM t WHERE a ILIKE $2 ESCAPE $3 FETCH FIRST $4 ROWS ONLY",
        ),
        ("SELECT @ -5, 7 % s FROM t", "SELECT @ -5, 7 % s FROM t"),
        (
            "SELECT a %d, %05d FROM t FETCH FIRST %d ROWS ONLY",
            "SELECT a %d, $1 FROM t FETCH FIRST $2 ROWS ONLY",
        ),
        ("DROP TYPE %s; REINDEX SYSTEM %s", "DROP TYPE x1; REINDEX SYSTEM x2"),
        ("SELECT {a} FROM tab_{b} WHERE c = {{d}} -- {e}", "SELECT $1 FROM tab_x WHERE c = $2 -- {e}"),
        ("WHERE id = @id AND a LIKE 'x%%' LIMIT %s", "WHERE id = $1 AND a LIKE 'x%' LIMIT $2"),
        ("SELECT 1 # 2 # a, j #> '{b}' FROM t LIMIT #MOST#", "SELECT 1 # 2 # a, j #> '{b}' FROM t LIMIT $1"),
        ("SELECT 1 FROM t WHERE a %%FILTER%% GROUP BY b", "SELECT 1 FROM t WHERE a $1 GROUP BY b"),
        ('SELECT :"column" FROM t', 'SELECT "column" FROM t'),
        ("SELECT a FROM ${schema}.t, $other.u WHERE b = ${b}", "SELECT a FROM x1.t, x2.u WHERE b = $1"),
        ("SELECT @app@.f(@id) FROM {{ s }}.t, :s.u, %s.v", "SELECT x1.f($1) FROM x2.t, x3.u, x4.v"),
        ("CREATE ROLE a UNENCRYPTED PASSWORD :'password'", "CREATE ROLE a UNENCRYPTED PASSWORD 'x'"),
        (
            "UPDATE a SET password = %s WHERE password <> :'b'",
            "UPDATE a SET password = $1 WHERE password <> $2",
        ),
        ("SELECT a !  AS b FROM {{ ref('t') }} JOIN %s ON %s", "SELECT a !  AS b FROM x1 JOIN x2 ON $1"),
        ("SELECT $1.name, $2 FROM tab_${b}", "SELECT $1.name, $2 FROM tab_$x"),
        (
            "SELECT date '{{ d }}' FROM t WHERE day = '{{ ds }}'",
            "SELECT date '2000-01-01' FROM t WHERE day = $1",
        ),
        (
            "{{ config(a='b') }}\n{# c #}SELECT 1 FROM {{ t }} {% if d %}WHERE e{% endif %}",
            f"{' ' * 19}\n{' ' * 7}SELECT 1 FROM x1 {' ' * 10}WHERE e{' ' * 11}",
        ),
    ],
)
def test_placeholders_become_parameters(given: str, expected: str) -> None:
    assert with_parameters(given)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "ALTER ROLE app PASSWORD 's3cret-x'",
        "CREATE USER app ENCRYPTED PASSWORD $p$s3cret-x$p$",
        "postgresql://app:s3cret-x@db/shop",
        "PGPASSWORD=s3cret-x pg_dump",
        "POSTGRES_PASSWORD: 's3cret-x'",
        "host=db password='s3cret-x' user=app",
        "OPTIONS (user 'u', password 's3cret-x')",
        "ALTER ROLE app PASSWORD E's3cret-x'",
        "SELECT set_config('app.password', 's3cret-x', false)",
        "UPDATE u SET p = crypt('s3cret-x', gen_salt('bf'))",
        "INSERT INTO app.u (id, password) VALUES (1, 'password'), (2, 's3cret-x')",
        "INSERT INTO app.u (password, id) VALUES ('s3cret-x'::text, lower('no'))",
    ],
)
def test_a_password_is_seen_and_hidden_everywhere(text: str) -> None:
    known = frozenset(secrets_in(text))
    assert "s3cret-x" not in hide(text, known)
    assert HIDDEN in hide(text, known)
    assert "s3cret-x" not in hide("the server repeats s3cret-x", known)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT password FROM users WHERE password = $1",
        "password = :password",
        "PGPASSWORD=$DB_PASSWORD",
        "the syntax UNENCRYPTED PASSWORD: ALTER ROLE has no such option",
        "it differs in public.secret: 2 columns",
        "sequence public.secret: missing",
        "SELECT 1 WHERE u.password = v.password",
    ],
)
def test_what_only_names_a_password_stays(text: str) -> None:
    known = frozenset(secrets_in("services:\n  db:\n    POSTGRES_PASSWORD: s3cret-x # for tests\n"))
    assert known == {"s3cret-x"}
    assert hide(text, known) == text


# --- SQL files ---------------------------------------------------------------------------------------------


def test_statements_have_the_lines_and_columns_of_their_file(tmp_path: Path) -> None:
    written(tmp_path, "inner.sql", "\n  SELECT 3;\n")
    path = written(
        tmp_path,
        "q.sql",
        "-- a comment\n\\set who 'x y'\nSELECT 1,\n   :'who' AS w; \\ir inner.sql\nCOPY t FROM stdin;\na\nb\n\\.\n",
    )
    read = list(SqlReader("schema", no_resolver).file(path, "q.sql"))
    assert [each.query.sql for each in read] == ["SELECT 1,\n   'x y' AS w", "SELECT 3", "COPY t FROM stdin"]
    first = read[0].query
    at = first.place(first.sql.index("'x y'"))
    assert (at.file, at.line, at.column) == ("q.sql", 4, 4)
    assert (read[1].query.file, read[1].query.lines) == ("inner.sql", (2,))
    assert (read[2].data, read[2].data_line) == ("a\nb\n", 6)


def test_migrations_come_in_order_without_those_that_undo(tmp_path: Path) -> None:
    written(tmp_path, "m/V10__c.sql", "CREATE TABLE c ();")
    written(tmp_path, "m/V2__b.sql", "CREATE TABLE b ();\n-- migrate:down\nDROP TABLE b;")
    written(tmp_path, "m/V1__a.sql", "CREATE TABLE a ();")
    written(tmp_path, "m/U1__a.sql", "DROP TABLE a;")
    written(tmp_path, "m/11_d.down.sql", "DROP TABLE d;")
    written(tmp_path, "m/node_modules/x.sql", "CREATE TABLE x ();")
    read = [each.query.sql for each in read_schema(str(tmp_path / "m"), InputReading(no_resolver))]
    assert read == ["CREATE TABLE a ()", "CREATE TABLE b ()", "CREATE TABLE c ()"]


def test_a_plain_dump_says_which_version_it_was_made_from(tmp_path: Path) -> None:
    dump = written(
        tmp_path, "d.sql", "--\n-- PostgreSQL database dump\n--\n\n-- Dumped from database version 16.2\n"
    )
    assert dumped_from(str(dump)) == "16.2"


def test_a_directory_names_files_as_found_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "db/queries/a.sql", "SELECT 1;")
    reading = InputReading(no_resolver, "queries")
    assert [name for _, name in found("db/queries", lambda _: "", reading)] == ["db/queries/a.sql"]
    with pytest.raises(PgFeaturesError, match="--queries db/nothing: there is no such file"):
        list(found("db/nothing", lambda _: "", reading))


# --- configuration -----------------------------------------------------------------------------------------


def test_settings_have_their_place_in_the_file_that_is_included(tmp_path: Path) -> None:
    written(tmp_path, "conf.d/a.conf", "# none\n  work_mem = '8MB' # why\n")
    path = written(tmp_path, "postgresql.conf", "port 5433\ninclude_dir 'conf.d'\n")
    port, work_mem = read_configuration(str(path), InputReading(no_resolver))
    assert (port.name, port.value, port.place.line, port.place.column) == ("port", "5433", 1, 1)
    assert (work_mem.name, work_mem.value) == ("work_mem", "8MB")
    assert (work_mem.place.file, work_mem.place.line) == (str(tmp_path / "conf.d/a.conf"), 2)
    assert work_mem.place.column == 3
    assert work_mem.text == "work_mem = '8MB' # why"


def test_parameters_of_the_kernel_are_no_settings(tmp_path: Path) -> None:
    text = "postgres:\n  - {name: net.ipv4.ip_forward, value: 1}\n  - {name: work_mem, value: 8MB}\n"
    read = read_configuration(str(written(tmp_path, "a.yml", text)), InputReading(no_resolver, "config"))
    assert [each.name for each in read] == ["work_mem"]


def test_access_lines_with_quotes_files_and_continuations(tmp_path: Path) -> None:
    written(tmp_path, "users.txt", "alice\nbob\n")
    path = written(
        tmp_path,
        "pg_hba.conf",
        '# comment\nlocal all all peer\nhost "all",shop @users.txt \\\n  10.0.0.0/8 scram-sha-256 # why\n',
    )
    first, second = read_access(str(path))
    assert first.fields == ("local", "all", "all", "peer")
    assert first.place.line == 2
    assert second.fields == ("host", '"all",shop', "alice,bob", "10.0.0.0/8", "scram-sha-256")
    assert second.place.line == 3


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SET work_mem = '8MB'", [("work_mem", "8MB")]),
        ("SET LOCAL search_path TO shop, public", [("search_path", "shop, public")]),
        ("SET TIME ZONE 'UTC'", [("timezone", "UTC")]),
        ("ALTER SYSTEM SET wal_level = logical", [("wal_level", "logical")]),
        ("ALTER ROLE app IN DATABASE shop SET jit = off", [("jit", "off")]),
        ("ALTER DATABASE shop SET my.own TO 'x'", [("my.own", "x")]),
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET work_mem = '1MB' AS 'SELECT 1'",
            [("work_mem", "1MB")],
        ),
        ("ALTER FUNCTION f() SET jit FROM CURRENT", []),
        ("UPDATE t SET work_mem = 5", []),
        ("ALTER TABLE t SET SCHEMA s", []),
        ("SET ROLE app", []),
        ("SET work_mem = DEFAULT", []),
        ("SET statement_timeout = $1", []),
        ("SET search_path TO shop, $1", []),
        ("CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'UPDATE t SET jit = 1'", []),
    ],
)
def test_settings_of_statements(sql: str, expected: list[tuple[str, str]]) -> None:
    assert [(use.name, use.value) for use in settings_in([query(sql)])] == expected


@pytest.mark.parametrize("name", ["statement_timeout", "role", "SESSION AUTHORIZATION", "search_path"])
def test_a_program_that_gives_a_setting_a_parameter_is_read(name: str) -> None:
    tree = Tree(query(f"SET {name} TO $1" if name.islower() else f"SET {name} $1"))
    own = Names()
    read_statement(own, tree.query)
    (used,) = settings_used(tree)
    assert (used.value, own.named["session-role"]) == (None, set())
    assert role_is_set(tree) is (None if name in ("statement_timeout", "search_path") else True)


def test_the_search_path_is_that_of_the_database_or_role() -> None:
    assert search_path_of(
        [query("SET search_path = a"), query("ALTER ROLE app SET search_path = shop, public")]
    ) == ("shop, public")


# --- logs and statistics -----------------------------------------------------------------------------------

STDERR = (
    "2024-01-01 12:00:00.000 UTC [12] LOG:  starting PostgreSQL\n"
    "2024-01-01 12:00:00.000 UTC [12] LOG:  statement: SELECT a\n"
    "\tFROM t WHERE id = 1\n"
    "2024-01-01 12:00:00.000 UTC [12] ERROR:  no\n"
    "2024-01-01 12:00:00.000 UTC [12] STATEMENT:  SELECT broken\n"
    "2024-01-01 12:00:00.000 UTC [12] LOG:  duration: 0.104 ms  execute <unnamed>: SELECT a\n"
    "\tFROM t WHERE id = 2\n"
    "2024-01-01 12:00:00.000 UTC [12] LOG:  duration: 3.004 ms  plan:\n"
    "\tQuery Text: SELECT b\n"
    "\tFROM u\n"
    "\tSeq Scan on u  (cost=0.00..1.00 rows=1 width=4)\n"
)


def csv_row(message: str) -> str:
    quoted = '"' + message.replace('"', '""') + '"'
    return f"2024-01-01 12:00:00 UTC,u,d,1,,s,1,,2024-01-01 12:00:00 UTC,,0,LOG,00000,{quoted},,,,,,,,,x\n"


CSV = csv_row("statement: SELECT a\nFROM t") + csv_row(
    'duration: 1.0 ms  plan:\n{\n "Query Text": "SELECT b\\nFROM u",\n "Plan": {}}'
)
JSONLOG = "".join(
    json.dumps({"timestamp": "x", "error_severity": severity, "message": message}) + "\n"
    for severity, message in (("LOG", "statement: SELECT a"), ("ERROR", "no"), ("LOG", "statement: SELECT b"))
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STDERR, [("SELECT a\nFROM t WHERE id = 1", 2), ("SELECT b\nFROM u", 8)]),
        (CSV, [("SELECT a\nFROM t", 1), ("SELECT b\nFROM u", 3)]),
        (JSONLOG, [("SELECT a", 1), ("SELECT b", 3)]),
    ],
    ids=["stderr", "csvlog", "jsonlog"],
)
def test_statements_of_logs_once_each(tmp_path: Path, text: str, expected: list[tuple[str, int]]) -> None:
    path = written(tmp_path, "server.log", text)
    assert [(each.sql.rstrip(), each.lines[0]) for each in read(queries=path).queries] == expected


def test_a_log_of_another_format_is_said_to_be_one(tmp_path: Path) -> None:
    written(tmp_path, "nginx.log", '127.0.0.1 - - "GET / HTTP/1.1" 200\n' * 300)
    found = read(queries=tmp_path / "nginx.log")
    assert found.queries == ()
    assert found.problems
    assert "is no server log" in found.problems[0]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("s.csv", 'calls,query\n1,"SELECT a,\n $1"\n2,SELECT b\n3,SELECT b\n',
         [("SELECT a,\n $1", 2), ("SELECT b", 4)]),
        ("s.json", '[{"calls": 1,\n  "query": "SELECT a\\nFROM t"},\n {"query": "SELECT b"}]',
         [("SELECT a\nFROM t", 2), ("SELECT b", 3)]),
    ],
)  # fmt: skip
def test_statements_of_pg_stat_statements(
    tmp_path: Path, name: str, text: str, expected: list[tuple[str, int]]
) -> None:
    written(tmp_path, name, text)
    found = read(queries=tmp_path / name)
    assert [(each.sql, each.lines[0]) for each in found.queries] == expected
    assert found.problems == ()


def test_logs_and_exports_are_found_in_directories_among_other_files(tmp_path: Path) -> None:
    written(tmp_path, "logs/postgresql.log", STDERR)
    written(tmp_path, "logs/postgresql.log.1", STDERR)
    written(tmp_path, "logs/postgresql.csv", CSV)
    written(tmp_path, "logs/postgresql.json", JSONLOG)
    written(tmp_path, "top/statements.csv", "queryid,query\n7,SELECT c\n")
    written(tmp_path, "top/statements.json", '[{"calls": 1, "query": "SELECT d"}]')
    for name in ("package.json", "data.csv", "nginx.log"):
        written(tmp_path, name, '{"query": "SELECT no"}\n')
    found = read(queries=tmp_path)
    queries = found.queries
    assert {each.sql.split()[1] for each in queries} == {"a", "b", "c", "d"}
    assert {each.file.removeprefix(f"{tmp_path}/") for each in queries} == {
        "logs/postgresql.log", "logs/postgresql.log.1", "logs/postgresql.csv", "logs/postgresql.json",
        "top/statements.csv", "top/statements.json",
    }  # fmt: skip
    assert found.problems == ()


# --- versions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "direct", "expected"),
    [
        ("14", "18", False, ["14-18"]),
        ("14..16", "18", False, ["14-15", "15-16", "16-18"]),
        ("14", "16,18", False, ["14-16", "16-18"]),
        ("14,15", "18", True, ["14-18", "15-18"]),
        ("14", "15,18", True, ["14-15", "14-18"]),
    ],
)
def test_pairs_are_neighbors_or_direct(old: str, new: str, direct: bool, expected: list[str]) -> None:
    options = ReadinessOptions(old=old, new=new, direct=direct)
    found = pairs(options, Resolver(Store.open()))
    assert ["-".join(cell.id.removeprefix("pg") for cell in pair) for pair in found] == expected


def test_runs_are_in_the_order_of_versions_and_stages_however_they_ended() -> None:
    runs = [
        StageRun(stage, pair, versions, StageReport(stage))
        for stage, pair, versions in (
            ("queries", "15-18", ("15.1", "18.0")),
            ("queries", "9.6-15", ("9.6.24", "15.1")),
            ("settings", "15-18", ("15.1", "18.0")),
            ("schema", "9.6-15", ("9.6.24", "15.1")),
        )
    ]
    found = summed_up(runs, ReadinessOptions(old="9.6", new="15,18"))  # type: ignore[arg-type]
    assert [(run.pair, run.stage) for run in found.runs] == [
        ("9.6-15", "schema"),
        ("9.6-15", "queries"),
        ("15-18", "settings"),
        ("15-18", "queries"),
    ]


def test_a_statement_of_an_export_that_is_no_json_is_left_out(tmp_path: Path) -> None:
    written(tmp_path, "s.json", '[{"query": "SELECT \\x"}, {"query": "SELECT 2"}]')
    found = read(queries=tmp_path / "s.json")
    assert [query.sql for query in found.queries] == ["SELECT 2"]


@pytest.mark.parametrize("row", INPUTS, ids=lambda row: row.name)
def test_each_input_is_in_one_table_and_in_the_documentation(row: InputOption) -> None:
    page = (Path(__file__).parents[2] / "docs" / "readiness.md").read_text()
    assert re.search(rf"^\|[^|]*`{row.flag}\b", page, re.MULTILINE)
    options = ReadinessOptions(**{row.name: ("x",) if row.several else "x"})
    assert [each for each in INPUTS if each.given(options)] == [row]
    assert set(row.stages) == {stage for stage, kinds in INPUTS_OF.items() if row.kind in kinds}
