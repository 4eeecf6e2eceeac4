"""FORMAT TEXT from wherever a text comes: psql, a server log, a document, another system's line ends."""

from __future__ import annotations

import subprocess
import textwrap
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan import parse_plan, render

if TYPE_CHECKING:
    from pytest_pgfeatures.server import Cluster

PLAN = """\
Sort  (cost=62.70..63.20 rows=200 width=12)
  Sort Key: (count(*)) DESC, o.kind
  ->  Finalize HashAggregate  (cost=53.06..55.06 rows=200 width=12)
        Group Key: o.kind
        ->  Gather  (cost=31.00..52.06 rows=200 width=12)
              Workers Planned: 1
              ->  Partial HashAggregate  (cost=30.00..32.00 rows=200 width=12)
                    Group Key: o.kind
                    ->  Parallel Seq Scan on orders o  (cost=0.00..25.00 rows=1000 width=4)
                          Filter: (note <> 'it''s
  two lines'::text)"""


def test_plain_text():
    plan = parse_plan(PLAN)
    assert [node.label for node in plan.nodes] == [
        "Sort",
        "Finalize HashAggregate",
        "Gather",
        "Partial HashAggregate",
        "Parallel Seq Scan",
    ]
    scan = plan.nodes[-1]
    assert (scan.relation, scan.alias, scan.parallel_aware) == ("orders", "o", True)
    assert (scan.startup_cost, scan.total_cost, scan.rows, scan.width) == (0.0, 25.0, 1000, 4)
    assert scan.filter == "(note <> 'it''s\n  two lines'::text)"
    assert plan.root.sort_key == ["(count(*)) DESC", "o.kind"]
    assert render(plan) == PLAN


STYLES = {
    "plain": "",
    "no border": r"\pset border 0",
    "a box": r"\pset border 2",
    "a box of lines": "\\pset border 2\n\\pset linestyle unicode",
    "unicode": r"\pset linestyle unicode",
    "expanded": r"\x",
    "tuples only": r"\t",
    "unaligned": r"\a",
}


@pytest.mark.pg("18", needs=["psql"])
@pytest.mark.parametrize("form", ["TEXT", "JSON", "one value"])
@pytest.mark.parametrize("style", STYLES)
def test_what_psql_prints(pg_cluster: Cluster, style: str, form: str):
    query = "SELECT relname FROM pg_class WHERE relname > 'one line\n and another' LIMIT 3"
    with pg_cluster.connect(dbname="postgres") as connection:
        asked = connection.execute(f"EXPLAIN (COSTS OFF) {query}").fetchall()
    text = "\n".join(row[0] for row in asked)
    command = f"EXPLAIN (COSTS OFF, FORMAT {form}) {query};"
    if form == "one value":  # psql marks where its lines go on
        command = f'SELECT $${text}$$ AS "QUERY PLAN";'
    printed = subprocess.run(
        [pg_cluster.install.bindir / "psql", "-X", "-h", pg_cluster.host, "-U", pg_cluster.user, "postgres"],
        input=f"{STYLES[style]}\n{command}\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert render(parse_plan(printed)) == text


def test_a_whole_session_of_psql_has_several_plans():
    session = f"""\
db=# EXPLAIN SELECT 1;
                QUERY PLAN
------------------------------------------
 Result  (cost=0.00..0.01 rows=1 width=4)
(1 row)

db=# EXPLAIN SELECT ...;
              QUERY PLAN
---------------------------------------
{textwrap.indent(PLAN, " ")}
(11 rows)

Time: 1.234 ms
db=# SELECT 1;
"""
    plan = parse_plan(session)
    assert [root.label for root in plan.roots] == ["Result", "Sort"]
    assert plan.roots[1].children == parse_plan(PLAN).root.children


LINES = [
    "Limit  (cost=0.00..0.35 rows=10 width=4)",
    "  ->  Seq Scan on t  (cost=0.00..35.50 rows=1000 width=4)",
    "        Filter: (a > 3)",
]


def test_carriage_returns():
    assert render(parse_plan("\r\n".join(LINES) + "\r\n")) == "\n".join(LINES)


def test_tabs_in_place_of_spaces():
    assert render(parse_plan("\n".join(line.replace("        ", "\t") for line in LINES))) == "\n".join(LINES)


@pytest.mark.parametrize("indent", ["    ", "\t"])
def test_text_indented_within_a_document(indent: str):
    text = "\n".join(LINES)
    assert render(parse_plan(f"As planned:\n\n{textwrap.indent(text, indent)}\n\nThat is all.\n")) == text


def test_a_byte_order_mark_and_blank_lines_around():
    assert render(parse_plan("\ufeff\n\n" + "\n".join(LINES) + "\n\n\n")) == "\n".join(LINES)


def test_a_log_of_auto_explain():
    log = (
        "2026-11-21 09:00:00.123 UTC [4242] LOG:  duration: 0.012 ms  plan:\n"
        "\tQuery Text: SELECT a\n"
        "\t  FROM t\n"
        "\t LIMIT 10\n" + "".join(f"\t{line}\n" for line in LINES) + "2026-11-21 09:00:00.124 UTC [4242] LOG:"
        "  duration: 1.500 ms  plan:\n"
        "\tQuery Text: SELECT 1\n"
        "\tResult  (cost=0.00..0.01 rows=1 width=4) (actual time=0.001..0.002 rows=1 loops=1)\n"
        "2026-11-21 09:00:00.125 UTC [4242] LOG:  disconnection\n"
    )
    plan = parse_plan(log)
    assert [root.label for root in plan.roots] == ["Limit", "Result"]
    assert [query["Query Text"] for query in plan.queries] == ["SELECT a\n  FROM t\n LIMIT 10", "SELECT 1"]


def test_a_log_of_auto_explain_in_json():
    log = (
        "2026-11-21 09:00:00.123 UTC [4242] LOG:  duration: 0.012 ms  plan:\n"
        '\t{\n\t  "Query Text": "SELECT 1",\n\t  "Plan": {\n\t    "Node Type": "Result",\n'
        '\t    "Parallel Aware": false\n\t  }\n\t}\n'
        "2026-11-21 09:00:00.125 UTC [4242] LOG:  disconnection\n"
    )
    assert parse_plan(log).root.label == "Result"


def test_a_document_that_wrapped_its_lines():
    """A reader bent the columns, lost underscores, made one blank of two, and read Q as O."""
    document = """\
The plan in PostgreSQL 16:

                     OUERY PLAN
______
Finalize Aggregate (cost=2267.27..2267.28 rows=1 width=8)
  -> Gather (cost=2267.05..2267.26 rows=2 width=8)
      Workers Planned: 2
       -> Partial Aggregate (cost=1267.05..1267.06 rows=1 width=8)
           -> Parallel Hash Full Join
               (cost=654.08..1217.71 rows=19737 width=0)
                Hash Cond: (left_side.id =
                    right_side.id)
                -> Parallel Seq Scan on left side l
                    (cost=0.00..407.37 rows=19737 width=4)
                -> Parallel Hash
                     (cost=407.37..407.37 rows=19737 width=4)
                     -> Parallel Seq Scan on right_side
(cost=0.00..407.37 rows=19737 width=4)
(10 rows)

It is parallel.
"""
    plan = parse_plan(document)
    assert [node.label for node in plan.nodes] == [
        "Finalize Aggregate",
        "Gather",
        "Partial Aggregate",
        "Parallel Hash Full Join",
        "Parallel Seq Scan",
        "Parallel Hash",
        "Parallel Seq Scan",
    ]
    join = plan.one("Parallel Hash Full Join")
    assert join.hash_cond == "(left_side.id = right_side.id)"
    assert [child.label for child in join.children] == ["Parallel Seq Scan", "Parallel Hash"]
    assert join.children[0].total_cost == 407.37
    assert (join.children[0].relation, join.children[0].alias) == ("left_side", "l")


def test_utility_statements_and_rules():
    assert parse_plan("Utility statements have no plan structure").queries == ["Utility Statement"]
    assert parse_plan("NOTIFY").queries == ["Notify"]
    assert parse_plan("Query rewrites to nothing").queries == []
    two = "Insert on a  (cost=0.00..0.01 rows=0 width=0)\n  ->  Result  (cost=0.00..0.01 rows=1 width=4)\n\n"
    two += "Insert on b  (cost=0.00..0.01 rows=0 width=0)\n  ->  Result  (cost=0.00..0.01 rows=1 width=4)"
    plan = parse_plan(two)
    assert [root.relation for root in plan.roots] == ["a", "b"]
    assert render(plan) == two


FIGURES = '''\
Limit (actual time=0.016..0.020 rows=2.50 loops=2)
  Disabled: true
  Buffers: shared hit=3 read=1, temp read=2 written=4
  I/O Timings: shared read=0.011, temp write=0.500
  WAL: records=2 fpi=1 bytes=117 buffers full=1
  ->  Incremental Sort (actual time=0.015..0.018 rows=2.00 loops=2)
        Sort Key: a, b
        Presorted Key: a
        Full-sort Groups: 1  Sort Method: quicksort  Average Memory: 25kB  Peak Memory: 26kB
        Pre-sorted Groups: 5  Sort Methods: top-N heapsort, quicksort  Average Memory: 27kB  Peak Memory: 28kB
        Worker 0:  actual time=0.001..0.002 rows=1.00 loops=1
          Buffers: shared hit=2
        ->  Hash Join (actual time=0.001..0.002 rows=1.00 loops=1)
              Hash Cond: (x.a = y.a)
              Rows Removed by Join Filter: 7
              ->  Seq Scan on x (never executed)
              ->  Hash (actual time=0.001..0.002 rows=0.00 loops=1)
                    Buckets: 4096 (originally 1024)  Batches: 2 (originally 1)  Memory Usage: 33kB
                    ->  Memoize (actual time=0.001..0.002 rows=0.00 loops=1)
                          Cache Key: z.a
                          Cache Mode: logical
                          Hits: 9  Misses: 1  Evictions: 0  Overflows: 0  Memory Usage: 1kB
                          ->  Index Only Scan Backward using "Odd ""name""" on s.y (never executed)
                                Index Cond: (a = z.a)
                                Heap Fetches: 0
                                Index Searches: 0
Settings: work_mem = '1MB', "odd.name" = 'x, y'
Planning:
  Buffers: shared hit=4
  Memory: used=10kB  allocated=16kB
Planning Time: 0.100 ms
Trigger t1 on x: time=0.250 calls=2
Trigger for constraint fk: time=0.125 calls=1
JIT:
  Functions: 3
  Options: Inlining false, Optimization true, Expressions true, Deforming true
  Timing: Generation 1.000 ms (Deform 0.500 ms), Optimization 2.000 ms, Emission 3.000 ms, Total 6.000 ms
Serialization: time=0.010 ms output=1kB  format=text
  Buffers: shared hit=1
Execution Time: 0.300 ms'''


def test_figures_of_every_kind():
    plan = parse_plan(FIGURES)
    top, sort = plan.nodes[:2]
    assert (top.actual_rows, top.loops, top.disabled) == (2.5, 2, True)
    assert (top["Shared Hit Blocks"], top["Temp Written Blocks"], top["WAL Buffers Full"]) == (3, 4, 1)
    assert (top["Shared I/O Read Time"], top["Temp I/O Write Time"]) == (0.011, 0.5)
    assert sort["Pre-sorted Groups"]["Sort Methods Used"] == ["top-N heapsort", "quicksort"]
    assert sort.workers is not None
    assert sort.workers[0]["Shared Hit Blocks"] == 2
    assert plan.one("Hash")["Original Hash Buckets"] == 1024
    assert plan.one("Memoize").cache_hits == 9
    scan = plan.one("Index Only Scan Backward")
    assert (scan.index, scan.schema, scan.relation, scan.loops) == ('Odd "name"', "s", "y", 0)
    assert plan.summary["Planning"]["Memory Allocated"] == 16
    assert [trigger["Calls"] for trigger in plan.summary["Triggers"]] == [2, 1]
    assert plan.summary["JIT"]["Timing"]["Generation"] == {"Deform": 0.5, "Total": 1.0}
    assert plan.summary["Serialization"]["Output Volume"] == 1
    assert plan.summary["Execution Time"] == 0.3


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "there is no plan node in it"),
        ("hello\nworld", 1, "there is no plan node in it"),
        ("Sort\n  Sort Method: fast\n  Sort Key: a\n  Filter: b\n  Order By: c", 2, "Sort Method can't be"),
        ("Result\nPlanning Time: soon\n", 2, "Planning Time can't be 'soon'"),
        ("Result\nTrigger t: calls=many\n", 2, "a trigger can't be 'Trigger t: calls=many'"),
    ],
)
def test_what_is_no_plan_is_an_error_with_line_and_reason(text: str, line: int, reason: str):
    with pytest.raises(PlanParseError, match=reason) as caught:
        parse_plan(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")
