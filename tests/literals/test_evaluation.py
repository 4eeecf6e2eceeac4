"""Asking real servers: what comes back, and that nothing but the literals is ever run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pgfeatures.errors import EvaluationError, LiteralError
from pytest_pgfeatures.literals import Evaluation, evaluate, evaluate_expressions, evaluate_input, in_batches

if TYPE_CHECKING:
    from collections.abc import Callable

    from psycopg import Connection

    from pytest_pgfeatures.server import Cluster


def test_each_text_is_answered_on_its_own(pg_connection: Connection[Any]) -> None:
    answers = evaluate(pg_connection, ["1", "1e999999", "x", "-2147483649", ".50", "$1", "2isnull x"[:1]])
    assert [(answer.type, answer.value, answer.sqlstate) for answer in answers] == [
        ("integer", "1", None),
        (None, None, "22003"),
        (None, None, "42703"),
        ("bigint", "-2147483649", None),
        ("numeric", "0.50", None),
        (None, None, "42P02"),
        ("integer", "2", None),
    ]
    assert answers[1].message == "value overflows numeric format"


@pytest.mark.pg("<15")
def test_what_an_old_server_splits_off_is_the_label(pg_connection: Connection[Any]) -> None:
    answers = evaluate(pg_connection, ["0x1F", "1_000", "1e", "1é", "1" + "b" * 80, "1"])
    assert [answer.label for answer in answers] == ["x1f", "_000", "e", "é", "b" * 63, None]
    assert {answer.value for answer in answers} == {"0", "1"}


@pytest.mark.pg(">=16")
def test_a_new_server_reads_it(pg_connection: Connection[Any]) -> None:
    answers = evaluate(pg_connection, ["0x1F", "1_000", "1e", "5 b"])
    assert [(answer.value, answer.label) for answer in answers] == [
        ("31", None),
        ("1000", None),
        (None, None),
        ("5", "b"),
    ]


def test_the_longest_numbers_come_back_whole(pg_connection: Connection[Any]) -> None:
    longest = "9" * 131072
    (answer, too_long) = evaluate(pg_connection, [longest, longest + "9"])
    assert (answer.value, too_long.sqlstate) == (longest, "22003")


def test_nothing_is_asked_of_no_texts(pg_connection: Connection[Any]) -> None:
    assert evaluate(pg_connection, []) == []


HOSTILE = [
    "1; DROP TABLE kept",
    "1;DROP TABLE kept;--",
    "(SELECT spoil())",
    "spoil()",
    "1 FROM spoiling",
    "1from spoiling",
    "1 from\nspoiling",
    "1 x from spoiling",
    "1--\nfrom spoiling",
    "1 union table spoiling",
    "1 INTO spoiled",
    "1into spoiled",
    "1) AS s(c); DROP TABLE kept; --",
    "1) AS s(c), spoiling",
    "'1'",
    "1'",
    '1"',
    'U&"x"',
    "$$1$$",
    "$a$1$a$; DROP TABLE kept",
    "/* 1",
    "1 /* */",
    "-- 1",
    "--",
    "1\0",
    "\0",
    "\\",
    "1\\; DROP TABLE kept",
    "1\u2028; DROP TABLE kept",
    "E'\\''",
    "COMMIT",
    "ROLLBACK",
    "1 for update",
    "current_user",
    "pg_sleep(9)",
    "1 limit spoil()",
    "%s %(x)s",
    "{0}",
    "\ud800",
    "1" * 100_000 + ";",
]


@pytest.fixture
def trap(pg_connection: Connection[Any]) -> Callable[[], object]:
    """What an intruder would spoil; returns a function that tells whether it is as it was."""
    pg_connection.execute("CREATE TABLE kept AS SELECT 1 AS one")
    pg_connection.execute("CREATE SEQUENCE spoilt")
    pg_connection.execute(
        "CREATE FUNCTION spoil() RETURNS bigint LANGUAGE sql AS $$SELECT nextval('spoilt')$$"
    )
    pg_connection.execute("CREATE VIEW spoiling AS SELECT spoil() AS x")
    # Someone else's operators must not run either.
    pg_connection.execute("CREATE FUNCTION spoil(int, int) RETURNS bigint LANGUAGE sql AS 'SELECT spoil()'")
    pg_connection.execute("CREATE OPERATOR + (PROCEDURE = spoil, LEFTARG = int, RIGHTARG = int)")
    pg_connection.execute("SET search_path = public, pg_catalog")

    def state() -> object:
        relations = pg_connection.execute(
            "SELECT array_agg(relname ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            if pg_connection.info.server_version >= 90500
            else "SELECT array_agg(c.relname ORDER BY c.relname) FROM pg_class c JOIN pg_namespace n "
            "ON n.oid = c.relnamespace WHERE n.nspname = 'public'"
        ).fetchone()
        return relations, pg_connection.execute("SELECT is_called FROM spoilt").fetchone()

    return state


def test_no_text_runs_anything_else(pg_connection: Connection[Any], trap: Callable[[], object]) -> None:
    before = trap()
    answers = evaluate(pg_connection, HOSTILE)
    assert [answer.text for answer in answers] == HOSTILE
    assert all(answer.value is None or answer.type is None for answer in answers if "spoil" in answer.text)
    assert trap() == before
    assert evaluate(pg_connection, ["1+1"])[0].value == "2", "the operator in the search path did not run"
    assert trap() == before


def test_no_generated_text_runs_anything_else(
    pg_connection: Connection[Any], trap: Callable[[], object]
) -> None:
    pieces = st.sampled_from(
        [
            "1",
            "0x",
            "from",
            "into",
            "spoiling",
            "spoiled",
            "union",
            "table",
            "values",
            "limit",
            "spoil()",
            "drop",
            " ",
            "\n",
            "--",
            "/*",
            "*/",
            ";",
            "'",
            '"',
            "$$",
            "$a$",
            "(",
            ")",
            ".",
            ",",
            "+",
            "-",
            "\\",
            "é",
            "\x00",
        ]
    )
    before = trap()

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.one_of(st.lists(pieces, max_size=8).map("".join), st.text(max_size=8)), max_size=60))
    def check(texts: list[str]) -> None:
        assert [answer.text for answer in evaluate(pg_connection, texts)] == texts
        assert trap() == before

    check()


@pytest.mark.parametrize("text", ["1; SELECT 2", "'", "\0", "1 from t", "f(1)", "\ud800"])
def test_a_refused_text_says_why(pg_connection: Connection[Any], text: str) -> None:
    (answer,) = evaluate(pg_connection, [text])
    assert answer == Evaluation(text, refused=answer.refused)
    assert answer.refused


def test_an_input_function_takes_any_text_as_a_value(
    pg_connection: Connection[Any], trap: Callable[[], object]
) -> None:
    before = trap()
    answers = evaluate_input(pg_connection, [*HOSTILE, " 42\n"], "int4")
    assert trap() == before
    assert answers[-1] == Evaluation(" 42\n", "integer", "42")
    assert {answer.sqlstate for answer in answers[:-1] if answer.refused is None} <= {"22P02", "22003"}
    with pytest.raises(LiteralError, match="money"):
        evaluate_input(pg_connection, ["1"], "money")


def test_expressions_can_read_but_not_write(
    pg_connection: Connection[Any], trap: Callable[[], object]
) -> None:
    before = trap()
    answers = evaluate_expressions(pg_connection, ["1 + 0.5", "1/0", "1); DROP TABLE kept; SELECT (1"])
    assert [(answer.type, answer.value, answer.sqlstate) for answer in answers] == [
        ("numeric", "1.5", None),
        (None, None, "22012"),
        (None, None, answers[2].sqlstate),
    ]
    assert answers[2].sqlstate is not None
    assert trap() == before


def test_a_transaction_goes_on(pg_connection: Connection[Any]) -> None:
    with pg_connection.transaction():
        pg_connection.execute("CREATE TABLE within (x int)")
        assert evaluate(pg_connection, ["1x" * 3, "1"])[1].value == "1"
        assert pg_connection.execute("SELECT count(*) FROM within").fetchone() == (0,)


def test_a_failed_transaction_is_an_error_with_a_remedy(pg_connection: Connection[Any]) -> None:
    pg_connection.autocommit = False
    with pytest.raises(Exception, match="division"):
        pg_connection.execute("SELECT 1/0")
    with pytest.raises(EvaluationError, match="did not answer") as raised:
        evaluate(pg_connection, ["1"])
    assert raised.value.remedy
    pg_connection.rollback()
    assert evaluate(pg_connection, ["1"])[0].value == "1"


def test_only_a_database_in_utf8_is_sent_other_characters_than_ascii(pg_cluster: Cluster) -> None:
    with pg_cluster.connect(dbname="postgres") as connection:
        connection.execute(
            "CREATE DATABASE l9 TEMPLATE template0 ENCODING 'LATIN9' LC_COLLATE 'C' LC_CTYPE 'C'"
        )
    try:
        with pg_cluster.connect(dbname="l9") as connection:
            answers = evaluate(connection, ["1é", "1"])
            assert (answers[0].refused, answers[1].value) == (
                "the database's encoding is LATIN9, and only UTF8 takes every character",
                "1",
            )
    finally:
        with pg_cluster.connect(dbname="postgres") as connection:
            connection.execute("DROP DATABASE l9")


@pytest.mark.pg("18")
def test_a_server_that_dies_leaves_the_batches_before(create_pg: Callable[..., Cluster]) -> None:
    cluster = create_pg()
    known = []
    with cluster.connect(dbname="postgres") as connection:
        batches = in_batches(connection, (str(number) for number in range(1000)), batch=300)
        known += next(batches)
        known += next(batches)
        cluster.stop("immediate")
        with pytest.raises(EvaluationError, match="literals 600 to 899") as raised:
            next(batches)
    assert raised.value.position == 600
    assert [answer.value for answer in known] == [str(number) for number in range(600)]


@pytest.mark.pg("18")
@pytest.mark.parametrize("batch", [0, -1])
def test_a_batch_has_at_least_one_text(pg_connection: Connection[Any], batch: int) -> None:
    with pytest.raises(LiteralError, match=f"batch of {batch}"):
        in_batches(pg_connection, ["1"], batch=batch)
