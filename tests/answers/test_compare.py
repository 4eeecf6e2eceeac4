"""Comparison of two servers' answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures import Database, compare
from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.server import Cluster

pytestmark = pytest.mark.pg(matrix=False)  # they pick their own versions

SETUP = """
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE t (a int, b text, m mood);
INSERT INTO t VALUES (1, 'x', 'bad'), (1, 'y', NULL), (2, NULL, 'good'), (NULL, '', 'good');
CREATE FUNCTION warn(text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING '%', $1; RETURN 1; END $$;
"""


@pytest.fixture
def pair(create_pgs: Callable[..., tuple[Cluster, ...]]) -> Iterator[tuple[Cluster, ...]]:
    """12 and 14: the types of the user's have other OIDs on the new one, and rows lie in another order there."""
    old, new = create_pgs("old", "new", version={"old": "12", "new": "14"})
    old.sql(SETUP)
    new.sql("CREATE TABLE before (a int)")
    new.sql(SETUP)
    new.sql("UPDATE t SET a = a WHERE b = 'x'")
    return old, new


SAME = (
    "SELECT 'NaN'::float8, 'NaN'::numeric",
    "SELECT a, b FROM t",
    "SELECT a, b FROM t ORDER BY a",
    "SELECT m FROM t ORDER BY b, m",
    "SELECT b FROM t ORDER BY a",
    "SELECT table_name FROM information_schema.tables WHERE table_name = 't'",
    "SELECT 1/0",
    "SELECT nothing",
    "SELECT warn('the same')",
    "UPDATE t SET a = a WHERE a = 2",
    "VACUUM t",
    "SELECT 1 WHERE '%' LIKE '%'",
)
DIFFERENT = {
    "SELECT extract(epoch FROM timestamp '2020-01-01')": (
        "columns differ:\n--- 12.22\n+++ 14.23\n-date_part double precision\n+extract numeric"
    ),
    "SELECT 1 AS same, 'x' || current_setting('server_version_num') AS v": "rows differ (1 rows, in any order):",
    "SELECT 0.1::float4::float8 AS f, current_setting('server_version_num')::int > 130000 AS n": (
        "-0.10000000149011612 | f\n+0.10000000149011612 | t"
    ),
    "SELECT 5!": "one refuses it, or they refuse it with other errors:\n- 12.22: accepts it\n+ 14.23: 42601",
    "SELECT warn(current_setting('server_version_num'))": "notices and warnings differ:",
    "SELECT current_setting('server_version_num')::int / 10000 * g FROM generate_series(0, 1) g ORDER BY 1": (
        "rows differ (2 rows, in order):"
    ),
    "DELETE FROM t WHERE current_setting('server_version_num')::int > 130000": (
        "command tags differ:\n--- 12.22\n+++ 14.23\n-DELETE 0\n+DELETE 4"
    ),
}


def test_what_is_compared(pair: tuple[Cluster, ...]) -> None:
    for query in SAME:
        assert compare(pair, query), query
    assert not compare(pair, "SELECT a, b FROM t", ordered=True)
    for query, said in DIFFERENT.items():
        found = compare(pair, query)
        assert not found, query
        expected = said.replace("12.22", str(pair[0].version)).replace("14.23", str(pair[1].version))
        assert expected in str(found)
        assert str(found).startswith(query)
    assert compare(pair, "SELECT %s::int, %(a)s"[:14], [5])
    third = compare(
        (*pair, Database(pair[0], "template1")), "SELECT count(*) FROM pg_class WHERE relname = 't'"
    )
    assert third.names == (
        f"{pair[0].version} (old)",
        str(pair[1].version) + " (new)",
        f"{pair[0].version} (old)",
    )
    assert "-1\n+0" in str(third)


def test_one_server_is_too_few(pair: tuple[Cluster, ...]) -> None:
    with pytest.raises(PgFeaturesError, match="was given 1 server"):
        compare(pair[:1], "SELECT 1")
