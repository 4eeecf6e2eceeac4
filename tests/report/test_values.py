"""Observations as short text."""

import pytest

from pytest_pgfeatures.report.values import shown


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
        ("42P01", "42P01"),
        (["a", 1], '["a", 1]'),
        ({"名": None}, '{"名": null}'),
    ],
)
def test_different_values_never_look_the_same(value, text):
    assert shown(value) == text
