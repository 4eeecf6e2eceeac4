"""The labels, keys and values that plans of 9.3 to 19 can have: a selector with any other one can match nothing.

Such a selector is refused, above all since ``"SeqScan" not in plan`` would hold for every plan. Names in
quotes are accepted unchanged: extensions and newer servers have names of their own. So are names in the plan
at hand.

The strings are those of explain.c, as the programs ``postgres`` of these majors contain them, and those of foreign
data wrappers in contrib and of pg_overexplain.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.plan.label import LABELS
from pytest_pgfeatures.plan.majors import NAMES
from pytest_pgfeatures.plan.properties import WRITERS
from pytest_pgfeatures.plan.tree import ATTRIBUTES, TreeNode

if TYPE_CHECKING:
    from collections.abc import Iterable

PARALLEL = frozenset(
    (
        "Seq Scan",
        "Index Scan",
        "Index Scan Backward",
        "Index Only Scan",
        "Index Only Scan Backward",
        "Bitmap Heap Scan",
        "Tid Range Scan",
        "Foreign Scan",
        "Custom Scan",
        "Append",
        "Hash",
        *(name for name, keys in LABELS.items() if keys["Node Type"] == "Hash Join"),
    )
)
"""The labels that ``Parallel`` can precede: these nodes share their work between workers. Other nodes of a parallel
plan do their own part, and have no ``Parallel`` in their label."""
ASYNC = frozenset(("Foreign Scan", "Custom Scan", "Subquery Scan", "Result"))
"""The labels that ``Async`` can precede, since 14."""
NODES = frozenset(
    (
        *LABELS,
        *(f"Parallel {name}" for name in PARALLEL),
        *(f"Async {name}" for name in ASYNC),
        *(f"Parallel Async {name}" for name in PARALLEL & ASYNC),
    )
)
"""All labels; a custom scan's also has its provider: ``Custom Scan (Columnar)``."""

KEYS = frozenset(
    (
        *WRITERS,
        *ATTRIBUTES.values(),
        "Conflicting Tuples",
        "Replaces",
        "Table Function Call",
        "Foreign Program",
        "Foreign File",
        "Foreign File Size",
        "Relations",
        "Batch Size",
        "Disabled Nodes",
        "Parallel Safe",
        "Plan Node ID",
        "Append RTIs",
        "Exclude Relation RTI",
        "Nominal RTI",
        "Scan RTI",
        "Scan RTIs",
        "Elided Nodes",
    )
)
"""The keys of a node in FORMAT JSON."""
_CLOSED = ("Node Type", "Strategy", "Partial Mode", "Operation", "Command", "Join Type", "Scan Direction")
VALUES: dict[str, frozenset[str]] = {
    **{key: frozenset(keys[key] for keys in LABELS.values() if key in keys) for key in _CLOSED},
    "label": NODES,
}
"""The values of those keys that have a few known ones."""

_NAMING = {
    "Bitmap Index Scan": "index",
    "CTE Scan": "cte",
    "Function Scan": "function",
    "Table Function Scan": "table_function",
    "Named Tuplestore Scan": "tuplestore",
    "Values Scan": "alias",
    "Subquery Scan": "alias",
    "WorkTable Scan": "cte",
}
"""The attribute for the name that text EXPLAIN prints after ``on``, if it isn't ``relation``."""
QUOTED = "names in quotes are accepted unchanged, for names that an extension or a newer server adds"
_SPAN = f"{NAMES[0]} to {NAMES[-1]}"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A part of a selector that no plan of these majors can have.

    Parameters:
        kind: ``node`` for a label, ``key`` for an attribute, or the key that has the value ``text``.
        text: the label, the attribute or the value.
        at: its place in the selector, from 0.
    """

    kind: str
    text: str
    at: int

    def is_settled_by(self, nodes: Iterable[TreeNode]) -> bool:
        """Whether one of these nodes has it after all."""
        if self.kind == "node":
            return any(has_pieces(node.label, self.text.split("*")) for node in nodes)
        if self.kind == "key":
            return any(spelled(key) == spelled(self.text) for node in nodes for key in node.data)
        if self.kind == "label":
            return any(node.label == self.text for node in nodes)
        return any(node.data.get(self.kind) == self.text for node in nodes)

    @property
    def problem(self) -> str:
        """The doubt, in a sentence."""
        if self.kind == "node":
            return f"no node of a plan is called {self.text!r} ({_SPAN})"
        if self.kind == "key":
            return f"no node of a plan has {self.text!r} ({_SPAN})"
        if self.kind in ("Relation Name", "Index Name"):
            return f"{self.kind} has no schema, so none is {self.text!r}"
        return f"no node of a plan has the {self.kind} {self.text!r} ({_SPAN})"

    @property
    def remedy(self) -> str:
        """The form that was probably meant."""
        if self.kind == "node":
            return f"{_instead_of_label(self.text)}; {QUOTED}"
        if self.kind == "key":
            near = _near(self.text.replace(" ", "_").lower(), ATTRIBUTES) or _near(self.text, KEYS)
            return f"write {_or(f'[{name}]' for name in near)}; {QUOTED}" if near else QUOTED
        if self.kind in ("Relation Name", "Index Name"):
            schema, _, name = self.text.partition(".")
            said = "relation" if self.kind == "Relation Name" else "index"
            schemas = f"[schema={schema}] " if said == "relation" else ""
            verbose = "; the plan of explain(..., verbose=True) has the schema" if schemas else ""
            return f"write {schemas.strip()}[{said}={name}]{verbose}; {QUOTED}"
        known = VALUES[self.kind]
        near = _near(self.text, known)
        return f"it is {_or(near or sorted(known)[:12])}; {QUOTED}"


def is_node(name: str) -> bool:
    """Whether nodes can have this label, in which ``*`` stands for any text."""
    bare = name.removeprefix("Parallel ").removeprefix("Async ")
    if name in NODES or bare.startswith("Custom Scan ("):
        return True
    return "*" in name and any(has_pieces(label, name.split("*")) for label in NODES)


def is_key(name: str) -> bool:
    """Whether nodes can have this key; ``name`` may be an attribute's."""
    return name == "label" or key_of(name) in KEYS or spelled(name) in _SPELLED


def key_of(name: str) -> str:
    """The key that an attribute reads; a key reads itself."""
    return ATTRIBUTES.get(name.replace(" ", "_").lower(), name)


def is_value(key: str, value: str) -> bool:
    """Whether ``key`` can have this value in a plan."""
    if key in ("Relation Name", "Index Name"):
        return "." not in value
    if key == "label":
        return is_node(value)
    return key not in VALUES or value in VALUES[key]


def spelled(key: str) -> str:
    """A key as selectors compare it: without regard to case, ``_`` as a blank."""
    return key.replace("_", " ").lower()


_SPELLED = frozenset(map(spelled, KEYS))


def has_pieces(label: str, pieces: list[str]) -> bool:
    """Whether a label starts with the first piece, ends with the last, and has the others in between in order."""
    if len(pieces) == 1:
        return label == pieces[0]
    at, end = len(pieces[0]), len(label) - len(pieces[-1])
    if end < at or not label.startswith(pieces[0]) or not label.endswith(pieces[-1]):
        return False
    for piece in pieces[1:-1]:
        found = label.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _instead_of_label(name: str) -> str:
    before, on, target = name.partition(" on ")
    label, using, index = before.partition(" using ")
    if on and target and label in NODES:
        words = target.split()
        schema, _, relation = words[0].rpartition(".")
        naming = "index" if label.endswith("Bitmap Index Scan") else _NAMING.get(label, "relation")
        tests = [("index", index)] if using else []
        tests += [("schema", schema)] if schema else []
        tests += [(naming, relation)]
        tests += [("alias", words[-1])] if len(words) > 1 else []
        return f"write {label}" + "".join(f"[{key}={value}]" for key, value in tests)
    if name in VALUES["Node Type"]:  # ModifyTable, Aggregate, ...: a type, of which text prints more
        return f"write [type={name}]"
    near = _near(name, NODES)
    return f"write {_or(near)}" if near else "write a label as text EXPLAIN prints it, such as Seq Scan"


def _near(text: str, known: Iterable[str]) -> list[str]:
    """The known names that are most like ``text``, the nearest first: blanks and case count least."""
    bare = {name.replace(" ", "").replace("_", "").lower(): name for name in sorted(known, reverse=True)}
    asked = text[:100].replace(" ", "").replace("_", "").replace("*", "").lower()
    if asked in bare:
        return [bare[asked]]
    return [bare[name] for name in difflib.get_close_matches(asked, bare, 2, 0.6)]


def _or(names: Iterable[str]) -> str:
    return " or ".join(names)
