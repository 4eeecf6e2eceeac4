"""pytest-postgresql's own tests, on our servers.

They come from its source distribution, which the package client fetches. Release 8.1 is the last whose source
distribution has tests; what they ask of files that it leaves out (``conftest.py``, a loading function, SQL) is
written here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

RELEASE = "8.1.0"
VERSIONS = ("14", "18")
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio"]
WITHOUT_A_SERVER, ON_EACH_VERSION = 60, 20
PAGE = Path(__file__).parents[2] / "docs" / "pytest-postgresql.md"

STARTS_ITSELF = (
    "calls pg_ctl itself, without a fixture: there is nothing that we could serve, and pg_ctl refuses root"
)
RUNS_PYTEST = "runs a pytest of its own, without --pg, on a file that the source distribution leaves out"
EXCLUDED = {
    "test_executor.py::test_executor_init_with_password": STARTS_ITSELF,
    "test_executor.py::test_executor_init_bad_tmp_path": STARTS_ITSELF,
    "test_executor.py::test_executor_with_special_chars_in_all_paths": STARTS_ITSELF,
    "test_executor.py::test_actual_postgresql_start_unix": STARTS_ITSELF,
    "test_postgres_options_plugin.py::test_postgres_options_config_in_cli": RUNS_PYTEST,
    "test_postgres_options_plugin.py::test_postgres_options_config_in_ini": RUNS_PYTEST,
    "test_postgres_options_plugin.py::test_postgres_loader_in_cli": RUNS_PYTEST,
    "test_postgres_options_plugin.py::test_postgres_loader_in_ini": RUNS_PYTEST,
    "test_postgres_options_plugin.py::test_postgres_port_search_count_in_cli_is_int": RUNS_PYTEST,
    "test_postgres_options_plugin.py::test_postgres_port_search_count_in_ini_is_int": RUNS_PYTEST,
    "test_postgres_options_plugin.py::test_postgres_drop_test_database": RUNS_PYTEST,
}
ON_OTHER_SYSTEMS = 2
"""Tests that skip themselves: they are about Windows and macOS."""

LEFT_OUT = {
    "__init__.py": "",
    "conftest.py": """
from pathlib import Path

from pytest_postgresql import factories

pytest_plugins = ["pytester"]
HERE = Path(__file__).parent
postgresql_proc2 = factories.postgresql_proc(port=None, load=[HERE / "first.sql", HERE / "second.sql"])
postgresql2 = factories.postgresql("postgresql_proc2", dbname="test-db")
postgresql_load_1 = factories.postgresql("postgresql_proc2")
""",
    "loader.py": """
import psycopg


def load_database(**connection):
    with psycopg.connect(**connection) as opened:
        opened.execute("CREATE TABLE stories AS SELECT 'story ' || n AS name FROM generate_series(1, 4) n")
""",
    "first.sql": "CREATE TABLE test_load (id int); INSERT INTO test_load VALUES (1);",
    "second.sql": "INSERT INTO test_load VALUES (2);",
}


@pytest.fixture
def sources(tmp_path):
    """The unpacked source distribution."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"--dest={tmp_path}"]
    command += ["--no-binary=pytest-postgresql", f"pytest-postgresql=={RELEASE}"]
    subprocess.run(command, check=True, timeout=300)
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    sources = archive.with_name(archive.name.removesuffix(".tar.gz"))
    for name, content in LEFT_OUT.items():
        (sources / "tests" / name).write_text(content)
    return sources


@pytest.mark.thorough
def test_its_own_tests_pass_on_our_servers(sources):
    deselected = [f"--deselect=tests/{test}" for test in EXCLUDED]
    ran = subprocess.run(
        [*PYTEST, *deselected, f"--pg={','.join(VERSIONS)}", "tests"],
        cwd=sources,
        env=os.environ | {"PYTHONPATH": str(sources)},  # that release, and not the one that is installed
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert f"postgresql-{RELEASE}" in ran.stdout
    last = ran.stdout.splitlines()[-1]
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", last)}
    assert counts["passed"] == WITHOUT_A_SERVER + len(VERSIONS) * ON_EACH_VERSION
    assert counts["skipped"] == ON_OTHER_SYSTEMS
    for version in VERSIONS:
        assert re.search(
            rf"^pg{version} +{version}\.\S+ +{ON_EACH_VERSION} +{ON_EACH_VERSION} ", ran.stdout, re.M
        )


def test_the_page_says_what_is_run_and_what_is_not():
    page = PAGE.read_text(encoding="utf-8")
    assert f"pytest-postgresql {RELEASE}" in page
    assert f"{WITHOUT_A_SERVER} tests that need no server, and {ON_EACH_VERSION} on each version" in page
    for test, reason in EXCLUDED.items():
        assert f"| `{test}` | {reason} |" in page
