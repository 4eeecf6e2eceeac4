"""The model's answers, on facts measured on servers (tests/literals/test_against_servers.py asks servers)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pytest_pgfeatures.errors import LiteralError, VersionError
from pytest_pgfeatures.literals import Reading, read_numeric
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion


def value_of(text: str, version: object) -> tuple[object, ...]:
    reading = read_numeric(text, version)  # type: ignore[arg-type]
    return reading.sqlstate or reading.type, reading.value, reading.label


OLD, NEW = ("9.3", "9.4", "9.5", "9.6", "10", "11", "12", "13", "14"), ("16", "17", "18", "19")
EVERY = (*OLD, "15", *NEW)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("0x1F", "x1f"),
        ("0o17", "o17"),
        ("0b101", "b101"),
        ("123abc", "abc"),
        ("1_000_000", "_000_000"),
        ("1e", "e"),
        ("0x_1F", "x_1f"),
        ("1é", "é"),
        ("1a$b", "a$b"),
    ],
)
def test_up_to_14_what_no_number_takes_becomes_the_columns_name(text: str, label: str) -> None:
    for version in OLD:
        assert value_of(text, version) == ("integer", int(text[0] if text[:3] != "123" else 123), label)


@pytest.mark.parametrize("text", ["0x1F", "0b101", "123abc", "1_000", "1e", "1e+", "1.5e", ".5x", "1é"])
def test_15_calls_it_trailing_junk(text: str) -> None:
    reading = read_numeric(text, 15)
    assert reading.sqlstate == "42601"
    assert reading.message == f'trailing junk after numeric literal at or near "{text}"'


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("0x1F", "integer", 31),
        ("0X_1f", "integer", 31),
        ("0o17", "integer", 15),
        ("0b101", "integer", 5),
        ("1_000_000", "integer", 1000000),
        ("0x7FFFFFFF", "integer", 2**31 - 1),
        ("0x80000000", "bigint", 2**31),
        ("0o777777777777777777777", "bigint", 2**63 - 1),
        ("0x8000000000000000", "numeric", Decimal(2**63)),
        ("-0x80000000", "integer", -(2**31)),
        ("-0x8000000000000000", "bigint", -(2**63)),
        ("1_500_000.000_5", "numeric", Decimal("1500000.0005")),
        ("1_000e1_0", "numeric", Decimal("10000000000000")),
        ("0x1e-5", "integer", 25),
    ],
)
def test_16_reads_other_bases_and_underscores(text: str, kind: str, value: object) -> None:
    for version in NEW:
        assert value_of(text, version) == (kind, value, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0x", 'invalid hexadecimal integer at or near "0x"'),
        ("0o_", 'invalid octal integer at or near "0o_"'),
        ("0B", 'invalid binary integer at or near "0B"'),
        ("0b2", 'trailing junk after numeric literal at or near "0b2"'),
        ("1__0", 'trailing junk after numeric literal at or near "1__0"'),
        ("100_", 'trailing junk after numeric literal at or near "100_"'),
        ("1e_5", 'trailing junk after numeric literal at or near "1e_5"'),
        ("1._5", 'trailing junk after numeric literal at or near "1._5"'),
        ("0x1.5", 'syntax error at or near ".5"'),
        ("$1_0", 'trailing junk after parameter at or near "$1_0"'),
        ("1$", 'syntax error at or near "$"'),
        ("1_0$x", 'trailing junk after numeric literal at or near "1_0$x"'),
        ("1..2", 'syntax error at or near ".."'),
        ("-", "syntax error at end of input"),
    ],
)
def test_16_says_what_is_wrong(text: str, message: str) -> None:
    for version in NEW:
        reading = read_numeric(text, version)
        assert (reading.sqlstate, reading.message) == ("42601", message)


@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("2147483647", "integer", 2147483647),
        ("2147483648", "bigint", 2147483648),
        ("-2147483648", "integer", -2147483648),
        ("-2147483649", "bigint", -2147483649),
        ("00000000000000000000000042", "integer", 42),
        ("9223372036854775807", "bigint", 2**63 - 1),
        ("9223372036854775808", "numeric", Decimal(2**63)),
        ("-9223372036854775808", "bigint", -(2**63)),
        ("1.50", "numeric", Decimal("1.50")),
        (".5", "numeric", Decimal("0.5")),
        ("5.", "numeric", Decimal(5)),
        ("1.5e3", "numeric", Decimal(1500)),
        ("1e-3", "numeric", Decimal("0.001")),
        ("-0.0", "numeric", Decimal("0.0")),
        ("- -5", "integer", 5),
        ("-+5", "integer", -5),
        ("+-2147483648", "integer", -2147483648),
        ("1-2", "integer", -1),
        ("--1\n5", "integer", 5),
    ],
)
def test_on_every_major_a_literal_takes_the_first_type_that_holds_it(
    version: str, text: str, kind: str, value: object
) -> None:
    assert value_of(text, version) == (kind, value, None)
    assert str(read_numeric(text, version).value) == str(value), "the display scale is part of the value"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-+-2147483648", "integer out of range"),
        ("2147483647+1", "integer out of range"),
        ("-+-9223372036854775808", "bigint out of range"),
        ("1e131072", "value overflows numeric format"),
        ("1e-16384", "value overflows numeric format"),
        ("9" * 131073, "value overflows numeric format"),
        ("." + "0" * 16384, "value overflows numeric format"),
        ("9" * 131072 + "+" + "9" * 131072, "value overflows numeric format"),
    ],
)
def test_values_out_of_range_are_errors_of_the_value_not_of_the_syntax(text: str, message: str) -> None:
    reading = read_numeric(text, 18)
    assert (reading.sqlstate, reading.message) == ("22003", message)


def test_the_longest_numbers_are_exact() -> None:
    assert read_numeric("9" * 131072, 14).value == Decimal("9" * 131072)
    assert read_numeric("0x" + "f" * 100000, 16).value == 16**100000 - 1
    assert read_numeric("1e131071", 18).shown == "1" + "0" * 131071
    assert read_numeric("0" * 200000 + "7", 18) == Reading("integer", 7)


@pytest.mark.parametrize(("last", "first"), [("9.3.14", "9.3.15"), ("9.4.9", "9.4.10"), ("9.5.4", "9.5.5")])
def test_until_october_2016_an_exponent_ended_at_1000(last: str, first: str) -> None:
    assert value_of("1e1000", last)[0] == "numeric"
    beyond = read_numeric("-1e1001", last)
    assert (beyond.sqlstate, beyond.message) == (
        "22P02",
        'invalid input syntax for type numeric: "-1e1001"',
    )
    for version in (first, str(PgVersion(first).major), "9.6.0"):
        assert value_of("-1e1001", version)[0] == "numeric"


def test_16_moved_the_last_exponent_by_one() -> None:
    assert value_of("0e1073741823", 15)[0] == "22003"
    assert value_of("0e1073741823", 16) == ("numeric", Decimal(0), None)
    assert value_of("0e1073741824", 16)[0] == "22003"


def test_up_to_10_the_smallest_bigint_has_no_leading_zero() -> None:
    assert value_of("-09223372036854775808", 10) == ("numeric", Decimal(-(2**63)), None)
    assert value_of("-09223372036854775808", 11) == ("bigint", -(2**63), None)


def test_parameters() -> None:
    for version in EVERY:
        assert read_numeric("$1", version) == Reading(sqlstate="42P02", message="there is no parameter $1")
    assert read_numeric("$1abc", 14).message == "there is no parameter $1"
    assert read_numeric("$1abc", 15).message == 'trailing junk after parameter at or near "$1abc"'
    assert read_numeric("$4294967297", 17).message == "there is no parameter $1"
    assert read_numeric("$99999999999999999999", 17).message == "there is no parameter $-1"
    assert read_numeric("$2147483648", 18).message == ('parameter number too large at or near "$2147483648"')


def test_a_key_word_behind_a_number_is_no_name() -> None:
    assert read_numeric("1day", 13).message == 'syntax error at or near "day"'
    assert read_numeric("1abort", 13).message == 'syntax error at or near "abort"'
    assert read_numeric("1Abort", 14).label == "abort"
    assert read_numeric("1From", 14).message == "syntax error at end of input"
    assert read_numeric("1and", 13).message == "syntax error at end of input"
    assert read_numeric("1and", 14).label == "and"
    assert read_numeric("1isnull", 14) == Reading("boolean", False)
    assert read_numeric("1 notnull x", 18) == Reading("boolean", True, "x")
    assert read_numeric("1 ignore", 18).label == "ignore"
    assert read_numeric("1 ignore", 19).message == 'syntax error at or near "ignore"'


def test_up_to_9_4_a_message_about_with_and_nulls_runs_into_the_next_token() -> None:
    assert read_numeric("7 With 5", "9.3").message == 'syntax error at or near "With 5"'
    assert read_numeric("7nulls ", "9.4").message == 'syntax error at or near "nulls "'
    assert read_numeric("7 With 5", "9.5").message == 'syntax error at or near "With"'


def test_a_long_name_is_cut_between_characters() -> None:
    assert read_numeric("1" + "a" * 70, 14).label == "a" * 63
    assert read_numeric("1" + "é" * 40, 14).label == "é" * 31


def test_nothing_at_all_is_an_empty_select_list_since_9_4() -> None:
    assert read_numeric("", "9.3").message == "syntax error at end of input"
    assert read_numeric("--5", "9.4") == Reading()


def test_minor_releases_changed_how_much_junk_is_shown() -> None:
    assert read_numeric("123abc", "15.8").message == 'trailing junk after numeric literal at or near "123a"'
    assert read_numeric("123abc", "15.9").message == 'trailing junk after numeric literal at or near "123abc"'
    assert read_numeric("0x1Fgh", "16.4").message == 'trailing junk after numeric literal at or near "0x1Fg"'
    assert read_numeric("123abc", PgMajor("15")) == read_numeric("123abc", "15.9"), "a major is its newest"


def test_every_major_is_modelled_and_others_are_refused() -> None:
    for major in MAJORS:
        assert read_numeric("1", major) == Reading("integer", 1)
    for version in ("8.4", "99", 20):
        with pytest.raises(LiteralError, match="no model"):
            read_numeric("1", version)
    with pytest.raises(VersionError):
        read_numeric("1", "sixteen")


@pytest.mark.parametrize(
    "text",
    [
        "'1'",
        "1;",
        "(1)",
        "1,2",
        "1*2",
        "1::int",
        "1 from t",
        "1 where x",
        "/*",
        "$$",
        "1\v",
        "select",
        "\0",
        "1\ud800",
    ],
)
def test_more_than_a_literal_is_refused_not_guessed(text: str) -> None:
    with pytest.raises(LiteralError) as refused:
        read_numeric(text, 16)
    assert repr(text) in str(refused.value)
