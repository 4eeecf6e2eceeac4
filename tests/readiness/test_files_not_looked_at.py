"""Every file of a given directory is read, or told by suffix with its count."""

from __future__ import annotations

import json
import os
import sys
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from pytest_pgfeatures.json_values import from_plain, to_plain
from pytest_pgfeatures.page.findings import findings_section
from pytest_pgfeatures.readiness.application import read_inputs
from pytest_pgfeatures.readiness.evidence.find import find
from pytest_pgfeatures.readiness.inputs.files import InputReading
from pytest_pgfeatures.readiness.inputs.languages import LANGUAGES, grammar, lacking
from pytest_pgfeatures.readiness.model import PassedOver, VersionPair
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.run import Readiness, StageRun, readiness
from pytest_pgfeatures.report.readiness import passed_over_lines, render
from pytest_pgfeatures.version import PgMajor, as_release

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "app/reports.py": 'QUERY = "SELECT id FROM orders WHERE id = %s"\n',
    "app/forms.pas": "x := 'SELECT 1';\n",
    "app/Main.PAS": "x := 'SELECT 1';\n",
    "app/LICENSE": "free\n",
    "app/mailstats": "#!/usr/bin/perl -w\ndie 'ask the postmaster';\n",
    "app/app.log": "nothing of a server\n",
    "app/deploy.sh": "pg_dump app\n",
    "app/vendor/x.py": "\n",
    "app/.git/HEAD": "\n",
    "db/1_orders.sql": "CREATE TABLE orders (id int);\n",
    "db/1_orders.down.sql": "DROP TABLE orders;\n",
    "db/notes.md": "# Notes\n",
    "db/old/mysql.sql": "CREATE TABLE orders (id int) ENGINE=InnoDB;\n",
    "etc/postgresql.conf": "include 'conf.d/work.conf'\nmax_connections = 50\n",
    "etc/conf.d/work.conf": "work_mem = 8MB\n",
    "etc/conf.d/own.conf": "wal_keep_segments = 8\n",
    "etc/nginx.conf": "user www-data;\nserver { }\n",
    "etc/pg_hba.conf": "local all all trust\n",
    "etc/pgbouncer.ini": "[pgbouncer]\n",
    "rows/orders.csv": "1\n",
    "rows/orders.sql": "INSERT INTO orders VALUES (1);\n",
}
OPTIONS = {"schema": "db", "queries": "app", "scripts": "app", "config": "etc", "data": "rows"}
SKIPPED = "hidden, generated, or of others"
NO_READER = "there is no reader for such files"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def no_resolver():
    raise AssertionError("no archive is read here")


def read(**options: str):
    given = {name: (value,) for name, value in options.items()}
    return read_inputs(ReadinessOptions(old="12", new="13", **given), no_resolver)


@pytest.mark.usefixtures("project")
def test_each_file_of_a_directory_is_read_or_told():
    told = read(**OPTIONS).passed_over
    assert {(each.option, each.suffix, each.count, each.why) for each in told} == {
        ("config", ".conf", 1, "--hba reads them"),
        ("config", ".ini", 1, NO_READER),
        ("data", ".csv", 1, NO_READER),
        ("queries", ".log", 1, "they are no logs or exports of pg_stat_statements"),
        ("queries", ".pas", 2, NO_READER),
        ("queries", "", 1, NO_READER),
        ("queries", ".git/", 1, SKIPPED),
        ("queries", "vendor/", 1, SKIPPED),
        ("schema", ".md", 1, NO_READER),
        ("schema", ".sql", 1, "they revert others"),
        ("schema", ".sql", 1, "they are for another database system"),
        ("scripts", ".pas", 2, NO_READER),
        ("scripts", ".log", 1, NO_READER),
        ("scripts", "", 1, NO_READER),
        ("scripts", ".git/", 1, SKIPPED),
        ("scripts", "vendor/", 1, SKIPPED),
    }


@pytest.mark.usefixtures("project")
def test_a_directory_for_another_system_is_no_problem():
    assert not read(queries="db/old").problems


@pytest.mark.usefixtures("project")
def test_a_file_that_another_option_reads_is_read():
    only = {each.suffix for each in read(queries="app").passed_over}
    assert ".sh" in only
    both = read(queries="app", scripts="app").passed_over
    assert not {each.suffix for each in both} & {".sh", ".py"}
    alone = {(each.option, each.count) for each in read(scripts="app").passed_over if not each.suffix}
    assert alone == {("scripts", 2)}  # the program in Perl is no shell script


@pytest.fixture
def without_grammars(monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    grammar.cache_clear()
    lacking.cache_clear()
    yield
    grammar.cache_clear()
    lacking.cache_clear()


@pytest.mark.usefixtures("project", "without_grammars")
def test_sources_without_their_grammars_are_told_with_the_remedy():
    told = {each.suffix: each.why for each in read(queries="app").passed_over}
    assert told[".py"] == "reading python needs tree-sitter: pip install 'pytest-pgfeatures[readiness]'"
    found = read(queries="app/reports.py")
    assert found.unread == (("queries", told[".py"]),)
    assert "queries" not in found.given
    (run,) = readiness(old="12", new="13", queries=["app/reports.py"], stages=["queries"]).runs
    assert run.unread == (told[".py"],)
    assert not run.nothing


@pytest.mark.usefixtures("without_grammars")
def test_routines_without_their_grammars_are_told_with_the_remedy(tmp_path):
    body = "CREATE FUNCTION f{} () RETURNS int LANGUAGE plpython3u AS $$ plpy.execute('SELECT 1') $$;\n"
    (tmp_path / "a.sql").write_text(body.format(1) + body.format(2))
    (problem,) = read(schema=str(tmp_path)).problems
    assert problem.startswith(f"{tmp_path}/a.sql: reading python needs tree-sitter: pip install")


TEXTS = {
    "php": "<?php f('SELECT 1 AS one');\n",
    "hcl": 'x = "SELECT 1 AS one"\n',
    "toml": 'x = "SELECT 1 AS one"\n',
}


@pytest.mark.parametrize("name", [name for name, each in LANGUAGES.items() if each.suffixes])
def test_a_literal_of_each_language_is_read(tmp_path, name):
    for suffix in LANGUAGES[name].suffixes:
        (tmp_path / f"a{suffix}").write_text(TEXTS.get(name, 'x("SELECT 1 AS one")\n'))
    literals = read(queries=str(tmp_path)).literals
    assert {each.sql for each in literals} == {"SELECT 1 AS one"}
    assert len(literals) == len(LANGUAGES[name].suffixes)


def test_what_is_no_regular_file_is_told(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    os.mkfifo(tmp_path / "b.py")
    (tmp_path / "c.py").symlink_to("nowhere")
    told = read(queries=str(tmp_path)).passed_over
    assert told == (PassedOver("queries", str(tmp_path), ".py", 2, "they are no regular files"),)


def test_a_log_that_cannot_be_read_is_told_with_the_reason(tmp_path):
    (tmp_path / "a.sql").write_text("SELECT 1;\n")
    (tmp_path / "a.log").symlink_to("/proc/self/mem")  # a regular file whose first page nobody can read
    found = read(queries=str(tmp_path))
    assert len(found.queries) == 1
    assert found.passed_over == ()
    (problem,) = found.problems
    assert "a.log" in problem
    assert "Input/output error" in problem


@pytest.mark.usefixtures("project")
def test_a_directory_of_configuration_is_read_with_each_file_once():
    found = read(config="etc")
    assert [(each.name, each.value, each.place.file) for each in found.settings] == [
        ("work_mem", "8MB", "etc/conf.d/work.conf"),
        ("max_connections", "50", "etc/postgresql.conf"),
        ("wal_keep_segments", "8", "etc/conf.d/own.conf"),
    ]
    assert [problem.partition(":")[0] for problem in found.problems] == ["etc/nginx.conf, line 1"]
    assert found.unread == ()


def test_a_directory_without_configuration_was_named_and_not_read(tmp_path):
    (tmp_path / "x.rst").write_text("[x]\n")
    found = read(config=str(tmp_path), queries=str(tmp_path))
    assert {kind for kind, _ in found.unread} == {"config", "queries"}
    assert "config" not in found.given


def answers(**options: str) -> dict[str, tuple[str, str]]:
    pair = VersionPair(as_release(PgMajor("12")), as_release(PgMajor("13")))
    verdicts = find(read(**options), pair, None).verdicts()
    return {verdict.behavior: (verdict.answer, verdict.reason) for verdict in verdicts}


def test_nothing_does_not_affect_without_a_statement(tmp_path):
    (tmp_path / "a.pas").write_text("x := 'SELECT 1';\n")
    (tmp_path / "a.sql").write_text("-- none\n")
    told = answers(queries=str(tmp_path))
    assert {answer for answer, _ in told.values()} == {"not looked at"}
    (tmp_path / "a.sql").write_text("SELECT 1;\n")
    told = answers(queries=str(tmp_path))
    looked = {reason for answer, reason in told.values() if answer == "does not"}
    assert any(reason.startswith("looked at 1 statements") for reason in looked)
    assert all("not at 1 files of the directories" in reason for reason in looked), looked


def of_runs(project: Path) -> Readiness:
    passed = read(**OPTIONS).passed_over
    run = StageRun("queries", "12-13", ("12.1", "13.1"), None, passed_over=passed)  # type: ignore[arg-type]
    return Readiness((), (), (run,))


def test_the_terminal_lists_them_by_suffix(project):
    lines = passed_over_lines(of_runs(project))
    assert f"--queries app: .pas (2), without a suffix (1): {NO_READER}" in lines
    assert "--schema db: .sql (1): they revert others" in lines


@pytest.mark.pg(matrix=False)
def test_a_whole_run_tells_them_everywhere(project):
    found = readiness(old="14", new="18", schema=["db"], queries=["app"], stages=["queries"])
    out = StringIO()
    console = Console(file=out, width=200)
    for each in render(found):
        console.print(each)
    assert "Files not looked at" in out.getvalue()
    assert f"--queries app: .pas (2), without a suffix (1), .sh (1): {NO_READER}" in out.getvalue()
    assert "Files not looked at" in findings_section(found).html
    again = [from_plain(json.loads(json.dumps(to_plain(run))), StageRun) for run in found.runs]
    assert Readiness((), (), tuple(again)).passed_over == found.passed_over
    assert {(each.option, each.suffix) for each in found.passed_over} >= {
        ("schema", ".md"),
        ("queries", ".pas"),
        ("queries", "vendor/"),
    }


def test_problems_count_what_no_option_reads(tmp_path):
    reading = InputReading(no_resolver, "queries")
    for name in ("a.x", "b.x"):
        (tmp_path / name).touch()
        reading.pass_over("d", tmp_path / name, "why")
    reading.taken.add(tmp_path / "b.x")
    assert reading.passed_over() == (PassedOver("queries", "d", ".x", 1, "why"),)


def test_commands_are_given_whatever_files_can_not_be_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schema.sql").write_bytes(b"\0")
    found = read(schema="schema.sql", setup="make schema")
    assert [kind for kind, _ in found.unread] == ["schema"]
    assert "schema" in found.given
    assert "schema" not in read(schema="schema.sql").given
