"""The fixture ``pg_readiness``, by which a suite asserts single stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

pytest_plugins = ["pytester"]

SUITE = """
def test_queries(pg_readiness):
    found = pg_readiness("queries")
    assert [(each.place.line, each.sqlstate) for each in found.findings] == [(2, "42883")]
    assert [run.stage for run in found.runs] == ["queries"]


def test_the_servers_are_shared(pg_readiness, monkeypatch):
    pg_readiness("schema")
    from pytest_pgfeatures.server import Clusters

    def create(*arguments, **options):
        raise AssertionError("another server is started")

    monkeypatch.setattr(Clusters, "create", create)
    assert [run.stage for run in pg_readiness("queries").runs] == ["queries"]


def test_options_of_a_call(pg_readiness, tmp_path):
    (tmp_path / "other.sql").write_text("SELECT 1;")
    assert pg_readiness("queries", queries=[tmp_path / "other.sql"]).findings == ()
"""


def test_a_suite_asserts_single_stages(pytester: pytest.Pytester) -> None:
    pytester.makefile(".sql", schema="CREATE TABLE orders (id integer);")
    pytester.makefile(".sql", queries="SELECT id FROM orders;\nSELECT pg_is_in_backup() FROM orders;")
    pytester.makefile(
        ".toml",
        pyproject='[tool.pgfeatures.readiness]\nfrom = "14"\nto = "18"\nschema = "schema.sql"\n'
        'queries = "queries.sql"\n',
    )
    pytester.makepyfile(test_upgrade=SUITE)
    pytester.runpytest_subprocess().assert_outcomes(passed=3)
