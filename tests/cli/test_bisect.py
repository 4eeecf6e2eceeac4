"""pgfeatures bisect and delta --verify, on real servers."""

import pytest
from click.testing import CliRunner

from pytest_pgfeatures.cli.main import pgfeatures


def bisect(*statements, pg="14,15,16"):
    return CliRunner().invoke(pgfeatures, ["bisect", "--pg", pg, *statements])


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


def test_nothing_changes():
    result = bisect("SELECT 1", "SELECT 1/0", "TABLE nowhere")
    assert result.exit_code == 0
    assert result.output.startswith("Nothing changes from 14.")


def test_one_version_is_an_error_with_a_remedy():
    result = bisect("SELECT 1", pg="16")
    assert result.exit_code == 2
    assert "fewer than two majors" in result.output


@pytest.mark.parametrize("extra", [[], ["--json"]])
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
