"""INSERTs are sent many at once; the result is as if each were sent alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import psycopg
import pytest

from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.servers import loading
from pytest_pgfeatures.readiness.servers.loading import CANCELED, Refusal, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from psycopg import pq

    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.server.watchdog import Watchdog

TABLE = """\
CREATE TABLE t (
    id serial PRIMARY KEY, value integer CHECK (value > 0), at timestamptz DEFAULT now(),
    again integer UNIQUE DEFERRABLE INITIALLY DEFERRED);
"""
MIXED = f"""{TABLE}
INSERT INTO t (value) VALUES (1);
INSERT INTO t (value) VALUES (0);
INSERT INTO t (value) VALUES (2);
INSERT INTO t (value, again) VALUES (3, 7);
INSERT INTO t (value, again) VALUES (4, 7);
INSERT INTO t (value) VALUES (';');
INSERT INTO nowhere VALUES (1);
INSERT INTO t (value) VALUES (5) RETURNING value, 'a;b';
INSERT INTO t (value) VALUES ($1);
INSERT INTO t (value) VALUES (CASE WHEN 'missing'::regrole IS NULL THEN 0 ELSE 6 END);
INSERT INTO t (value) SELECT n FROM generate_series(7, 9) n;
"""
INSIDE = f"""{TABLE}
BEGIN;
INSERT INTO t (value) VALUES (1);
INSERT INTO t (value) VALUES (0);
INSERT INTO t (value) VALUES (2);
INSERT INTO nowhere VALUES (1);
INSERT INTO t (value) VALUES (3);
COMMIT;
INSERT INTO t (value) VALUES (4);
INSERT INTO t (value) VALUES (5);
"""


@pytest.fixture
def sent(tmp_path: Path) -> Callable[[str], list[Loadable]]:
    def read(text: str) -> list[Loadable]:
        return list(SqlReader("schema", cast("Callable[[], Resolver]", None)).text(text, "s.sql", tmp_path))

    return read


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of INSERTs that were sent at once."""
    counts: list[int] = []
    known = loading.results

    def counting(
        watchdog: Watchdog, groups: Sequence[Sequence[Callable[[], None]]]
    ) -> Iterator[list[pq.abc.PGresult] | Refusal]:
        counts.append(len(groups))
        return known(watchdog, groups)

    monkeypatch.setattr(loading, "results", counting)
    return counts


def rows(connection: psycopg.Connection) -> list[tuple[int, int]]:
    return connection.execute("SELECT id, value FROM t ORDER BY id").fetchall()


def told(refusals: Sequence[Refusal | None]) -> list[tuple[str, str, int | None] | None]:
    return [each and (each.sqlstate, each.message, each.position) for each in refusals]


@pytest.mark.pg
@pytest.mark.parametrize("script", [MIXED, INSIDE], ids=["each a transaction", "in one transaction"])
def test_the_result_is_that_of_one_by_one(
    pg_connection: psycopg.Connection,
    sent: Callable[[str], list[Loadable]],
    batches: list[int],
    monkeypatch: pytest.MonkeyPatch,
    script: str,
) -> None:
    statements = sent(script)
    together = load(pg_connection, statements, timeout=60)
    made = rows(pg_connection)
    assert batches
    assert sum(1 for each in together.refusals if each) > 1
    times = pg_connection.execute("SELECT count(DISTINCT at) FROM t").fetchone()
    pg_connection.execute("DROP TABLE t; DROP ROLE IF EXISTS missing")
    batches.clear()
    monkeypatch.setattr(loading, "_MOST_INSERTS", 1)
    alone = load(pg_connection, statements, timeout=60)
    assert batches == []
    assert told(together.refusals) == told(alone.refusals)
    assert together.roles == alone.roles
    assert made == rows(pg_connection)
    assert times == pg_connection.execute("SELECT count(DISTINCT at) FROM t").fetchone()
    pg_connection.execute("DROP ROLE IF EXISTS missing")


@pytest.mark.pg("18")
def test_only_the_one_that_takes_too_long_is_canceled(
    pg_connection: psycopg.Connection, sent: Callable[[str], list[Loadable]], batches: list[int]
) -> None:
    slow = "INSERT INTO t (value) SELECT 2 FROM pg_sleep(600);"
    script = f"{TABLE}INSERT INTO t (value) VALUES (1);\n{slow}\nINSERT INTO t (value) VALUES (3);"
    found = load(pg_connection, sent(script), timeout=1)
    assert [each and each.sqlstate for each in found.refusals] == [None, None, CANCELED, None]
    assert batches == [3]
    assert [value for _, value in rows(pg_connection)] == [1, 3]


@pytest.mark.pg("18")
def test_a_lost_connection_is_told_at_its_statement(
    pg_connection: psycopg.Connection, sent: Callable[[str], list[Loadable]]
) -> None:
    ended = "INSERT INTO t (value) SELECT 2 FROM pg_terminate_backend(pg_backend_pid());"
    script = f"{TABLE}INSERT INTO t (value) VALUES (1);\n{ended}\nINSERT INTO t (value) VALUES (3);"
    reached: list[int] = []
    with pytest.raises(psycopg.OperationalError) as caught:
        load(pg_connection, sent(script), timeout=60, progress=reached.append)
    assert reached[-1] == 2
    assert caught.value.sqlstate == "57P01"
