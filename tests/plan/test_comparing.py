"""Equality, shapes and diffs of plans."""

from __future__ import annotations

import re

from pytest_pgfeatures.plan import diff, parse_plan

OLD = """\
Finalize Aggregate  (cost=10.00..11.00 rows=1 width=8)
  ->  Merge Join  (cost=5.00..9.00 rows=5000 width=12)
        Merge Cond: (a.id = b.id)
        ->  Sort  (cost=4.00..4.00 rows=1000 width=4)
              Sort Key: a.id
              ->  Seq Scan on t a  (cost=0.00..4.00 rows=1000 width=8)
                    Filter: (x > 3)
        ->  Index Scan using u_id on u b  (cost=0.00..4.00 rows=900 width=4)"""
NEW = """\
Finalize Aggregate  (cost=8.00..9.00 rows=1 width=8)
  ->  Gather  (cost=5.00..8.00 rows=1 width=8)
        Workers Planned: 2
        ->  Parallel Hash Right Join  (cost=5.00..9.00 rows=5000 width=12)
              Hash Cond: (a.id = b.id)
              ->  Parallel Seq Scan on u b  (cost=0.00..4.00 rows=900 width=4)
              ->  Parallel Hash  (cost=4.00..4.00 rows=1000 width=4)
                    ->  Parallel Seq Scan on t a  (cost=0.00..4.00 rows=1000 width=8)
                          Filter: (x > 4)"""


def test_plans_are_equal_if_text_says_the_same_of_them():
    assert parse_plan(OLD) == parse_plan(OLD)
    assert hash(parse_plan(OLD)) == hash(parse_plan(OLD))
    assert parse_plan(OLD) != parse_plan(OLD.replace("rows=900", "rows=901"))
    assert parse_plan(OLD) != OLD


def test_a_shape_has_no_figures():
    plan = parse_plan(OLD)
    ran = re.sub(r"width=\d+\)", "width=8) (actual time=0.1..0.2 rows=7 loops=1)", OLD)
    analyzed = parse_plan(ran + "\nExecution Time: 1.000 ms")
    assert analyzed != plan
    assert analyzed.shape() == plan.shape()
    assert len({analyzed.shape(), plan.shape()}) == 1
    assert str(plan.shape()).split("\n")[:3] == [
        "Finalize Aggregate",
        "  ->  Merge Join",
        "        Merge Cond: (a.id = b.id)",
    ]
    assert parse_plan(NEW).shape() != plan.shape()


def test_a_shape_spells_alike_what_majors_only_spell_differently():
    """18 names windows, 17 subplans' outputs; 16 says an InitPlan's parameters."""
    newer = parse_plan("""\
WindowAgg
  Run Condition: (row_number() OVER w1 <= (InitPlan 1).col1)
  InitPlan 1
    ->  Result""")
    older = parse_plan("""\
WindowAgg
  Run Condition: (row_number() OVER (?) <= $0)
  InitPlan 1 (returns $0)
    ->  Result""")
    assert newer.shape() == older.shape()
    assert newer.shape(normalize=False) != older.shape(normalize=False)


def test_a_diff_names_what_changed():
    found = diff(parse_plan(OLD), parse_plan(NEW))
    assert [change.what for change in found.of("join method")] == [
        "Merge Join became Parallel Hash Right Join"
    ]
    assert [change.what for change in found.of("join type")] == ["Merge Join became Parallel Hash Right Join"]
    assert [change.what for change in found.of("scan method")] == [
        "Index Scan using u_id on u b became Parallel Seq Scan on u b"
    ]
    assert "Filter of Parallel Seq Scan on t a: (x > 3) became (x > 4)" in [
        change.what for change in found.of("changed")
    ]
    assert "the plan is parallel now, 2 workers" in [change.what for change in found.of("parallelism")]
    assert [change.what for change in found.of("removed")] == ["Sort"]
    assert {change.what for change in found.of("added")} == {"Gather", "Parallel Hash"}
    assert found.of("moved")
    assert all(change.old is not None and change.new is not None for change in found.of("moved"))


def test_the_way_back_loses_what_was_gained():
    found = diff(parse_plan(NEW), parse_plan(OLD))
    assert "the plan is no longer parallel" in [change.what for change in found.of("parallelism")]
    assert [change.what for change in found.of("added")] == ["Sort"]


def test_inputs_that_swapped_sides_moved():
    text = "Hash Join\n  Hash Cond: (a.x = b.x)\n  ->  Seq Scan on {}\n  ->  Hash\n        ->  Seq Scan on {}"
    found = diff(parse_plan(text.format("a", "b")), parse_plan(text.format("b", "a")))
    assert [str(change) for change in found.changes] == [
        "moved: Seq Scan on a is now the Inner input of Hash Join",
        "moved: Seq Scan on b is now the Outer input of Hash Join",
    ]


def test_a_diff_renders_side_by_side():
    lines = str(diff(parse_plan(OLD), parse_plan(NEW))).split("\n")
    (join,) = (line for line in lines if "Merge Join" in line and not line.startswith("*"))
    left, _, right = join.partition("|")
    assert (left.strip(), right.strip()) == ("Merge Join", "Parallel Hash Right Join")
    assert any(line.strip().startswith("> ") and "Gather" in line for line in lines)
    assert "* join method: Merge Join became Parallel Hash Right Join" in lines


def test_no_change_is_an_empty_diff():
    found = diff(parse_plan(OLD), parse_plan(OLD.replace("cost=0.00", "cost=1.00")))
    assert not found
    assert found.changes == ()
