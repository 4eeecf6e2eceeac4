"""``pgfeatures readiness`` as a user runs it: its options, what it prints and writes, how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
from tests.readiness.sarif_schema import SARIF

from pytest_pgfeatures.readiness.model import STAGES

pytestmark = pytest.mark.processes

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))
SCHEMA = """\
CREATE ROLE app PASSWORD 'geheim-17';
CREATE TABLE orders (id integer PRIMARY KEY, total numeric);
CREATE UNLOGGED TABLE parent (id integer) PARTITION BY RANGE (id);
"""
QUERIES = "SELECT id FROM orders WHERE id = %s;\nSELECT pg_is_in_backup(), 'geheim-17' FROM orders;\n"


def run(directory: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PGFEATURES, "readiness", *arguments],
        cwd=directory,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def write_project(tmp_path: Path) -> Path:
    (tmp_path / "schema.sql").write_text(SCHEMA)
    (tmp_path / "q").mkdir()
    (tmp_path / "q" / "a.sql").write_text(QUERIES)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pgfeatures.readiness]\nfrom = "14"\nto = 18\nschema = "schema.sql"\nqueries = ["q"]\n'
        'stages = ["schema", "queries"]\n'
    )
    return tmp_path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path)


FILES = {"--json": "o.json", "--junit": "o.xml", "--sarif": "o.sarif"}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A project, and a run with all reports."""
    project = write_project(tmp_path_factory.mktemp("reported"))
    ended = run(
        project,
        *(part for pair in FILES.items() for part in pair),
        GITHUB_ACTIONS="true",
        GITHUB_STEP_SUMMARY=str(project / "summary.md"),
    )
    return project, ended


def test_findings_in_all_forms_without_secrets(
    reported: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    project, ended = reported
    assert ended.returncode == 1, ended.stderr
    assert "q/a.sql:2:8: 18." in ended.stdout
    assert "what to do: " in ended.stdout
    assert "proof: pgfeatures bisect --pg 14,18 schema.sql" in ended.stdout
    assert "::error file=q/a.sql,line=2,col=8,title=readiness%3A affects::" in ended.stdout
    assert "14-18 queries: 1 finding " in ended.stderr

    document = json.loads((project / "o.json").read_text())
    assert (document["from"], document["to"]) == ("14", "18")
    (refused,) = [each for each in document["findings"] if each["stage"] == "queries"]
    assert refused["proof"].startswith("pgfeatures bisect --pg 14,18 schema.sql ")
    refused.pop("proof")
    assert refused.pop("message").endswith(
        "42883 undefined_function: function pg_is_in_backup() does not exist"
    )
    assert refused.pop("remedy")
    assert refused == {
        "stage": "queries",
        "severity": "error",
        "certainty": "affects",
        "items": ["15.3"],
        "behavior": "15/exclusive-backup",
        "file": "q/a.sql",
        "line": 2,
        "column": 8,
        "object": None,
        "excerpt": "SELECT pg_is_in_backup(), '********' FROM orders",
        "sqlstate": "42883",
        "comparison": None,
    }
    suite = ET.parse(project / "o.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("readiness 14-18", "2", "2")
    sarif = json.loads((project / "o.sarif").read_text())
    jsonschema.validate(sarif, SARIF)
    places = [each["locations"][0] for each in sarif["runs"][0]["results"] if "locations" in each]
    located = [each["physicalLocation"] for each in places if "physicalLocation" in each]
    assert ("q/a.sql", 2) in [
        (each["artifactLocation"]["uri"], each["region"]["startLine"]) for each in located
    ]
    written = [path.read_text() for path in (project / name for name in (*FILES.values(), "summary.md"))]
    assert "geheim-17" not in "\n".join([ended.stdout, ended.stderr, *written])
    assert {path.name for path in project.iterdir()} == {
        *("schema.sql", "q", "pyproject.toml", "summary.md"), *FILES.values()
    }  # fmt: skip


def test_the_proof_proves_it(reported: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    project, _ = reported
    document = json.loads((project / "o.json").read_text())
    (proof,) = [each["proof"] for each in document["findings"] if each["stage"] == "queries"]
    (tmp_path / "schema.sql").write_text(SCHEMA.split("\n")[1])
    proof = proof.replace("pgfeatures", PGFEATURES, 1).replace("********", "x")
    ended = subprocess.run(
        ["/bin/sh", "-c", proof], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1, ended.stderr
    assert "18: " in ended.stdout
    assert "undefined_function" in ended.stdout


def test_stages_are_selected_by_their_names_and_run_side_by_side(project: Path) -> None:
    ended = run(project, "-n", "2", "-k", "queries", "--to", "15,18", "--fail-on", "never")
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.startswith("14 -> 15,18: reading the inputs\n")
    assert "14-15 queries: 1 finding " in ended.stderr
    assert "15-18 queries: 0 findings" in ended.stderr
    assert "schema" not in ended.stderr


@pytest.mark.thorough
def test_pairs_and_stages_side_by_side_find_the_same(project: Path) -> None:
    """One after the other, and four at once: the same, and in no process does pytest run."""
    found = []
    stages = [word for stage in STAGES if stage != "upgrade" for word in ("--stage", stage)]
    for number in ("1", "4"):
        arguments = ("--to", "15,18", "--data", "schema.sql", "--fail-on", "never", "-n", number, *stages)
        ended = run(project, *arguments, "--json", f"{number}.json", PYTHONPROFILEIMPORTTIME="1")
        assert ended.returncode == 0, ended.stderr
        assert " psycopg\n" in ended.stderr
        assert " _pytest\n" not in ended.stderr
        document = json.loads((project / f"{number}.json").read_text())
        for each in document["runs"]:
            each["seconds"] = 0
        found.append({name: value for name, value in document.items() if name not in ("command", "again")})
    assert len(found[0]["runs"]) == 2 * (len(STAGES) - 1)  # pairs, and stages but upgrade
    assert {each["stage"] for each in found[0]["findings"]} >= {"schema", "queries"}
    assert found[0] == found[1]


def test_the_baseline_accepts_findings_until_a_date(project: Path) -> None:
    entry = '[[accepted]]\nstage = "{}"\nmessage = "refuses it"\nreason = "goes away"\nuntil = {}\n'
    (project / "b.toml").write_text(
        entry.format("schema", "2999-01-01") + entry.format("queries", "2999-01-01")
    )
    ended = run(project, "--baseline", "b.toml")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "2 findings are accepted by the baseline" in ended.stdout
    (project / "b.toml").write_text(
        entry.format("schema", "2999-01-01") + entry.format("queries", "2001-01-01")
    )
    ended = run(project, "--baseline", "b.toml", "--fail-on", "may", "-k", "queries")
    assert ended.returncode == 1
    assert "the baseline accepted this until 2001-01-01: goes away" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "13"], "is not newer than --from 14"),
        (["--from", "fourteen"], "fourteen"),
        (["--queries", "nothing.sql"], "there is no such file or directory"),
        (["--baseline", "nothing.toml"], "nothing.toml can't be read: No such file"),
        (["--fail-on", "some"], "write one of affects, may, never"),
        (["--stage", "quer"], "there is no stage 'quer'"),
        (["--json", "nowhere/o.json"], "can't write nowhere/o.json"),
        (["--config", "schema.sql", "--timeout", "0"], "timeout"),
        (["-k", "nothing"], "no stage ran"),
        (["-k", "queries and or schema"], "write parts of names, and, or, not"),
        (["-k", "queries()"], "write parts of names, and, or, not"),
        (["-n", "many"], "-n many is no number"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_wrong(
    project: Path, arguments: list[str], message: str
) -> None:
    ended = run(project, *arguments)
    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_baseline_needs_reasons(project: Path) -> None:
    (project / "b.toml").write_text('[[accepted]]\nfile = "q/a.sql"\n')
    ended = run(project, "--baseline", "b.toml")
    assert ended.returncode == 2
    assert "entry 1: Object missing required field `reason`" in ended.stderr


@pytest.mark.parametrize("number", ["1", pytest.param("4", marks=pytest.mark.thorough)])
def test_an_interrupt_leaves_nothing_running(project: Path, reachable_path: Path, number: str) -> None:
    (project / "schema.sql").write_text("SELECT pg_sleep(600);\n")
    runs = reachable_path / "runs"
    runs.mkdir(mode=0o755)
    process = subprocess.Popen(
        [PGFEATURES, "readiness", "--timeout", "600", "-n", number],
        cwd=project,
        env=os.environ | {"PGFEATURES_RUN": str(runs)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not _sleeps(runs) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    assert _sleeps(runs), process.communicate()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "interrupted" in said
    assert "Traceback" not in said
    assert not _processes(runs)
    assert {path.name for path in runs.glob("*/*")} <= {".pytest-pgfeatures"}


def _processes(runs: Path) -> list[str]:
    """Command lines of processes that have something to do with a directory."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(runs) in line:
            found.append(line)
    return found


def _sleeps(runs: Path) -> bool:
    """Whether a server of this run executes the statement that does not end."""
    import psycopg

    for socket in runs.glob("**/.s.PGSQL.*[0-9]"):
        try:
            with psycopg.connect(host=str(socket.parent), port=int(socket.suffix[1:]), dbname="postgres",
                                 user="postgres") as connection:  # fmt: skip
                row = connection.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%'"
                    " AND pid <> pg_backend_pid() AND state = 'active'"
                ).fetchone()
        except psycopg.Error:
            continue
        if row and row[0]:
            return True
    return False


def test_behaviors_of_the_users_own(project: Path) -> None:
    (project / "ours.py").write_text(OURS)
    (project / "q" / "b.sql").write_text("SELECT 1;\nSELECT app_total(id) FROM orders;\n")
    wanted = ("--stage", "incompatibilities", "--json", "found.json")
    ended = run(project, "--behaviors", "ours.py", *wanted)
    assert "Traceback" not in ended.stderr
    found = json.loads((project / "found.json").read_text())["findings"]
    (ours,) = [each for each in found if each["behavior"] == "app/total"]
    assert (ours["file"], ours["line"]) == ("q/b.sql", 2)
    assert ours["proof"] == "pytest --pg 14,18 -k '[app/total]' ours.py"


OURS = """
from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import Call


@behavior(
    "app/total",
    title="app_total() is gone",
    area="our application",
    source="our migration notes",
    expect={"<18": 1, ">=18": 2},
    kind="incompatibility",
    remedy="Write app_sum().",
    affects=Call("app_total", own=True),
)
def total(lab):
    return 1
"""


@pytest.mark.parametrize(
    ("content", "message"),
    [("1 +", "can't be loaded: SyntaxError"), ("x = 1\n", "declares no behavior"), (None, "no such file")],
)
def test_a_file_of_behaviors_that_has_none(project: Path, content: str | None, message: str) -> None:
    if content is not None:
        (project / "ours.py").write_text(content)
    ended = run(project, "--behaviors", "ours.py")
    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


AT_SCRIPTS = ("--stage", "settings", "--stage", "incompatibilities")


def test_a_named_file_that_is_not_read_is_status_2(project: Path) -> None:
    (project / "ci.yml").write_text("run: [psql\n")
    files = ("--json", "found.json", "--junit", "found.xml")
    named = run(project, "--scripts", "ci.yml", *AT_SCRIPTS, *files)
    assert named.returncode == 2
    assert "ci.yml is no YAML" in named.stdout
    assert "1 input not read" in named.stderr
    table = re.findall(r"^(?:settings|incompatibilities) {2,}.*", named.stdout, re.MULTILINE)
    assert len(table) == 2, named.stdout
    assert all("1 input not read" in line and "nothing found" not in line for line in table)
    assert json.loads((project / "found.json").read_text())["runs"][0]["unread"]
    cases = ET.parse(project / "found.xml").getroot().iter("testcase")
    assert {case.get("name") for case in cases if case.find("error") is not None} >= {"settings"}


def test_what_a_directory_has_beside_an_unreadable_file_is_read(project: Path) -> None:
    (project / "ci").mkdir()
    (project / "ci" / "ci.yml").write_text("run: [psql\n")
    (project / "ci" / "dump.sh").write_text("pg_dump app\n")
    below = run(project, "--scripts", "ci", "--fail-on", "never", "--stage", "settings")
    assert below.returncode == 0, below.stderr
    assert "ci.yml is no YAML" in below.stdout
    (project / "none").mkdir()
    assert run(project, "--scripts", "none", "--stage", "settings").returncode == 2


def test_a_file_that_needs_a_missing_library_is_status_2(project: Path) -> None:
    (project / "missing").mkdir()
    (project / "missing" / "yaml.py").write_text("raise ImportError('no PyYAML here')\n")
    (project / "ci").mkdir()
    (project / "ci" / "ci.yml").write_text("run: psql\n")
    ended = run(project, "--scripts", "ci", "--stage", "settings", PYTHONPATH=str(project / "missing"))
    assert ended.returncode == 2
    assert "needs PyYAML" in ended.stdout
    assert "pgfeatures: reading ci/ci.yml needs PyYAML" in ended.stderr


def test_the_heads_and_the_totals_agree(project: Path) -> None:
    ended = run(project, "--json", "found.json", "--stage", "queries", "--stage", "incompatibilities")
    found = json.loads((project / "found.json").read_text())["findings"]
    heads = re.findall(r"^(What \w+(?: \w+)?|Notes) \((\d+)\)", ended.stdout, re.MULTILINE)
    counts = {head: int(count) for head, count in heads}
    certain = sum(each["certainty"] == "affects" for each in found)
    assert counts.pop("What breaks") == certain > 0
    assert sum(counts.values()) == len(found) - certain
    assert f"{certain} affect the application, {len(found) - certain} may." in ended.stdout
    told = [(each["file"], each["line"], each["column"], each["object"], each["message"]) for each in found]
    assert len(told) == len(set(told))


def test_a_stage_whose_finding_another_stage_has_too_did_not_find_nothing(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("SELECT pg_stop_backup()")
    stages = ["--stage", "queries", "--stage", "incompatibilities"]
    ended = run(tmp_path, "--from", "14", "--to", "15", "--queries", "q.sql", *stages)
    assert "14-15 incompatibilities: 1 finding " in ended.stderr
    assert re.search(r"^queries +1 certain, 0 possible", ended.stdout, re.MULTILINE)
    assert re.search(r"^incompatibilities +nothing else found", ended.stdout, re.MULTILINE)
