"""Which nodes a selector selects, and what a wrong one says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pgfeatures.errors import PlanSelectorError
from pytest_pgfeatures.plan import Plan, parse_plan
from pytest_pgfeatures.plan.selector import compiled

PLAN = parse_plan("""\
Sort  (cost=10.00..11.00 rows=100 width=12)
  Sort Key: a.num1, a.num2
  ->  Gather  (cost=9.00..10.00 rows=100 width=12)
        Workers Planned: 2
        ->  Parallel Hash Full Join  (cost=5.00..9.00 rows=5000 width=12)
              Hash Cond: (a.id = b.id)
              ->  Parallel Seq Scan on t_arrow a  (cost=0.00..4.00 rows=1000 width=8)
              ->  Parallel Hash  (cost=4.00..4.00 rows=1000 width=4)
                    ->  Parallel Index Scan using t_sort_idx on t_sort b  (cost=0.00..4.00 rows=900 width=4)
                          Filter: (b.x > 3)
                          SubPlan 1
                            ->  WindowAgg  (cost=0.00..1.00 rows=1 width=4)
                                  Run Condition: (row_number() OVER w1 <= 3)
                                  ->  Seq Scan on "Odd [name]"  (cost=0.00..1.00 rows=1 width=4)""")

SELECTED = {
    "Gather": ["Gather"],
    "gather": [],
    "Seq Scan": ["Seq Scan"],
    "*": [node.label for node in PLAN.nodes],
    "* Scan": ["Parallel Seq Scan", "Parallel Index Scan", "Seq Scan"],
    "Parallel *": ["Parallel Hash Full Join", "Parallel Seq Scan", "Parallel Hash", "Parallel Index Scan"],
    "Gather > Parallel Hash Full Join": ["Parallel Hash Full Join"],
    "Gather > Parallel Hash": [],
    "Gather >> Parallel Hash": ["Parallel Hash"],
    "Sort>Gather>*": ["Parallel Hash Full Join"],
    "Sort >> * > * Scan": ["Parallel Seq Scan", "Parallel Index Scan", "Seq Scan"],
    "[relation=t_arrow]": ["Parallel Seq Scan"],
    "* Scan[relation!=t_arrow]": ["Parallel Index Scan", "Seq Scan"],
    "[index^=t_sort]": ["Parallel Index Scan"],
    "[index$=idx]": ["Parallel Index Scan"],
    "[filter*='> 3']": ["Parallel Index Scan"],
    "[relation='Odd [name]']": ["Seq Scan"],
    "[run_condition]": ["WindowAgg"],
    "[Run Condition]": ["WindowAgg"],
    "[rows>1000]": ["Parallel Hash Full Join"],
    "[rows >= 1000][parallel_aware]": ["Parallel Hash Full Join", "Parallel Seq Scan", "Parallel Hash"],
    "[rows<=1]": ["WindowAgg", "Seq Scan"],
    "[Workers Planned=2]": ["Gather"],
    "[workers_planned=2.0]": ["Gather"],
    "[sort_key~=a.num2]": ["Sort"],
    "[label=Sort]": ["Sort"],
    "[no such key]": [],
    "*:has(WindowAgg)": [
        *("Sort", "Gather", "Parallel Hash Full Join", "Parallel Hash", "Parallel Index Scan"),
    ],
    "*:has(> WindowAgg)": ["Parallel Index Scan"],
    "* Scan:not(:has(*))": ["Parallel Seq Scan", "Seq Scan"],
    "*:not(* Scan, * Join, Parallel Hash, Sort)": ["Gather", "WindowAgg"],
    "Parallel Hash Full Join > :nth-child(2)": ["Parallel Hash"],
    ":nth-child(even)": ["Parallel Hash"],
    "* Scan:nth-child(2n+1)": ["Parallel Seq Scan", "Parallel Index Scan", "Seq Scan"],
    "WindowAgg, Sort": ["Sort", "WindowAgg"],
    '"Parallel Seq Scan"': ["Parallel Seq Scan"],
}


@pytest.mark.parametrize("selector", SELECTED)
def test_a_selector_selects(selector: str):
    assert [node.label for node in PLAN.find(selector)] == SELECTED[selector]
    assert (selector in PLAN) is bool(SELECTED[selector])
    assert bool(PLAN.matches(selector)) is bool(SELECTED[selector])
    assert PLAN.count(selector) == len(SELECTED[selector])


def test_a_node_finds_among_those_below_it():
    gather = PLAN.one("Gather")
    assert [node.label for node in gather.find("* Scan")] == SELECTED["* Scan"]
    assert gather.find("Sort") == []
    assert gather.children[0].selected_by("Sort >> * Join")


WRONG = [
    ("", 1, "a node's name is missing"),
    ("Gather >", 9, "a node's name is missing"),
    ("Gather > > Sort", 10, "a node's name is missing"),
    ("Sort[", 6, "an attribute's name is missing"),
    ("Sort[rows", 5, "is not closed"),
    ("Sort[rows>many]", 11, "compares numbers"),
    ("Sort[rows?3]", 10, "isn't an operator"),
    ("Sort:first", 5, "unknown pseudo-class"),
    ("Sort:has(Gather", 5, "is not closed"),
    ("Sort:nth-child(x)", 16, "not a place"),
    ("Sort]", 5, "unexpected ']'"),
    ("Sort, ", 7, "a node's name is missing"),
    ('"Sort', 1, "the quote is not closed"),
]


@pytest.mark.parametrize(("selector", "column", "reason"), WRONG, ids=[wrong for wrong, _, _ in WRONG])
def test_a_wrong_selector_points_at_the_column(selector: str, column: int, reason: str):
    with pytest.raises(PlanSelectorError, match=reason) as caught:
        PLAN.find(selector)
    assert caught.value.column == column
    assert f"\n{' ' * (column - 1)}^" in "\n" + "\n".join(caught.value.details)


@given(st.text("Sort*>[]()=:,\"' 12nhaseqcild-^$~!", max_size=25))
def test_any_text_is_a_selector_or_an_error_with_a_column(text: str):
    column = None
    try:
        PLAN.find(text)
    except PlanSelectorError as error:
        column = error.column
    assert column is None or 1 <= column <= len(text) + 1


def test_a_selector_is_compiled_once():
    assert compiled("Gather >> Seq Scan") is compiled("Gather >> Seq Scan")


def test_a_plan_without_nodes():
    assert Plan([]).find("*") == []
    assert "Sort" not in Plan(["Utility Statement"])
