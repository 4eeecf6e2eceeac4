"""Plans in terminals and notebooks."""

from __future__ import annotations

from html.parser import HTMLParser

from rich.console import Console

from pytest_pgfeatures.plan import Plan, parse_plan

PLAN = parse_plan("""\
Hash Join  (cost=5.00..9.00 rows=1000000 width=12) (actual time=0.100..0.200 rows=1 loops=1)
  Hash Cond: (a.id = b.id)
  ->  Seq Scan on "A" a  (cost=0.00..4.00 rows=1 width=8) (actual time=0.100..0.200 rows=3 loops=2)
        Filter: (x <> '<b>[bold]&'::text)
        Rows Removed by Filter: 5
  ->  Hash  (cost=4.00..4.00 rows=1000 width=4) (never executed)
        ->  Index Scan using "I x" on u b  (cost=0.00..4.00 rows=900 width=4) (never executed)
              SubPlan 1
                ->  Result  (cost=0.00..0.01 rows=1 width=4) (never executed)
Planning Time: 0.100 ms""")


def shown(plan: Plan) -> str:
    console = Console(width=120, force_terminal=False)
    with console.capture() as capture:
        console.print(plan)
    return capture.get().rstrip()


def test_a_tree_in_the_terminal():
    assert (
        shown(PLAN)
        == """\
Hash Join  cost 5.00..9.00, 1,000,000 rows; actually 1 row, 0.200 ms
Hash Cond: (a.id = b.id)
├── Seq Scan on "A" a  cost 0.00..4.00, 1 row; actually 3 rows in each of 2 loops, 0.200 ms
│   Filter: (x <> '<b>[bold]&'::text)
│   Rows Removed by Filter: 5
└── Hash  cost 4.00..4.00, 1,000 rows; never executed
    └── Index Scan using "I x" on u b  cost 0.00..4.00, 900 rows; never executed
        └── SubPlan 1: Result  cost 0.00..0.01, 1 row; never executed
Planning Time: 0.100 ms"""
    )


def test_statements_without_a_plan():
    assert shown(parse_plan("NOTIFY")) == "NOTIFY"
    assert (
        shown(parse_plan("Utility statements have no plan structure"))
        == "Utility statements have no plan structure"
    )
    assert shown(parse_plan(["CREATE TABLE AS"])) == "CREATE TABLE AS"


class Reader(HTMLParser):
    """Checks that elements are nested as HTML has them, and gathers the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.depths: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert (tag == "li") is (self.open[-1:] == ["ul"]), (tag, self.open)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] == "b":
            self.depths.append((self.open.count("ul"), data))


def test_html_for_notebooks():
    html = PLAN._repr_html_()
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    assert reader.depths == [(1, "Hash Join"), (2, "Seq Scan"), (2, "Hash"), (3, "Index Scan"), (4, "Result")]
    assert "&#x27;&lt;b&gt;[bold]&amp;&#x27;" in html
    assert "Planning Time: 0.100 ms" in html
