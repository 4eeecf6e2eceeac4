"""Inputs and statements that never end, or take all memory, end with what is wrong with them."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.readiness.test_inputs import read
from torture.attacks import ALIASES, CATCHES

from pytest_pgfeatures.errors import PgFeaturesError, ScriptError
from pytest_pgfeatures.files import LIMIT
from pytest_pgfeatures.readiness.inputs.files import InputReading, found
from pytest_pgfeatures.readiness.inputs.queries import read_log
from pytest_pgfeatures.readiness.inputs.sql_files import read_schema
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.scripts.source import read_script
from pytest_pgfeatures.server.watchdog import MEMORY, Watchdog

if TYPE_CHECKING:
    from pathlib import Path


def no_resolver() -> None:
    raise AssertionError("a text is no archive")


def test_what_a_schema_includes_is_a_regular_file(tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text("CREATE TABLE a (id int);\n\\i /dev/zero\nCREATE TABLE b (id int);\n")
    reading = InputReading(no_resolver)  # type: ignore[arg-type]
    read = list(read_schema(str(schema), reading))
    assert [each.query.sql for each in read] == ["CREATE TABLE a (id int)", "CREATE TABLE b (id int)"]
    assert reading.problems == [f"{schema}:2: can't read /dev/zero: it is no regular file"]


def test_a_pipe_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.sql")
    reading = InputReading(no_resolver)  # type: ignore[arg-type]
    assert list(found(str(tmp_path), lambda _: "", reading)) == []
    with pytest.raises(PgFeaturesError, match="no regular file"):
        list(found(str(tmp_path / "x.sql"), lambda _: "", reading))
    with pytest.raises(ScriptError, match="no regular file"):
        read_script(tmp_path / "x.sql", no_resolver)  # type: ignore[arg-type]


def test_the_limit_of_a_file_is_told_and_can_be_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "s.sql"
    script.write_text("-- " + "x" * (1 << 20))
    monkeypatch.setenv(LIMIT, "1")
    with pytest.raises(ScriptError, match=f"more than 1 MB; {LIMIT}=2 in the environment raises the limit"):
        read_script(script, no_resolver)  # type: ignore[arg-type]
    monkeypatch.setenv(LIMIT, "2")
    assert len(read_script(script, no_resolver)) == script.stat().st_size  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "beginning", ["LOG:  statement: SELECT 1;\n", "LOG:  statement: SELECT\n" + "\t1 +\n" * 300_000]
)
def test_a_line_or_a_message_of_a_log_without_end_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beginning: str
) -> None:
    log = tmp_path / "server.log"
    log.write_text(beginning)
    if "\t" not in beginning:
        os.truncate(log, 20 << 30)  # a line of zeros
    monkeypatch.setenv(LIMIT, "1")
    with pytest.raises(PgFeaturesError, match="has a line or a message of more than 1 MB"):
        list(read_log(log, "server.log"))


def test_thousands_of_files_in_one_of_yaml_are_read_each_at_its_place(tmp_path: Path) -> None:
    block = "  file{}: |\n    step:\n      run: pg_dump --oids shop\n"
    (tmp_path / "map.yml").write_text("data:\n" + "".join(map(block.format, range(3000))))
    called = [each.words[0].place for each in read(scripts=tmp_path).invocations]
    assert [(each.line, each.column) for each in called] == [(4 + 3 * at, 12) for at in range(3000)]


def test_aliases_of_aliases_in_yaml_are_looked_at_once(tmp_path: Path) -> None:
    (tmp_path / "bomb.yml").write_text(ALIASES)
    found = read(scripts=tmp_path)
    assert [each.program for each in found.invocations][-1] == "pg_dump"
    assert found.problems == ()


@pytest.mark.pg(matrix=False)
def test_a_statement_that_catches_its_cancellation_is_ended_and_the_rest_goes_on(tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text(CATCHES)
    seen = readiness(old="14", new="18", schema=[schema], stages=["schema"], timeout=3)
    assert f"{schema}:2: it had not finished after 3 s" in "\n".join(seen.problems)
    assert [each.place.line for each in seen.findings if each.place] == [11]


@pytest.mark.pg(matrix=False)
def test_a_server_takes_no_more_memory_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MEMORY, "200")
    schema = tmp_path / "schema.sql"
    schema.write_text(
        "SELECT length(repeat('x', 300000000));\nCREATE TABLE after (id int CHECK (id > 0x1));\n"
    )
    seen = readiness(old="14", new="18", schema=[schema], stages=["schema"])
    assert f"{schema}:1: 53200 out_of_memory" in "\n".join(seen.problems)
    assert [each.place.line for each in seen.findings if each.place] == [2]


@pytest.mark.pg("18")
def test_a_result_that_fills_our_memory_is_canceled(
    pg_connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MEMORY, "100")
    query = "SELECT repeat('x', 1000000) FROM generate_series(1, 100000)"
    with (
        Watchdog(pg_connection, 600) as watchdog,
        pytest.raises(psycopg.errors.OutOfMemory, match="takes more than 100 MB here"),
        watchdog.statement(),
    ):
        pg_connection.execute(query)


@pytest.mark.pg(matrix=False)
def test_a_result_canceled_for_memory_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY, "100")
    schema = tmp_path / "schema.sql"
    schema.write_text("SELECT repeat('x', 1000000) FROM generate_series(1, 100000);\n")
    seen = readiness(old="14", new="18", schema=[schema], stages=["schema"])
    assert f"{schema}:1: 53200 out_of_memory: its data takes more than 100 MB here" in "\n".join(
        seen.problems
    )


@pytest.mark.pg(matrix=False)
def test_a_result_canceled_for_memory_did_not_run_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MEMORY, "100")
    schema, queries, data = (tmp_path / name for name in ("schema.sql", "queries.sql", "data.sql"))
    schema.write_text("CREATE TABLE t (a int);\n")
    data.write_text("INSERT INTO t VALUES (1);\n")
    queries.write_text("SELECT repeat('x', 1000000) FROM generate_series(1, 100000);\nSELECT a FROM t;\n")
    seen = readiness(
        old="14", new="18", schema=[schema], queries=[queries], data=[data], stages=["results"], timeout=600
    )
    told = [each.why for each in seen.not_looked_at if each.what == f"{queries}:1"]
    assert told, seen.not_looked_at
    assert "53200" in told[0]
    assert "takes more than 100 MB here" in told[0]


@pytest.mark.thorough
@pytest.mark.pg(matrix=False)
def test_the_parse_tree_of_a_statement_of_megabytes_is_not_sent(tmp_path: Path) -> None:
    queries = tmp_path / "queries.sql"
    listed = ",".join(map(str, range(170_000)))
    queries.write_text(f"SELECT 1 WHERE 2 IN ({listed});\nSELECT upper('x');\n")
    seen = readiness(old="14", new="18", queries=[queries], stages=["queries"])
    counts = dict(seen.runs[0].report.counts)
    assert counts["accepted by 14"] == counts["accepted by 18"] == 2
    assert counts["with names from the parse tree"] == counts["with names from the text"] == 1


@pytest.mark.pg(matrix=False)
def test_a_memory_without_limit_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(resource, "prlimit", refused)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    schema = tmp_path / "schema.sql"
    schema.write_text("SELECT 1;\n")
    seen = readiness(old="14", new="18", schema=[schema], stages=["schema"])
    assert [each for each in seen.problems if "has no limit: there is neither CAP_SYS_RESOURCE" in each]


LONG = """
from pathlib import Path
from pytest_pgfeatures.readiness import advice, guards, secrets
from pytest_pgfeatures.readiness.conditions import LIKELY
from pytest_pgfeatures.readiness.evidence import inputs
from pytest_pgfeatures.readiness.inputs import languages, program_texts, queries
from pytest_pgfeatures.readiness.inputs.shell import sourced
from pytest_pgfeatures.readiness.inputs.sql_files import _LATER
from pytest_pgfeatures.readiness.servers import questions
from pytest_pgfeatures.readiness.servers.parsing import analyzed
from pytest_pgfeatures.readiness.stages import created_objects, places
from pytest_pgfeatures.readiness.statements import context
from pytest_pgfeatures.readiness.suite import recorded

many = 1_000_000
sourced(Path("x.sh"), f". {'a' * many}!\\n.{' ' * many}!\\n. {'a ' * many}!")
_LATER.sub("", "{% if is_incremental() " * many)
analyzed(f"CREATE VIEW v AS SELECT 1{' ' * many}x")
analyzed("CREATE " + "VIEW " * many)
LIKELY.search("$(" + "major" * many + "!")
LIKELY.search("pg_" * many)
advice._GONE.search("a_" * many)
advice._LACKING.match('could not open extension control file "' + "a" * many)
guards._KEPT.match(")\\n" * many)
guards._CHECKED.search("<sqlCheck" * many)
guards._BOUND.fullmatch("min_" * many)
secrets.secrets_in("password: x" + "\\n" * many + "a." * many)
inputs._COMMAND.match("/a" * many)
inputs._WORD.search("-" * many)
[*inputs._PROSE.finditer("'" + "a " * many)]
languages._MARGIN.sub("", "\\n" * many)
program_texts._MEMBER.sub("", "A" * many)
program_texts._HOLES[True].sub("", "{" + "a" * many)
queries._NODE.split("\\n" * many)
questions._SIGN.search("%" * many + "a")
places._OPERATOR.search("-" + "\\n" * many + "a")
created_objects._WITH_SCHEMA.sub("", "1" * many)
context._ROUTINE.search("1" * many)
recorded._CONSTANT.sub("", "/*a" * many)
"""


def test_long_words_and_gaps_take_no_endless_search() -> None:
    subprocess.run([sys.executable, "-c", LONG], check=True, timeout=120)


@pytest.mark.pg(matrix=False)
def test_a_deep_script_ends_no_stage(tmp_path: Path) -> None:
    (tmp_path / "deep.sh").write_text("if true; then\n" * 700 + "psql -c 'SELECT 1'\n" + "fi\n" * 700)
    queries = tmp_path / "queries.sql"
    queries.write_text("SELECT pg_start_backup('x');\n")
    seen = readiness(old="14", new="18", queries=[queries], scripts=[tmp_path])
    assert f"{tmp_path}/deep.sh: read in part: code is nested more than 500 levels deep" in seen.problems
    assert {each.place.where for each in seen.findings if each.place} == {f"{queries}:1"}
    assert {run.stage for run in seen.runs if run.error} == set()


@pytest.mark.pg(matrix=False)
def test_what_is_too_long_or_too_deep_to_be_read_is_told(tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    queries.mkdir()
    schema, deep, code = tmp_path / "schema.sql", queries / "deep.rb", queries / "shop.py"
    body = f"DECLARE a int; BEGIN a := 1; {'PERFORM 1; ' * 10_000} END"
    schema.write_text(
        "CREATE TABLE t (a text);\n"
        f"SELECT a LIKE '{'0' * 100_000}' FROM t;\n"
        f"SELECT chr(cardinality(ARRAY[{'1, ' * 3_000} 1])) FROM t;\n"
        f"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ {body} $$;\n"
    )
    deep.write_text("a = " * 25_000 + "'SELECT 1'\n")
    code.write_text("run('SELECT a FROM t WHERE a = 1 AND b = 2')\n")
    read = {"old": "14", "new": "18", "schema": [schema], "queries": [queries]}
    seen = readiness(**read, stages=["queries", "incompatibilities"])  # type: ignore[arg-type]
    assert f"{deep}: read in part: code is nested more than 500 levels deep" in seen.problems
    assert {(each.what, each.why) for each in seen.not_looked_at if "characters" in each.why} == {
        (f"{schema}:2", "it has more than 4,000 characters: it was compared with no pattern of a value"),
        (f"{schema}:3", "it has more than 4,000 characters: it was compared with no pattern of a value"),
        (f"{schema}:4", "it has more than 65,536 characters: it was compared with no pattern of a body"),
    }
    assert [each.place.file for each in seen.findings if each.place] == []
