"""The nodes that a selector selects, and the error of a wrong one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pgfeatures.errors import PlanSelectorError
from pytest_pgfeatures.plan import Plan, parse_plan
from pytest_pgfeatures.plan.known import VALUES, is_key, is_node, is_value
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
    "['no such key']": [],
    '"A Newer Scan"': [],
    "Custom Scan": [],
    "Parallel Custom Scan (Columnar)": [],
    "[type=ModifyTable]": [],
    "[relation='public.t_arrow']": [],
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


MATCHES_NOTHING = [
    ("Seq Scan on t", 1, r"write Seq Scan\[relation=t\];"),
    ("Seq Scan on public.t a", 1, r"write Seq Scan\[schema=public\]\[relation=t\]\[alias=a\];"),
    ("Seq Scan on t as a", 1, r"write Seq Scan\[relation=t\]\[alias=a\];"),
    ("Index Scan using i on t", 1, r"write Index Scan\[index=i\]\[relation=t\];"),
    ("Bitmap Index Scan on i", 1, r"write Bitmap Index Scan\[index=i\];"),
    ("Function Scan on f", 1, r"write Function Scan\[function=f\];"),
    ("SeqScan", 1, "write Seq Scan;"),
    ("gather", 1, "write Gather;"),
    ("Hash Joni", 1, "write Hash Join"),
    ("Parallel Sort", 1, "write"),
    ("ModifyTable", 1, r"write \[type=ModifyTable\];"),
    ("Gather >> Hash Joni", 11, "write Hash Join"),
    ("* Joni", 1, "write"),
    ("*:not(SeqScan)", 7, "write Seq Scan;"),
    ("[relaton=t]", 2, r"write \[relation\]"),
    ("[no such key]", 2, "in quotes are accepted unchanged"),
    ("[relation=public.t]", 11, r"write \[schema=public\]\[relation=t\]"),
    ("[index=public.i]", 8, r"write \[index=i\]"),
    ("[join_type=Fulll]", 12, "it is Full;"),
    ("[label=SeqScan]", 8, "it is Seq Scan;"),
]
"""Selectors that can select nothing in any plan, the column of what can't be, and what to write instead."""


@pytest.mark.parametrize(
    ("selector", "column", "remedy"), MATCHES_NOTHING, ids=[wrong for wrong, _, _ in MATCHES_NOTHING]
)
def test_a_selector_that_can_match_nothing_is_refused(selector: str, column: int, remedy: str):
    for ask in (PLAN.find, PLAN.count, PLAN.matches, PLAN.one, PLAN.__contains__, PLAN.roots[0].selected_by):
        with pytest.raises(PlanSelectorError, match=remedy) as caught:
            ask(selector)
        assert caught.value.column == column


def test_what_the_plan_at_hand_has_is_never_refused():
    newer = parse_plan(
        [{"Plan": {"Node Type": "Skip Scan", "Distance": 3, "Plans": [{"Node Type": "Result"}]}}]
    )
    assert "Skip Scan" in newer
    assert "Skip *" in newer
    assert newer.count("[distance=3]") == 1
    assert newer.count("[label=Skip Scan]") == 1
    assert newer.one("Result").selected_by("Skip Scan > Result")
    assert newer.one("Result").find("Skip Scan") == []
    with pytest.raises(PlanSelectorError, match="Skip Scan"):
        _ = "Skip Scan" in PLAN


def test_a_custom_scan_is_selected_with_and_without_its_provider():
    plan = parse_plan("Custom Scan (Columnar) on t  (cost=0.00..1.00 rows=1 width=4)")
    for selector in ("Custom Scan", "Custom Scan (Columnar)", "Custom Scan (*)", "* Scan *"):
        assert plan.count(selector) == 1, selector
    assert plan.count("Custom Scan (Other)") == 0
    assert plan.count("Parallel Custom Scan") == 0


def _samples() -> list[dict[str, Any]]:
    lines = (Path(__file__).parent / "samples.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_labels_and_keys_of_servers_are_known():
    for sample in _samples():
        for node in parse_plan(sample["json"]).nodes:
            assert is_node(node.label), (sample["major"], node.label)
            for key, value in node.data.items():
                assert key == "Plans" or is_key(key), (sample["major"], key)
                assert type(value) is not str or key not in VALUES or is_value(key, value), (key, value)


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
