"""FORMAT TEXT to the mappings of FORMAT JSON.

A property follows its node's first line and comes before any child, so it belongs to the node read last, whatever
its column. :mod:`pytest_pgfeatures.plan.text_tree` decides where a node belongs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan.continuation import Continuation
from pytest_pgfeatures.plan.majors import NEWEST, before, order
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.plan.quoting import keywords, last_without
from pytest_pgfeatures.plan.text_line import (
    is_known,
    is_node_line,
    node_line_keys,
    property_keys,
    worker_figures,
)
from pytest_pgfeatures.plan.text_query import GROUPS, is_query_key, read_jit_key, read_query_key, read_trigger
from pytest_pgfeatures.plan.text_source import FENCE, HEADER, Line, lines, plain_newlines
from pytest_pgfeatures.plan.text_tree import TextTree, add_grouping
from pytest_pgfeatures.plan.tree import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.version import PgMajor

_PROPERTY = re.compile(r"([A-Z][\w/ -]{0,60}):(?:\s(.*))?").fullmatch
_SUBPLANS = ("InitPlan ", "SubPlan ", "CTE ")
_WORKER = re.compile(r"Worker (\d+)").fullmatch
_TARGET = re.compile(r"(?:Foreign )?(Insert|Update|Delete|Merge) on .*").fullmatch
_FIGURES = ("(cost=", "(actual ", "(never executed)")
_GROUPING = ("Group Key", "Hash Key", "Sort Key")
_NAMES = ("Relation Name", "Alias", "Schema", "Index Name", "Function Name", "CTE Name")
_TRIES = 3
"""The number of property lines after which an unreadable value is an error: a document may have wrapped it."""
_SHOWN = 200
"""The number of characters of a value that an error shows."""

STATEMENTS = {"Utility statements have no plan structure": "Utility Statement", "NOTIFY": "Notify"}
NOTHING = "Query rewrites to nothing"


def plan_from_text(text: str, major: PgMajor | None = None) -> Plan:
    """Return the plan in the output of ``EXPLAIN (FORMAT TEXT)``.

    Parameters:
        text: bare, or within psql's table, auto_explain's log entries or a document that wrapped its lines.
        major: the server's major, if known.

    Raises:
        PlanParseError: no line is a plan's, or a line can't be a plan's.
    """
    reader = _Reader(plain_newlines(text), None if major is None else str(major))
    reader.read()
    if not reader.queries and not reader.nothing:
        raise PlanParseError(
            "there is no plan node in it",
            line=1,
            remedy="pass what EXPLAIN, psql or auto_explain prints, in FORMAT TEXT or JSON",
        )
    return Plan(reader.queries, major, written_by=reader.major)


class _Reader:
    """Reads line by line. A value is stored when the next line shows that it is complete.

    Parameters:
        text: with a newline alone at the end of each line.
        major: the server's major, if known.
    """

    def __init__(self, text: str, major: str | None) -> None:
        self.before_14 = major is not None and before(major, "14")
        self.raw = text.split("\n")
        self.queries: list[Any] = []
        self.nothing = False
        self.after_header = False
        self.major = NEWEST
        """The newest major that could have printed the text."""
        self.reserved = keywords(NEWEST)
        self.last_quote = {
            sign: text.count("\n", 0, text.rfind(sign) + 1) + 1 for sign in "'\"" if sign in text
        }
        """The last line with each kind of quote. A quote that opens in that line or later never closes."""
        self._new_query()

    def _new_query(self) -> None:
        self.query: dict[str, Any] | None = None
        self.before: dict[str, list[str]] = {}
        """The part that auto_explain prints before the plan: the lines of each key."""
        self.tree = TextTree(before_14=self.before_14)
        self.node: dict[str, Any] = {}
        """The keys of the node read last."""
        self.sink: dict[str, Any] = {}
        """The owner of the next properties: that node, one of its workers, or one of its target tables."""
        self.sink_column = -1
        self.group: tuple[str, dict[str, Any]] | None = None
        """The key of a line that has further lines below it, and the target of their values."""
        self.pending: Continuation | None = None
        """The property that the lines so far began and that the next line may continue."""
        self.workers: dict[int, dict[str, Any]] = {}
        """The workers of the node read last, by number."""
        self.base = 0
        """The column of the plan's first line."""
        self.blank = False
        """Whether the line before was empty."""
        self.past_tree = False
        """Whether a line about the whole query came."""
        self.fenced = False
        """Whether a document's code block ended, where the plan may go on in the next one."""

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
        """Read a line before a plan."""
        text = line.text
        if not text:
            if self.before:
                self.before[next(reversed(self.before))].append("")
            return
        if text in STATEMENTS:
            self.queries.append(STATEMENTS[text])
        elif text == NOTHING:
            self.nothing = True
        elif text.startswith(("Query Text: ", "Query Parameters: ")):
            key, _, value = text.partition(": ")
            self.before[key] = [value]
        elif is_node_line(_without_arrow(text)) or (self.after_header and text[:1].isupper()):
            self.query = {key: "\n".join(said) for key, said in self.before.items()}
            self.base = line.column
            self._add_node(line, _without_arrow(text))
        elif self.before:
            self.before[next(reversed(self.before))].append(line.raw)
        self.after_header = False

    # --- lines ---------------------------------------------------------------------------------------------

    def _take(self, line: Line) -> None:
        text = line.text
        pending = self.pending
        if self.query is None:
            self._outside(line)
        elif pending is not None and pending.quote and text[:2] != "->" and self._in_literal(pending):
            pending.add("\n" + line.raw[self.base :], line.number)
        elif not text:
            self.blank = True
        else:
            self._inside(line, text)
            self.blank = False

    def _in_literal(self, pending: Continuation) -> bool:
        """Whether the open quote closes in a later line."""
        return self.last_quote.get(pending.quote, 0) > pending.until

    def _inside(self, line: Line, text: str) -> None:
        """Read a line of a plan, or the first one after it."""
        if text[:2] == "->":
            self._add_node(line, text[2:].lstrip())
        elif text.startswith(_FIGURES):
            self._continue("  " + text, line)
        elif text.startswith(_SUBPLANS) and not text.startswith("CTE Scan"):
            self._flush()
            self.tree.subplan = (text, line.column)
        elif self.blank and line.column <= self.base and not _goes_on(text):
            self._end_query()
            self._outside(line)
        elif not text[0].isupper():
            self._add_rest(line, text)
        elif text.startswith("Trigger ") and "calls=" in text:
            self._add_trigger(line)
        elif " on " in text and (said := _TARGET(text)) is not None and self._modifies(line, said[1]):
            self._add_target(line)
        elif (said := _PROPERTY(text)) is not None:
            self._add_property(line, said[1], (said[2] or "").lstrip())
        else:
            self._add_rest(line, text)

    def _add_rest(self, line: Line, text: str) -> None:
        """Read a line that starts nothing: the rest of a wrapped line, or a line after the plan."""
        if is_node_line(text) and line.column <= self.base:
            self._end_query()
            self._outside(line)
        elif self.past_tree:
            self._end_query()
        else:
            self._continue(" " + text, line)

    def _continue(self, text: str, line: Line) -> None:
        if self.pending is not None:
            self.pending.add(text, line.number)

    def _flush(self) -> None:
        """Store the pending value."""
        pending = self.pending
        if pending is None:
            return
        value = pending.text
        try:
            if pending.key:
                self._put(pending.key, value)
            elif self.tree.last is not None:
                keys = node_line_keys(value)
                self.node.update(keys)
                self.tree.relate(self.tree.last)
                self._date(keys, value)
        except ValueError:
            raise _refused(pending.key or "a node", value, pending.number) from None
        self.pending = None

    # --- nodes ---------------------------------------------------------------------------------------------

    def _add_node(self, line: Line, text: str) -> None:
        self._flush()
        try:
            node = self.tree.add(line.column)
        except ValueError:
            raise PlanParseError(f"nodes nest more than {DEEPEST:,} levels deep", line=line.number) from None
        self.node = node.data
        if node.parent is None:
            assert self.query is not None
            self.query["Plan"] = node.data
        self._pour_into(node.data, -1)
        self.workers = {}
        self.pending = Continuation("", text, line.number)

    def _date(self, keys: dict[str, Any], text: str) -> None:
        """A name without quotes that the newest major would quote shows an older one."""
        for key in _NAMES:
            if key in keys:
                name = keys[key]
                if name in self.reserved and f'"{name}"' not in text:
                    self._written_by(last_without(name))

    def _written_by(self, major: str) -> None:
        """Record that no major after this one prints the text."""
        self.major = min(self.major, major, key=order)

    # --- properties ----------------------------------------------------------------------------------------

    def _pour_into(self, sink: dict[str, Any], column: int) -> None:
        """Direct the properties that follow to ``sink``, if they are to the right of ``column``."""
        self.sink, self.sink_column = sink, column
        self.group = None

    def _add_property(self, line: Line, key: str, value: str) -> None:
        if not self._complete():
            self._continue(" " + line.text, line)
            return
        worker = _WORKER(key) if key[:7] == "Worker " else None
        if worker is not None:
            self._add_worker(line, int(worker[1]), value)
        elif self.group is not None and key in GROUPS[self.group[0]]:
            self._add_to_group(key, value, line)
        elif key == "JIT" and self.sink_column >= 0 and line.column > self.sink_column:
            self.group = ("JIT", self.sink.setdefault("JIT", {}))
        elif is_query_key(key):
            self._add_about_query(key, value, line)
        else:
            if line.column <= self.sink_column:
                self._pour_into(self.node, -1)
            self.pending = Continuation(key, value, line.number)
            if self.pending.quote:  # white space at the line's end is part of the literal
                self.pending.add(line.raw[len(line.raw.rstrip()) :], line.number)

    def _complete(self) -> bool:
        """Store the pending value, unless it is incomplete: a document may have wrapped it."""
        try:
            self._flush()
        except PlanParseError:
            assert self.pending is not None
            self.pending.tries += 1
            if self.pending.tries == _TRIES:
                raise
            return False
        return True

    def _put(self, key: str, value: str) -> None:
        sink = self.sink
        keys = property_keys(key, value)
        if key in _GROUPING and sink.get("Node Type") == "Aggregate":
            add_grouping(sink, key, [] if value == "()" else keys[key])
        else:
            sink.update(keys)

    def _add_worker(self, line: Line, number: int, value: str) -> None:
        worker = self.workers.get(number)
        if worker is None:
            worker = self.workers[number] = {"Worker Number": number}
            self.node.setdefault("Workers", []).append(worker)
        if line.text.startswith(f"Worker {number}: actual"):
            self._written_by("12")
        self._pour_into(worker, line.column)
        figures = _read(worker_figures, value, f"worker {number}", line)
        if figures is not None:
            worker.update(figures)
        elif value == "JIT:":
            self.group = ("JIT", worker.setdefault("JIT", {}))
        elif (said := _PROPERTY(value)) is not None:
            self.pending = Continuation(said[1], (said[2] or "").lstrip(), line.number)

    def _modifies(self, line: Line, operation: str) -> bool:
        """Whether the line belongs to a target of the node read last: a ModifyTable with this operation."""
        if line.column <= self.base:
            return False
        if self.pending is not None and not self.pending.key:
            return self.pending.parts[0].startswith(f"{operation} on ")
        return self.node.get("Operation") == operation

    def _add_target(self, line: Line) -> None:
        self._flush()
        keys = _read(node_line_keys, line.text, "a target", line)
        table = {name: keys[name] for name in ("Relation Name", "Schema", "Alias") if name in keys}
        if line.text.startswith("Foreign "):
            table["Operation"] = f"Foreign {self.node['Operation']}"
        self.node.setdefault("Target Tables", []).append(table)
        self._pour_into(table, line.column)

    # --- the whole query -----------------------------------------------------------------------------------

    def _add_about_query(self, key: str, value: str, line: Line) -> None:
        assert self.query is not None
        self.past_tree = True
        name, said = _read(lambda text: read_query_key(key, text), value, key, line)
        self.query[name] = said
        if key[-4:] == "time":
            self.major = "9.3" if key == "Total runtime" else "10"
        self.group = (key, said) if key in GROUPS else None

    def _add_to_group(self, key: str, value: str, line: Line) -> None:
        assert self.group is not None
        name, said = self.group
        if name == "JIT":
            said[key] = _read(lambda text: read_jit_key(key, text), value, key, line)
        else:
            said.update(_read(lambda text: property_keys(key, text), value, key, line))

    def _add_trigger(self, line: Line) -> None:
        self._flush()
        assert self.query is not None
        self.past_tree = True
        trigger = _read(read_trigger, line.text, "a trigger", line)
        self.query.setdefault("Triggers", []).append(trigger)


def _read(read: Callable[[str], Any], value: str, what: str, line: Line) -> Any:
    """The result of a function that reads a value.

    Raises:
        PlanParseError: it raises ValueError.
    """
    try:
        return read(value)
    except ValueError:
        raise _refused(what, value, line.number) from None


def _refused(what: str, value: str, number: int) -> PlanParseError:
    shown = value if len(value) < _SHOWN else f"{value[:_SHOWN]}..."
    return PlanParseError(f"{what} can't be {shown!r}", line=number)


def _goes_on(text: str) -> bool:
    """Whether a line after an empty one, as far left as the plan, may still belong to it."""
    said = _PROPERTY(text)
    return text.startswith("Trigger ") or (said is not None and (is_query_key(said[1]) or is_known(said[1])))


def _without_arrow(text: str) -> str:
    return text[2:].lstrip() if text[:2] == "->" else text
