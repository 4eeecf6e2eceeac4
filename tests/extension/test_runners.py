"""Tests that something else than the top's Makefile runs are run: none of them is said to be missed, and one that
nothing runs still is."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.thorough

ONE = {"tiny--1.0.sql": "CREATE TABLE t ();\n"}
REGRESS = ("--stage", "regress", "--strict")
PGTAP = "SELECT plan(1);\n"


def a_test(name, below=""):
    return {f"{below}sql/{name}.sql": "\\echo run\n", f"{below}expected/{name}.out": "\\echo run\nrun\n"}


def counts(gate, stage="regress"):
    return {each["kind"]: (each["found"], each["run"]) for each in gate.of(stage)["tests"]}


def test_tests_in_the_directories_of_other_majors(gate):
    files = (
        ONE
        | a_test("seventeen", "test/17/")
        | a_test("eighteen", "test/18/")
        | a_test("never", "test/never/")
    )
    names = "$(patsubst test/$(MAJORVERSION)/sql/%.sql,%,$(wildcard test/$(MAJORVERSION)/sql/*.sql))"
    options = "REGRESS_OPTS = --inputdir=test/$(MAJORVERSION)"
    place = gate.write(files=files, makefile=f"REGRESS = {names}\n{options}")
    gate.run(place, *REGRESS, status=1)
    assert gate.outcome("regress", "test:test/never/sql/never.sql") == "not run"
    (place / "test/never/sql/never.sql").unlink()
    gate.run(place, *REGRESS)
    assert counts(gate) == {"regress": (1, 1)}


@pytest.mark.parametrize(
    "runner",
    [
        "for f in sql/*.sql; do psql --quiet --file $f postgres; done",
        "for f in $(ls sql); do psql --quiet --file sql/$f postgres && echo passed: $f; done",
    ],
    ids=["a pattern", "its output"],
)
def test_a_runner_of_its_own(gate, runner):
    files = ONE | a_test("one") | a_test("two") | {"run": f"#!/bin/sh\n{runner}\n"}
    place = gate.write(files=files)
    (place / "run").chmod(0o755)
    with (place / "Makefile").open("a") as makefile:
        makefile.write("\ninstallcheck: by-hand\nby-hand:\n\t./run\n")
    gate.run(place, *REGRESS)
    assert counts(gate) == {"own": (1, 1)}


def test_a_runner_that_ignores_the_tests_that_the_makefile_names(gate):
    place = gate.write(files=ONE | a_test("one"), makefile="REGRESS = one\nNO_INSTALLCHECK = 1")
    plain = (place / "Makefile").read_text()
    (place / "Makefile").write_text(f"{plain}\ninstallcheck:\n\t@echo nothing\n")
    gate.run(place, *REGRESS, status=1)
    assert (gate.outcome("regress"), counts(gate)) == ("not run", {"own": (1, 1), "regress": (1, 0)})
    (place / "Makefile").write_text(f"{plain}\ninstallcheck:\n\t@echo nothing but $(REGRESS)\n")
    gate.run(place, *REGRESS)


@pytest.mark.parametrize("suite", ["command = './run sql'", "make = 'by-hand'"])
def test_a_configured_suite_runs_tests_of_pg_regress_too(gate, suite):
    files = ONE | a_test("one") | a_test("two") | {"run": "#!/bin/sh\ncat $1/*.sql | psql postgres\n"}
    place = gate.write(files=files, makefile="REGRESS = one")
    (place / "run").chmod(0o755)
    with (place / "Makefile").open("a") as makefile:
        makefile.write("\nby-hand:\n\t./run sql\n")
    (place / "pgfeatures.toml").write_text(f"[extension]\n[[extension.test]]\nname = 'mine'\n{suite}\n")
    gate.run(place, *REGRESS, "--stage", "test")
    assert (gate.outcome("regress"), gate.outcome("test")) == ("passed", "passed")
    assert counts(gate) == {"regress": (1, 1)}


def test_pgtap_tests_that_no_suite_runs(gate):
    place = gate.write(files=ONE | {"t/one.sql": PGTAP, "t/two.sql": PGTAP})
    suite = "[extension]\n[[extension.test]]\nname = 'pgtap'\ncommand = 'echo {} ok'\n"
    (place / "pgfeatures.toml").write_text(suite.format("t/one.sql"))
    gate.run(place, "--stage", "test", "--strict", status=1)
    assert (gate.outcome("test"), counts(gate, "test")) == ("not run", {"own": (2, 1)})
    assert gate.of("test", "test:t/two.sql")["summary"] == "no suite runs it"
    (place / "pgfeatures.toml").write_text(suite.format("t/*.sql"))
    gate.run(place, "--stage", "test", "--strict")


def test_tests_of_a_makefile_in_another_directory_are_counted(gate):
    below = {f"sub/{name}": text for name, text in (ONE | a_test("inner")).items()}
    place = gate.write(files=ONE | a_test("outer") | below, makefile="REGRESS = outer")
    plain = (place / "Makefile").read_text()
    (place / "sub" / "Makefile").write_text(plain.replace("outer", "inner"))
    (place / "sub" / "tiny.control").write_text((place / "tiny.control").read_text())
    with (place / "Makefile").open("a") as makefile:
        makefile.write("\ninstallcheck: below\nbelow:\n\t$(MAKE) -C sub installcheck\n")
    gate.run(place, *REGRESS)
    assert counts(gate) == {"regress": (2, 2)}
    (place / "Makefile").write_text(
        f"{plain}\ninstallcheck: below\nbelow:\n\tfalse && $(MAKE) -C sub installcheck || true\n"
    )
    gate.run(place, *REGRESS, status=1)
    assert counts(gate) == {"regress": (2, 1)}
    assert gate.outcome("regress", "test:sub/sql/inner.sql") == "not run"
    (place / "Makefile").write_text(
        f"{plain}\ninstallcheck: below\nbelow:\n\t-$(MAKE) -C sub installcheck REGRESS_OPTS=--no-such-option=1\n"
    )
    gate.run(place, *REGRESS, status=1)
    assert (gate.outcome("regress"), counts(gate)) == ("not run", {"regress": (2, 1)})
