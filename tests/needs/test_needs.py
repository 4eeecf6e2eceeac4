"""pgfeatures needs: statements on servers of several majors."""

from __future__ import annotations

import json
import subprocess

import pytest
from click.testing import CliRunner
from torture.attacks import ATTACK, CATCHES, SCHEMA

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.needs.ask import with_parameters

pytestmark = pytest.mark.processes


def needs(tmp_path, text, *options, pg="14,15,17"):
    script = tmp_path / "script.sql"
    script.write_text(text)
    return CliRunner().invoke(
        pgfeatures, ["needs", str(script), "--pg", pg, *options], env={"COLUMNS": "200"}
    )


def answers(tmp_path, text, **options):
    """Of each statement: the majors that refuse it, and why."""
    found = json.loads(needs(tmp_path, text, "--json", "-", **options).stdout)
    return [
        ([major for major, answer in each["answers"].items() if answer["sqlstate"]], each["why"])
        for each in found["statements"]
    ]


@pytest.mark.parametrize(
    ("statement", "refused_by", "why"),
    [
        ("SELECT 1", [], None),
        ("MERGE INTO t USING t AS n ON t.a = n.a WHEN MATCHED THEN DO NOTHING", ["14"], "MERGE: since 15"),
        ("SELECT json_scalar(1)", ["14", "15"], "JSON_SCALAR: new after 15, by 17"),
        ("SELECT any_value(a) FROM t", ["14", "15"], "function any_value: new after 15, by 17"),
        (
            "SELECT checkpoints_timed FROM pg_stat_bgwriter",
            ["17"],
            "column checkpoints_timed: gone after 15, by 17",
        ),
        ("SELECT * FROM pg_stat_io", ["14", "15"], "relation pg_stat_io: new after 15, by 17"),
        ("SELECT pg_start_backup('x')", ["15", "17"], "function pg_start_backup: until 14"),
        ("CREATE TABLE u (a int, UNIQUE NULLS NOT DISTINCT (a))", ["14"], None),
        ("SELECT a FROM t WHERE a = %s AND b = %(b)s AND a > :min", [], None),
        ("SELECT a FROM t WHERE b LIKE '%s'", [], None),
        ("SELECT nothing FROM nowhere", ["14", "15", "17"], None),
        ("VACUUM", [], None),
        ("DROP ROLE postgres", [], None),
    ],
)
def test_who_refuses_it_and_why(tmp_path, statement, refused_by, why):
    prepared = f"CREATE TABLE t (a int, b text);\n{statement};\n"
    assert answers(tmp_path, prepared) == [([], None), (refused_by, why)]


def test_a_reason_says_no_more_than_was_asked(tmp_path):
    text = "SELECT pg_is_in_backup();\nSELECT any_value(a) FROM (VALUES (1)) t (a);\n"
    assert answers(tmp_path, text, pg="13,18") == [
        (["18"], "function pg_is_in_backup: gone after 13, by 18"),
        (["13"], "function any_value: new after 13, by 18"),
    ]


def test_nothing_is_executed_but_definitions(tmp_path):
    text = "CREATE TABLE t (a int);\nINSERT INTO t VALUES (1);\nSELECT 1 / (SELECT count(*) FROM t);\n"
    assert answers(tmp_path, text) == [([], None)] * 3


def test_the_table_names_the_line_and_the_reason(tmp_path):
    result = needs(tmp_path, "SELECT 1;\n\n-- from 17 on\nSELECT json_scalar(1);\n")
    assert result.exit_code == 1
    assert "script.sql:4  SELECT json_scalar(1)" in result.output
    assert "JSON_SCALAR: new after 15, by 17" in result.output
    assert "SELECT 1 " not in result.output
    assert result.output.rstrip().endswith("2 statements: 1 refused by some of 14, 15 and 17.")


def test_all_accepted(tmp_path):
    result = needs(tmp_path, "SELECT 1;")
    assert result.exit_code == 0
    assert result.output == "1 statement: 14, 15 and 17 accept all.\n"


@pytest.mark.pg(matrix=False)
def test_a_dump_in_the_custom_format_is_read_with_pg_restore(create_pg, tmp_path):
    cluster = create_pg(version="pypi:14")
    cluster.sql("CREATE TABLE t (a int, b text); INSERT INTO t VALUES (1, ';')")
    argv, environment = cluster.program("pg_dump", "-Fc", "-f", tmp_path / "t.dump", "postgres")
    subprocess.run(argv, env=environment, check=True)
    result = CliRunner().invoke(
        pgfeatures, ["needs", str(tmp_path / "t.dump"), "--pg", "14,17", "--json", "-"]
    )
    assert result.exit_code == 0, result.output
    statements = [each["statement"] for each in json.loads(result.stdout)["statements"]]
    assert [text for text in statements if text.startswith(("CREATE", "COPY"))] == [
        "CREATE TABLE public.t (\n    a integer,\n    b text\n)",
        "COPY public.t (a, b) FROM stdin",
    ]


def test_a_file_that_is_not_there(tmp_path):
    result = CliRunner().invoke(pgfeatures, ["needs", str(tmp_path / "nothing.sql")])
    assert result.exit_code == 2
    assert "can't read" in result.output


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "image.sql").write_bytes(b"\x89PNG\xff")
    result = CliRunner().invoke(pgfeatures, ["needs", str(tmp_path / "image.sql")])
    assert result.exit_code == 2
    assert "is no text in UTF-8" in result.output


@pytest.mark.parametrize("trust", [False, True])
def test_a_script_reaches_the_machine_only_if_it_is_trusted(reachable_path, tmp_path, trust):
    directory = reachable_path / "reached"
    directory.mkdir()
    directory.chmod(0o777)
    script = (ATTACK + SCHEMA + "SELECT '2'::picky;\n").replace("DIRECTORY", str(directory))
    result = needs(tmp_path, script, "--json", "-", *(["--trust"] if trust else []), pg="9.6,14,18")
    assert result.exit_code == 1, result.output
    reached = {each.name for each in directory.iterdir()}
    assert reached == ({"domain", "event", "index", "view"} if trust else set())
    statements = json.loads(result.stdout)["statements"]
    made = [each for each in statements if each["statement"].startswith("CREATE MATERIALIZED VIEW")]
    assert {answer["sqlstate"] for each in made for answer in each["answers"].values()} == {None}


def test_what_needs_a_superuser_is_no_difference_between_versions(tmp_path):
    text = (
        "CREATE EXTENSION pageinspect;\nCREATE FUNCTION f() RETURNS int LANGUAGE c AS 'x', 'y';\n"
        "CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE PROCEDURE f();\n"
    )
    result = needs(tmp_path, text)
    assert result.exit_code == 1  # there is no function f
    assert "3 statements: 1 refused by some of 14, 15 and 17, 1 could not be run by some of" in result.output
    assert "it needs a superuser; --trust runs it as one" in result.output


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("CREATE TABLE u AS SELECT length(repeat('x', 300000000))", "out of memory"),
        ("CREATE TABLE u AS SELECT count(*) FROM generate_series(1, 1e15)", "not finished after 2 s"),
    ],
)
def test_what_meets_a_limit_is_told_as_that(tmp_path, monkeypatch, statement, problem):
    monkeypatch.setenv("PGFEATURES_SESSION_MB", "200")
    monkeypatch.setattr("pytest_pgfeatures.needs.ask.SECONDS", 2.0)
    found = json.loads(needs(tmp_path, f"{statement};\nSELECT 1;\n", "--json", "-", pg="9.6,18").stdout)
    first, second = found["statements"]
    assert [problem in each["unknown"] for each in first["answers"].values()] == [True, True], first
    assert [each["unknown"] for each in second["answers"].values()] == [None, None]


def test_a_statement_that_can_not_be_canceled_ends_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr("pytest_pgfeatures.needs.ask.SECONDS", 1.0)
    text = CATCHES.replace("DO $$", "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$").replace(
        "END $$;", "END $$;\nSET statement_timeout = 0;\nCREATE TABLE t AS SELECT f();"
    )
    result = needs(tmp_path, text, pg="9.6,18")
    assert result.exit_code == 2
    assert "it did not end when it was canceled" in result.output
    assert "script.sql:12:" in result.output


def test_what_never_ends_is_not_read(tmp_path):
    result = CliRunner().invoke(pgfeatures, ["needs", "/dev/zero", "--pg", "18"])
    assert result.exit_code == 2
    assert "it is no regular file" in result.output
    result = CliRunner().invoke(
        pgfeatures, ["needs", "-", "--pg", "18"], input="x" * (1 << 21), env={"PGFEATURES_INPUT_MB": "1"}
    )
    assert result.exit_code == 2
    assert "standard input has more than 1 MB" in result.output


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT %s, %s", "SELECT $1, $2"),
        ("SELECT %(a)s, %(a)s", "SELECT $1, $1"),
        ("SELECT :a, :'a', :\"t\"", 'SELECT $1, $2, "t"'),
        ("SELECT $3, $1", "SELECT $1, $2"),
        ("SELECT '%s', a % b", "SELECT '%s', a % b"),
        ("SELECT a::int", "SELECT a::int"),
    ],
)
def test_placeholders_become_parameters(sql, expected):
    assert with_parameters(sql) == expected
