"""Whole trees of sources, as users give them: what stands beside the application's own SQL is no finding."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.readiness.test_inputs import read

from pytest_pgfeatures.cli.readiness import exit_status
from pytest_pgfeatures.readiness.application import read_inputs
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.model import Finding, Place, StageReport
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.run import Readiness, StageRun, readiness, together
from pytest_pgfeatures.readiness.secrets import hide
from pytest_pgfeatures.report.readiness import render

pytestmark = pytest.mark.pg(matrix=False)  # they pick their own versions
TABLES = "".join(f"CREATE TABLE t{n} (id int PRIMARY KEY);\n" for n in range(6))
FILES = {
    "db/0_names.sql": "\\set app shop\n",
    "db/1_tables.sql": (
        f"CREATE SCHEMA :app;\nSET search_path = :app;\n{TABLES}INSERT INTO t0 VALUES (1);\n"
        "CREATE USER reader PASSWORD 'word';\nGRANT ALL ON ALL TABLES IN SCHEMA shop TO reader;\n"
        "ALTER DATABASE application SET search_path = shop;\n"
    ),
    "db/2_more.sql": (
        "ALTER ROLE postgres NOSUPERUSER;\nCREATE EXTENSION nosuch;\nCREATE TABLE :other.t (id int);\n"
        "CREATE VIEW halves AS SELECT q.id FROM (SELECT id FROM t0 UNION ALL SELECT NULL) AS q;\n"
    ),
    "mysql/schema.sql": "CREATE TABLE m (id int, v int GENERATED ALWAYS AS (id + 1)) ENGINE=InnoDB;\n",
    "main.go": (
        "package main\n"
        'var a = fmt.Sprintf("SAVEPOINT %s%02d", prefix, 7)\n'
        'var b = "SELECT DISTINCT ?g WHERE { ?g ?p ?o }"\n'
        "var c = \"SELECT current_setting('server_version_num') FROM t0\"\n"
        'var d = "SELECT query FROM pg_stat_activity, t0"\n'
        'var e = "SELECT id FROM t1 WHERE id = 1"\n'
        'var f = "SELECT wal_write FROM pg_stat_wal"\n'
        'var g = "CALL noted(1)"\n'
        'var h = "SELECT pg_terminate_backend(1)"\n'
    ),
    "db/3_calls.sql": "CREATE PROCEDURE noted(x int) LANGUAGE sql AS 'SELECT 1';\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tree")
    for name, text in FILES.items():
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text(text)
    return directory


@pytest.fixture(scope="module")
def found(project: Path) -> Readiness:
    return readiness(
        old="14",
        new="18",
        schema=[project / "db"],
        queries=[project],
        stages=["schema", "queries", "plans", "results", "incompatibilities"],
    )


def test_only_what_breaks_the_application_is_certain(found: Readiness, project: Path) -> None:
    told = [(Path(each.place.file).name, each.place.line) for each in found.affects if each.place]
    assert told == [("main.go", 7)]  # the column that is gone
    may = {each.message.partition(":")[0] for each in found.findings if each.certainty == "may affect"}
    more_processes = "pg_stat_activity shows I/O workers (if it counts rows"
    first_superuser = "The superuser that initdb created can't lose SUPERUSER (if initdb created that role)"
    assert may == {"it differs on 18", more_processes, first_superuser}, [
        each.message for each in found.findings
    ]


def test_a_role_that_loses_its_rights_stops_nothing(found: Readiness) -> None:
    assert [run.error for run in found.runs] == [""] * 5


def test_objects_that_differ_alike_are_one_finding(found: Readiness) -> None:
    (told,) = [each.message for each in found.findings if "MAINTAIN" in each.message]
    assert told.endswith("privileges: also reader: MAINTAIN; so do shop.t1, shop.t2, shop.t3 and 2 more")


def test_what_the_installs_and_files_lack_is_told(found: Readiness) -> None:
    problems = "\n".join(found.problems)
    assert re.findall(r"the install of (\d+)\.\d+ lacks nosuch", problems) == ["14", "18"]
    assert "psql's variables without a value: other; write \\set other VALUE into a file" in problems


def test_files_of_the_schema_are_not_read_again_as_queries(found: Readiness) -> None:
    assert not any("already exists" in each.why for each in found.not_looked_at)


def test_what_differs_on_each_server_and_plans_of_small_tables_are_not_compared(found: Readiness) -> None:
    whys = {each.why for each in found.not_looked_at}
    assert {
        "server_version_num differs from server to server",
        "pg_stat_activity differs from server to server",
    } <= whys
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    assert counts["plans"]["statements planned"] == 0
    assert counts["plans"]["only on the system's relations or tables of one page"] >= 3  # t0 has one row


def _none():
    raise AssertionError("no archive is read here")


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.go", 'x := "important"; y := `a select b`', 0),
        ("a.rb", "x = <<~SQL\n  SELECT 1\nSQL\n", 1),
        ("a.rb", "x = %q(SELECT 1)", 1),
        ("A.java", 'a("SELECT" + " 1");', 1),
        ("a.py", 'x = """\n  -- all\n  SELECT 1"""', 1),
        ("a.ts", "db.query(`\\\n (SELECT 1)`)", 1),
    ],
)
def test_files_without_the_beginning_of_a_statement_are_passed_over(
    tmp_path: Path, name: str, text: str, count: int
) -> None:
    (tmp_path / name).write_text(text)
    assert len(read(queries=tmp_path).literals) == count


def test_variables_of_sparql_are_no_parameters() -> None:
    assert with_parameters("SELECT ?g WHERE a = ?and b = ?")[0] == "SELECT ?g WHERE a = $1and b = $2"


def test_a_password_that_is_a_word_is_hidden_as_a_word() -> None:
    known = frozenset({"shop", "t0p"})
    assert hide("shop/shop-api.sql:3: shop_id, 'shop', shop=t0p-x", known) == (
        "shop/shop-api.sql:3: shop_id, '********', ********=********-x"
    )


def test_names_and_paths_in_scripts_are_no_calls(tmp_path: Path) -> None:
    (tmp_path / "ci.yml").write_text(
        "name: Test pg_upgrade\njobs:\n  a:\n    steps:\n      - name: Upload pg_upgrade scripts\n"
        "        working-directory: ./pg_upgrade\n        run: cd /tmp/pg_upgrade/ && readlink bin/pg_upgrade\n"
        "      - run: sudo -u postgres pg_upgrade --check\n"
    )
    called = read(scripts=tmp_path).invocations
    assert [(each.program, each.words[0].place.line) for each in called if each.program == "pg_upgrade"] == [
        ("pg_upgrade", 8)
    ]


def test_dumps_of_old_majors_and_betas_are_told(tmp_path: Path) -> None:
    (tmp_path / "s.sql").write_text("-- Dumped from database version 9.5beta1\nSELECT 1;\n")
    problems = read_inputs(
        ReadinessOptions(old="14", new="18", schema=(str(tmp_path / "s.sql"),)), _none
    ).problems
    assert problems == (
        f"{tmp_path}/s.sql was dumped from 9.5, but --from is 14: servers of older versions refuse what only 9.5"
        " supports",
    )


@pytest.mark.parametrize("versions", ["14..16", "14,15", ">=14", "15.2"])
def test_a_dump_of_any_of_the_old_majors_is_right(tmp_path: Path, versions: str) -> None:
    (tmp_path / "s.sql").write_text("-- Dumped from database version 15.4\nSELECT 1;\n")
    options = ReadinessOptions(old=versions, new="18", schema=(str(tmp_path / "s.sql"),))
    assert read_inputs(options, _none).problems == ()


@pytest.mark.parametrize(
    ("places", "told", "where"),
    [
        (4, 4, "a.sql:4:1: it is gone"),
        (5, 1, "also at a.sql:2, a.sql:3, a.sql:4, a.sql:5\n"),
        (8, 1, "also at a.sql:2, a.sql:3, a.sql:4, a.sql:5, and 3 more; -v shows each\n"),
    ],
)
def test_findings_that_say_the_same_of_many_places_are_shown_once(places: int, told: int, where: str) -> None:
    findings = tuple(
        Finding("incompatibilities", "warning", "may affect", "it is gone", "x", place=Place("a.sql", line))
        for line in range(1, places + 1)
    )
    console = Console(width=100, record=True, file=StringIO())
    for part in render(Readiness(findings)):
        console.print(part)
    shown = "".join(f"{line.rstrip()}\n" for line in console.export_text().splitlines())
    assert shown.count("it is gone") == told
    assert where in shown


def test_an_input_that_can_not_be_read_is_no_success() -> None:
    """As a database that refuses the connection, where it is the only input."""
    nothing = StageRun("plans", "14-18", ("14.24", "18.6"), StageReport("plans"), nothing=True)
    assert exit_status(Readiness((), runs=(nothing,), problems=("--database: refused",)), "affects") == 2
    assert exit_status(Readiness((), runs=(nothing,)), "affects") == 0


def test_pairs_with_one_new_version_tell_a_finding_once() -> None:
    def run(old: str) -> StageRun:
        finding = Finding("queries", "error", "affects", "18 refuses it", "x", proof=f"--pg {old},18")
        return StageRun("queries", f"{old}-18", (f"{old}.1", "18.6"), StageReport("queries", (finding,)))

    found = together([run("13"), run("14")], lambda _: False)
    assert [each.proof for each in found.findings] == ["--pg 13,18"]


def test_what_the_old_server_refuses_as_well_is_no_finding(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(
        "CREATE TABLE t (d interval);\nCREATE TABLE u (d interval DEFAULT 'x 1 month day');\n"
    )
    (tmp_path / "q.sql").write_text(
        "SELECT interval '1 month day' FROM t;\nSELECT interval 'x 1 month day' FROM t;\n"
        "SELECT interval '1 month day' FORM t;\nSELECT interval '1 month day' FROM not_there;\n"
    )
    found = readiness(
        old="16",
        new="17",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "q.sql"],
        stages=["incompatibilities"],
    )
    assert {(each.place.file[-5:], each.place.line) for each in found.findings if each.place} == {
        ("q.sql", 1), ("q.sql", 4),
    }  # fmt: skip


def test_an_error_in_a_body_is_at_its_word(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(
        "SET check_function_bodies = false;\nCREATE FUNCTION f(a int) RETURNS bool\n  LANGUAGE sql AS $$\n"
        "  SELECT a > 1\n    AND pg_is_in_backup() $$;\n"
    )
    found = readiness(old="14", new="18", schema=[tmp_path / "schema.sql"], stages=["schema"])
    (error,) = (each for each in found.findings if each.severity == "error")
    assert error.object == "function f(integer)"
    assert error.place is not None
    assert (error.place.line, error.place.column) == (5, 9)
