"""A small sample of ``torture/plans.py``, and what it found once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_pgfeatures.errors import PlanParseError, PlanSelectorError
from pytest_pgfeatures.plan import parse_plan, render
from pytest_pgfeatures.plan.from_json import KINDS
from torture import plans as torture

MADE = {"text": torture.text, "encoded": torture.encoded, "tree": torture.tree}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("made", MADE)
def test_a_mutated_plan_is_refused_or_works(made: str, seed: int):
    for number in range(20):
        source = MADE[made](100 * seed + number)
        assert torture.judged(source, light=number > 0) == [], f"{made}({100 * seed + number})"


@pytest.mark.parametrize("seed", range(3))
def test_a_deeply_nested_plan_is_refused_or_works(seed: int):
    assert torture.judged(torture.nested(seed), light=True) == []


def test_the_samples_are_read_exactly():
    for in_json, in_text in torture.samples():
        assert render(parse_plan(in_text)) == in_text
        assert len(parse_plan(in_json)) == len(parse_plan(in_text))


BELOW = (
    "",
    "  Worker 0:  actual time=0.1..0.2 rows=1 loops=1\n",
    "  ->  Seq Scan on b  (cost=0.00..1.00 rows=1 width=4)\n",
)


@pytest.mark.parametrize("value", ["abc", "7", "7.5", "a, b", ""])
@pytest.mark.parametrize(
    "key", [*KINDS, "Workers", "Worker Number", "Target Tables", "Triggers", "JIT", "Plan"]
)
def test_a_line_may_have_the_name_of_a_key_of_json(key: str, value: str):
    for below in BELOW:
        text = f"Seq Scan on a  (cost=0.00..1.00 rows=1 width=4)\n  {key}: {value}\n{below}"
        assert torture.judged(text, light=True) == []


NODE: dict[str, Any] = {"Node Type": "Sort", "Parallel Aware": False}
ODD: dict[str, dict[str, Any]] = {
    "a total cost alone": {"Total Cost": 1.0},
    "an end without a start": {"Actual Total Time": 1.0, "Actual Rows": 1, "Actual Loops": 1},
    "a planning that is a number": {"Disabled": False, "Planning": 1},
    "a worker that is none": {"Workers": [None]},
    "workers that are a number": {"Workers": 1},
    "a list among others": {"Sort Key": [["a"], None, {"b": 1}]},
    "a number that no float holds": {
        "Hash Buckets": 10**400,
        "Hash Batches": 1,
        "Peak Memory Usage": 10**400,
    },
    "half a line": {"Grouping Sets": [{"Sort Key": ["a"], "Hash Keys": [1]}]},
}


@pytest.mark.parametrize("odd", ODD)
def test_a_key_that_no_server_writes_so_is_shown_as_it_is(odd: str):
    plan = {"Plan": {**NODE, **ODD[odd]}, "Planning": ODD[odd].get("Planning", {})}
    assert torture.judged(json.dumps([plan]), light=False) == []
    assert torture.judged([plan], light=False) == []


WRONG: dict[str, Any] = {
    "an integer that no float holds": [{"Plan": {**NODE, "Actual Loops": 10**400, "Actual Rows": 1}}],
    "a key that is no string": [{"Plan": {**NODE, 1: 2}}],
    "a query's key that is no string": [{"Plan": NODE, 1: 2}],
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_no_text_can_show_is_refused(wrong: str):
    with pytest.raises(PlanParseError):
        parse_plan(WRONG[wrong])


def test_what_is_half_written_before_a_value_turns_out_odd_is_not_printed():
    odd = {**NODE, "Grouping Sets": [{"Sort Key": ["a"], "Hash Keys": [1]}]}
    assert render(parse_plan([{"Plan": odd}])) == (
        "Sort\n  Grouping Sets: {'Sort Key': ['a'], 'Hash Keys': [1]}"
    )


@pytest.mark.parametrize("levels", [100, 5000])
def test_values_that_nest_too_deep_are_refused(levels: int):
    nested = "[" * levels + "]" * levels
    for text in (
        f'[{{"Plan": {{"Node Type": "Result", "Output": {nested}}}}}]',
        f'[{{"Plan": {{"Node Type": "Result"}}, "Triggers": {nested}}}]',
    ):
        with pytest.raises(PlanParseError, match="nests more than 50 levels deep"):
            parse_plan(text)


def test_plans_that_nest_too_deep_are_refused_with_the_line():
    node = '{"Node Type": "Limit",\n"Plans": ['
    for text in ("Limit\n" + "->  Limit\n" * 5001, node * 5001 + '{"Node Type": "Result"}' + "]}" * 5001):
        with pytest.raises(PlanParseError, match="nodes nest more than 5,000 levels deep") as caught:
            parse_plan(text)
        assert caught.value.line == 5002


@pytest.mark.parametrize("place", ["9" * 5000, "9" * 5000 + "n", "2n+" + "9" * 5000, "1" + " " * 5000 + "x"])
def test_a_place_among_children_of_thousands_of_digits_is_refused(place: str):
    with pytest.raises(PlanSelectorError, match="not a place among children"):
        parse_plan("Result").find(f":nth-child({place})")


def test_a_number_of_thousands_of_digits_is_refused_with_the_line():
    for line in ("Sort Method: quicksort  Memory: {}kB", "WAL: records={}", "Buffers: shared hit={}"):
        with pytest.raises(PlanParseError) as caught:
            parse_plan("Sort\n  " + line.format("9" * 5000) + "\nPlanning Time: 1.000 ms")
        assert caught.value.line == 2
    with pytest.raises(PlanParseError):
        parse_plan(f"Sort  (cost=0.00..1.00 rows={'9' * 5000} width=4)")


def test_mutated_selectors_are_refused_with_a_column_or_select():
    for seed in range(300):
        assert torture.judged_selector(seed) == []
