"""A test's queries on a plan: nodes by label, typed attributes, the server's whole output."""

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


def test_the_summary_has_what_explain_says_of_the_whole_query():
    plan = parse_plan(JOIN)
    assert plan.summary == {"Planning Time": 0.125}
    assert plan.summary["Planning Time"] == 0.125
    assert "Planning Time" in plan.summary
    assert "Settings" not in plan.summary
    assert parse_plan("NOTIFY").summary == {}


def test_a_plan_of_several_queries_has_no_one_summary():
    two = parse_plan([*JOIN, *JOIN])
    with pytest.raises(PlanNodeError, match=r"2 queries.*\n.*plan\.queries"):
        _ = two.summary
    assert [query["Planning Time"] for query in two.queries] == [0.125, 0.125]


def test_matches_means_the_same_of_a_plan_and_of_a_node():
    """Whether the selector selects any node of the plan; of the node and those below it."""
    plan = parse_plan(JOIN)
    join = plan.one("* Full Join")
    for selector in ("Parallel Hash", "* Join > Parallel Hash", "Gather", "Gather >> Parallel Hash", "Sort"):
        assert bool(plan.matches(selector)) is bool(plan.find(selector)) is (selector in plan)
        assert bool(join.matches(selector)) is bool(join.find(selector))
        assert bool(plan.root.matches(selector)) is bool(plan.matches(selector))
    assert not join.matches("Gather")
    assert repr(join.matches("'Incremental Hash'")).startswith(
        "no `'Incremental Hash'`; there is a `Parallel Hash`"
    )


def test_a_node_is_selected_by_what_selects_it_in_the_whole_plan():
    plan = parse_plan(JOIN)
    join = plan.one("* Full Join")
    assert join.selected_by("Gather > *")
    assert join.selected_by("* Full Join")
    assert not join.selected_by("Parallel Hash")


@pytest.mark.parametrize(
    "source",
    [
        "{",
        "[1]",
        '[{"Plan": {}}]',
        '[{"Plan": {"Node Type": ""}}]',
        '[{"Plan": {"Node Type": "X", "Plans": 1}}]',
    ],
)
def test_what_is_no_explain_output_is_an_error_with_a_line(source):
    with pytest.raises(PlanParseError, match="line 1: "):
        parse_plan(source)
