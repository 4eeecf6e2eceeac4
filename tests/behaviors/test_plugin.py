"""Behaviors in a user's own files, run by pytest on real servers."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import pytest

import pytest_pgfeatures.behaviors.judge
import pytest_pgfeatures.behaviors.lab
import pytest_pgfeatures.behaviors.registry  # noqa: F401 (a run in this process forgets what it was the first to import)

pytest_plugins = ["pytester"]

# The embedded build of 16 has no ICU, so that a behavior that needs it is unavailable there.
VERSIONS = "pypi:15,pypi:16"

HEAD = "from pytest_pgfeatures import behavior\n"


def declaring(name, body, expect, more=""):
    return f"""
@behavior("app/{name}", title="about {name}", area="app", source="notes, 1", expect={expect!r}{more})
def {name}(lab):
    {body}
"""


NUMBER = declaring("number", "return lab.value('SELECT 15 + 1')", {"all": 16})
VERSION = declaring(
    "version", "return lab.value('SHOW server_version_num')[:2]", {"<16": "15", ">=16": "16"}, ", note='Why.'"
)
WRONG = declaring("wrong", "return lab.value('SELECT 1')", {"<16": 1, ">=16": 2}, ", note='A beta said so.'")
BROKEN = declaring("broken", "lab.sql('SELECT nothing'); return 1", {"all": 1})
ICU = declaring("icu", "return 1", {"all": 1}, ", needs=['icu']")


SHY = "import pytest\n" + declaring("shy", "pytest.skip('not today')", {"all": 1})
MISTAKEN = declaring("mistaken", "return {}['a']", {"all": 1})
HALF = declaring("half", "return 0.5", {"all": 1})
EVERYTHING = (NUMBER, VERSION, WRONG, BROKEN, MISTAKEN, HALF, SHY, ICU)


@dataclass
class Run:
    """The results of one run of pytest."""

    status: int
    stdout: pytest.LineMatcher
    stderr: pytest.LineMatcher
    summary: str
    document: dict
    place: Path

    def outcomes(self, behavior):
        return [cell["outcome"] for cell in self.document["cells"] if cell["behavior"] == behavior]

    def cells(self, behavior):
        return [cell for cell in self.document["cells"] if cell["behavior"] == behavior]


def prepared(place, declared, pg):
    """Write a file of behaviors, and return pytest's arguments for it."""
    (place / "behaviors.py").write_text(HEAD + "".join(declared))
    return ["-pno:asyncio", f"--pg={pg}", f"--pg-json={place / 'results.json'}", "behaviors.py"]


def left(place, status, out, errors):
    """What a run left in a directory."""
    print("\n".join(out), "\n".join(errors))
    written = place / "results.json"
    return Run(
        status=status,
        stdout=pytest.LineMatcher(out),
        stderr=pytest.LineMatcher(errors),
        summary=out[-1],
        document=json.loads(written.read_text()) if written.exists() else {},
        place=place,
    )


def alone(place, declared, arguments=(), pg=VERSIONS):
    """Run pytest on behaviors, in a process of its own."""
    command = [sys.executable, "-mpytest", *prepared(place, declared, pg), *arguments]
    ended = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    return left(place, ended.returncode, ended.stdout.splitlines(), ended.stderr.splitlines())


@pytest.fixture
def run(pytester):
    """Run pytest on behaviors, in this process."""

    def run(declared, arguments=(), pg=VERSIONS):
        options = prepared(pytester.path, declared, pg)
        ended = pytester.runpytest_inprocess(*options, *arguments)
        return left(pytester.path, int(ended.ret), ended.outlines, ended.errlines)

    return run


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """One run with behaviors of every outcome."""
    return alone(tmp_path_factory.mktemp("everything"), EVERYTHING, ["--junitxml=junit.xml"])


def test_as_documented_passes_on_both_sides_of_a_change(everything):
    everything.stdout.fnmatch_lines(["behavior*15 16", "app", "app/number*●  ●", "app/version*○  ●"])
    assert everything.outcomes("app/version") == ["as documented"] * 2
    assert {cell["install"]["source"] for cell in everything.cells("app/version")} == {"pypi"}


def test_a_run_in_which_all_is_as_documented_or_unavailable_ends_well(run):
    result = run([NUMBER, VERSION, ICU])
    assert result.status == 0
    result.stdout.fnmatch_lines(["6 asked: 4 as documented, 2 unavailable", "*4 passed, 2 unavailable*"])


def test_all_outcomes_are_counted(everything):
    assert everything.status == 1
    everything.stdout.fnmatch_lines(["16 asked: 5 as documented, 1 deviates, 2 unavailable, 8 error"])
    document = everything.document
    assert [document[key] for key in ("asked", "ran", "absent")] == [16, 14, 0]
    assert "9 failed, 5 passed, 2 unavailable" in everything.summary


def test_a_deviation_fails_and_shows_what_happened(everything):
    everything.stdout.fnmatch_lines(
        [
            "app/wrong deviates: about wrong",
            "expected  2",
            "observed  1",
            "      on  PostgreSQL 16*",
            "    note  A beta said so.",
            "*Transcript of the lab*",
            "main> SELECT 1",
        ]
    )
    everything.stdout.fnmatch_lines(["16: app/wrong: expected 2, observed 1"])
    assert everything.outcomes("app/wrong") == ["as documented", "deviates"]


def test_a_failing_statement_is_an_error_and_not_a_deviation(everything):
    everything.stdout.fnmatch_lines(
        ["*behaviors.py:*: LabError: the server refused: SELECT nothing", "    42703 undefined_column: *"]
    )
    everything.stdout.fnmatch_lines(["15, 16: app/broken: the server refused: SELECT nothing"])
    assert everything.outcomes("app/broken") == ["error"] * 2
    assert all(cell["ran"] for cell in everything.cells("app/broken"))
    broken = [result for result in everything.document["results"] if result["item"]["id"] == "app/broken"]
    assert "pytest --pg pypi:15 'behaviors.py::broken[pg15]' -pno:asyncio" in broken[0]["again"]
    ((title, log),) = broken[0]["evidence"]["sections"]
    assert title.startswith("Server log of pg15")
    assert "SELECT nothing" in log


def test_a_mistake_in_the_function_is_an_error_with_its_traceback(everything):
    everything.stdout.fnmatch_lines(["*return {}*a*", "*KeyError*"])
    everything.stdout.fnmatch_lines(["15, 16: app/mistaken: KeyError: 'a'"])
    assert everything.outcomes("app/mistaken") == ["error"] * 2


def test_a_value_that_is_no_observation_is_an_error_that_names_the_behavior(everything):
    everything.stdout.fnmatch_lines(["*app/half: 0.5 (float) is neither text*"])
    assert everything.outcomes("app/half") == ["error"] * 2


def test_a_missing_capability_is_unavailable(everything):
    everything.stdout.fnmatch_lines(
        ["app/icu*–  –", "*", "15, 16: app/icu is unavailable for want of icu"], consecutive=False
    )
    cells = everything.cells("app/icu")
    assert [(cell["outcome"], cell["capability"], cell["ran"], cell["absent"]) for cell in cells] == [
        ("unavailable", "icu", False, False)
    ] * 2


def test_a_behavior_can_t_skip_itself(everything):
    everything.stdout.fnmatch_lines(["app/shy skipped itself; let it declare what it needs*"])
    assert everything.outcomes("app/shy") == ["error"] * 2


def test_junit_names_behavior_and_outcome(everything):
    found = {
        case.get("name"): {each.get("name"): each.get("value") for each in case.iter("property")}
        for case in ET.parse(everything.place / "junit.xml").iter("testcase")
    }
    assert found["number[pg16]"]["behavior"] == "app/number"
    assert found["number[pg16]"]["outcome"] == "as documented"
    assert found["wrong[pg16]"]["outcome"] == "deviates"
    assert found["icu[pg16]"]["outcome"] == "unavailable"


def test_workers_give_the_same_results(everything, run):
    spread = run(EVERYTHING, ["-n", "2"])
    assert without_times(spread.document) == without_times(everything.document)
    assert spread.status == everything.status


def without_times(document):
    """A document without what two runs differ in: seconds, and what tells of processes in the evidence."""
    kept = {key: value for key, value in document.items() if key not in ("command", "seconds", "results")}
    kept["results"] = {
        (result["item"]["id"], result["cell"], result["outcome"]) for result in document["results"]
    }
    return kept


def test_a_version_that_can_t_be_had_fails_and_is_counted_as_absent(run):
    result = run([NUMBER], pg="pypi:15,system:9.3..9.4")
    assert result.status == 1
    result.stdout.fnmatch_lines(["9.4: no server: PostgreSQL system:9.4 is not available"])
    assert [result.document[key] for key in ("asked", "ran", "absent")] == [3, 1, 2]


def test_what_a_run_that_ends_early_left_out_is_counted(run):
    result = run([WRONG, NUMBER, VERSION], ["-x"])
    document = result.document
    assert document["asked"] == 6
    assert document["ran"] == len(document["cells"]) < 6
    result.stdout.fnmatch_lines(["6 asked: *not reached"])


INTERRUPTS = """
import os, signal

def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Interrupting())

class _Interrupting:
    def pytest_runtest_logfinish(self):
        os.kill(os.getpid(), signal.SIGINT)
"""


@pytest.mark.parametrize("processes", ["0", "2"])
def test_what_did_not_run_before_control_c_is_counted(tmp_path, processes):
    (tmp_path / "conftest.py").write_text(INTERRUPTS)
    many = [declaring(f"number{letter}", "return 1", {"all": 1}) for letter in "abcdefghijkl"]
    result = alone(tmp_path, many, ["-n", processes])
    assert result.status == 2
    assert result.document["asked"] == 24
    assert result.document["ran"] == len(result.document["cells"]) < 24
    result.stdout.fnmatch_lines(["24 asked: *not reached"])


@pytest.mark.parametrize("expression", ["app/number", "number and app"])
def test_k_selects_by_id_and_area(run, expression):
    result = run([NUMBER, VERSION], ["-k", expression], pg="pypi:16")
    assert "1 passed, 1 deselected" in result.summary
    assert result.document["asked"] == 1


def test_one_id_for_two_behaviors_is_refused(run):
    result = run([NUMBER, NUMBER.replace("def number", "def other")])
    assert result.status == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*two behaviors have the id app/number", "*behaviors.py:3", "*behaviors.py:7"]
    )


def test_a_wrong_declaration_is_shown_at_its_line_and_without_lines_of_ours(run):
    result = run([declaring("gap", "return 1", {"<15": 1, ">15": 2})])
    result.stdout.fnmatch_lines(
        ["behaviors.py:3: in <module>", "*app/gap: expect has no value for 15", "*what to do: *"]
    )
    result.stdout.no_fnmatch_line("*model.py*")


def test_settings_and_needs_are_those_of_the_cluster(run):
    logical = declaring(
        "logical",
        "return lab.value('SHOW wal_level')",
        {"all": "logical"},
        ", settings={'wal_level': 'logical'}",
    )
    result = run([NUMBER, logical], pg="pypi:16")
    assert result.status == 0
    result.stdout.fnmatch_lines(["2 asked: 2 as documented"])


def test_behaviors_are_collected_beside_other_tests(pytester):
    pytester.makepyfile(test_ours=HEAD + NUMBER + "\ndef test_other():\n    pass\n")
    result = pytester.runpytest_subprocess("-pno:asyncio", "--pg=pypi:16")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["1 asked: 1 as documented"])


def test_a_failed_test_that_is_no_behavior_shows_its_lab_s_transcript_too(pytester):
    pytester.makepyfile("def test_other(lab):\n    assert lab.value('SELECT 1') == 2\n")
    result = pytester.runpytest_subprocess("-pno:asyncio", "--pg=pypi:16")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*Transcript of the lab*", "main> SELECT 1"])


def test_without_behaviors_nothing_is_printed(pytester):
    pytester.makepyfile("def test_other(): pass")
    result = pytester.runpytest_subprocess("-pno:asyncio")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*= behaviors =*")


@pytest.mark.parametrize("option", ["--pg-json", "--pg-html"])
def test_no_room_for_a_file_of_results_fails_the_run(run, option):
    result = run([NUMBER], [f"{option}=/dev/full"], pg="pypi:16")
    assert result.status != 0
    result.stdout.fnmatch_lines(["results could not be written: *No space left on device*"])
