"""Observations as short text."""

import pytest

from pytest_pgfeatures.report.values import conditions, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Hash Full Join", "Hash Full Join"),
        (31, "31"),
        ("31", '"31"'),
        (True, "yes"),
        ("yes", '"yes"'),
        (None, "none"),
        ("", '""'),
        (" a", '" a"'),
        ("42P01", "42P01 undefined_table"),
        ("42P01 undefined_table", '"42P01 undefined_table"'),
        ("42601", "42601 syntax_error"),
        ("P9999", "P9999"),
        ({"a": ["22P02", 1]}, '{"a": ["22P02 invalid_text_representation", 1]}'),
        (["a", 1], '["a", 1]'),
        ({"名": None}, '{"名": null}'),
    ],
)
def test_different_values_never_look_the_same(value, text):
    assert shown(value) == text


def test_the_conditions_of_all_sqlstates_in_an_observation():
    assert conditions("42601", {"a": ["22P02", "P9999", None], "42P01": 1}, True) == {
        "42601": "syntax_error",
        "22P02": "invalid_text_representation",
    }
    assert conditions(None, 42601, "a text") == {}
