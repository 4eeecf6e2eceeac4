"""``--write-tests`` and ``pgfeatures init``: what they write is run by pytest, as it is."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.model import Place, StageReport
from pytest_pgfeatures.readiness.options import read_options
from pytest_pgfeatures.readiness.run import Readiness, StageRun, readiness
from pytest_pgfeatures.readiness.written_tests import module, write_tests

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import StageName

FILES = {
    "db/schema.sql": """\
CREATE ROLE app PASSWORD 'geheim-17';
CREATE TABLE tasks (id serial PRIMARY KEY, title text NOT NULL, made timestamptz DEFAULT clock_timestamp());
INSERT INTO tasks (title) SELECT 'task ' || n FROM generate_series(1, 3000) n;
""",
    "db/queries/tasks.sql": """\
SELECT id, title FROM tasks WHERE id = :id;
SELECT title FROM tasks WHERE title LIKE '%9' ORDER BY id;
SELECT checkpoints_timed FROM pg_stat_bgwriter;
SELECT pg_backend_pid();
SELECT title FROM tasks WHERE title = 'geheim-17';
UPDATE tasks SET title = upper(title);
""",
    "baseline.toml": """\
[[accepted]]
file = "db/queries/tasks.sql"
line = 3
reason = "the report is replaced before the upgrade"

[[accepted]]
message = "privileges"
reason = "we create nothing in public"
""",
    "compose.yaml": "services:\n  db:\n    image: postgres:16-alpine\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_pytest(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )


def test_what_is_written_passes_as_it_is_and_fails_once_nothing_is_accepted(project: Path) -> None:
    given = {
        "old": "16",
        "new": "18",
        "schema": ["db/schema.sql"],
        "queries": ["db/queries"],
        "baseline": "baseline.toml",
        "stages": ["queries", "results"],
    }
    found = readiness(**given)
    assert not found.findings
    path = write_tests(found, read_options(None, given), Path("tests"))
    text = path.read_text()
    assert "geheim" not in text
    nothing_accepted = Path("tests/test_nothing_accepted.py")
    nothing_accepted.write_text(text.replace("('queries', 'db/queries/tasks.sql:3')", "('queries', 'other')"))
    test = f"{nothing_accepted}::test_nothing_is_found_that_is_not_accepted"
    ended = run_pytest(str(path), test)
    *_, summary = [line for line in ended.stdout.splitlines() if "passed" in line]
    assert "1 failed, 5 passed" in summary, ended.stdout
    assert f"FAILED {test}" in ended.stdout
    assert "checkpoints_timed" in ended.stdout
    with pytest.raises(PgFeaturesError, match="exists, and may have changes of yours"):
        write_tests(found, read_options(None, given), Path("tests"))
    assert path.read_text() == text


MIGRATIONS = {
    "migrations/2_index.sql": "CREATE INDEX ON spans (length);\n",
    "migrations/10_more.sql": "ALTER TABLE spans ADD more int;\n-- +goose Down\nDROP TABLE spans;\n",
    "migrations/1_spans.sql": "CREATE TABLE spans (id int PRIMARY KEY, length interval);\n",
    "migrations/1_spans.down.sql": "DROP TABLE spans;\n",
    "fill.py": """\
import os
import psycopg

with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    connection.execute("INSERT INTO spans SELECT n, n * interval '-1 month' FROM generate_series(1, 30) n")
""",
    "spans.sql": """\
SELECT id, more FROM spans ORDER BY id;
SELECT id, extract(quarter FROM length) FROM spans ORDER BY id;
""",
}


@pytest.mark.thorough
def test_a_directory_of_migrations_and_a_command_for_data_are_loaded_in_the_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second query differs on 18, and only with rows."""
    monkeypatch.chdir(tmp_path)
    for name, text in MIGRATIONS.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    given = {
        "old": "16",
        "new": "18",
        "schema": ["migrations"],
        "data_command": [f"{sys.executable} fill.py"],
        "queries": ["spans.sql"],
        "stages": ["results", "upgrade"],
    }
    found = readiness(**given)
    assert [(each.stage, each.place.line) for each in found.affects if each.place] == [("results", 2)]
    path = write_tests(found, read_options(None, given), Path("tests"))
    ended = run_pytest(str(path))
    failed = [line.split(" - ")[0] for line in ended.stdout.splitlines() if line.startswith("FAILED")]
    assert len(failed) == 1, ended.stdout
    assert "extract(quarter" in failed[0]
    assert "2 passed" in ended.stdout, ended.stdout


@pytest.mark.parametrize(
    "stages", [("results",), ("results", "upgrade"), ("queries",), ("queries", "results")]
)
@pytest.mark.parametrize("schema", ["db/schema.sql", "db"])
def test_a_module_of_any_stages_is_python_that_imports_what_it_uses(
    stages: tuple[StageName, ...], schema: str, project: Path
) -> None:
    runs = tuple(StageRun(stage, "16-18", ("16.1", "18.1"), StageReport(stage)) for stage in stages)
    options = read_options(None, {"old": "16", "new": "18", "schema": [schema], "queries": ["db/queries"]})
    tree = ast.parse(module(Readiness((), runs=runs), options, project / "test_upgrade.py"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert imported - {"annotations"} <= used
    assert {"PgFeaturesError", "compare", "explain", "load", "os"} & used <= imported
    assert [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"]


def test_a_file_that_exists_is_an_error_before_anything_runs(project: Path) -> None:
    Path("test_upgrade.py").write_text("mine")
    arguments = ["--from", "16", "--to", "18", "--schema", "db/schema.sql", "--write-tests", "."]
    ended = CliRunner().invoke(pgfeatures, ["readiness", *arguments])
    assert ended.exit_code == 2
    assert "test_upgrade.py exists, and may have changes of yours" in ended.output
    assert Path("test_upgrade.py").read_text() == "mine"


@pytest.mark.processes
def test_init_finds_what_a_project_has(project: Path) -> None:
    Path("pyproject.toml").write_text('[project]\nname = "shop"')
    Path("db/schema.sql").write_text("CREATE TABLE tasks (id integer PRIMARY KEY, title text);\n")
    ended = CliRunner().invoke(pgfeatures, ["init", "--to", "18"])
    assert ended.exit_code == 0, ended.output
    table = tomllib.loads(Path("pyproject.toml").read_text())
    assert table["project"] == {"name": "shop"}
    assert table["tool"]["pgfeatures"]["readiness"] == {
        "from": "16",
        "to": "18",
        "schema": ["db/schema.sql"],
        "queries": ["db/queries"],
        "scripts": ["compose.yaml"],
    }
    assert "now run: pytest test_upgrade.py" in ended.output
    again = CliRunner().invoke(pgfeatures, ["init"])
    assert again.exit_code == 2
    assert "exists" in again.output
    assert "{each.place or each.object}: {each.message}" in Path("test_upgrade.py").read_text()
    assert str(Place("db/queries/tasks.sql", 3, 8)) == "db/queries/tasks.sql:3:8"
    Path("db/queries/tasks.sql").write_text("SELECT id FROM tasks;\n")
    fixed = run_pytest("test_upgrade.py")
    assert fixed.returncode == 0, fixed.stdout


def test_init_says_what_it_can_not_find_out(project: Path) -> None:
    Path("compose.yaml").unlink()
    ended = CliRunner().invoke(pgfeatures, ["init"])
    assert ended.exit_code == 2
    assert "pgfeatures init --from 14" in ended.output
    assert not Path("pgfeatures.toml").exists()
    assert not Path("test_upgrade.py").exists()


def test_init_names_programs_of_each_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("service/src/Main.kt", "web/Startup.cs", "infra/main.tf", "Cargo.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(pgfeatures, ["init", "--from", "14", "--to", "18"])
    assert ended.exit_code == 0, ended.output
    written = tomllib.loads(Path("pgfeatures.toml").read_text())["readiness"]
    assert written["queries"] == ["service", "web"]


def test_init_finds_the_migrations_of_flyway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrations = tmp_path / "src/main/resources/db/migration"
    migrations.mkdir(parents=True)
    (migrations / "V1__tasks.sql").write_text("CREATE TABLE tasks (id integer);\n")
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(pgfeatures, ["init", "--from", "14", "--to", "18"])
    assert ended.exit_code == 0, ended.output
    written = tomllib.loads(Path("pgfeatures.toml").read_text())["readiness"]
    assert written == {"from": "14", "to": "18", "schema": ["src/main/resources/db/migration"]}


def test_init_takes_a_directory_of_numbered_files_named_schema_for_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("schema/01_tables.sql", "CREATE TABLE tasks (id integer);\n"),
        ("schema/02_views.sql", "CREATE VIEW open_tasks AS SELECT id FROM tasks;\n"),
        ("queries/tasks.sql", "SELECT id FROM tasks;\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(pgfeatures, ["init", "--from", "14", "--to", "18"])
    assert ended.exit_code == 0, ended.output
    written = tomllib.loads(Path("pgfeatures.toml").read_text())["readiness"]
    assert written == {"from": "14", "to": "18", "schema": ["schema"], "queries": ["queries"]}


def test_init_names_the_command_that_makes_a_schema_but_does_not_have_it_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command might connect to a database that the project's settings name."""
    (tmp_path / "manage.py").write_text("QUERY = 'SELECT 1'\n")
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(pgfeatures, ["init", "--from", "14", "--to", "18"])
    assert ended.exit_code == 0, ended.output
    assert '# setup = ["python manage.py migrate"]  # makes the schema; only if' in ended.output
    written = Path("pgfeatures.toml").read_text()
    assert "setup" not in tomllib.loads(written)["readiness"]
    uncommented = tomllib.loads(written.replace("# setup", "setup"))
    assert uncommented["readiness"]["setup"] == ["python manage.py migrate"]
