"""The part of its rows' order that a query determines."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.answers.order import in_comparable_order, sort_keys


@pytest.mark.parametrize(
    ("query", "columns", "keys"),
    [
        ("SELECT a, b FROM t", "a b", None),
        ("SELECT a, b FROM t ORDER BY a", "a b", (0,)),
        ("SELECT a, b FROM t ORDER BY b DESC NULLS LAST, A LIMIT 3", "a b", (1, 0)),
        ("SELECT a, b FROM t ORDER BY 2, 1", "a b", (1, 0)),
        ("SELECT a, b FROM t ORDER BY 3", "a b", None),
        ("SELECT a, b FROM t ORDER BY c", "a b", None),
        ("SELECT a, b FROM t ORDER BY a, c", "a b", None),
        ('SELECT a AS "A;" FROM t ORDER BY "A;"', "A;", (0,)),
        ("SELECT t.a, u.a FROM t, u ORDER BY u.a", "a a", (1,)),
        ("SELECT t.a, u.a FROM t, u ORDER BY a", "a a", None),
        ("SELECT upper( b ), 1 FROM t ORDER BY upper(B) ASC", "upper ?column?", (0,)),
        ("SELECT upper(b) AS b FROM t ORDER BY t.b", "b", None),
        ("SELECT * FROM t ORDER BY a FOR UPDATE", "a b", (0,)),
        ("SELECT * FROM t ORDER BY t.a", "a b", None),
        ("SELECT * FROM (SELECT * FROM t ORDER BY a) s", "a b", None),
        ("SELECT row_number() OVER (ORDER BY a) FROM t", "row_number", None),
        ("SELECT a FROM t UNION SELECT a FROM u ORDER BY a", "a", (0,)),
        ("SELECT a FROM t UNION (SELECT a FROM u ORDER BY a)", "a", None),
        ("WITH w AS (SELECT 1 AS a) SELECT a FROM w ORDER BY a;", "a", (0,)),
        ("SELECT DISTINCT a FROM t ORDER BY a -- b\n", "a", (0,)),
        ("SELECT 1; SELECT 2 ORDER BY 1", "a", None),
        ("not SQL 'at all", "", None),
    ],
)
def test_what_a_query_sorts_by(query: str, columns: str, keys: tuple[int, ...] | None) -> None:
    assert sort_keys(query, columns.split()) == keys


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (None, [("1", "a"), ("1", "b"), ("2", "a"), (None, "c")]),
        ((0,), [("2", "a"), ("1", "a"), ("1", "b"), (None, "c")]),
        ((0, 1), [("2", "a"), ("1", "b"), ("1", "a"), (None, "c")]),
    ],
)
def test_rows_that_agree_in_the_keys_may_change_places(
    keys: tuple[int, ...] | None, expected: list[tuple[str | None, ...]]
) -> None:
    rows = [("2", "a"), ("1", "b"), ("1", "a"), (None, "c")]
    assert in_comparable_order(rows, keys) == expected
