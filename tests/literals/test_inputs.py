"""The model's answers about input functions, on facts measured on servers."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import read_input
from pytest_pgfeatures.literals.inputs import INPUT_TYPES, input_type


def outcome(text: str, type: str, version: object) -> object:
    reading = read_input(text, type, version)  # type: ignore[arg-type]
    return reading.value if reading.sqlstate is None else reading.sqlstate


@pytest.mark.parametrize("type", ["smallint", "integer", "bigint", "numeric", "oid"])
def test_16_reads_hexadecimal_text(type: str) -> None:
    assert outcome("0x1F", type, 15) == "22P02"
    assert outcome("0x1F", type, 16) == 31


@pytest.mark.parametrize("type", ["smallint", "integer", "bigint", "numeric"])
def test_16_reads_underscores_but_not_for_oid_and_float(type: str) -> None:
    assert outcome("1_000", type, 15) == "22P02"
    assert outcome("1_000", type, 16) == 1000
    assert outcome("_1", type, 16) == outcome("1__0", type, 16) == outcome("1_", type, 16) == "22P02"
    assert outcome("1_000", "oid", 16) == outcome("1_000", "float8", 16) == "22P02"


@pytest.mark.parametrize(
    ("type", "power", "message"),
    [
        ("int2", 15, 'value "{}" is out of range for type smallint'),
        ("int4", 31, 'value "{}" is out of range for type integer'),
        ("int8", 63, 'value "{}" is out of range for type bigint'),
    ],
)
def test_integers_end_at_their_limits(type: str, power: int, message: str) -> None:
    limit = 2**power
    for version in ("9.3", 11, 12, 15, 16, 19):
        assert outcome(f" {limit - 1}\v", type, version) == limit - 1
        assert outcome(f"-{limit}", type, version) == -limit
        for beyond in (str(limit), f"-{limit + 1}", f"{limit}0"):
            reading = read_input(beyond, type, version)
            assert (reading.sqlstate, reading.message) == ("22003", message.format(beyond))
    assert outcome(f"-0x{limit:x}", type, 16) == -limit
    assert outcome(f"0x{limit:x}", type, 16) == "22003"


@pytest.mark.parametrize(
    ("text", "by_version"),
    [
        # Whether the overflow or the junk is noticed first has changed twice.
        ("2147483648x", {11: "22003", 12: "22P02", 15: "22P02", 16: "22P02"}),
        ("2147483649x", {11: "22003", 12: "22003", 15: "22003", 16: "22P02"}),
        ("-2147483648x", {11: "22P02", 12: "22P02", 15: "22P02", 16: "22P02"}),
        ("21474836480x", {11: "22003", 12: "22003", 15: "22003", 16: "22003"}),
    ],
)
def test_overflow_or_junk(text: str, by_version: dict[int, str]) -> None:
    assert {version: outcome(text, "integer", version) for version in by_version} == by_version


def test_up_to_10_the_smallest_bigint_is_known_by_its_text() -> None:
    assert outcome("-9223372036854775808", "bigint", 10) == -(2**63)
    assert outcome("-09223372036854775808", "bigint", 10) == "22003"
    assert outcome("-92233720368547758080", "bigint", 10) == "22P02"
    assert outcome("-09223372036854775808", "bigint", 11) == -(2**63)
    assert outcome("-92233720368547758080", "bigint", 11) == "22003"


def test_12_names_the_integer_type() -> None:
    assert read_input("x", "bigint", 11).message == 'invalid input syntax for integer: "x"'
    assert read_input("x", "bigint", 12).message == 'invalid input syntax for type bigint: "x"'


def test_numeric_infinity_is_new_in_14() -> None:
    assert outcome("Infinity", "numeric", 13) == "22P02"
    assert outcome(" -inf ", "numeric", 14) == Decimal("-Infinity")
    assert math.isnan(read_input("nan", "numeric", "9.3").value or 0)
    assert outcome("+nan", "numeric", 14) == outcome("-NaN", "numeric", 16) == "22P02"


def test_up_to_15_an_exponent_of_numeric_may_be_apart() -> None:
    assert outcome("1e 5", "numeric", 15) == outcome("1e\n+5", "numeric", 15) == 100000
    assert outcome("1e 5", "numeric", 16) == "22P02"


def test_float8_is_what_the_c_library_reads() -> None:
    for version in ("9.3", 15, 19):
        assert outcome("0x1F", "float8", version) == 31.0
        assert outcome("0x1.8p1", "double precision", version) == 3.0
        assert outcome("4.9e-324", "float8", version) == 5e-324
        assert outcome("1e400", "float8", version) == outcome("2.4e-324", "float8", version) == "22003"
        assert math.isnan(read_input("-nan(x)", "float8", version).value or 0)
        assert outcome("-INF", "float8", version) == -math.inf
        assert outcome("0b1", "float8", version) == "22P02"


def test_9_6_names_only_the_number_that_is_out_of_a_floats_range() -> None:
    assert read_input(" 1e400x", "float8", "9.5").message == (
        '" 1e400x" is out of range for type double precision'
    )
    assert read_input(" 1e400x", "float8", "9.6").message == (
        '"1e400" is out of range for type double precision'
    )


def test_a_leading_zero_makes_an_oid_octal_since_16() -> None:
    assert [outcome("010", "oid", version) for version in (15, 16)] == [10, 8]
    assert outcome("-1", "oid", 13) == 4294967295
    assert outcome("-2147483649", "oid", 13) == outcome("4294967296", "oid", 13) == "22003"
    with pytest.raises(LiteralError, match="C library"):
        read_input("0b101", "oid", 17)


@pytest.mark.parametrize("text", ["0x1F", "1_000", "+1", ".5", "1.x", "01", "NaN", ""])
def test_json_numbers_are_jsons_on_every_major(text: str) -> None:
    for version in ("9.3", 14, 16, 19):
        assert outcome(text, "json", version) == "22P02"
        assert outcome("-1.50e1", "json", version) == Decimal("-15.0")


def test_what_json_of_9_3_makes_of_half_a_number_is_anyones_guess() -> None:
    for text in ("-", "1.", "1e", "1e+"):
        with pytest.raises(LiteralError, match="memory"):
            read_input(text, "json", "9.3")
        assert outcome(text, "json", "9.4") == "22P02"


def test_jsonb_numbers_are_numeric() -> None:
    assert outcome("1", "jsonb", "9.3") == "42704"
    assert outcome("1e1001", "jsonb", "9.5.4") == "22P02"
    assert outcome("1e131072", "jsonb", "9.6") == "22003"
    assert outcome("1e131072", "json", "9.6") == Decimal("1e131072")


@pytest.mark.parametrize(
    ("text", "by_version"),
    [
        (".5", {12: "42601", 14: "42601", 15: Decimal("0.5"), 16: Decimal("0.5")}),
        ("0x1F", {11: "42704", 12: "42601", 15: "42601", 16: 31}),
        ("1_0", {14: "42601", 15: "42601", 16: 10}),
        ("- -5", {12: 5, 19: 5}),
        ("1e131072", {12: "22003", 19: "22003"}),
        ("", {12: "22P02", 19: "22P02"}),
    ],
)
def test_jsonpath_numbers(text: str, by_version: dict[int, object]) -> None:
    assert {version: outcome(text, "jsonpath", version) for version in by_version} == by_version


def test_the_message_of_jsonpath_names_its_junk_since_15() -> None:
    assert read_input("01", "jsonpath", 14).message == "syntax error at end of jsonpath input"
    assert read_input("01", "jsonpath", 15).message == (
        'trailing junk after numeric literal at or near "01" of jsonpath input'
    )


def test_types_have_all_their_names() -> None:
    assert [input_type(name) for name in ("int4", "INT8", "float8", "decimal")] == [
        "integer",
        "bigint",
        "double precision",
        "numeric",
    ]
    assert all(input_type(name) == name for name in INPUT_TYPES)
    with pytest.raises(LiteralError, match="money"):
        read_input("1", "money", 16)


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("null", "json"),
        ('"1"', "jsonb"),
        ("$.a", "jsonpath"),
        ("5 A\\", "jsonpath"),
        ("1-2", "jsonpath"),
        *(("1\0", type) for type in INPUT_TYPES),
        *(("1\ud800", type) for type in INPUT_TYPES),
    ],
)
def test_what_is_no_number_is_refused_not_guessed(text: str, type: str) -> None:
    with pytest.raises(LiteralError):
        read_input(text, type, 16)
