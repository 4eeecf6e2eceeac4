"""FORMAT TEXT to the mappings of FORMAT JSON.

The tree is in the columns of the arrows. A property follows its node's first line before any child, so it
belongs to the node read last, whatever its column. Documents bend columns and wrap lines: where the columns
contradict what a node can have (a Seq Scan has no child, a Sort has one), the node's type decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan.continuation import Pending
from pytest_pgfeatures.plan.label import ARITY, MEMBERS
from pytest_pgfeatures.plan.majors import NEWEST, order
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.plan.quoting import keywords, last_without
from pytest_pgfeatures.plan.text_line import (
    is_known,
    is_node_line,
    node_line_keys,
    property_keys,
    worker_figures,
)
from pytest_pgfeatures.plan.text_query import (
    GROUPS,
    is_query_key,
    read_jit_key,
    read_query_key,
    read_trigger,
)
from pytest_pgfeatures.plan.text_source import FENCE, HEADER, Line, lines, plain_newlines

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgVersion

_ARROW = re.compile(r"->\s*").match
_PROPERTY = re.compile(r"([A-Z][\w/ -]{0,60}?):(?:\s+(.*))?").fullmatch
_SUBPLANS = ("InitPlan ", "SubPlan ", "CTE ")
_WORKER = re.compile(r"Worker (\d+)").fullmatch
_TARGET = re.compile(r"(Foreign )?(Insert|Update|Delete|Merge) on .*").fullmatch
_FIGURES = ("(cost=", "(actual ", "(never executed)")
_GROUPING = ("Group Key", "Hash Key", "Sort Key")
_NEARBY = 64
"""How far up a node with room for a child is looked for where the columns are wrong."""

STATEMENTS = {"Utility statements have no plan structure": "Utility Statement", "NOTIFY": "Notify"}
NOTHING = "Query rewrites to nothing"


def plan_from_text(text: str, version: PgVersion | None = None) -> Plan:
    """The plan in what ``EXPLAIN (FORMAT TEXT)`` printed.

    Raises:
        PlanParseError: no line of it is a plan's, or one can't be a plan's.
    """
    reader = _Reader(plain_newlines(text), version)
    reader.read()
    if not reader.queries and not reader.nothing:
        raise PlanParseError(
            "there is no plan node in it",
            line=1,
            remedy="pass what EXPLAIN, psql or auto_explain prints, in FORMAT TEXT or JSON",
        )
    return Plan(reader.queries, version, written_by=reader.major)


@dataclass(slots=True, eq=False)
class _Open:
    """A node that may still get children."""

    column: int
    data: dict[str, Any]
    parent: _Open | None
    count: int = 0
    """Of children that are no InitPlan or SubPlan."""

    @property
    def full(self) -> bool:
        arity = ARITY.get(self.data.get("Node Type", ""))
        return arity is not None and self.count >= arity


class _Reader:
    """Reads line by line; what a line says is taken in when the next one shows that it is complete."""

    def __init__(self, text: str, version: PgVersion | None) -> None:
        self.before_14 = version is not None and version < 14
        self.raw = text.split("\n")
        self.queries: list[Any] = []
        self.nothing = False
        self.after_header = False
        self.major = NEWEST
        """The newest major that could have written the text."""
        self.last_quote = {
            sign: text.count("\n", 0, text.rfind(sign) + 1) + 1 for sign in "'\"" if sign in text
        }
        """The last line with each kind of quote: one that opens there or later never closes."""
        self._new_query()

    def _new_query(self) -> None:
        self.query: dict[str, Any] | None = None
        self.before: dict[str, list[str]] = {}
        """What auto_explain says before the plan: the lines of each key."""
        self.open: list[_Open] = []
        self.last: _Open | None = None
        self.sink: dict[str, Any] = {}
        self.sink_column = -1
        self.group: tuple[str, dict[str, Any]] | None = None
        self.pending: Pending | None = None
        self.workers: dict[int, dict[str, Any]] = {}
        """Those of the node read last, by number."""
        self.subplan: tuple[str, int] | None = None
        """The name of the InitPlan, SubPlan or CTE whose top node comes next, and its column."""
        self.base = 0
        self.blank = False
        self.past_tree = False
        self.fenced = False

    def read(self) -> None:
        for line in lines(self.raw):
            if isinstance(line, Line):
                if self.fenced and line.text:
                    self.fenced = False
                    if not line.text.startswith(("->", *_FIGURES)):
                        self._end_query()
                self._take(line)
            elif line == FENCE:
                self.fenced = True
            else:
                self._end_query()
                self.after_header = line == HEADER
        self._end_query()

    # --- where a query starts and ends ---------------------------------------------------------------------

    def _end_query(self) -> None:
        self._flush()
        if self.query is not None:
            self.queries.append(self.query)
        elif not self.before:
            return  # none has started
        self._new_query()

    def _outside(self, line: Line) -> None:
        text = line.text
        if text in STATEMENTS:
            self.queries.append(STATEMENTS[text])
        elif text == NOTHING:
            self.nothing = True
        elif text.startswith(("Query Text: ", "Query Parameters: ")):
            key, _, value = text.partition(": ")
            self.before[key] = [value]
        elif is_node_line(_bare(text)) or (self.after_header and text[:1].isupper()):
            self.query = {key: "\n".join(said) for key, said in self.before.items()}
            self.base = line.column
            self._node(line, _bare(text))
        elif self.before:
            self.before[next(reversed(self.before))].append(line.raw)
        self.after_header = False

    # --- lines ---------------------------------------------------------------------------------------------

    def _take(self, line: Line) -> None:
        text = line.text
        if self.query is None:
            if text:
                self._outside(line)
            elif self.before:
                self.before[next(reversed(self.before))].append("")
            return
        arrow = _ARROW(text) if text[:2] == "->" else None
        if (
            arrow is None
            and self.pending is not None
            and self.pending.quote
            and self._in_literal(self.pending)
        ):
            self._append("\n" + line.raw[self.base :], line)
            return
        if not text:
            self.blank = True
            return
        if arrow is not None:
            self._node(line, text[arrow.end() :])
        elif text.startswith(_FIGURES):
            self._append("  " + text, line)
        elif text.startswith(_SUBPLANS) and not text.startswith("CTE Scan"):
            self._flush()
            self.subplan = (text, line.column)
        elif self.blank and line.column <= self.base and not _goes_on(text):
            self._end_query()
            self._outside(line)
        elif text.startswith("Trigger ") and "calls=" in text:
            self._trigger(line)
        elif " on " in text and (said := _TARGET(text)) is not None and self._modifies(line, said[2]):
            self._target(line)
        elif (said := _PROPERTY(text)) is not None:
            self._property(line, said[1], said[2] or "")
        elif is_node_line(text) and line.column <= self.base:
            self._end_query()
            self._outside(line)
        elif self.past_tree:
            self._end_query()
        else:
            self._append(" " + text, line)
        self.blank = False

    def _in_literal(self, pending: Pending) -> bool:
        """Whether the quote that opened in the value so far closes in a later line."""
        return self.last_quote.get(pending.quote, 0) > pending.until

    def _append(self, text: str, line: Line) -> None:
        if self.pending is not None:
            self.pending.go_on(text, line.number)

    def _flush(self) -> None:
        """Take in what is pending."""
        pending = self.pending
        if pending is None:
            return
        value = pending.text
        try:
            if pending.key:
                self._put(pending.key, value)
            elif self.last is not None:
                keys = node_line_keys(value)
                self.last.data.update(keys)
                self._settle(self.last)
                self._date(keys, value)
        except ValueError:
            shown = value if len(value) < 200 else f"{value[:200]}..."
            raise PlanParseError(
                f"{pending.key or 'a node'} can't be {shown!r}", line=pending.number
            ) from None
        self.pending = None

    # --- nodes ---------------------------------------------------------------------------------------------

    def _node(self, line: Line, text: str) -> None:
        self._flush()
        data: dict[str, Any] = {}
        column = line.column
        if self.subplan is not None:
            data["Subplan Name"], at = self.subplan
            column = min(column, at)
            self.subplan = None
        parent = self._parent(column, is_subplan=bool(data))
        node = _Open(line.column, data, parent)
        if parent is None:
            assert self.query is not None
            self.query["Plan"] = data
            node.column = -1
        else:
            parent.data.setdefault("Plans", []).append(data)
            if not data:
                parent.count += 1
        self.open.append(node)
        self.last = node
        self._pour_into(data, -1)
        self.workers = {}
        self.pending = Pending("", text, line.number)

    def _parent(self, column: int, *, is_subplan: bool) -> _Open | None:
        while self.open and self.open[-1].column >= column:
            self.open.pop()
        if not self.open:
            return None
        by_column = self.open[-1]
        if is_subplan or not by_column.full:
            return by_column
        candidate, steps = self.last, 0
        while candidate is not None and steps < _NEARBY:
            if not candidate.full:
                return candidate
            candidate, steps = candidate.parent, steps + 1
        return by_column

    def _date(self, keys: dict[str, Any], text: str) -> None:
        """A bare name that the newest major would quote tells an older one."""
        reserved = keywords(NEWEST)
        for key in ("Relation Name", "Alias", "Schema", "Index Name", "Function Name", "CTE Name"):
            name = keys.get(key)
            if name in reserved and f'"{name}"' not in text:
                self.major = min(self.major, last_without(name), key=order)

    def _settle(self, node: _Open) -> None:
        """What JSON says of a node and text leaves to its place in the tree."""
        data, parent = node.data, node.parent
        if parent is None:
            return
        name = data.get("Subplan Name")
        kind = parent.data.get("Node Type")
        if name is not None:
            relationship = "SubPlan" if name.startswith("SubPlan") else "InitPlan"
        elif kind in MEMBERS or (kind == "ModifyTable" and self.before_14):
            relationship = "Member"
        elif kind == "Subquery Scan":
            relationship = "Subquery"
        else:
            relationship = "Inner" if parent.count > 1 else "Outer"
        data["Parent Relationship"] = relationship

    # --- properties ----------------------------------------------------------------------------------------

    def _pour_into(self, sink: dict[str, Any], column: int) -> None:
        """The properties that follow, if they are to the right of ``column``, belong to ``sink``."""
        self.sink, self.sink_column = sink, column
        self.group = None

    def _property(self, line: Line, key: str, value: str) -> None:
        if not self._complete():
            self._append(" " + line.text, line)
            return
        worker = _WORKER(key) if key[:7] == "Worker " else None
        if worker is not None:
            self._worker(line, int(worker[1]), value)
        elif self.group is not None and key in GROUPS[self.group[0]]:
            self._in_group(key, value, line)
        elif key == "JIT" and self.sink_column >= 0 and line.column > self.sink_column:
            self.group = ("JIT", self.sink.setdefault("JIT", {}))
        elif is_query_key(key):
            self._about_query(key, value, line)
        else:
            if line.column <= self.sink_column and self.last is not None:
                self._pour_into(self.last.data, -1)
            self.pending = Pending(key, value, line.number)
            if self.pending.quote:  # white space at the line's end is in the literal
                self.pending.go_on(line.raw[len(line.raw.rstrip()) :], line.number)

    def _complete(self) -> bool:
        """Take in what is pending, unless it is half a value: a document may have wrapped it."""
        try:
            self._flush()
        except PlanParseError:
            assert self.pending is not None
            self.pending.tries += 1
            if self.pending.tries > 2:
                raise
            return False
        return True

    def _put(self, key: str, value: str) -> None:
        sink = self.sink
        keys = property_keys(key, value)
        if key in _GROUPING and sink.get("Node Type") == "Aggregate":
            _add_grouping(sink, key, [] if value == "()" else keys[key])
        else:
            sink.update(keys)

    def _worker(self, line: Line, number: int, value: str) -> None:
        assert self.last is not None
        worker = self.workers.get(number)
        if worker is None:
            worker = self.workers[number] = {"Worker Number": number}
            self.last.data.setdefault("Workers", []).append(worker)
        if line.text.startswith(f"Worker {number}: actual"):
            self.major = min(self.major, "12", key=order)
        self._pour_into(worker, line.column)
        figures = worker_figures(value)
        if figures is not None:
            worker.update(figures)
        elif value == "JIT:":
            self.group = ("JIT", worker.setdefault("JIT", {}))
        elif (said := _PROPERTY(value)) is not None:
            self.pending = Pending(said[1], said[2] or "", line.number)

    def _modifies(self, line: Line, operation: str) -> bool:
        """Whether the line is a target's of the node read last: a ModifyTable with this operation."""
        if line.column <= self.base:
            return False
        if self.pending is not None and not self.pending.key:
            return self.pending.parts[0].startswith(f"{operation} on ")
        return self.last is not None and self.last.data.get("Operation") == operation

    def _target(self, line: Line) -> None:
        self._flush()
        assert self.last is not None
        keys = node_line_keys(line.text)
        table: dict[str, Any] = {}
        table.update({name: keys[name] for name in ("Relation Name", "Schema", "Alias") if name in keys})
        if line.text.startswith("Foreign "):
            table["Operation"] = f"Foreign {self.last.data['Operation']}"
        self.last.data.setdefault("Target Tables", []).append(table)
        self._pour_into(table, line.column)

    # --- what is said of the whole query -------------------------------------------------------------------

    def _about_query(self, key: str, value: str, line: Line) -> None:
        assert self.query is not None
        self.past_tree = True
        try:
            name, said = read_query_key(key, value)
        except ValueError:
            raise PlanParseError(f"{key} can't be {value!r}", line=line.number) from None
        self.query[name] = said
        if key[-4:] == "time":
            self.major = "9.3" if key == "Total runtime" else "10"
        self.group = (key, said) if key in GROUPS else None

    def _in_group(self, key: str, value: str, line: Line) -> None:
        assert self.group is not None
        name, said = self.group
        try:
            if name == "JIT":
                said[key] = read_jit_key(key, value)
            else:
                said.update(property_keys(key, value))
        except ValueError:
            raise PlanParseError(f"{key} can't be {value!r}", line=line.number) from None

    def _trigger(self, line: Line) -> None:
        self._flush()
        assert self.query is not None
        self.past_tree = True
        try:
            self.query.setdefault("Triggers", []).append(read_trigger(line.text))
        except ValueError:
            raise PlanParseError(f"no trigger's figures in {line.text!r}", line=line.number) from None


def _goes_on(text: str) -> bool:
    """Whether a line after an empty one, and as far left as the plan, may belong to it nevertheless."""
    said = _PROPERTY(text)
    return text.startswith("Trigger ") or (said is not None and (is_query_key(said[1]) or is_known(said[1])))


def _bare(text: str) -> str:
    arrow = _ARROW(text)
    return text if arrow is None else text[arrow.end() :]


def _add_grouping(data: dict[str, Any], key: str, items: list[str]) -> None:
    """One of an Aggregate's lines about keys: several are grouping sets, one ``Group Key`` is its own."""
    if key == "Group Key" and items and not data.keys() & {"Group Key", "Grouping Sets"}:
        data[key] = items
        return
    sets = data.setdefault("Grouping Sets", [])
    first = data.pop("Group Key", None)
    if first is not None:
        sets.append({"Group Keys": [first]})
    if key == "Sort Key":
        sets.append({"Sort Key": items})
        return
    if not sets or key == "Hash Key" or "Hash Keys" in sets[-1]:
        sets.append({})
    sets[-1].setdefault(f"{key}s", []).append(items)
