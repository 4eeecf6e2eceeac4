"""Search for evidence in statements: calls, columns, relations, types, operators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from pytest_pgfeatures.affects import (
    Call,
    Cast,
    Column,
    Constant,
    Operator,
    ParseNode,
    Relation,
    TypeName,
)
from pytest_pgfeatures.readiness.evidence.nodes import OfNode
from pytest_pgfeatures.readiness.statements.context import is_system
from pytest_pgfeatures.readiness.statements.nodes import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.reading import StatementReading
    from pytest_pgfeatures.readiness.statements.trees import Called, ColumnNamed, QueryScope, RelationNamed

_FLAGS = re.IGNORECASE | re.DOTALL
_TYPES = frozenset({"json"})
"""Types among the function names in declarations of evidence."""


class Matcher(Protocol):
    """Searches for one piece of evidence."""

    words: frozenset[str]
    """Words of which each matching statement contains at least one; empty if any statement may match."""

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
        self.words = frozenset(word for name in kind.names for word in (name, *_SYNTAX.get(name, ())))

    def __call__(self, context: StatementContext) -> Iterator[int]:
        reading, tree = context.reading, context.tree
        if not _is_beside(self._kind, reading):
            return
        for call in (*tree.calls, *tree.operations):
            if call.name in self._kind.names and self._fits(context, call) and self._takes(context, call):
                yield call.at
        for at, types in tree.defined.items() if self._kind.own else ():
            name = reading.name(at) or ""
            if name in self._kind.names and is_plain(reading, at) and context.is_hidden(name, types):
                yield at

    def _fits(self, context: StatementContext, call: Called) -> bool:
        """Whether the function is one of the evidence's."""
        count = len(call.arguments)
        if not self._low <= count <= self._high or (
            self._kind.own and not is_plain(context.reading, call.at)
        ):
            return False
        begin = context.begin(call.at)
        resolved = context.analyzed.functions.get(begin) or context.analyzed.operators.get(begin)
        if resolved is not None:
            hidden = "." not in _name(context.anew.functions.get(begin, ""))
            return self._is_wanted(context, resolved) and (hidden or not self._kind.own)
        own = context.own.has_function(call.name, count, call.schema) or call.name in context.own.operators
        if self._kind.own:
            return call.name not in _TYPES or own
        extension = self._kind.extension
        if not call.name.isidentifier() and extension and extension not in context.own.extensions:
            return False
        if call.schema not in (None, "pg_catalog") and extension is None:
            return False
        return call.schema == "pg_catalog" or not own

    def _is_wanted(self, context: StatementContext, resolved: str) -> bool:
        """Whether the function that the server chose is one of the evidence's."""
        _, dot, name = _name(resolved).rpartition(".")
        own = bool(dot) and (name in context.own.functions or name in context.own.operators)
        return own if self._kind.own else not own and bool(dot) == (self._kind.extension is not None)

    def _takes(self, context: StatementContext, call: Called) -> bool:
        """Whether the arguments are as the evidence's."""
        given = dict(enumerate(call.arguments, start=1))
        return all(
            number in given and _matches(pattern, given[number]) for number, pattern in self._where.items()
        ) and all(
            number in given and context.type_of(given[number]) in (None, *types)
            for number, types in self._kind.types.items()
        )


_SYNTAX = {
    "!~": ("similar",),
    "!~~": ("like",),
    "!~~*": ("ilike",),
    "<>": ("!=", "in"),
    "=": ("in", "any"),
    "btrim": ("trim",),
    "ltrim": ("trim",),
    "pg_collation_for": ("collation",),
    "rtrim": ("trim",),
    "similar_to_escape": ("similar",),
    "timezone": ("zone",),
    "~": ("similar",),
    "~~": ("like",),
    "~~*": ("ilike",),
}
"""For functions and operators that SQL's own syntax calls, or that have other names: a word of it."""


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
        self.words = frozenset(kind.names)

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
                is_one = self._is_wanted(context, resolved)
            if not is_one:
                continue
            if self._value is None:
                yield at
                continue
            for constant, text in context.tree.compared.get(at, ()):
                if self._value.fullmatch(text):
                    yield constant

    def _is_wanted(self, context: StatementContext, resolved: str) -> bool:
        """Whether the relation of a column, as the server resolved it, is the evidence's."""
        schema, _, name = resolved.rpartition(".")
        if self._of_sequences:
            return any(own.kind == "sequence" for own in context.own.relations.get(name, ()))
        return name == self._relation and (
            (schema or "pg_catalog") == self._schema or self._kind.extension is not None
        )

    def _is_ours(self, context: StatementContext, used: RelationNamed, scope: QueryScope) -> bool:
        if self._of_sequences:
            known = context.own.relations.get(used.name or "", ())
            named = not known and used.name is not None and used.name.endswith("_seq")
            return named or any(own.kind == "sequence" for own in known)
        extension = self._kind.extension is not None
        return is_system(context, used, scope, self._schema, self._relation, extension=extension)

    def _is_one(self, context: StatementContext, column: ColumnNamed) -> bool:
        """Whether a column belongs to the relation, by its qualifier or the relations of its query."""
        if column.name == "*" and column.scope.exists:
            return False  # the list of columns has no effect there
        for scope in column.scope.around():
            reached = [
                used for used in scope.relations if column.qualifier in (None, used.alias or used.name)
            ]
            ours = [used for used in reached if self._is_ours(context, used, scope)]
            others = [used.name for used in reached if used not in ours and used.name is not None]
            if column.qualifier is None and any(context.own.has_column(column.name, name) for name in others):
                return False
            if ours:
                return True
            if reached and (column.qualifier is not None or column.name == "*"):
                break
        return self._is_passed_on(context, column)

    def _is_passed_on(self, context: StatementContext, column: ColumnNamed) -> bool:
        """Whether a column that is compared with a constant comes from a query in WITH or FROM that reads the
        evidence's column."""
        if self._value is None:
            return False
        return all(
            used.name is None or column.scope.is_common(used.name) for used in column.scope.relations
        ) and any(self._is_ours(context, used, scope) for used, scope in context.tree.relations)


class OfRelation:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Relation`."""

    def __init__(self, kind: Relation) -> None:
        self._kind = kind
        self._names = [name.rpartition(".") for name in kind.names]
        self.words = frozenset(name for _, _, name in self._names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        extension = bool(self._kind.extension)
        for schema, _, name in self._names if _is_beside(self._kind, context.reading) else ():
            for used, scope in context.tree.relations:
                if is_system(context, used, scope, schema or "pg_catalog", name, extension=extension):
                    yield used.at


class OfType:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.TypeName`."""

    def __init__(self, kind: TypeName) -> None:
        self._names = kind.names
        self.words = (
            frozenset() if "<sequence>" in kind.names else frozenset(name.strip('"') for name in kind.names)
        )

    def __call__(self, context: StatementContext) -> Iterator[int]:
        reading, own = context.reading, context.own
        for at in sorted(context.tree.types):
            schema = reading.name(at - 2) if reading.keyword(at - 1) == "." else None
            name = reading.name(at) or ""
            if name in own.types or name in own.relations:
                wanted = "<sequence>" in self._names and any(
                    each.kind == "sequence" for each in own.relations.get(name, ())
                )
            else:
                quoted = reading.tokens[at].text if name == "char" else name
                wanted = quoted in self._names and schema in (None, "pg_catalog")
            if wanted:
                yield at


class OfOperator:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Operator`."""

    def __init__(self, kind: Operator) -> None:
        self._kind = kind
        self.words = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        types, other = self._kind.types, self._kind.other
        for operation in context.tree.operations:
            if operation.name not in self._kind.names:
                continue
            resolved = context.analyzed.operators.get(context.reading.excerpt_index(operation.at))
            left, right = map(context.type_of, operation.arguments)
            if resolved is not None:
                one, other_one = _operands(resolved)
                left, right = (
                    left if one.startswith("any") else one,
                    right if other_one.startswith("any") else other_one,
                )
            elif operation.name in context.own.operators:
                continue
            if (self._kind.left and left in types and (not other or right in other)) or (
                self._kind.right and right in types and (not other or left in other)
            ):
                yield operation.at


class OfConstant:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Constant`."""

    words: frozenset[str] = frozenset()

    def __init__(self, kind: Constant) -> None:
        self._types = kind.types
        self._text = re.compile(kind.text, _FLAGS)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        reading = context.reading
        for at in reading.kinds.get("string", ()):
            text = reading.value(at)
            if (
                text is not None
                and self._text.fullmatch(text)
                and (not self._types or context.type_of_constant(at) in self._types)
            ):
                yield at


class OfCast:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.Cast`."""

    def __init__(self, kind: Cast) -> None:
        self._kind = kind
        self.words = frozenset({*kind.to, "::", "cast"})

    def __call__(self, context: StatementContext) -> Iterator[int]:
        for at, to, node in context.tree.casts:
            if (
                to in self._kind.to
                and context.type_of(node) in self._kind.of
                and _is_beside(self._kind, context.reading)
            ):
                yield at


def _name(signature: str) -> str:
    """The name in ``public.total(integer)``."""
    return signature.partition("(")[0]


def _operands(signature: str) -> tuple[str, str]:
    """The types of the operands, without schemas, in ``public.~(public.hstore,public.hstore)``."""
    left, _, right = signature[signature.rindex("(") + 1 : -1].partition(",")
    return left.rpartition(".")[2], right.rpartition(".")[2]


def _is_beside(kind: Call | Relation | Cast, reading: StatementReading) -> bool:
    """Whether a statement's text has what a declaration wants beside its evidence, and nothing that it doesn't."""
    unless = None if isinstance(kind, Cast) else kind.unless
    return (kind.also is None or re.search(kind.also, reading.whole) is not None) and (
        unless is None or re.search(unless, reading.whole) is None
    )


def matcher(kind: object) -> Matcher | None:
    """The search for a piece of evidence in statements; None for kinds that aren't in statements."""
    match kind:
        case ParseNode():
            return OfNode(kind)
        case Call():
            return OfCall(kind)
        case Column():
            return OfColumn(kind)
        case Relation():
            return OfRelation(kind)
        case TypeName():
            return OfType(kind)
        case Constant():
            return OfConstant(kind)
        case Cast():
            return OfCast(kind)
        case Operator():
            return OfOperator(kind)
    return None
