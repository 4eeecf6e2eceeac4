"""Features for an extension's author besides verdicts: exclusions, and files of a run."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

pytestmark = pytest.mark.thorough

RUN = {"sql/run.sql": "SELECT 1;\n", "expected/run.out": "SELECT 2;\n"}
UPDATES = {
    "tiny--2.0.sql": "SELECT 1;\n",
    "tiny--1.0--1.1.sql": "SELECT 1;\n",
    "tiny--1.1--2.0.sql": "SELECT 1;\n",
}


def test_excluded_objects_are_not_missed(gate):
    place = gate.write(files=UPDATES, control="default_version = '2.0'\n")
    update = (place, "--stage", "update", "--strict")
    gate.run(*update, status=1)
    gate.run(*update, "--exclude", "script:*--1.1.sql:out of support", status=1)
    assert gate.outcome("update", "script:tiny--1.0--1.1.sql") == "none"
    assert gate.outcome("update", "script:tiny--1.1--2.0.sql") == "not run"
    printed = gate.run(*update, "--exclude", "script:tiny--1.*:out of support")
    assert gate.of("update", "script:tiny--1.1--2.0.sql")["summary"] == "excluded: out of support"
    assert "2 excluded" in printed


def test_an_exclusion_that_matches_nothing_is_told(gate):
    """But not if the stage that would find such objects did not run, or on a version that it is not for."""
    place = gate.write(files=UPDATES, control="default_version = '2.0'\n")
    said = "warning: script:*--9.* is excluded (typo), but nothing that was not run matches it"
    given = (place, "--exclude", "script:*--9.*:typo", "--exclude", "script:tiny--1.*:out of support")
    printed = gate.run(*given, "--stage", "update")
    assert said in printed
    assert "out of support), but" not in printed
    assert said not in gate.run(*given, "--stage", "create")
    (place / "pgfeatures.toml").write_text(
        '[extension]\nexcluded = [{ object = "script:*--9.*", pg = "18", reason = "typo" }]\n'
    )
    assert said not in gate.run(place, "--stage", "update")
    assert said in gate.run(place, "--stage", "update", "--pg", "18")


def test_an_exclusion_hides_no_failure_and_counts_no_test(gate):
    files = {"tiny--1.0.sql": "SELECT 1;\n", **RUN, "sql/more.sql": "", "expected/more.out": ""}
    place = gate.write(files=files, makefile="REGRESS = run")
    (place / "pgfeatures.toml").write_text(
        '[extension]\nexcluded = [{ object = "test:sql/*", pg = ">=10", reason = "by hand" }]\n'
    )
    gate.run(place, "--stage", "regress", "--strict", status=1)
    assert gate.outcome("regress") == "failed"
    (place / "expected/run.out").write_text("SELECT 1;\n ?column? \n----------\n        1\n(1 row)\n\n")
    gate.run(place, "--stage", "regress", "--strict")
    assert gate.of("regress")["tests"] == [{"kind": "regress", "found": 1, "run": 1}]


@pytest.mark.parametrize("given", ["script:*--1.*", "scripts:*:why", "script"])
def test_an_exclusion_without_object_or_reason_is_a_mistake(gate, given):
    place = gate.write(files=UPDATES)
    assert "does not say object and reason" in gate.run(place, "--exclude", given, status=2)


def test_what_tests_and_servers_leave_is_kept(gate):
    place = gate.write(files={"tiny--1.0.sql": "SELECT 1;\n", **RUN}, makefile="REGRESS = run")
    kept = gate.place / "some where" / "kept"
    gate.run(place, "--stage", "regress", "--keep", str(kept), status=1)
    assert "-SELECT 2;" in (kept / "pg17/regress/regression.diffs").read_text()
    assert "SELECT 1;" in (kept / "pg17/regress/results/run.out").read_text()
    assert "ready to accept connections" in (kept / "pg17/regress/pg17.log").read_text()
    assert "ready to accept connections" in (kept / "pg17/create/pg17-scratch.log").read_text()


def test_the_tests_after_an_upgrade_leave_files_too(gate):
    fails_after = "SELECT current_setting('data_directory') LIKE '%-to-18%' AS upgraded;\n"
    expected = f"{fails_after} upgraded \n----------\n f\n(1 row)\n\n"
    files = {"tiny--1.0.sql": "SELECT 1;\n", "sql/run.sql": fails_after, "expected/run.out": expected}
    place = gate.write(files=files, makefile="REGRESS = run")
    kept = gate.place / "kept"
    stages = ("--stage", "regress", "--stage", "upgrade", "--mode", "copy")
    gate.run(place, "--pg", "17,18", *stages, "--keep", str(kept), status=1)
    assert "+ t" in (kept / "pg18/upgrade-pg17-copy/regression.diffs").read_text()


def test_junit_has_each_test_of_pg_regress(gate):
    """In the forms of 14 and of 18."""
    more = {"sql/more.sql": "\\echo 1\n", "expected/more.out": "\\echo 1\n1\n"}
    place = gate.write(files={"tiny--1.0.sql": "SELECT 1;\n", **RUN, **more}, makefile="REGRESS = run more")
    junit = gate.place / "junit.xml"
    gate.run(place, "--pg", "14,18", "--stage", "regress", "--junit", str(junit), status=1)
    for suite in ET.parse(junit).getroot():
        cases = {case.get("name"): case for case in suite}
        assert cases["regress more"].find("failure") is None
        failure = cases["regress run"].find("failure")
        assert "-SELECT 2;" in failure.text
        assert "more.out" not in failure.text
        assert float(cases["regress run"].get("time")) > 0
        assert (suite.get("tests"), suite.get("failures")) == ("6", "2")
    known = ("--known-failure", "regress:14:it is known")
    gate.run(place, "--pg", "14", "--stage", "regress", "--junit", str(junit), *known)
    (suite,) = ET.parse(junit).getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "2")
