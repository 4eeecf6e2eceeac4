"""psql's meta-commands in the user's files: included files, branches, variables, and the statements of \\copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.readiness.test_inputs import read

from pytest_pgfeatures.readiness.inputs.files import InputReading
from pytest_pgfeatures.readiness.inputs.queries import read_queries
from pytest_pgfeatures.readiness.inputs.sql_files import read_schema
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.readiness.servers.parsing import analyzed
from pytest_pgfeatures.scripts.meta_commands import copied, truth

if TYPE_CHECKING:
    from pathlib import Path


def no_resolver():
    raise AssertionError("no archive is read here")


def written(directory: Path, **files: str) -> Path:
    for name, text in files.items():
        (directory / f"{name}.sql").write_text(text)
    return directory


def queried(directory: Path, *names: str) -> tuple[list[tuple[str, str, int, int]], list[str]]:
    """The statements of some files, each with the place of its first word, and the problems."""
    reading = InputReading(no_resolver, "queries")
    files = (str(directory / f"{name}.sql") for name in names)
    queries = [each for file in files for each in read_queries(file, reading) if isinstance(each, Query)]
    places = [(each, each.place(0)) for each in queries]
    return [
        (each.sql, place.file.rpartition("/")[2], place.line, place.column) for each, place in places
    ], reading.problems


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (r"\copy (SELECT a FROM t) to 'x y.csv' csv", ("SELECT a FROM t", 8)),
        (
            r"\copy ( WITH x AS (SELECT 1) SELECT 2 FROM x ) TO PROGRAM 'gzip >x'",
            (" WITH x AS (SELECT 1) SELECT 2 FROM x ", 8),
        ),
        (
            r"\copy t (a) from /tmp/x.csv with csv where a > 1",
            ("COPY t (a) from STDIN with csv where a > 1", 2),
        ),
        (r"\copy app.t to stdout", ("COPY app.t to STDOUT", 2)),
    ],
)
def test_copy_of_psql_is_a_statement(tmp_path: Path, line: str, expected: tuple[str, int]) -> None:
    written(tmp_path, q=line + "\nSELECT 5;\n")
    (first, second), problems = queried(tmp_path, "q")
    assert (first[0], first[3]) == expected
    assert second[:3] == ("SELECT 5", "q.sql", 2)
    assert problems == []


def test_commands_that_send_a_statement_end_it(tmp_path: Path) -> None:
    sending = (
        "gset p_",
        "gexec",
        "gx",
        "g out.txt",
        "gdesc",
        "watch 5",
        "crosstabview",
        "parse s1",
        "bind 1 \\g",
    )
    written(tmp_path, q="".join(f"SELECT {at} \\{how}\n" for at, how in enumerate(sending)))
    found, _ = queried(tmp_path, "q")
    assert [(each[0].strip(), each[2]) for each in found] == [
        (f"SELECT {at}", at + 1) for at in range(len(sending))
    ]


def test_statements_sent_together_are_statements_of_their_own(tmp_path: Path) -> None:
    written(tmp_path, q="SELECT 1 \\; SELECT 2\n  \\; SELECT 3;\n")
    found, _ = queried(tmp_path, "q")
    assert [(each[0].strip(), each[2]) for each in found] == [
        ("SELECT 1", 1),
        ("SELECT 2", 1),
        ("SELECT 3", 2),
    ]


def test_branches_that_may_run_are_read(tmp_path: Path) -> None:
    """What \\if has in it when a script is run is known only if the script itself sets it."""
    written(
        tmp_path,
        q="\\set yes on\n\\if :yes\nSELECT 1;\n\\elif :unknown\nSELECT 2;\n\\else\nSELECT 3;\n\\endif\n"
        "\\if :unknown\nSELECT 4;\n\\if false\nSELECT 5;\n\\endif\n\\else\nSELECT 6;\n\\q\n\\endif\n"
        "\\if :{?yes}\nSELECT 7;\n\\else\nSELECT 8;\n\\endif\nSELECT 9;\n\\quit\nSELECT 10;\n",
    )
    found, problems = queried(tmp_path, "q")
    assert [each[0][7:] for each in found] == ["1", "4", "6", "7", "9"]
    (told,) = problems
    assert told.endswith("q.sql:24: \\quit ends the script: 1 statements after it are left out")


def test_branches_for_variables_that_options_may_set_are_read(tmp_path: Path) -> None:
    written(
        tmp_path,
        q="\\if :{?legacy}\nSELECT 1;\n\\elif :{?other}\nSELECT 2;\n\\else\nSELECT 3;\n\\endif\n"
        "\\if :{?needed}\n\\else\n\\echo needed\n\\quit\n\\endif\nSELECT 4;\n\\if FALSE\nSELECT 5;\n\\endif\n",
    )
    found, problems = queried(tmp_path, "q")
    assert [each[0][7:] for each in found] == ["1", "2", "3", "4"]
    assert problems == []


def test_scripts_of_extensions_are_read_behind_their_quit(tmp_path: Path) -> None:
    written(tmp_path, q='\\echo Use "CREATE EXTENSION x" to load this file. \\quit\nSELECT 1;\n\\q\n')
    found, problems = queried(tmp_path, "q")
    assert [each[0] for each in found] == ["SELECT 1"]
    assert problems == []


@pytest.mark.parametrize(
    ("text", "value"), [("on", True), ("t", True), ("0", False), ("of", False), ("o", None), (":x", None)]
)
def test_conditions_are_read_as_psql_reads_them(text: str, value: bool | None) -> None:
    assert truth(text) is value


def test_variables_are_replaced_in_statements_and_commands(tmp_path: Path) -> None:
    written(
        tmp_path,
        q="\\set name t\n\\set both :name'_x' 2\n\\set v 'it''s'\nSELECT :both, :'v', :\"name\", :other;\n"
        "\\unset name\nSELECT :name;\n\\set file in\n\\i :file'ner.sql'\n",
        inner="SELECT :'v' AS inner;\n",
    )
    found, problems = queried(tmp_path, "q")
    assert [(sql, file, line) for sql, file, line, _ in found] == [
        ("SELECT t_x2, 'it''s', \"t\", $1", "q.sql", 4),
        ("SELECT $1", "q.sql", 6),
        ("SELECT 'it''s' AS inner", "inner.sql", 1),
    ]
    assert problems == []


def test_included_files_are_read_once_and_circles_are_told(tmp_path: Path) -> None:
    written(
        tmp_path,
        a="SELECT 1;\n\\i b.sql\n\\ir b.sql\n\\i gone.sql\nSELECT 2;\n",
        b="SELECT 3;\n\\ir a.sql\n",
        c="SELECT 4;\n",
    )
    found, problems = queried(tmp_path, "a", "b", "c")
    assert [(sql, file) for sql, file, *_ in found] == [
        ("SELECT 1", "a.sql"), ("SELECT 3", "b.sql"), ("SELECT 2", "a.sql"), ("SELECT 4", "c.sql"),
    ]  # fmt: skip
    circle, missing = problems
    assert "b.sql:2: " in circle
    assert "a.sql includes itself" in circle
    assert "a.sql:4: can't read" in missing


def test_a_file_of_a_directory_that_another_includes_is_loaded_once(tmp_path: Path) -> None:
    written(tmp_path, a="\\ir z.sql\nCREATE TABLE a ();\n", z="CREATE TABLE z ();\n")
    assert [each.query.sql for each in read_schema(str(tmp_path), InputReading(no_resolver))] == [
        "CREATE TABLE z ()",
        "CREATE TABLE a ()",
    ]


def test_copy_of_a_schema_loads_its_file(tmp_path: Path) -> None:
    written(tmp_path, s="CREATE TABLE t (id integer);\n\\copy t from 't.csv' csv\n\\copy t from 'gone.csv'\n")
    (tmp_path / "t.csv").write_text("1\n2\n")
    reading = InputReading(no_resolver)
    _, loaded = read_schema(str(tmp_path / "s.sql"), reading)
    assert (loaded.query.sql, loaded.reads, loaded.data) == ("COPY t from STDIN csv", True, "1\n2\n")
    (problem,) = reading.problems
    assert "s.sql:3: can't read" in problem


def test_what_a_script_gives_to_psql_has_meta_commands(tmp_path: Path) -> None:
    script = tmp_path / "a.sh"
    script.write_text("psql -c '\\copy (SELECT a FROM t) TO stdout'\npsql <<'X'\n\\set y 3\nSELECT :y;\nX\n")
    found = read(scripts=script).queries
    assert [(each.sql, each.lines[0]) for each in found] == [("SELECT a FROM t", 1), ("SELECT 3", 4)]


@pytest.mark.parametrize("given", ["COPY t TO STDOUT", "copy ()", "PREPARE TRANSACTION 'x'", "SELECT 1"])
def test_only_a_query_inside_is_analyzed(given: str) -> None:
    assert analyzed(given) == given


@pytest.mark.parametrize("arguments", ["t", "", "t from", "(", "( ) to 'x'", "t (a to"])
def test_a_copy_of_psql_that_is_cut_off_is_no_statement(arguments: str) -> None:
    assert copied(arguments) is None


def test_servers_look_into_statements_that_copy_and_prepare_hold(tmp_path: Path) -> None:
    written(
        tmp_path,
        s="CREATE TABLE t (id integer);\n",
        q="\\copy (SELECT id, pg_is_in_backup() FROM t) to 'x'\n"
        "COPY (SELECT id\n  FROM t WHERE pg_is_in_backup()) TO STDOUT;\n"
        "PREPARE p (integer) AS\n  SELECT id FROM t WHERE id = $1 AND pg_is_in_backup();\n"
        "COPY (SELECT id FROM t) TO STDOUT;\n",
    )
    found = readiness(
        old="14", new="18", schema=[tmp_path / "s.sql"], queries=[tmp_path / "q.sql"], stages=["queries"]
    )
    assert [(each.place.line, each.place.column) for each in found.affects if each.place] == [
        (1, 19),
        (3, 16),
        (5, 38),
    ]


@pytest.mark.parametrize(
    ("script", "sent"),
    [
        ("CREATE ROLE app;\n\\connect - app\nSELECT 1;", ['SET SESSION AUTHORIZATION "app"', "SELECT 1", "RESET"]),
        (
            "CREATE USER app;\n\\c - app\n\\c - postgres\nSELECT 1;",
            ['SET SESSION AUTHORIZATION "app"', "RESET", "SELECT 1"],
        ),
        ("CREATE ROLE app;\nCREATE DATABASE shop OWNER app;\n\\c shop app\nSELECT 1;", ["SELECT 1"]),
        ("CREATE ROLE app;\n\\c shop\nSELECT 1;", ["SELECT 1"]),
        ("\\c - admin\nSELECT 1;", ["SELECT 1"]),
    ],
)  # fmt: skip
def test_a_schema_goes_on_as_the_role_of_connect(tmp_path: Path, script: str, sent: list[str]) -> None:
    written(tmp_path, s=script)
    read = [each.query.sql for each in read_schema(str(tmp_path / "s.sql"), InputReading(no_resolver))]
    assert [sql for sql in read if not sql.startswith("CREATE")] == [
        sql.replace("RESET", "RESET SESSION AUTHORIZATION") for sql in sent
    ]


def test_what_only_the_servers_tell_of_a_script(tmp_path: Path) -> None:
    written(
        tmp_path,
        s="CREATE ROLE app;\n\\connect - app\nCREATE TABLE sums (a int);\n\\connect - postgres\n"
        "CREATE TABLE flags (flag \"char\");\nINSERT INTO flags VALUES ('é');\n",
    )
    code = tmp_path / "code.py"
    code.write_text('cursor.execute("CREATE EXTENSION IF NOT EXISTS plpythonu")\n')
    found = readiness(old="14", new="15", schema=[tmp_path / "s.sql"], queries=[code])
    places = {(item, each.place.line) for each in found.findings for item in each.items if each.place}
    assert {("15.1", 3), ("15.16", 5), ("15.5", 1)} <= places
