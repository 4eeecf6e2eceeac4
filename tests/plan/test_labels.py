"""A node's label in text EXPLAIN, from the keys of FORMAT JSON, and back."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_pgfeatures.plan import parse_plan
from pytest_pgfeatures.plan.label import LABELS, keys_of, label

SPOKEN: list[tuple[str, dict[str, Any]]] = [
    ("Parallel Hash Full Join", {"Node Type": "Hash Join", "Join Type": "Full", "Parallel Aware": True}),
    ("Hash Right Semi Join", {"Node Type": "Hash Join", "Join Type": "Right Semi"}),
    ("Merge Anti Join", {"Node Type": "Merge Join", "Join Type": "Anti"}),
    ("Nested Loop", {"Node Type": "Nested Loop", "Join Type": "Inner"}),
    ("Nested Loop Left Join", {"Node Type": "Nested Loop", "Join Type": "Left"}),
    ("Finalize GroupAggregate", {"Node Type": "Aggregate", "Strategy": "Sorted", "Partial Mode": "Finalize"}),
    ("Partial HashAggregate", {"Node Type": "Aggregate", "Strategy": "Hashed", "Partial Mode": "Partial"}),
    ("MixedAggregate", {"Node Type": "Aggregate", "Strategy": "Mixed", "Partial Mode": "Simple"}),
    ("Aggregate", {"Node Type": "Aggregate", "Strategy": "Plain"}),
    ("Index Only Scan Backward", {"Node Type": "Index Only Scan", "Scan Direction": "Backward"}),
    ("Index Scan", {"Node Type": "Index Scan", "Scan Direction": "Forward"}),
    ("HashSetOp Except All", {"Node Type": "SetOp", "Strategy": "Hashed", "Command": "Except All"}),
    ("SetOp Intersect", {"Node Type": "SetOp", "Strategy": "Sorted", "Command": "Intersect"}),
    ("Insert", {"Node Type": "ModifyTable", "Operation": "Insert"}),
    ("Merge", {"Node Type": "ModifyTable", "Operation": "Merge"}),
    ("Async Foreign Scan", {"Node Type": "Foreign Scan", "Operation": "Select", "Async Capable": True}),
    ("Foreign Update", {"Node Type": "Foreign Scan", "Operation": "Update"}),
    ("Custom Scan (Cached)", {"Node Type": "Custom Scan", "Custom Plan Provider": "Cached"}),
    ("Scan Of A Future Major", {"Node Type": "Scan Of A Future Major"}),
]


@pytest.mark.parametrize(("spoken", "keys"), SPOKEN, ids=[spoken for spoken, _ in SPOKEN])
def test_the_label_of_a_node(spoken: str, keys: dict[str, Any]):
    assert label(keys) == spoken
    assert keys.items() <= {"Strategy": None, **keys_of(spoken)}.items()
    assert parse_plan(f"{spoken}  (cost=0.00..1.00 rows=1 width=4)").root.label == spoken


@pytest.mark.parametrize("spoken", sorted(LABELS))
def test_a_label_says_its_keys(spoken: str):
    assert label(keys_of(spoken)) == spoken
    assert label(keys_of(f"Parallel {spoken}")) == f"Parallel {spoken}"
