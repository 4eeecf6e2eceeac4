"""The versions on which tests run, and the message if a version is not available."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]

TWO = """
import pytest

def test_any(pg_connection): pass

@pytest.mark.pg(">=16")
class TestNew:
    def test_new(self, pg_cluster):
        assert pg_cluster.version.num >= 160000

    @pytest.mark.pg("<17")
    def test_only_16(self, pg_cluster): pass

@pytest.mark.pg("14")
def test_marked_only():
    "It names no fixture, and is in the matrix all the same."

def test_without(): pass
"""


def test_each_version_has_its_tests_and_the_excluded_are_deselected_and_counted(run: Run) -> None:
    result = run(TWO, "--pg", "14,17", "-v")
    result.assert_outcomes(passed=5, deselected=4)
    result.stdout.fnmatch_lines_random(
        [
            "PostgreSQL: 14,17",
            "test_it.py::test_any?pg14? PASSED*",
            "test_it.py::test_any?pg17? PASSED*",
            "test_it.py::TestNew::test_new?pg17? PASSED*",
            "test_it.py::test_marked_only?pg14? PASSED*",
            "test_it.py::test_without PASSED*",
        ]
    )
    result.stdout.no_fnmatch_line("*test_only_16*")
    result.stdout.re_match_lines(
        [
            r"=+ PostgreSQL versions =+",
            r"cell .*asked .*passed",
            r"pg14 +14\.\d+ +2 +2 +0 +0 ",
            r"pg17 +17\.\d+ +2 ",
        ]
    )


def test_tests_of_one_version_follow_each_other(run: Run) -> None:
    result = run("def test_a(pg_cluster): pass\ndef test_b(pg_cluster): pass", "--pg=14,18", "-v")
    lines = [line.split()[0] for line in result.outlines if "PASSED" in line]
    assert lines == [f"test_it.py::test_{name}[{cell}]" for cell in ("pg14", "pg18") for name in "ab"]


def test_a_server_is_started_once_for_tests_with_the_same_settings(run: Run) -> None:
    result = run(
        """
import pytest
pids = set()

@pytest.mark.parametrize("n", range(3))
def test_a(pg_cluster, n): pids.add(pg_cluster.pid)

@pytest.mark.pg(settings={"work_mem": "1MB"})
class TestOthers:
    def test_b(self, pg_cluster): pids.add(pg_cluster.pid)
    def test_c(self, pg_cluster): pids.add(pg_cluster.pid)

def test_d(pg_cluster): pids.add(pg_cluster.pid)

@pytest.mark.pg(isolation="cluster")
def test_own(pg_cluster): pids.add(pg_cluster.pid)

@pytest.mark.pg(isolation="cluster")
def test_own_too(pg_cluster): pids.add(pg_cluster.pid)

def test_z(): assert len(pids) == 4
""",
        "--pg=18",
    )
    result.assert_outcomes(passed=9)


def test_servers_that_no_test_uses_do_not_pile_up(run: Run) -> None:
    tests = "".join(
        f"""
@pytest.mark.pg(settings={{"work_mem": "{number}MB"}})
def test_{number}(pg_connection, pg_cluster): clusters.append(pg_cluster)
"""
        for number in range(1, 12)
    )
    again = """
def test_few(create_pg):
    assert len(set(clusters)) == 11
    assert 1 < sum(cluster.running() for cluster in clusters) < 9
    assert clusters[-1].running()
"""
    run("import pytest\nclusters = []\n" + tests + again, "--pg=18").assert_outcomes(passed=12)


def test_sources_can_be_named_and_tell_the_cells_apart(run: Run) -> None:
    result = run("def test_it(pg_cluster): pass", "--pg", "pypi:16,maven:16,13", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines_random(["*pg16-pypi?*", "*pg16-maven?*", "*pg13?*"])
    result.stdout.re_match_lines_random([r"pg13 ", r"pg16-maven +16.* maven: ", r"pg16-pypi +16.* pypi: "])


def test_without_an_option_it_is_one_version(run: Run) -> None:
    result = run("def test_it(pg_cluster): pass")
    result.assert_outcomes(passed=1)


def test_the_ini_option_is_the_default_and_the_command_line_wins(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\npg = 14,18\nasyncio_default_fixture_loop_scope = function\n")
    run("def test_it(pg_cluster): pass").assert_outcomes(passed=2)
    run("def test_it(pg_cluster): pass", "--pg=18").assert_outcomes(passed=1)


def test_what_cannot_be_read_or_had_is_a_usage_error(run: Run) -> None:
    for asked, said in {
        "x": "*'x'*",
        ">=99": "*there is no such version*",
        "16..14": "*16..14*",
        "path:/nowhere": "*/nowhere*",
        "apt:16": "*apt*",
    }.items():
        result = run("def test_it(pg_cluster): pass", f"--pg={asked}")
        assert result.ret != 0, asked
        text = result.stdout.str() + result.stderr.str()
        assert "Traceback" not in text, asked
        assert "INTERNALERROR" not in text, asked
        assert "what to do: " in text, asked
        (result.stdout if said.strip("*") in result.stdout.str() else result.stderr).fnmatch_lines([said])


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "xdist"])
@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("maven:15.0", "maven has 15.1, 15.2, 15.3, *"),
        ("pypi:13", "maven has 13.*"),
        ("18,9.4", "maven has no 9.4, but 9.3, 9.5, 9.6, *"),
        ("16.5,18", "maven has 16.2, 16.3, 16.4, 16.6, *"),
    ],
)
def test_a_version_that_nobody_has_is_one_error_before_anything_runs(
    run: Run, pytester: pytest.Pytester, asked: str, near: str, options: tuple[str, ...]
) -> None:
    source = (
        "import pathlib\ndef test_it(pg_connection): pass\ndef test_without(): pathlib.Path('ran').touch()"
    )
    pytester.makepyfile(test_other=source)
    result = run(source, "--pg", asked, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    lines = [line for line in [*result.outlines, *result.errlines] if line.strip()]
    assert [line for line in lines if "is not available" in line] == [
        f"ERROR: --pg: PostgreSQL {asked.replace('18,', '').replace(',18', '')} is not available"
    ]
    result.stderr.fnmatch_lines(
        [f"*{near}", "what to do: ask for an available version, *--pg-allow-missing*"]
    )
    assert len(lines) < 15
    assert not (pytester.path / "ran").exists()


def test_a_version_in_a_range_that_cannot_be_had_fails_with_the_reason(run: Run) -> None:
    source = "def test_it(pg_connection): pass\ndef test_without(): pass"
    result = run(source, "--pg", "18,system:9.3..9.4")
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines(["*PostgreSQL*9.4*is not available*", "what to do: *"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_with_allow_missing_it_is_unavailable_and_counted(run: Run) -> None:
    source = "def test_it(pg_connection): pass\ndef test_without(): pass"
    result = run(source, "--pg", "18,system:9.4", "--pg-allow-missing")
    assert result.ret == 0
    result.stdout.re_match_lines(
        [r"pg9.4 +none +1 +0 +0 +1 +-", r"unavailable: .*test_it\[pg9\.4\]: .*is not available"]
    )
    result.stdout.fnmatch_lines(["*2 passed, 1 unavailable*"])


def test_a_capability_that_no_install_has_makes_a_test_unavailable(run: Run) -> None:
    source = """
import pytest

@pytest.mark.pg(needs=["zstd"])
def test_it(pg_connection): pass
"""
    result = run(source, "--pg", "maven:17", "-rs", "-v")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*UNAVAILABLE*", "unavailable: *zstd*", "*1 unavailable*"])


def test_two_installs_of_one_major_serve_different_needs(run: Run) -> None:
    source = """
import pytest

@pytest.mark.pg(needs=["icu"])
def test_icu(pg_cluster): assert pg_cluster.install.has("icu")

@pytest.mark.pg(needs=["pg_dump"])
def test_dump(pg_cluster): assert pg_cluster.install.has("pg_dump")
"""
    run(source, "--pg", "17").assert_outcomes(passed=2)


def test_a_pair_is_an_old_and_a_new_server(run: Run) -> None:
    source = """
def test_it(pg_pair):
    assert pg_pair.old.version < pg_pair.new.version
    assert pg_pair.old.sql("SELECT 1") == pg_pair.new.sql("SELECT 1")
"""
    result = run(source, "--pg", "14,16,18", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_it?pg14-pg16?*", "*test_it?pg16-pg18?*"])
    result = run(source, "--pg", "18")
    result.stdout.fnmatch_lines(["*pg_pair needs two versions*", "*--pg 14,18*"])
    assert result.ret != 0


LACKING = """
import pytest

@pytest.mark.pg(matrix=False)
@pytest.mark.parametrize("n", range(2))
def test_it(create_pg, n):
    create_pg(version="maven:17", needs=["zstd"])

def test_other(): pass
"""


@pytest.mark.parametrize("options", [(), ("--pg", "18"), ("-q",), ("-n", "2")], ids=" ".join)
def test_the_reason_for_what_is_unavailable_is_in_the_summary(run: Run, options: tuple[str, ...]) -> None:
    result = run(LACKING, *options)
    assert result.ret == 0
    result.stdout.fnmatch_lines_random(
        [f"unavailable: test_it.py::test_it?{n}?: no install of PostgreSQL maven:17 has zstd" for n in (0, 1)]
    )
    result.stdout.re_match_lines([r".*1 passed, 2 unavailable"])


@pytest.mark.parametrize("ini", [False, True])
def test_strictly_what_is_unavailable_fails(run: Run, pytester: pytest.Pytester, ini: bool) -> None:
    source = """
import pytest

@pytest.mark.pg(matrix=False)
def test_it(create_pg):
    create_pg(version="12").upgrade_to("18")

@pytest.mark.pg(needs=["zstd"])
def test_needing(pg_connection): pass
"""
    pytester.makeini("[pytest]\npg_strict = true\n" if ini else "[pytest]\n")
    result = run(source, "--pg", "maven:17", *([] if ini else ["--pg-strict"]))
    result.assert_outcomes(failed=1, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines_random(
        [
            "unavailable, which --pg-strict has fail: pg_upgrade from PostgreSQL 12* needs pg_*lacks",
            "unavailable, which --pg-strict has fail: no install of PostgreSQL maven:17 has zstd",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_version_beside_the_matrix_comes_from_where_the_matrix_has_it(run: Run) -> None:
    source = """
import pytest

@pytest.mark.pg(matrix=False)
def test_it(create_pg):
    old = create_pg(version="14")
    assert old.install.source == "maven"
    assert old.dump_to("17").install.source == "pypi"
"""
    run(source, "--pg", "maven:14,pypi:17").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "options",
    [(), pytest.param(("-n", "2", "--dist", "loadgroup"), marks=pytest.mark.thorough)],
    ids=["one process", "xdist"],
)
def test_what_an_upgrade_changes_is_named_at_the_end(run: Run, options: tuple[str, ...]) -> None:
    source = """
import pytest

@pytest.mark.parametrize("setting", ["old_snapshot_threshold", "work_mem", "misspelt"])
def test_it(pg_connection, setting): pg_connection.execute(f"SHOW {setting}")

@pytest.mark.pg("18")
def test_of_one(pg_cluster): assert False
"""
    result = run(source, "--pg", "14,18", *options)
    result.assert_outcomes(passed=3, failed=4, deselected=0 if options else 1)
    result.stdout.re_match_lines(
        [
            "pg18 +18.*",
            "fails on 14 and 18 alike: 1",
            "passes on 14, fails on 18: 1",
            r"  test_it\.py::test_it\[old_snapshot_threshold\]",
            "=+ short test summary info =+",
        ],
        consecutive=True,
    )


@pytest.mark.parametrize(
    "options",
    [(), pytest.param(("-n", "1", "--dist", "loadgroup"), marks=pytest.mark.thorough)],
    ids=["one process", "xdist"],
)
def test_what_fails_after_itself_is_not_told_as_an_effect_of_the_upgrade(
    run: Run, options: tuple[str, ...]
) -> None:
    source = """
ran = []

def test_state(pg_connection):
    ran.append("here")
    assert ran == ["here"]

def test_gone(pg_connection): pg_connection.execute("SHOW old_snapshot_threshold")

def test_leans_on_another(pg_connection): assert ran == ["here"]
"""
    result = run(source, "--pg", "14,18", "--pg-json", "whole.json", "--junitxml", "whole.xml", *options)
    result.assert_outcomes(passed=3, failed=3)
    result.stdout.re_match_lines(
        [
            "running 3 tests again that passed on some versions and failed on others: alone, in fresh processes",
            "passes on 14, fails on 18: 1",
            r"  test_it\.py::test_gone",
            "depends on order or on what ran before: 2",
            r"  test_it\.py::test_state",
            r"    failed on 18, passes alone: pytest --pg 18 'test_it\.py::test_state\[pg18\]' .*",
            r"  test_it\.py::test_leans_on_another",
            r"    passed on 14, fails alone: pytest --pg 14 'test_it\.py::test_leans_on_another\[pg14\]' .*",
        ]
    )
    assert len(json.loads(Path("whole.json").read_text())["results"]) == 6  # not that of a test run again
    assert Path("whole.xml").read_text().count("<testcase") == 6


UNITTEST = """
import unittest
import pytest

class TestOld(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def connect(self, pg_connection):
        self.connection = pg_connection

    def test_version(self):
        assert self.connection.info.server_version >= 170000

def test_plain(pg_cluster): pass
"""


@pytest.mark.parametrize(
    "options",
    [(), pytest.param(("-n", "1", "--dist", "loadgroup"), marks=pytest.mark.thorough)],
    ids=["one process", "xdist"],
)
def test_a_testcase_that_runs_once_is_counted_and_told(run: Run, options: tuple[str, ...]) -> None:
    result = run(UNITTEST, "--pg", "14,17", *options)
    result.assert_outcomes(passed=3)
    result.stdout.re_match_lines_random(
        [
            r"pg14 +14\.\d+ +1 +1 ",
            r"pg17 +17\.\d+ +2 +2 ",
            r"1 test of unittest\.TestCase ran on 17 alone: pytest can't parametrize them",
            r"  test_it\.py::TestOld::test_version.*",
            "what to do: write it as a function, .*",
        ]
    )
    if not options:
        single = run(UNITTEST, "--pg", "17")
        single.stdout.no_fnmatch_line("*alone*")


def test_a_testcase_whose_marker_excludes_the_only_version_it_can_run_on_is_an_error(run: Run) -> None:
    marked = UNITTEST.replace("class TestOld", '@pytest.mark.pg("14")\nclass TestOld')
    result = run(marked, "--pg", "14,17")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*TestOld::test_version can only run on 17, which its marker excludes*"])


@pytest.mark.parametrize("versions", ["", " "])
def test_an_unset_variable_is_no_version(run: Run, versions: str) -> None:
    result = run(TWO, "--pg", versions)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--pg names no version: is the variable that it is given unset?"])


@pytest.mark.parametrize(
    ("versions", "meant"),
    [("14-18", "14..18"), ("=>16", ">=16"), ("=<16", "<=16"), ("16+", ">=16"), ("14 to 18", "14..18")],
)
def test_ranges_as_other_tools_write_them_have_a_suggestion(run: Run, versions: str, meant: str) -> None:
    result = run(TWO, "--pg", versions)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*what to do: did you mean {meant}[?]"])


def test_a_home_directory_that_is_not_known_is_an_error_of_usage(run: Run) -> None:
    result = run(TWO, "--pg", "path:~zz/pg/bin")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*path: names ~zz/pg/bin, and the home directory in it is not known"])
    assert "Traceback" not in result.stderr.str() + result.stdout.str()
