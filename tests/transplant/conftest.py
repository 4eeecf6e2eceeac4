"""A file of statistics that tests read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.statistics.document import write_statistics
from pytest_pgfeatures.statistics.model import ColumnStatistics, RelationStatistics, Statistics
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def statistics_file(tmp_path: Path) -> Path:
    """A small file, as pgfeatures statistics writes it."""
    column = ColumnStatistics("a", "integer", False, 0.0, 4, -1.0)
    statistics = Statistics(
        PgVersion("18.1"), "shop", "UTF8", "C", "C", (), ("postgres",), (),
        (RelationStatistics("public", "t", "r", "", 1, 1, 5.0, 1, columns=(column,)),),
    )  # fmt: skip
    path = tmp_path / "statistics.json"
    write_statistics(statistics, path)
    return path
