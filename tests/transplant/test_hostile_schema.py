"""The schema of statistics runs no program, and gives nobody more rights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from torture.attacks import DUMPED

from pytest_pgfeatures.statistics.model import Statistics
from pytest_pgfeatures.statistics.transplant import DBNAME, transplant
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures import Cluster


@pytest.mark.pg("9.6, 14, 18")
@pytest.mark.parametrize("trust", [False, True])
def test_a_schema_reaches_the_machine_only_if_it_is_trusted(
    create_pg: Callable[..., Cluster], reachable_path: Path, *, trust: bool
) -> None:
    directory = reachable_path / "reached"
    directory.mkdir()
    directory.chmod(0o777)
    schema = DUMPED.replace("DIRECTORY", str(directory))
    cluster = create_pg("attacked")
    statistics = Statistics(
        PgVersion("14.1"), "shop", "UTF8", "C", "C", (), ("postgres", "app"), (), (), schema=schema
    )  # fmt: skip
    transplant(cluster, statistics, partial=True, trust=trust)
    reached = {each.name for each in directory.iterdir()}
    assert reached == ({"do", "view", "event"} if trust else set())
    query = "SELECT relowner::regrole::text FROM pg_class WHERE relname = 'seen'"
    assert cluster.sql(query, dbname=DBNAME) == [("app",)]
    assert cluster.sql("SELECT evtenabled FROM pg_event_trigger", dbname=DBNAME) == [("O" if trust else "D",)]
