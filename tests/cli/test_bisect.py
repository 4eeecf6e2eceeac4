"""pgfeatures bisect and delta --verify, on real servers."""

import pytest
from click.testing import CliRunner

from pytest_pgfeatures.cli.main import pgfeatures

pytestmark = pytest.mark.processes


def bisect(*arguments, pg="14,15,16", stdin=None):
    return CliRunner().invoke(
        pgfeatures, ["bisect", "--pg", pg, *arguments], input=stdin, env={"COLUMNS": "150"}
    )


def test_each_change_is_printed_oldest_first():
    result = bisect("SELECT 0x1F")
    assert result.exit_code == 1
    first, second = result.output.splitlines()[:2]
    assert first.startswith("15: refused: SELECT 0x1F")
    assert second.startswith("16: accepted: SELECT 0x1F")
    assert "ERROR:  42601" in result.output


def test_statements_before_the_last_prepare_it_and_plans_count():
    prepare = ["CREATE TABLE t (a int, b int)", "CREATE INDEX ON t (a)", "SET enable_hashagg = off"]
    result = bisect(*prepare, "SELECT DISTINCT a, b FROM t")
    assert result.exit_code == 1
    assert result.output.startswith("16: other plan: SELECT DISTINCT a, b FROM t")
    assert "Presorted Key: a" in result.output


def test_one_statement_is_compared_and_those_before_it_prepare_it(tmp_path):
    script = tmp_path / "a.sql"
    script.write_text("SELECT 0x1F;\nCREATE TABLE t (a int);\nSELECT 1,\n  0o7 FROM t;\nSELECT 0b1;\n")
    for arguments, shown in (
        (("--only", f"{script}:4"), f"16: other result: {script}:3: SELECT 1, 0o7 FROM t  ("),
        (("--only", "last"), f"16: other result: {script}:5: SELECT 0b1  ("),
    ):
        result = bisect(str(script), *arguments, pg="14,16")
        assert result.exit_code == 1
        assert result.output.startswith(shown)
        assert "0x1F" not in result.output


@pytest.mark.parametrize(
    ("only", "said"),
    [
        ("first", "--only 'first' names no statement"),
        ("b.sql:3", "no statement begins at or before b.sql:3"),
    ],
)
def test_only_names_a_statement(only, said):
    result = bisect("SELECT 1", "--only", only)
    assert result.exit_code == 2 or result.exception is not None
    assert said in str(result.output) + str(result.exception)


def test_nothing_changes():
    result = bisect("SELECT 1", "SELECT 1/0", "TABLE nowhere")
    assert result.exit_code == 0
    assert result.output.startswith("Nothing changes from 14.")


SCRIPT = """
-- what the script is about
CREATE TABLE t (a int);
BEGIN;
INSERT INTO t VALUES (1);
SELECT nothing_of_it;
ROLLBACK;
COPY t FROM stdin;
5
\\.
INSERT INTO t VALUES (7); SELECT count(*), sum(a) FROM t;
SELECT 0x1F;
"""


def test_each_statement_of_a_script_runs_once_and_files_and_standard_input_are_taken(tmp_path):
    (tmp_path / "script.sql").write_text(SCRIPT)
    by_file = bisect(str(tmp_path / "script.sql"), pg="15,16")
    assert by_file.output.startswith(f"16: accepted: {tmp_path}/script.sql:12: SELECT 0x1F  (15.")
    assert " 2     | 12" in by_file.output
    assert by_file.output.count("INSERT 0 1") == 2
    assert by_file.output.count("COPY 1\n") == 1
    by_input = bisect("-", pg="15,16", stdin=SCRIPT)
    assert by_input.output.startswith("16: accepted: standard input:12: SELECT 0x1F  (15.")
    twice = ["SELECT 1; CREATE TABLE u AS SELECT 1", "TABLE u; INSERT INTO u SELECT 2 \\; TABLE u"]
    by_argument = bisect(*twice, pg="15,16")
    assert by_argument.exit_code == 0
    assert "(2 rows)" in by_argument.output


def test_what_no_version_decides_is_volatile_and_no_change():
    result = bisect("SELECT now()", "SELECT random() AS r, 1", "SELECT 1", pg="15,16")
    assert result.exit_code == 0
    assert result.output.splitlines()[1:3] == [
        "volatile: SELECT now()  (another server of the same version answers differently, too)",
        "volatile: SELECT random() AS r, 1  (another server of the same version answers differently, too)",
    ]
    assert result.output.startswith("Nothing changes from 15.")


def test_a_comment_is_no_option_and_a_mistyped_option_no_sql():
    result = bisect("-- why: is it = 31?\nSELECT 0x1F", pg="15,16")
    assert result.output.startswith("16: accepted: SELECT 0x1F")
    assert "No such option" in bisect("--pgg=16", "SELECT 1").output
    assert "there is no statement in it" in bisect("-- nothing").output


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("nowhere.sql", "can't read"),
        ("SELECT 1 \\gexec", "argument 1:1: psql's \\gexec is not followed here"),
    ],
)
def test_what_can_not_be_run_is_an_error_with_a_remedy(argument, said):
    result = bisect(argument)
    assert result.exit_code == 2
    assert said in result.output
    assert "what to do: " in result.output


def test_one_version_is_an_error_with_a_remedy():
    result = bisect("SELECT 1", pg="16")
    assert result.exit_code == 2
    assert "fewer than two majors" in result.output


@pytest.mark.parametrize("extra", [[], ["--json", "-"]])
def test_delta_verify_runs_what_differs_on_both(extra, monkeypatch):
    from pytest_pgfeatures.behaviors import registry
    from pytest_pgfeatures.behaviors.registry import atlas

    few = {id: atlas()[id] for id in ("16/reserved-connections-default", "9.4/jsonb-contains")}
    monkeypatch.setattr(registry, "atlas", lambda: few)
    result = CliRunner().invoke(pgfeatures, ["delta", "15", "16", "--verify", *extra])
    if extra:
        assert result.exit_code == 2
        assert "pgfeatures verify --json" in result.output
        return
    assert result.exit_code == 0, result.output
    assert "2 asked: 2 as documented" in result.output
    assert "9.4/jsonb-contains" not in result.output
