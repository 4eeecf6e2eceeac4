"""Blocks that are always the same, files that survive, and a run that goes on where it was."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from devtools.conformance.run import ConformanceRun
from devtools.conformance.subjects import LITERALS, Subject, subject, subjects

from pytest_pgfeatures.errors import EvaluationError, LiteralError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from psycopg import Connection

    from pytest_pgfeatures.literals import Reading
    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.version import PgVersion


def test_a_block_is_always_the_same() -> None:
    for one in subjects(1):
        assert one.texts(1, 7, 200) == one.texts(1, 7, 200)
        assert one.texts(1, 7, 200) != one.texts(1, 8, 200) != one.texts(2, 8, 200)


def test_every_class_of_literals_comes_up() -> None:
    one = subject(LITERALS)
    assert {name for name, _ in one.texts(1, 0, 50_000)} == set(one.classes)


@pytest.mark.pg("18")
def test_a_run_goes_on_where_it_was(
    pg_connection: Connection[Any], pg_cluster: Cluster, tmp_path: Path
) -> None:
    version, literals = pg_cluster.version, subject(LITERALS)
    whole = ConformanceRun(tmp_path / "whole", batch=500)
    *_, at_once = whole.compare(pg_connection, version, literals, 1900, whole.tally(version, literals))
    parts = ConformanceRun(tmp_path / "parts", batch=500)
    first = next(parts.compare(pg_connection, version, literals, 1900, parts.tally(version, literals)))
    assert first.blocks == 1
    *_, resumed = parts.compare(pg_connection, version, literals, 1900, parts.tally(version, literals))
    assert resumed == at_once
    assert resumed.compared >= 1900
    assert sum(resumed.by_outcome().values()) == resumed.compared
    done = parts.tally(version, literals)
    assert list(parts.compare(pg_connection, version, literals, 1900, done)) == [], "nothing is left to do"


@pytest.mark.pg("18")
def test_a_difference_is_counted_and_kept(
    pg_connection: Connection[Any], pg_cluster: Cluster, tmp_path: Path
) -> None:
    class Wrong(Subject):
        def read(self, text: str, version: PgVersion) -> Reading:
            reading = super().read(text, version)
            return replace(reading, value=8) if text == "0" else reading

    wrong = Wrong(LITERALS, {"decimal integer": subject(LITERALS).classes["decimal integer"]})
    run = ConformanceRun(tmp_path, batch=5000)
    *_, tally = run.compare(pg_connection, pg_cluster.version, wrong, 1, run.tally(pg_cluster.version, wrong))
    assert tally.differing > 0
    assert tally.differences[0] == {
        "text": "0",
        "server": "integer '0'",
        "model": "integer '8'",
        "class": "decimal integer",
    }


@pytest.mark.pg("18")
def test_a_server_that_dies_loses_one_block(create_pg: Callable[..., Cluster], tmp_path: Path) -> None:
    cluster = create_pg()
    run, literals = ConformanceRun(tmp_path, batch=400), subject(LITERALS)
    with cluster.connect(dbname="postgres") as connection:
        blocks = run.compare(
            connection, cluster.version, literals, 10_000, run.tally(cluster.version, literals)
        )
        next(blocks)
        kept = next(blocks)
        cluster.stop("immediate")
        with pytest.raises(EvaluationError, match="block 2: texts 800 to 1199") as raised:
            next(blocks)
    assert raised.value.position == 800
    assert run.tally(cluster.version, literals) == kept


def test_another_runs_files_are_not_mixed_in(tmp_path: Path, pg_cluster: Cluster) -> None:
    version, literals = pg_cluster.version, subject(LITERALS)
    with pg_cluster.connect(dbname="postgres") as connection:
        run = ConformanceRun(tmp_path, batch=50)
        list(run.compare(connection, version, literals, 1, run.tally(version, literals)))
    with pytest.raises(LiteralError, match="seed 1"):
        ConformanceRun(tmp_path, seed=2, batch=50).tally(version, literals)
    (file,) = tmp_path.iterdir()
    file.write_text("{")
    with pytest.raises(LiteralError, match="damaged"):
        run.tally(version, literals)


def test_a_batch_has_at_least_one_text(tmp_path: Path) -> None:
    with pytest.raises(LiteralError, match="batch of -5"):
        ConformanceRun(tmp_path, batch=-5)


def test_models_need_neither_psycopg_nor_hypothesis() -> None:
    program = (
        "import sys; import pytest_pgfeatures.literals as l; l.read_numeric('0x1F', 16); "
        "l.read_input('1', 'int4', 16); "
        "print(sorted({'psycopg', 'hypothesis', 'sqlglot', 'rich', 'click'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


def test_public_names_are_there() -> None:
    from pytest_pgfeatures import literals

    assert all(callable(getattr(literals, name)) for name in literals.__all__)
    assert set(dir(literals)) == set(literals.__all__)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = literals.nothing_like_it
