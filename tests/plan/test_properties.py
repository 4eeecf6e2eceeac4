"""Properties of any plan: it is equal after writing and reading; damaged text is a tree or an error with a line."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan import Plan, diff, parse_plan, render
from pytest_pgfeatures.plan.label import ARITY, LABELS

many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

names = st.one_of(
    st.sampled_from(
        ["t", "orders", "select", "Mixed Case", 'with "quotes"', "a.b", "on", "x using y", "日本"]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=8),
)
literals = st.text(max_size=8).map(lambda text: "'" + text.replace("'", "''").replace("\r", "") + "'::text")
columns = st.sampled_from(
    ["a", "t.b", '"odd, name"', "(count(*))", "lower((x)::text)", "CASE WHEN a THEN 1 END"]
)
conditions = st.builds(
    "({} {} {})".format, columns, st.sampled_from(["=", "<>", "~~", "@>"]), literals | columns
)
keys = st.lists(columns, min_size=1, max_size=3)
amounts = st.integers(0, 10**9)
costs = st.decimals(0, 10**7, places=2).map(float)
milliseconds = st.decimals(0, 10**6, places=3).map(float)

PROPERTIES: dict[str, st.SearchStrategy[Any]] = {
    "Filter": conditions,
    "Sort Key": keys,
    "Output": keys,
    "Workers Planned": st.integers(1, 8),
    "Rows Removed by Filter": st.integers(1, 10**6),
    "Key Of A Future Major": st.text("abc xyz", min_size=1).map(str.strip).filter(bool),
    "Number Of A Future Major": amounts,
    "Heap Fetches": amounts,
    "Cache Key": columns,
}


@st.composite
def nodes(draw: st.DrawFn, depth: int = 4) -> dict[str, Any]:
    """A node as FORMAT JSON has it, with figures of both kinds, and those below it."""
    label = draw(st.sampled_from(sorted(LABELS)))
    data = {**LABELS[label], "Parallel Aware": draw(st.booleans()), "Disabled": False}
    kind = data["Node Type"]
    if kind in ("Seq Scan", "Sample Scan", "Index Scan", "Tid Scan", "Bitmap Heap Scan"):
        data["Relation Name"] = draw(names)
        if draw(st.booleans()):
            data["Schema"] = draw(names)
        data["Alias"] = draw(names)
    if kind == "Index Scan":
        data["Index Name"] = draw(names)
    if draw(st.booleans()):
        data |= {"Startup Cost": draw(costs), "Total Cost": draw(costs)}
        data |= {"Plan Rows": draw(amounts), "Plan Width": draw(amounts)}
    if draw(st.booleans()):
        if draw(st.booleans()):
            data |= {"Actual Startup Time": draw(milliseconds), "Actual Total Time": draw(milliseconds)}
        data |= {"Actual Rows": draw(costs), "Actual Loops": draw(st.integers(1, 1000))}
    for key in draw(st.lists(st.sampled_from(sorted(PROPERTIES)), unique=True, max_size=3)):
        data[key] = draw(PROPERTIES[key])
    if kind == "Aggregate":
        data.pop("Sort Key", None)  # it is in a grouping set there
    arity = ARITY.get(kind, 3)
    if depth and arity:
        children = draw(st.lists(nodes(depth - 1), max_size=arity))
        if children:
            data["Plans"] = children
    return data


plans = nodes().map(lambda root: Plan([{"Plan": root}]))


@many
@given(plans)
def test_what_is_rendered_is_read_as_the_same_plan(plan: Plan) -> None:
    text = render(plan)
    read = parse_plan(text)
    assert render(read) == text
    assert read == plan
    assert read.shape() == plan.shape()
    assert not diff(plan, read)


@many
@given(plans)
def test_a_plan_is_equal_to_its_copies(plan: Plan) -> None:
    assert parse_plan(json.dumps(plan.queries)) == plan
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert copy.deepcopy(plan) == plan
    assert hash(copy.copy(plan)) == hash(plan)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """The text with some of it gone, twice, elsewhere, or something else in its place."""
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        end = min(end, start + draw(st.sampled_from([1, 5, 50])))
        piece = draw(
            st.one_of(
                st.just(""),
                st.just(text[start:end] * 2),
                st.sampled_from(
                    ["'", '"', "(", ")", "\n", "->", "  ->  ", ": ", "\t", "\r\n", "Sort Method: x"]
                ),
                st.sampled_from(
                    ["Worker 0:  ", "JIT:\n", "Planning:\n", "QUERY PLAN\n", "-[ RECORD 1 ]-\n", "{", "]"]
                ),
                st.text(max_size=5),
            )
        )
        text = text[:start] + piece + text[end:]
    return draw(st.sampled_from([text, text[: draw(st.integers(0, len(text)))]]))


@many
@given(st.data())
def test_damaged_text_is_a_tree_or_an_error_with_line_and_reason(data: st.DataObject) -> None:
    text = data.draw(plans.map(render).flatmap(damaged) | st.sampled_from(SAMPLES).flatmap(damaged))
    read_or_refused(text)


@many
@given(st.data())
def test_damaged_json_is_a_tree_or_an_error_with_line_and_reason(data: st.DataObject) -> None:
    text = data.draw(plans.map(lambda plan: json.dumps(plan.queries, indent=1)).flatmap(damaged))
    read_or_refused(text)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@many
@given(st.data())
def test_json_of_another_form_is_a_tree_or_an_error(data: st.DataObject) -> None:
    """Any known key may have any value: another program may have written it."""
    root = data.draw(nodes(1))
    key = data.draw(st.sampled_from([*sorted(root), *KEYS]))
    root[key] = data.draw(values)
    read_or_refused(json.dumps([{"Plan": root}]))


def read_or_refused(text: str) -> None:
    line, plan = 1, None
    try:
        plan = parse_plan(text)
    except PlanParseError as error:
        line = error.line
    assert 1 <= line <= text.count("\n") + 1
    if plan is not None:
        assert parse_plan(text) == plan
        assert plan.count("*") == len([node.label for node in plan])
        assert bool(str(plan.shape())) is bool(plan.nodes)
        assert not diff(plan, plan)
        assert str(plan) or plan.queries  # of a utility statement TEXT may say nothing


KEYS = (
    *("Plans", "Workers", "Sort Method", "Full-sort Groups", "Hash Buckets", "Cache Hits", "Grouping Sets"),
    *("Target Tables", "JIT", "Subplan Name", "Actual Loops", "Alias", "Relation Name", "Exact Heap Blocks"),
    *(
        "Shared Hit Blocks",
        "WAL Records",
        "I/O Read Time",
        "Storage",
        "Sampling Method",
        "Output",
        "Join Type",
    ),
)

SAMPLES = [
    """\
Limit (actual time=0.016..0.020 rows=2.50 loops=2)
  Buffers: shared hit=3 read=1, temp read=2 written=4
  I/O Timings: shared read=0.011, temp write=0.500
  ->  Incremental Sort (actual time=0.015..0.018 rows=2.00 loops=2)
        Sort Key: a, b
        Full-sort Groups: 1  Sort Method: quicksort  Average Memory: 25kB  Peak Memory: 26kB
        Worker 0:  actual time=0.001..0.002 rows=1.00 loops=1
          Buffers: shared hit=2
        ->  MixedAggregate (actual rows=1.00 loops=1)
              Hash Key: a, b
              Group Key: ()
              Planned Partitions: 4  Batches: 5  Memory Usage: 8209kB  Disk Usage: 88kB
              ->  Seq Scan on x (never executed)
                    InitPlan 1 (returns $0)
                      ->  Result
Settings: work_mem = '1MB'
Planning:
  Buffers: shared hit=4
Planning Time: 0.100 ms
Trigger for constraint fk on x: time=0.125 calls=1
JIT:
  Functions: 3
  Options: Inlining false, Optimization true, Expressions true, Deforming true
  Timing: Generation 1.000 ms (Deform 0.500 ms), Inlining 0.000 ms, Total 6.000 ms
Serialization: time=0.010 ms output=1kB  format=text
Execution Time: 0.300 ms""",
    """\
                         QUERY PLAN
-------------------------------------------------------------
 Update on t  (cost=0.00..35.50 rows=0 width=0)
   Update on t_1
   Foreign Update on t_2
     Remote SQL: UPDATE x SET a = 1
   ->  Append  (cost=0.00..35.50 rows=2550 width=10)
         Subplans Removed: 1
         ->  Seq Scan on t_1  (cost=0.00..35.50 rows=2550 width=10)
               Filter: (a = 'x
 y'::text)
(8 rows)
""",
    "LOG:  duration: 0.012 ms  plan:\n\tQuery Text: SELECT 1\n\tResult  (cost=0.00..0.01 rows=1 width=4)\nLOG:  x",
]


DEEP = 5000
"""Levels: far deeper than the interpreter recurses."""


def test_text_of_five_thousand_levels() -> None:
    plan = parse_plan(
        "\n".join(("      " * n)[4:] + "->  Nested Loop" * bool(n) or "Limit" for n in range(DEEP))
    )
    assert len(plan) == DEEP
    assert len(list(plan.nodes[-1].ancestors)) == DEEP - 1
    assert plan.count("Limit >> Nested Loop:not(:has(Nested Loop))") == 1
    assert str(plan).count("->") == DEEP - 1


def test_json_of_five_thousand_levels() -> None:
    written = (
        '[{"Plan": ' + '{"Node Type": "Limit", "Plans": [' * DEEP + '{"Node Type": "Result"}' + "]}" * DEEP
    )
    plan = parse_plan(written + "}]")
    assert len(plan) == DEEP + 1
    assert len(pickle.loads(pickle.dumps(plan))) == DEEP + 1
    assert len(copy.deepcopy(plan)) == DEEP + 1
    assert plan.shape() == parse_plan(plan.queries).shape()
    assert not diff(plan, plan)


BRACKETS = {"lists": "[", "objects": '{"a":', "parentheses": "(", "quotes": "'"}


@pytest.mark.parametrize("opening", BRACKETS.values(), ids=BRACKETS)
def test_no_depth_of_brackets_is_too_much(opening: str) -> None:
    with pytest.raises(PlanParseError):
        parse_plan(opening * 200_001)
