"""Search for evidence in statements: calls, columns, relations, types, operators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from pytest_pgfeatures.affects import (
    Call,
    Column,
    Constant,
    ParseNode,
)
from pytest_pgfeatures.readiness.evidence.nodes import OfNode
from pytest_pgfeatures.readiness.statements.embedded import FILLED_IN
from pytest_pgfeatures.readiness.statements.nodes import short, text_of
from pytest_pgfeatures.readiness.statements.trees import RelationNamed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.reading import StatementReading
    from pytest_pgfeatures.readiness.statements.trees import Called, ColumnNamed

_FLAGS = re.IGNORECASE | re.DOTALL
_TYPES = frozenset({"json"})
"""Types among the function names in declarations of evidence."""


class Matcher(Protocol):
    """Searches for one piece of evidence."""

    keys: frozenset[str]
    """Names in :attr:`Tree.keys`, of which each matching statement has one; empty if any statement may match."""

    def __call__(self, context: StatementContext) -> Iterator[int]:
        """The tokens that match the evidence."""
        ...


class OfCall:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Call`."""

    def __init__(self, kind: Call) -> None:
        self._kind = kind
        self._where = {number: re.compile(regex, _FLAGS) for number, regex in kind.where.items()}
        low, _, high = str("" if kind.args is None else kind.args).partition("..")
        self._low = int(low) if low else 0
        self._high = int(high or low) if low else 10_000
        self.keys = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        reading, tree = context.reading, context.tree
        for call in (call for name in self._kind.names for call in tree.calls.get(name, ())):
            if self._fits(context, call) and self._takes(context, call):
                yield call.at
        for at, types in tree.defined.items() if self._kind.own else ():
            name = reading.name(at) or ""
            if (
                name in self._kind.names
                and is_plain(reading, at)
                and context.is_hidden(name, types, self._hides)
            ):
                yield at

    def _fits(self, context: StatementContext, call: Called) -> bool:
        """Whether the function is one of the evidence's."""
        count = len(call.arguments)
        if not self._low <= count <= self._high or (
            self._kind.own and not is_plain(context.reading, call.at)
        ):
            return False
        if call.casts:
            return not self._kind.own and bool(self._kind.where or self._kind.types)
        begin, resolved = context.begin(call.at), _resolved(context, call)
        if resolved:
            chosen = context.anew.functions.get(begin, "")
            hidden = "." not in _name(chosen) and self._hides(chosen)
            return self._is_wanted(context, resolved) and (hidden or not self._kind.own)
        own = context.own.has_function(call.name, count, call.schema) or call.name in context.own.operators
        if self._kind.own and own and call.name in context.own.arguments:
            types = tuple(context.type_of(each) or "" for each in call.arguments)
            return context.is_hidden(call.name, types, self._hides)
        if self._kind.own:
            return call.name not in _TYPES or own
        extension = self._kind.extension
        if not (call.name.isidentifier() or self._kind.types) and extension not in (
            None,
            *context.own.extensions,
        ):
            return False
        if call.schema not in (None, "pg_catalog") and extension is None:
            return False
        return call.schema == "pg_catalog" or not own

    def _is_wanted(self, context: StatementContext, resolved: str) -> bool:
        """Whether the function that the server chose is one of the evidence's."""
        _, dot, name = _name(resolved).rpartition(".")
        own = bool(dot) and (name in context.own.functions or name in context.own.operators)
        return own if self._kind.own else not own and bool(dot) == (self._kind.extension is not None)

    def _hides(self, chosen: str) -> bool:
        """Whether the function that the new server chose has the types of the evidence's; if unknown, it may."""
        wanted, types = self._kind.types, dict(enumerate(_argument_types(chosen), start=1))
        if isinstance(wanted, tuple) or not chosen:
            return True
        return all(types.get(number) in some for number, some in wanted.items())

    def _takes(self, context: StatementContext, call: Called) -> bool:
        """Whether the arguments are as the evidence's."""
        given = dict(enumerate(call.arguments, start=1))
        if not all(
            number in given and _matches(pattern, given[number]) for number, pattern in self._where.items()
        ):
            return False
        wanted = () if self._kind.own else self._kind.types
        chosen = dict(enumerate(_argument_types(_resolved(context, call)), start=1))
        types = {
            number: {context.type_of(node), chosen.get(number)} - {None} or {None}
            for number, node in (given.items() if wanted else ())
        }
        if isinstance(wanted, tuple):
            return not wanted or any(not found.isdisjoint(wanted) for found in types.values())
        return all(not types.get(number, set()).isdisjoint(some) for number, some in wanted.items())


def _resolved(context: StatementContext, call: Called) -> str:
    """The function or operator that the old server chose; empty if unknown."""
    begin = context.begin(call.at)
    return context.analyzed.functions.get(begin) or context.analyzed.operators.get(begin) or ""


def is_plain(reading: StatementReading, at: int) -> bool:
    """Whether a name is without schema and quotes."""
    return reading.tokens[at].kind == "word" and reading.keyword(at - 1) != "."


def _matches(pattern: re.Pattern[str], argument: Mapping[str, Any]) -> bool:
    """Whether a pattern matches an argument, or the constant in it if the argument is a constant with a cast,
    as in dumps."""
    if pattern.fullmatch(text_of(argument)):
        return True
    cast = argument.get("TypeCast")
    return cast is not None and pattern.fullmatch(text_of(cast["arg"])) is not None


class OfColumn:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Column`."""

    def __init__(self, kind: Column) -> None:
        schema, _, name = kind.relation.rpartition(".")
        self._of_sequences = kind.relation == "<sequence>"
        self._schema, self._relation = schema or "pg_catalog", name
        self._kind = kind
        self._value = re.compile(kind.value, _FLAGS) if kind.value else None
        self.keys = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        if self._relation not in context.reading.positions and not self._of_sequences:
            return
        for at, column in context.tree.columns.items():
            if column.name not in self._kind.names:
                continue
            resolved, _ = context.analyzed.columns.get(context.begin(at), (None, ""))
            if resolved is None or column.name == "*":
                is_one = self._is_one(context, column)
            else:
                schema, _, name = resolved.rpartition(".")
                is_one = self._is_ours(context, RelationNamed(schema or None, name, None, -1))
            if is_one and self._value is None:
                yield at
            elif is_one and self._value is not None:
                compared = context.tree.compared_with(column)
                yield from (place for place, text in compared if self._value.fullmatch(text))

    def _is_ours(self, context: StatementContext, used: RelationNamed) -> bool:
        """Whether a relation in a query is the evidence's, by its name."""
        own = context.own
        if self._of_sequences:
            if used.name in own.relations:
                return own.is_of_kind(used.name, "sequence")
            filled_in = used.name == FILLED_IN and own.columns.keys().isdisjoint(self._kind.names)
            return filled_in or (used.name or "").endswith("_seq")
        if used.name != self._relation or context.tree.is_common(used.name):
            return False
        if self._kind.extension is not None:
            return not own.has_relation(used.name, used.schema)
        return used.schema == self._schema or (used.schema is None and self._schema == "pg_catalog")

    def _is_one(self, context: StatementContext, column: ColumnNamed) -> bool:
        """Whether a column belongs to the relation, by its qualifier or the relations of its query."""
        tree = context.tree
        if column.name == "*" and tree.is_of_exists(column):
            return False
        reached = tree.reached(column)
        ours = [used for used in reached if self._is_ours(context, used)]
        others = [used.name for used in reached if used not in ours and used.name is not None]
        if column.qualifier is None and any(context.own.has_column(column.name, name) for name in others):
            return False
        return bool(ours) or self._is_passed_on(context, column)

    def _is_passed_on(self, context: StatementContext, column: ColumnNamed) -> bool:
        """Whether a column that is compared with a constant comes from a query in WITH or FROM that reads the
        evidence's column."""
        tree = context.tree
        return (
            self._value is not None
            and all(
                used.name is None or tree.is_common(used.name)
                for used in tree.relations
                if used.query == column.queries[0]
            )
            and any(self._is_ours(context, used) for used in tree.relations)
        )


class OfConstant:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Constant`."""

    keys: frozenset[str] = frozenset()

    def __init__(self, kind: Constant) -> None:
        self._kind = kind
        self._text = re.compile(kind.text, _FLAGS)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        reading = context.reading
        for at in reading.kinds.get("string", ()):
            text = reading.value(at)
            if (
                text is not None
                and self._text.fullmatch(text)
                and (not self._kind.types or context.type_of_constant(at) in self._kind.types)
                and (not self._kind.value or self._tells(context, context.reading.excerpt_index(at)))
            ):
                yield at

    def _tells(self, context: StatementContext, index: int) -> bool:
        """Whether the servers' values differ, or for evidence that may affect, are unknown."""
        old, new = context.analyzed.values.get(index), context.anew.values.get(index)
        return (
            (old is None or new is None) if self._kind.may else (old is not None and new not in (None, old))
        )


def _name(signature: str) -> str:
    """The name in ``public.total(integer)``."""
    return signature.partition("(")[0]


def _argument_types(signature: str) -> list[str]:
    """The types of the arguments, without schemas, in ``public.~(public.hstore,public.hstore)``."""
    types = signature.partition("(")[2].removesuffix(")").split(",") if signature else ()
    return [short(each.rpartition(".")[2]) for each in types]


def matcher(kind: object) -> Matcher | None:
    """The search for a piece of evidence in statements; None for kinds that aren't in statements."""
    match kind:
        case ParseNode():
            return OfNode(kind)
        case Call():
            return OfCall(kind)
        case Column():
            return OfColumn(kind)
        case Constant():
            return OfConstant(kind)
    return None
