"""The JSON of each verb has the form of its published schema, and nothing that the schema does not describe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from referencing import Registry, Resource

from pytest_pgfeatures.cli.main import VERBS, pgfeatures
from pytest_pgfeatures.install.resolve import OFFLINE_VARIABLE, Resolver
from pytest_pgfeatures.install.store import VARIABLE, Store
from pytest_pgfeatures.server import Clusters

PGFEATURES = Path(sys.executable).with_name("pgfeatures")
SCHEMAS = {
    path.name.removesuffix(".json"): json.loads(path.read_text(encoding="utf-8"))
    for path in (resources.files("pytest_pgfeatures") / "schemas").iterdir()
}
WRITES_ANOTHER_S = {"merge": "verify"}
"""A verb whose JSON has the schema of another."""


def closed(schema: Any) -> Any:
    """A schema that describes all: no object may have properties that it does not name."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema and isinstance(schema.get("type"), str):
        made.setdefault("additionalProperties", False)
    return made


REGISTRY = Registry().with_resources(
    [(f"{name}.json", Resource.from_contents(closed(schema))) for name, schema in SCHEMAS.items()]
)


def check(name: str, document: Any) -> None:
    """Validate a document against a schema."""
    schema = REGISTRY[f"{name}.json"].contents
    jsonschema.Draft202012Validator(schema, registry=REGISTRY).validate(document)


def printed(*arguments: str, status: int = 0) -> Any:
    """Return the output of a verb that starts no pytest."""
    ended = CliRunner().invoke(pgfeatures, list(arguments), env={OFFLINE_VARIABLE: "1"})
    assert ended.exit_code == status, ended.output
    return json.loads(ended.stdout)


def ran(*arguments: str, cwd: Path, status: int = 0) -> str:
    """Return the output of a verb in a separate process."""
    ended = subprocess.run(
        [sys.executable, "-c", "from pytest_pgfeatures.cli import main; main()", *arguments],
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout


JSON_FILE = ("--json FILE.json", "--json - for standard output")
WITHOUT_JSON = {"matrix", "statistics"}
"""Verbs that print nothing else."""


@pytest.mark.parametrize("verb", sorted(VERBS.keys() - WITHOUT_JSON))
def test_all_verbs_take_the_same_file(verb: str, tmp_path: Path) -> None:
    script = tmp_path / "a.sql"
    script.write_text("SELECT 1;\n")
    for words in (["--json", str(script)], ["--json"]):
        ended = CliRunner().invoke(pgfeatures, [verb, *words])
        assert ended.exit_code == 2, (words, ended.output)
        assert ended.stdout == ""
        assert all(part in ended.stderr for part in JSON_FILE), (words, ended.stderr)
    assert script.read_text() == "SELECT 1;\n"


def test_a_file_leaves_the_report_where_it_is(tmp_path: Path) -> None:
    usual = ran("show", "16/any-value", cwd=tmp_path)
    assert "16/any-value" in usual
    assert ran("show", "16/any-value", "--json", "it.json", cwd=tmp_path) == usual
    assert json.loads((tmp_path / "it.json").read_text())["behavior"] == "16/any-value"


def test_all_that_is_no_json_goes_to_the_standard_error(tmp_path: Path) -> None:
    """Also what programs print: pytest of ``verify``, and the command of ``run``."""
    for arguments, report in (
        (("verify", "--pg", "18", "-k", "16/date-with-letters", "--json", "-"), "1 asked: 1 as documented"),
        (("run", "--pg", "18", "--json", "-", "--", "echo", "said so"), "said so"),
    ):
        document, told = tmp_path / "document", tmp_path / "told"
        document.write_text("before\n")
        with document.open("a") as output, told.open("w") as error:
            subprocess.run([PGFEATURES, *arguments], stdout=output, stderr=error, check=True)
        before, after = document.read_text().split("\n", 1)
        assert before == "before"
        check(arguments[0], json.loads(after))
        assert report in told.read_text()


def test_an_error_prints_no_json() -> None:
    ended = CliRunner().invoke(pgfeatures, ["needs", "nowhere.sql", "--json", "-"])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "can't read nowhere.sql" in ended.stderr


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"] == f"{name}.json"


def test_each_verb_has_a_schema() -> None:
    assert {WRITES_ANOTHER_S.get(verb, verb) for verb in VERBS} | {"result", "delta-catalog"} == set(SCHEMAS)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("arguments", "schema"),
    [
        (("list", "--json", "-"), "list"),
        (("matrix", "--pg", "14..18"), "matrix"),
        (("delta", "9.6", "18", "--json", "-"), "delta"),
        (("show", "--json", "-"), "show"),
        (("install", "18", "--json", "-"), "install"),
        (("doctor", "--json", "-"), "doctor"),
    ],
)
def test_verbs_that_start_no_server(arguments: tuple[str, ...], schema: str) -> None:
    document = printed(*arguments)
    assert document
    check(schema, document)


def test_clean(reachable_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(reachable_path / "store"))
    (Store.open().templates / "18-old").mkdir()
    document = printed("clean", "--json", "-")
    assert [(found["kind"], found["removed"]) for found in document["removals"]] == [("templates", True)]
    check("clean", document)


def test_an_install_that_can_t_be_had() -> None:
    document = printed("install", "9.4", "--json", "-", status=2)
    assert [found["cell"] for found in document] == ["pg9.4"]
    assert document[0]["error"]
    check("install", document)


@pytest.mark.processes
def test_bisect() -> None:
    document = printed("bisect", "SELECT 1; SELECT 0x1F", "--pg", "15,16", "--json", "-", status=1)
    assert [turn["statement"] for turn in document["turns"]] == [1]
    check("bisect", document)


@pytest.mark.processes
def test_needs(tmp_path: Path) -> None:
    script = tmp_path / "s.sql"
    script.write_text("SELECT 1;\nSELECT 0x1F;\n")
    document = printed("needs", str(script), "--pg", "15,16", "--json", "-", status=1)
    assert [answer["sqlstate"] for answer in document["statements"][1]["answers"].values()] == ["42601", None]
    check("needs", document)


@pytest.mark.processes
def test_delta_of_catalogs() -> None:
    document = printed("delta", "15", "16", "--catalog", "--json", "-")
    assert document["differences"]
    check("delta-catalog", document)


def test_run(tmp_path: Path) -> None:
    ran("run", "--pg", "18", "--json", "run.json", "--", "false", cwd=tmp_path, status=1)
    document = json.loads((tmp_path / "run.json").read_text())
    assert document["results"][0]["evidence"]["program"]["status"] == 1
    check("run", document)


def test_verify_and_show(tmp_path: Path) -> None:
    behavior = "16/date-with-letters"
    ran("verify", "--pg", "18", "-k", behavior, "--json", "all.json", "--html", "all.html", cwd=tmp_path)
    document = json.loads((tmp_path / "all.json").read_text())
    assert document["asked"] == 1
    assert document["command"] == f"pgfeatures verify --pg 18 -k {behavior}"
    page = (tmp_path / "all.html").read_text()
    assert f">{document['command']}<" in page
    assert "<h1>pgfeatures verify: PostgreSQL by version</h1>" in page
    check("verify", document)
    shown = json.loads(ran("show", behavior, "--pg", "18", "--json", "-", cwd=tmp_path))
    check("show", shown)
    assert [result["evidence"]["transcript"] for result in shown["results"]] == [
        result["evidence"]["transcript"] for result in document["results"]
    ]


def test_extension(tmp_path: Path) -> None:
    ran(
        "extension",
        "citext",
        "--pg",
        "18",
        "--stage",
        "create",
        "--no-strict",
        "--json",
        "it.json",
        cwd=tmp_path,
    )
    document = json.loads((tmp_path / "it.json").read_text())
    assert {result["stage"] for result in document["results"]} >= {"create"}
    again = [each["again"] for each in document["evidence"] if each["item"]["area"] == "create"]
    assert again[0] == "pgfeatures extension citext --pg 18 --stage create --no-strict"
    check("extension", document)


def test_readiness(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (a int);\n")
    (tmp_path / "data.sql").write_text("INSERT INTO t VALUES (1);\n")
    (tmp_path / "q.sql").write_text(
        "SELECT pg_is_in_backup() FROM t;\nSELECT a, current_setting('hash_mem_multiplier') FROM t;\n"
    )
    arguments = [*("--schema", "schema.sql", "--data", "data.sql", "--queries", "q.sql")]
    arguments += ["--stage", "queries", "--stage", "results", "--json", "found.json"]
    ran("readiness", "--from", "14", "--to", "15", *arguments, "--html", "found.html", cwd=tmp_path, status=1)
    document = json.loads((tmp_path / "found.json").read_text())
    assert [finding["sqlstate"] for finding in document["findings"]] == ["42883", None]
    assert document["findings"][1]["comparison"]["rows"][-1] == ["1 | 1", "|", "1 | 2"]
    check("readiness", document)
    assert "SELECT pg_is_in_backup() FROM t" in (tmp_path / "found.html").read_text()


def test_init(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (a int);\n")
    document = json.loads(ran("init", "--from", "14", "--to", "18", "--json", "-", cwd=tmp_path))
    assert document["configuration"] == "pgfeatures.toml"
    assert (tmp_path / document["test"]).is_file()
    check("init", document)


def test_statistics(tmp_path: Path) -> None:
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(Resolver().resolve("18"))
        cluster.sql("CREATE TABLE t AS SELECT n AS a, n % 3 AS b FROM generate_series(1, 1000) n")
        cluster.sql("CREATE STATISTICS pairs ON a, b FROM t")
        cluster.sql("ANALYZE t")
        ran("statistics", cluster.dsn(), "--output", "it.json", cwd=tmp_path)
    document = json.loads((tmp_path / "it.json").read_text())
    assert [relation["name"] for relation in document["content"]["relations"]] == ["t"]
    check("statistics", document)


def test_measure(tmp_path: Path) -> None:
    arguments = ("-k", "16/window-frames-time", "--pg", "15,16", "--rounds", "3")
    ran("measure", *arguments, "--json", "measured.json", cwd=tmp_path)
    document = json.loads((tmp_path / "measured.json").read_text())
    assert document["experiments"][0]["points"][0]["comparisons"][0]["figure"]["reported"] < 0.5
    check("measure", document)


@pytest.mark.parametrize(
    "document",
    [
        [{"version": 18, "source": "pypi"}],
        [{"source": "pypi"}],
        [{"version": "18", "source": "pypi", "other": 1}],
    ],
)
def test_what_has_another_form_is_refused(document: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        check("list", document)
