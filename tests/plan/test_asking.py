"""What a test asks of a plan: nodes by label, typed attributes, everything the server said."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.errors import PlanNodeError, PlanParseError
from pytest_pgfeatures.plan import parse_plan

JOIN = [
    {
        "Plan": {
            "Node Type": "Gather",
            "Parallel Aware": False,
            "Async Capable": False,
            "Startup Cost": 10.0,
            "Total Cost": 20.5,
            "Plan Rows": 100,
            "Plan Width": 8,
            "Workers Planned": 2,
            "Single Copy": False,
            "Plans": [
                {
                    "Node Type": "Hash Join",
                    "Parent Relationship": "Outer",
                    "Parallel Aware": True,
                    "Async Capable": False,
                    "Join Type": "Full",
                    "Hash Cond": "(a.id = b.id)",
                    "Plans": [
                        {"Node Type": "Seq Scan", "Parallel Aware": True, "Relation Name": "a", "Alias": "a"},
                        {
                            "Node Type": "Hash",
                            "Parallel Aware": True,
                            "Plans": [
                                {
                                    "Node Type": "Seq Scan",
                                    "Parallel Aware": True,
                                    "Relation Name": "b",
                                    "Alias": "b",
                                    "Key Of A Future Major": [1, 2],
                                }
                            ],
                        },
                    ],
                }
            ],
        },
        "Planning Time": 0.125,
    }
]


def test_nodes_are_in_the_order_of_explain():
    labels = [node.label for node in parse_plan(JOIN).nodes]
    assert labels == [
        "Gather",
        "Parallel Hash Full Join",
        "Parallel Seq Scan",
        "Parallel Hash",
        "Parallel Seq Scan",
    ]


def test_in_compares_whole_labels_and_star_stands_for_anything():
    plan = parse_plan(JOIN)
    assert "Parallel Hash Full Join" in plan
    assert "Hash Full Join" not in plan
    assert "* Full Join" in plan


def test_count_and_one():
    plan = parse_plan(JOIN)
    assert plan.count("Parallel Seq Scan") == 2
    assert plan.one("Gather").workers_planned == 2
    with pytest.raises(PlanNodeError, match="2 nodes are 'Parallel Seq Scan'"):
        plan.one("Parallel Seq Scan")
    with pytest.raises(PlanNodeError, match="no `WindowAgg`"):
        plan.one("WindowAgg")


def test_attributes_are_none_where_the_server_said_nothing():
    join = parse_plan(JOIN).one("* Full Join")
    assert (join.join_type, join.hash_cond, join.parallel_aware) == ("Full", "(a.id = b.id)", True)
    assert join.run_condition is None
    assert join.rows is None
    assert not join.disabled


def test_a_key_that_no_attribute_reads_is_kept():
    assert parse_plan(JOIN).nodes[-1]["Key Of A Future Major"] == [1, 2]


def test_parents_and_ancestors():
    leaf = parse_plan(JOIN).nodes[-1]
    assert [node.label for node in leaf.ancestors] == ["Parallel Hash", "Parallel Hash Full Join", "Gather"]


def test_what_is_said_of_the_whole_query():
    assert parse_plan(JOIN)["Planning Time"] == 0.125


@pytest.mark.parametrize(
    "source", ["{", "[1]", '[{"Plan": {}}]', '[{"Plan": {"Node Type": "X", "Plans": 1}}]']
)
def test_what_is_no_explain_output_is_an_error_with_a_line(source):
    with pytest.raises(PlanParseError, match="line 1: "):
        parse_plan(source)
