"""The smallest text on which two readers disagree."""

from __future__ import annotations

import pickle
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import (
    DivergenceError,
    diverges,
    integer_literals,
    literals_that_differ,
    same_on,
)
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster


def python_int(text: str) -> int:
    return int(text, 0)


def test_two_models_diverge_on_the_smallest_literal() -> None:
    found = diverges(15, 16)
    assert found is not None
    assert found.text in ("0_0", "0x0", "0o0", "0b0")
    assert found.answers[0].sqlstate == "42601"
    assert found.answers[1].error is None
    assert str(found).splitlines()[0] == found.text


def test_a_model_does_not_diverge_from_itself_or_from_one_that_reads_alike() -> None:
    assert diverges(16, 16, examples=200) is None
    assert diverges(16, 17, examples=200) is None


def test_a_parser_diverges_where_its_value_or_its_refusal_does() -> None:
    # Python takes 0x1F and 1_000 as 16 does, and refuses a decimal number with a leading zero.
    found = diverges(16, python_int, integer_literals(10))
    assert found is not None
    assert found.text in {"01"}
    assert found.answers[1].error is not None
    assert found.answers[1].error.startswith("ValueError")
    assert diverges(16, python_int, integer_literals(16), examples=300) is None


def test_a_parser_that_splits_off_nothing_diverges_from_an_old_server() -> None:
    found = diverges("14", Decimal, st.sampled_from(["1", "12x", "1.5"]))
    assert found is not None
    assert (found.text, found.answers[0].label) == ("0x", "x")


def test_what_is_no_reader_is_refused() -> None:
    with pytest.raises(LiteralError, match="reads no literals"):
        diverges(16, 1.5)
    with pytest.raises(LiteralError, match="0 examples"):
        diverges(15, 16, examples=0)


def test_a_server_diverges_from_the_model_of_another_major_only(pg_cluster: Cluster) -> None:
    assert diverges(pg_cluster, pg_cluster.version, examples=60) is None
    other = 16 if pg_cluster.version in VersionSet("<16") else 14
    found = diverges(pg_cluster, other, literals_that_differ((pg_cluster.version, other)), examples=20)
    assert found is not None
    assert found.answers[0].reader == f"PostgreSQL {pg_cluster.version}"


@pytest.mark.pg("18")
def test_two_servers_diverge_on_the_smallest_literal(create_pg: Callable[..., Cluster]) -> None:
    old, new = create_pg(version="14"), create_pg(version="16")
    found = diverges(old, new, examples=300)
    assert found is not None
    assert len(found.text) <= 2


@pytest.mark.pg("18")
def test_expressions_are_the_same_on_all_servers_or_shown(create_pg: Callable[..., Cluster]) -> None:
    servers = [create_pg(version=version) for version in ("9.6", "13", "18")]
    numbers = st.integers(-(10**20), 10**20)
    same_on(servers, st.builds("{} + {}".format, numbers, numbers), examples=50)
    shifts = st.builds("log({}::numeric)".format, st.sampled_from(["10", "2"]))
    same_on(servers, shifts, examples=5)
    # numeric got infinities in 14.
    words = st.builds(
        "'{}'::numeric + {}".format, st.sampled_from(["0", "1", "infinity"]), st.integers(0, 99)
    )
    with pytest.raises(DivergenceError) as raised:
        same_on(servers, words, examples=50)
    found = raised.value.divergence
    assert found.text == "'infinity'::numeric + 0"
    assert [answer.sqlstate for answer in found.answers] == ["22P02", "22P02", None]
    assert "PostgreSQL 18" in str(raised.value)
    assert isinstance(raised.value, AssertionError)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


@pytest.mark.pg("18")
def test_one_server_is_none_to_compare(pg_cluster: Cluster) -> None:
    with pytest.raises(LiteralError, match="1 servers"):
        same_on([pg_cluster], st.just("1"))
