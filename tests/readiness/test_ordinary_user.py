"""Statistics, transplants and written tests, for a user who may do nothing special and has a store of his own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.install import Store
from pytest_pgfeatures.install.resolve import Resolver

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "schema.sql": """\
CREATE TABLE tasks (id int PRIMARY KEY, title text NOT NULL);
INSERT INTO tasks SELECT n, 'task ' || n FROM generate_series(1, 3000) n;
ANALYZE tasks;
""",
    "queries.sql": "SELECT title FROM tasks WHERE id = :id;\n",
    "test_it.py": """\
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures import explain, read_statistics, transplant


@pytest.mark.pg(matrix=False)
def test_production_is_only_read(create_pgs):
    production, other = create_pgs("production", "other", version="18")
    production.sql(Path("schema.sql").read_text())
    export = ["statistics", production.dsn(), "--output", "production.json"]
    subprocess.run([Path(sys.executable).with_name("pgfeatures"), *export], check=True, timeout=120)
    assert transplant(other, read_statistics(Path("production.json"))).problems == ()
    query = "SELECT * FROM tasks WHERE id > 2990"
    with production.connect() as one, other.connect("transplant") as two:
        assert explain(one, query).shape() == explain(two, query).shape()
""",
}
AS_NOBODY = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")
# Reading everything is for the interpreter, which may be below root's home.
AS_NOBODY += ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")


@pytest.mark.thorough
@pytest.mark.pg(matrix=False)
@pytest.mark.root
def test_an_ordinary_user_exports_transplants_and_runs_what_is_written(reachable_path: Path) -> None:
    for name, text in FILES.items():
        (reachable_path / name).write_text(text)
    shutil.chown(reachable_path, "nobody")
    resolver = Resolver(Store.open())
    installs = [resolver.resolve(resolver.cell(version).request, {"pg_dump"}) for version in ("16", "18")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "PYTEST_"))}
    environment = kept | {
        "HOME": str(reachable_path),
        "PGFEATURES_CACHE": str(reachable_path / "cache"),
        "PGFEATURES_PATH": os.pathsep.join(str(install.bindir.parent) for install in installs),
        "PGFEATURES_OFFLINE": "1",
    }

    def run(*command: str) -> None:
        ended = subprocess.run(
            [*AS_NOBODY, sys.executable, *command],
            cwd=reachable_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr

    verb = ["-c", "from pytest_pgfeatures.cli import main; main()", "readiness", "--from", "16", "--to", "18"]
    files = ["--schema", "schema.sql", "--queries", "queries.sql", "--write-tests", "tests"]
    run(*verb, "--stage", "results", *files)
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--pg", "18", "tests/test_upgrade.py", "test_it.py")
