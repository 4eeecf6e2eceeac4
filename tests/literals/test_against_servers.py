"""The models against real servers, on every major of the matrix.

`make literals` does the same for a million texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from devtools.conformance.run import ConformanceRun
from devtools.conformance.subjects import LITERALS, subject
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import (
    evaluate,
    evaluate_input,
    input_strings,
    malformed_numeric_literals,
    numeric_literals,
    overflowing_numeric_literals,
    read_input,
    read_numeric,
)
from pytest_pgfeatures.literals.inputs import INPUT_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from psycopg import Connection

    from pytest_pgfeatures.literals import Evaluation, Reading
    from pytest_pgfeatures.server import Cluster

some = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def differences(
    answers: list[Evaluation], read: Callable[[str], Reading]
) -> list[tuple[Evaluation, Reading]]:
    """Where server and model tell of the same text and do not say the same."""
    found = []
    for answer in answers:
        try:
            reading = read(answer.text)
        except LiteralError:
            continue
        if answer.refused is None and not answer.agrees(reading):
            found.append((answer, reading))
    return found


# Every difference that was ever found between model and server, or that a first model would have had.
REGRESSIONS = {
    "up to 9.4 the message about WITH shows the token behind it": "7 With 5",
    "up to 9.4 the same for NULLS, and blanks at the end": "7nulls ",
    "a parameter can have fields": "$1.x",
    "and is incomplete after a dot": "$87.",
    "a name can have fields, too": "_1.a.b",
    "up to 10 the smallest bigint with a zero before is numeric": "-09223372036854775808",
    "the last exponent up to 15": "0e1073741823",
    "the last exponent from 16 on": "0e1073741824",
    "a zero with too many decimals overflows": "0e-16384",
    "hexadecimal digits before a minus are no exponent": "0x1e-5",
    "a comment is nothing": "--5",
    "postfix operators": "1 notnull x",
    "key words that continue the statement": "1 union",
    "a key word that is a label from 14 on": "1 and",
    "a key word that is none in 19 any more": "1 ignore",
    "collate belongs to the last number of a sum": "1-1 collate",
    "and so does at": "1 - -1 At",
    "but to a number with a sign it is a label": "-1 collate",
    "a parameter's number wraps up to 17": "$4294967297",
    "and saturates": "$99999999999999999999",
    "minus after plus overflows": "-+-2147483648",
    "15 knows no exponent without digits": "1e+",
    "junk of 16 in other bases": "0x1Fgh",
    "a prefix alone": "0x_",
    "dots are given back": "1..2",
    "digits behind an underscore may be of a word": "8_8$0F30",
    "and so behind a dot": "8.8_8$",
    "and of an exponent": "8e8_8$",
    "the name is cut between characters": "1" + "é" * 40,
}


@pytest.mark.parametrize("text", REGRESSIONS.values(), ids=REGRESSIONS)
def test_differences_found_once_stay_settled(pg_cluster: Cluster, text: str) -> None:
    with pg_cluster.connect(dbname="postgres") as connection:
        answers = evaluate(connection, [text])
    assert not differences(answers, lambda text: read_numeric(text, pg_cluster.version))


def test_server_and_model_agree_on_literals(pg_connection: Connection[Any], pg_cluster: Cluster) -> None:
    version = pg_cluster.version
    one = numeric_literals(version=version) | numeric_literals() | malformed_numeric_literals()
    one |= overflowing_numeric_literals(version=version)
    signed = st.tuples(st.sampled_from(["", "", "-", "+", "- -", "-+"]), one).map("".join)

    @some
    @given(st.lists(signed, min_size=1, max_size=40))
    def check(texts: list[str]) -> None:
        assert not differences(evaluate(pg_connection, texts), lambda text: read_numeric(text, version))

    check()


def test_a_server_accepts_all_numeric_literals_of_its_version_and_no_overflowing_one(
    pg_connection: Connection[Any], pg_cluster: Cluster
) -> None:
    """The comparisons above don't show this: model and server agree that 1e-16384 is out of range."""
    version = pg_cluster.version

    @some
    @given(
        st.lists(numeric_literals(version=version), min_size=1, max_size=40),
        st.lists(overflowing_numeric_literals(version=version), min_size=1, max_size=10),
    )
    def check(good: list[str], bad: list[str]) -> None:
        answers = evaluate(pg_connection, [*good, *bad])
        assert [answer.text for answer in answers[: len(good)] if answer.sqlstate is not None] == []
        assert [answer.text for answer in answers[len(good) :] if answer.sqlstate is None] == []

    check()


@pytest.mark.parametrize("type", INPUT_TYPES)
def test_server_and_model_agree_on_input_functions(
    pg_connection: Connection[Any], pg_cluster: Cluster, type: str
) -> None:
    version = pg_cluster.version

    @some
    @given(st.lists(input_strings(type) | st.text(max_size=5), min_size=1, max_size=40))
    def check(texts: list[str]) -> None:
        answers = evaluate_input(pg_connection, texts, type)
        assert not differences(answers, lambda text: read_input(text, type, version))

    check()


@pytest.mark.parametrize("name", [LITERALS, *INPUT_TYPES])
def test_server_and_model_agree_on_a_block_of_the_conformance_run(
    pg_connection: Connection[Any], pg_cluster: Cluster, tmp_path: Path, name: str
) -> None:
    run = ConformanceRun(tmp_path, seed=2, batch=3000)
    known = run.tally(pg_cluster.version, subject(name))
    for tally in run.compare(pg_connection, pg_cluster.version, subject(name), 1000, known):
        assert tally.differences == []
        assert tally.compared > tally.beyond * 5
