"""The output of a failing assertion about a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

pytest_plugins = ["pytester"]

PLANS = '''
from pytest_pgfeatures.plan import parse_plan

plan = parse_plan("""\\
Unique  (cost=9845.82..10845.82 rows=10000 width=14)
  ->  Sort  (cost=9845.82..10095.82 rows=100000 width=14)
        Sort Key: num1, num2, num3
        ->  Seq Scan on t_sort  (cost=0.00..1541.00 rows=100000 width=14)""")
other = parse_plan(str(plan).replace("Seq Scan", "Parallel Seq Scan"))
text = str(plan)
'''

TREE = [
    "E*Unique",
    "E*  Sort  [[]on num1, num2, num3[]]   <-- nearest",
    "E*    Seq Scan on t_sort",
]
FAILING = {
    '"Incremental Sort" in plan': ["E*no `Incremental Sort`; there is a `Sort` on num1, num2, num3", *TREE],
    '"Sort" not in plan': ["E*1 node is 'Sort'", "E*Sort  [[]on num1, num2, num3[]]   <-- here"],
    "plan.matches('Gather >> Incremental Sort')": [
        "E*no `Gather >> Incremental Sort`; there is a `Sort` on num1*"
    ],
    "plan == other": ["E*- *->  Seq Scan on t_sort*", "E*+ *->  Parallel Seq Scan on t_sort*"],
    "other == plan": ["E*- *->  Parallel Seq Scan on t_sort*", "E*+ *->  Seq Scan on t_sort*"],
    "plan.shape() == other.shape()": [
        "E*the shapes of the plans differ",
        "E*+ *->  Parallel Seq Scan on t_sort",
    ],
    "plan == text": ["E*a plan never equals a string: compare with parse_plan(text), or compare str(plan)"],
    "text == plan": ["E*a plan never equals a string: compare with parse_plan(text), or compare str(plan)"],
    "plan != plan": ["E*they are equal:"],
    "plan.one('Sort').sort_key == ['num1']": ["* plan plan *", "Unique", "  Sort  [[]on num1, num2, num3[]]"],
    "parse_plan(text).root.rows == 3": ["*--- plan ---*", "Unique", "  Sort  [[]on num1, num2, num3[]]"],
    "plan.one('WindowAgg')": ["E*PlanNodeError: no `WindowAgg` in <Plan Unique, 3 nodes>*", "E*Unique"],
    "plan.one('*')": ["E*PlanNodeError: 3 nodes are '[*]', not one:", "E*Unique   <-- here"],
}


def test_a_failing_assertion_shows_the_plan(pytester: pytest.Pytester):
    tests = [
        f"def test_{number}(plan=plan, other=other, text=text):\n    assert {condition}\n"
        for number, condition in enumerate(FAILING)
    ]
    passing = 'def test_passing():\n    assert "Sort" in plan\n    assert plan.matches("* > Sort")\n'
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile("\n".join([PLANS, *tests, passing]))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=len(FAILING), passed=1)
    for number, lines in enumerate(FAILING.values()):
        result.stdout.fnmatch_lines([f"___* test_{number} *___", *lines])
    assert "plan @py" not in result.stdout.str()  # pytest's name for a value that only the assertion has
