"""Search for evidence in statements: patterns, calls, columns, relations, types, operators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from pytest_pgfeatures.affects import Call, Column, Operator, Relation, Sql, TypeName
from pytest_pgfeatures.readiness.evidence.operands import left_type, right_type
from pytest_pgfeatures.readiness.evidence.patterns import Pattern
from pytest_pgfeatures.readiness.statements.context import is_system
from pytest_pgfeatures.readiness.statements.grammar import (
    DEFINING,
    constants_of,
    is_cast,
    is_no_call,
    is_sorted_output,
    is_type,
    may_follow,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.reading import CallSite, StatementReading
    from pytest_pgfeatures.readiness.statements.scopes import Used

_FLAGS = re.IGNORECASE | re.DOTALL
_TYPES = frozenset({"json"})
"""Types among the names of functions that evidence looks for."""


class Matcher(Protocol):
    """Searches for one piece of evidence."""

    words: frozenset[str]
    """Words of which each matching statement contains at least one; empty if any statement may match."""

    def __call__(self, context: StatementContext) -> Iterator[int]:
        """The tokens that match the evidence."""
        ...


class OfPattern:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Sql`."""

    def __init__(self, kind: Sql) -> None:
        self._pattern = Pattern(kind.pattern, kind.tokens)
        self._beside = _Beside(kind.also, kind.unless, kind.tokens)
        self._extension = kind.extension
        self.words = self._pattern.required or self._beside.required

    def __call__(self, context: StatementContext) -> Iterator[int]:
        if self._extension is not None and self._extension not in context.own.extensions:
            return
        for at in self._pattern.search(context.reading):
            if self._beside.holds(context.reading):
                yield at


class OfCall:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Call`."""

    def __init__(self, kind: Call) -> None:
        self._kind = kind
        self._where = {number: re.compile(regex, _FLAGS) for number, regex in kind.where.items()}
        self._beside = _Beside(kind.also, kind.unless, {})
        low, _, high = str("" if kind.args is None else kind.args).partition("..")
        self._low = int(low) if low else 0
        self._high = int(high or low) if low else 10_000
        self.words = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        reading = context.reading
        for name in self._kind.names:
            for call in reading.calls(name):
                if self._fits(context, call) and self._beside.holds(reading):
                    yield call.at

    def _is_own(self, context: StatementContext, call: CallSite) -> bool:
        """Whether this calls or defines a function of the application, by a name without schema.

        A call of a type's name is a cast, unless the application has such a function.
        """
        reading = context.reading
        if call.schema is not None or reading.tokens[call.at].kind != "word":
            return False
        before = reading.keyword(call.at - 1)
        dropped = before == "exists" and reading.keyword(0) == "drop" and reading.keyword(1) in DEFINING
        if before in DEFINING or dropped:
            return True
        is_function = call.name not in _TYPES or context.own.has_function(
            call.name, len(call.arguments), None
        )
        return is_function and not is_no_call(reading, call)

    def _fits(self, context: StatementContext, call: CallSite) -> bool:
        count = len(call.arguments)
        if self._kind.own:
            return self._is_own(context, call) and self._low <= count <= self._high
        if not self._low <= count <= self._high or is_no_call(context.reading, call):
            return False
        own = context.own.has_function(call.name, count, call.schema)
        if call.schema == "pg_catalog":
            own = False
        elif call.schema is not None and self._kind.extension is None:
            return False
        if own:
            return False
        for number, pattern in self._where.items():
            if number > count or not _matches(pattern, context.reading, *call.arguments[number - 1]):
                return False
        return True


def _matches(pattern: re.Pattern[str], reading: StatementReading, start: int, end: int) -> bool:
    """Whether a pattern matches an argument, or the constant in it if it is one with a cast, as in dumps."""
    if pattern.fullmatch(reading.text(start, end)):
        return True
    cast = end - start in (3, 4) and reading.keyword(start + 1) == "::" and reading.value(start) is not None
    return cast and pattern.fullmatch(reading.text(start, start + 1)) is not None


class OfColumn:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Column`."""

    def __init__(self, kind: Column) -> None:
        schema, _, name = kind.relation.rpartition(".")
        self._of_sequences = kind.relation == "<sequence>"
        self._schema, self._relation = schema or "pg_catalog", name
        self._kind = kind
        self._value = re.compile(kind.value, _FLAGS) if kind.value else None
        self.words = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        if self._relation not in context.reading.positions and not self._of_sequences:
            return
        for name in self._kind.names:
            for at in context.reading.positions.get(name, ()):
                if not (self._is_star(context, at) if name == "*" else self._is_column(context, at, name)):
                    continue
                if self._value is None:
                    yield at
                    continue
                for constant, text in constants_of(context.reading, at):
                    if self._value.fullmatch(text):
                        yield constant

    def _is_ours(self, context: StatementContext, used: Used) -> bool:
        if self._of_sequences:
            known = context.own.relations.get(used.name, ())
            return any(own.kind == "sequence" for own in known) or (not known and used.name.endswith("_seq"))
        return is_system(
            context, used, self._schema, self._relation, extension=self._kind.extension is not None
        )

    def _is_column(self, context: StatementContext, at: int, name: str) -> bool:
        reading = context.reading
        if reading.keyword(at + 1) in ("(", ".") or reading.name(at) != name:
            return False
        if reading.keyword(at - 1) == ".":
            return self._is_qualified(context, at)
        if reading.keyword(at - 1) == "as" and not is_cast(reading, at - 1):
            return False
        if not may_follow(reading, at) or is_sorted_output(reading, at):
            return False
        for listed in context.relations_at(at):
            ours = [used for used in listed if self._is_ours(context, used)]
            others = [used for used in listed if used not in ours]
            if any(context.own.has_column(name, used.name) for used in others):
                return False
            if ours:
                return not (reading.keyword(at - 1) == "set" and reading.keyword(0) == "update")
        return self._is_passed_on(context, at)

    def _is_passed_on(self, context: StatementContext, at: int) -> bool:
        """Whether a column that is compared with a constant comes from a query in WITH or FROM that reads ours."""
        if self._value is None or not any(self._is_ours(context, used) for used in context.scopes.used):
            return False
        nearest = next(iter(context.relations_at(at)), [])
        return all(used.name in context.scopes.common for used in nearest)

    def _is_qualified(self, context: StatementContext, at: int) -> bool:
        qualifier = context.reading.name(at - 2)
        if context.reading.keyword(at - 1) != "." or qualifier is None:
            return False
        for listed in context.relations_at(at):
            for used in listed:
                if qualifier == (used.alias or used.name):
                    return self._is_ours(context, used) or self._is_passed_on(context, at)
        return self._is_passed_on(context, at)

    def _is_star(self, context: StatementContext, at: int) -> bool:
        reading = context.reading
        before = reading.keyword(at - 1)
        if reading.keyword(reading.enclosing[at] - 1) == "exists" and reading.enclosing[at] > 0:
            return False  # the list of columns has no effect there
        if before == ".":
            return self._is_qualified(context, at)
        if before not in ("select", ",", "all", "distinct") or reading.keyword(at + 1) not in (
            "from",
            ",",
            "",
        ):
            return False
        nearest = next(iter(context.relations_at(at)), [])
        return any(self._is_ours(context, used) for used in nearest)


class OfRelation:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Relation`."""

    def __init__(self, kind: Relation) -> None:
        self._kind = kind
        self._names = [name.rpartition(".") for name in kind.names]
        self._beside = _Beside(kind.also, kind.unless, {})
        self.words = frozenset(name for _, _, name in self._names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        if not self._beside.holds(context.reading):
            return
        for schema, _, name in self._names:
            if name not in context.reading.positions:
                continue
            for used in context.scopes.used:
                if is_system(
                    context, used, schema or "pg_catalog", name, extension=bool(self._kind.extension)
                ):
                    yield used.at


class OfType:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.TypeName`."""

    def __init__(self, kind: TypeName) -> None:
        self._names = kind.names
        self.words = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        for name in self._names:
            if name in context.own.types or name in context.own.relations:
                continue
            for at in context.reading.positions.get(name, ()):
                start, schema = at, None
                if context.reading.keyword(at - 1) == ".":
                    start, schema = at - 2, context.reading.name(at - 2)
                if schema in (None, "pg_catalog") and is_type(context.reading, start, at):
                    yield at


class OfOperator:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Operator`."""

    def __init__(self, kind: Operator) -> None:
        self._kind = kind
        self.words = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        for name in self._kind.names:
            if name in context.own.operators:
                continue
            for at in context.reading.positions.get(name, ()):
                first, last = at, at
                if context.reading.keyword(at - 1) == "." and context.reading.keyword(at - 4) == "operator":
                    first, last = at - 4, at + 1
                left, right = left_type(context, first), right_type(context, last)
                types, other = self._kind.types, self._kind.other
                if (self._kind.left and left in types and (not other or right in other)) or (
                    self._kind.right and right in types and (not other or left in other)
                ):
                    yield at


class _Beside:
    """The patterns ``also`` and ``unless`` that a statement must and must not match."""

    def __init__(self, also: str | None, unless: str | None, tokens: object) -> None:
        own = tokens if isinstance(tokens, dict) else {}
        self._also = Pattern(also, own) if also else None
        self._unless = Pattern(unless, own) if unless else None

    @property
    def required(self) -> frozenset[str]:
        """Words of which each statement that matches ``also`` contains at least one."""
        return self._also.required if self._also is not None else frozenset()

    def holds(self, reading: StatementReading) -> bool:
        """Whether the statement satisfies both conditions."""
        if self._also is not None and not self._also.matches(reading):
            return False
        return self._unless is None or not self._unless.matches(reading)


def matcher(kind: object) -> Matcher | None:
    """The search for a piece of evidence in statements; None for kinds that aren't in statements."""
    match kind:
        case Sql():
            return OfPattern(kind)
        case Call():
            return OfCall(kind)
        case Column():
            return OfColumn(kind)
        case Relation():
            return OfRelation(kind)
        case TypeName():
            return OfType(kind)
        case Operator():
            return OfOperator(kind)
    return None
