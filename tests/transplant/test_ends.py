"""The ends of indexes are those that production's planner finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures import explain
from pytest_pgfeatures.statistics.ends import _GIVES_UP
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.statistics.transplant import DBNAME, transplant

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster

_DEAD_AT_THE_END = """
    CREATE TABLE t (a int, filler text);
    INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, 20000) i;
    CREATE INDEX ON t (a);
    ANALYZE t;
    INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(20001, 22000) i;
    INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(22001, 140000) i;
    DELETE FROM t WHERE a > 22000;
"""
_QUERIES = ("SELECT * FROM t WHERE a > 19950", "SELECT * FROM t WHERE a > 19990")


@pytest.mark.parametrize("version", ["9.6", pytest.param("12", marks=pytest.mark.thorough), "14", "18"])
def test_dead_entries_at_the_end_of_an_index(
    version: str, create_pgs: Callable[..., tuple[Cluster, ...]]
) -> None:
    production, other = create_pgs("production", "other", version=version, settings={"autovacuum": False})
    production.sql(_DEAD_AT_THE_END)
    with production.connect() as connection:
        before = [explain(connection, query).root["Plan Rows"] for query in _QUERIES]
    statistics = export(production.dsn())
    with production.connect() as connection:
        assert [explain(connection, query).root["Plan Rows"] for query in _QUERIES] == before
    table = next(each for each in statistics.relations if each.name == "t")
    ends = next(column.ends for column in table.columns if column.name == "a")
    assert ends == ("1", "20000" if production.version in _GIVES_UP else "22000")
    transplant(other, statistics)
    with other.connect(DBNAME) as connection:
        planned = [explain(connection, query).root["Plan Rows"] for query in _QUERIES]
    if production.version.num >= 120000:  # before, the planner looks up the table
        assert planned == pytest.approx(before, rel=0.01)
