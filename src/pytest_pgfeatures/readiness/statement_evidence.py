"""Evidence in statements: patterns, calls, columns, relations, types, operators."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Protocol

from pytest_pgfeatures.affects import Call, Column, Operator, Relation, Sql, TypeName
from pytest_pgfeatures.readiness.names import Names, Scopes, Used
from pytest_pgfeatures.readiness.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.reading import CallSite, Reading

_FLAGS = re.IGNORECASE | re.DOTALL
_OPERAND_BEFORE = frozenset({
    "", ",", "(", "[", ".", "select", "where", "and", "or", "not", "by", "on", "when", "then", "else", "case",
    "distinct", "all", "between", "in", "is", "having", "set", "using", "return", "returning", "like", "ilike", "any",
    "some", "limit", "offset", "values", "check", "if", "elsif", "while", "perform", "similar", "filter", "only",
    "from", "column", "as", "default", ";",
})  # fmt: skip
"""What may stand right before an expression, beside operators; after other words, a name is an alias."""
_DEFINING = frozenset({"function", "procedure", "aggregate", "routine"})
_NO_CALL = frozenset(
    {"into", "table", "exists", "references", "view", "type", "index", "sequence", "as", "trigger"}
)


class Context:
    """A statement, with what is known of the application's names.

    Parameters:
        reading: the statement.
        own: the application's own objects.
    """

    def __init__(self, reading: Reading, own: Names) -> None:
        self.reading = reading
        self.own = own
        reading.context = self

    def type_of_column(self, at: int) -> str | None:
        """The type of the own column that a token names, if it is known."""
        name = self.reading.name(at)
        return self.own.column_type(name, self.named_at(at)) if name is not None else None

    @functools.cached_property
    def scopes(self) -> Scopes:
        """The queries within it."""
        return Scopes(self.reading)

    def relations_at(self, at: int) -> Iterator[list[Used]]:
        """The relations of the query of a token, and those of the queries around it, from inside to outside."""
        for scope in self.scopes.around(at):
            yield [used for used in self.scopes.used if used.scope == scope]

    def named_at(self, at: int) -> list[str]:
        """The names of all relations that a column at a token may belong to."""
        found = [used for listed in self.relations_at(at) for used in listed]
        qualifier = self.reading.name(at - 2) if self.reading.keyword(at - 1) == "." else None
        if qualifier is not None:
            found = [used for used in found if qualifier == (used.alias or used.name)]
        return [used.name for used in found]


class Matcher(Protocol):
    """Looks for one piece of evidence."""

    words: frozenset[str]
    """Words of which a statement that has it has one; none if any statement may have it."""

    def __call__(self, context: Context) -> Iterator[int]:
        """The tokens that are the evidence."""
        ...


class OfPattern:
    """:class:`~pytest_pgfeatures.affects.Sql`."""

    def __init__(self, kind: Sql) -> None:
        self._pattern = Pattern(kind.pattern, kind.tokens)
        self._beside = _Beside(kind.also, kind.unless, kind.tokens)
        self._extension = kind.extension
        self.words = self._pattern.required

    def __call__(self, context: Context) -> Iterator[int]:
        if self._extension is not None and self._extension not in context.own.extensions:
            return
        for at in self._pattern.search(context.reading):
            if self._beside.holds(context.reading):
                yield at


class OfCall:
    """:class:`~pytest_pgfeatures.affects.Call`."""

    def __init__(self, kind: Call) -> None:
        self._kind = kind
        self._where = {number: re.compile(regex, _FLAGS) for number, regex in kind.where.items()}
        self._beside = _Beside(kind.also, kind.unless, {})
        low, _, high = str("" if kind.args is None else kind.args).partition("..")
        self._low = int(low) if low else 0
        self._high = int(high or low) if low else 10_000
        self.words = frozenset(kind.names)

    def __call__(self, context: Context) -> Iterator[int]:
        reading = context.reading
        for name in self._kind.names:
            for call in reading.calls(name):
                if self._fits(context, call) and self._beside.holds(reading):
                    yield call.at

    def _is_own(self, reading: Reading, call: CallSite) -> bool:
        """Whether the application's own function is called or defined, by a bare name."""
        if call.schema is not None or reading.tokens[call.at].kind != "word":
            return False
        return reading.keyword(call.at - 1) in _DEFINING or not _is_no_call(reading, call)

    def _fits(self, context: Context, call: CallSite) -> bool:
        count = len(call.arguments)
        if self._kind.own:
            return self._is_own(context.reading, call) and self._low <= count <= self._high
        if not self._low <= count <= self._high or _is_no_call(context.reading, call):
            return False
        own = context.own.has_function(call.name, count, call.schema)
        if call.schema == "pg_catalog":
            own = False
        elif call.schema is not None and self._kind.extension is None:
            return False
        if own:
            return False
        for number, pattern in self._where.items():
            if number > count or not pattern.fullmatch(context.reading.text(*call.arguments[number - 1])):
                return False
        return True


class OfColumn:
    """:class:`~pytest_pgfeatures.affects.Column`."""

    def __init__(self, kind: Column) -> None:
        schema, _, name = kind.relation.rpartition(".")
        self._of_sequences = kind.relation == "<sequence>"
        self._schema, self._relation = schema or "pg_catalog", name
        self._kind = kind
        self._value = re.compile(kind.value, _FLAGS) if kind.value else None
        self.words = frozenset(kind.names)

    def __call__(self, context: Context) -> Iterator[int]:
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

    def _is_ours(self, context: Context, used: Used) -> bool:
        if self._of_sequences:
            known = context.own.relations.get(used.name, ())
            return any(own.kind == "sequence" for own in known) or (not known and used.name.endswith("_seq"))
        return is_system(
            context, used, self._schema, self._relation, extension=self._kind.extension is not None
        )

    def _is_column(self, context: Context, at: int, name: str) -> bool:
        reading = context.reading
        if reading.keyword(at + 1) in ("(", ".") or reading.name(at) != name:
            return False
        if reading.keyword(at - 1) == ".":
            return self._is_qualified(context, at)
        if reading.keyword(at - 1) == "as" and not _is_cast(reading, at - 1):
            return False
        if not _may_follow(reading, at):
            return False
        for listed in context.relations_at(at):
            ours = [used for used in listed if self._is_ours(context, used)]
            others = [used for used in listed if used not in ours]
            if any(context.own.has_column(name, used.name) for used in others):
                return False
            if ours:
                return not (reading.keyword(at - 1) == "set" and reading.keyword(0) == "update")
        return False

    def _is_qualified(self, context: Context, at: int) -> bool:
        qualifier = context.reading.name(at - 2)
        if context.reading.keyword(at - 1) != "." or qualifier is None:
            return False
        for listed in context.relations_at(at):
            for used in listed:
                if qualifier == (used.alias or used.name):
                    return self._is_ours(context, used)
        return False

    def _is_star(self, context: Context, at: int) -> bool:
        reading = context.reading
        before = reading.keyword(at - 1)
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
    """:class:`~pytest_pgfeatures.affects.Relation`."""

    def __init__(self, kind: Relation) -> None:
        self._kind = kind
        self._names = [name.rpartition(".") for name in kind.names]
        self._beside = _Beside(kind.also, kind.unless, {})
        self.words = frozenset(name for _, _, name in self._names)

    def __call__(self, context: Context) -> Iterator[int]:
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
    """:class:`~pytest_pgfeatures.affects.TypeName`."""

    def __init__(self, kind: TypeName) -> None:
        self._names = kind.names
        self.words = frozenset(kind.names)

    def __call__(self, context: Context) -> Iterator[int]:
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
    """:class:`~pytest_pgfeatures.affects.Operator`."""

    def __init__(self, kind: Operator) -> None:
        self._kind = kind
        self.words = frozenset(kind.names)

    def __call__(self, context: Context) -> Iterator[int]:
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
    """What a statement must match, too, and must not."""

    def __init__(self, also: str | None, unless: str | None, tokens: object) -> None:
        own = tokens if isinstance(tokens, dict) else {}
        self._also = Pattern(also, own) if also else None
        self._unless = Pattern(unless, own) if unless else None

    def holds(self, reading: Reading) -> bool:
        """Whether both hold."""
        if self._also is not None and not self._also.matches(reading):
            return False
        return self._unless is None or not self._unless.matches(reading)


def is_system(context: Context, used: Used, schema: str, name: str, *, extension: bool) -> bool:
    """Whether a relation of a query is the one of PostgreSQL's, or of an extension's."""
    if used.name != name:
        return False
    if used.schema is None:
        if name in context.scopes.common or schema == "information_schema":
            return False
        return not (extension and context.own.has_relation(name))
    if extension:
        return not context.own.has_relation(name, used.schema)
    return used.schema == schema


def constants_of(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    """The constants that a column at a token is compared with: their tokens and texts."""
    end = at + 1
    while reading.keyword(end) == "::" or (
        reading.keyword(end - 1) == "::" and reading.name(end) is not None
    ):
        end += 1
    if reading.keyword(end) == ")":
        end += 1  # lower(column) = ...
    word = reading.keyword(end)
    if word == "not":
        end += 1
        word = reading.keyword(end)
    if word == "when":
        closing = next((i for i in range(end, len(reading.tokens)) if reading.keyword(i) == "end"), end)
        yield from (
            found
            for i in range(end, closing)
            if reading.keyword(i - 1) == "when"
            for found in _one(reading, i)
        )
    elif word == "in" or reading.keyword(end + 1) in ("any", "all", "some"):
        opening = end + 1 if word == "in" else end + 2
        for inner in range(opening + 1, min(reading.closing(opening), len(reading.tokens))):
            for found in _one(reading, inner):
                if found[1].startswith("{") and found[1].endswith("}"):
                    yield from ((found[0], item.strip('" ')) for item in found[1][1:-1].split(","))
                yield found
    elif word in ("like", "ilike", "similar", "is") or (word and not word.isalnum() and word not in ",();.:"):
        following = end + 1
        while reading.keyword(following) in ("to", "distinct", "from", "not"):
            following += 1
        yield from _one(reading, following)
    first = at - 2 if reading.keyword(at - 1) == "." else at
    before = first - 1
    if reading.keyword(before) in ("=", "<>", "!=", "<", ">", "<=", ">="):
        yield from _one(reading, before - 1)


def _one(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    value = reading.value(at)
    if value is not None:
        yield at, value
    elif 0 <= at < len(reading.tokens) and reading.tokens[at].kind == "number":
        yield at, reading.tokens[at].text
    elif reading.keyword(at) == "-" and at + 1 < len(reading.tokens):
        yield at, "-" + reading.tokens[at + 1].text


def _may_follow(reading: Reading, at: int) -> bool:
    """Whether an expression may begin at a token: else the name there is an alias."""
    before = reading.tokens[at - 1] if at else None
    if before is None or before.kind == "operator":
        return True
    if before.kind in ("string", "number", "identifier", "parameter"):
        return False
    return reading.keyword(at - 1) in _OPERAND_BEFORE or before.text in ("::", ":=", "=>")


def _is_cast(reading: Reading, at: int) -> bool:
    opening = reading.enclosing[at]
    return opening > 0 and reading.keyword(opening - 1) == "cast"


def _is_no_call(reading: Reading, call: CallSite) -> bool:
    """Whether a name with parentheses is a table with its columns, an alias, or what is created."""
    before = reading.keyword(call.at - (3 if call.schema else 1))
    at = call.at - (2 if call.schema else 0)
    if before in _DEFINING or (before == "exists" and reading.keyword(0) == "drop"):
        return reading.keyword(0) in ("create", "drop") and at <= 5
    if before in _NO_CALL:
        return not (before == "exists" and reading.keyword(at - 2) in ("where", "and", "not", "or"))
    if before == "on" and reading.keyword(0) == "create" and "index" in reading.positions:
        return reading.enclosing[call.at] == -1
    if before in ("with", "recursive") or (before == "," and reading.keyword(0) == "with"):
        closing = reading.closing(call.opening)
        return reading.keyword(closing + 1) == "as" and reading.keyword(closing + 2) in (
            "(",
            "materialized",
            "not",
        )
    return (
        before not in ("from", "join")
        and reading.name(at - 1) is not None
        and not _may_follow(reading, at)
        and (before not in _BEFORE_CALL)
    )


_BEFORE_CALL = frozenset({
    "current", "immediate", "call", "function", "procedure", "execute", "explain", "analyze", "verbose", "row",
    "values", "lateral", "begin", "do", "end", "into", "query", "next", "union", "to", "declare", "escape", "atomic",
    "loop", "exclude", "include", "ordinality", "generated", "always", "key", "asc", "desc", "session",
})  # fmt: skip


def is_type(reading: Reading, start: int, at: int) -> bool:
    """Whether a type is named at a token, whose schema begins at ``start``."""
    before, after = reading.keyword(start - 1), reading.keyword(at + 1)
    first = reading.keyword(0)
    quoted = reading.tokens[at].kind == "identifier"
    if before == "::" or (before in ("returns", "setof") and first in ("create", "alter")):
        return True
    if before == "as" and (
        _is_cast(reading, start - 1) or "domain" in (reading.keyword(1), reading.keyword(2))
    ):
        return True
    if before == "type" and first == "alter":
        return (
            "column" in reading.positions or "attribute" in reading.positions or "alter" in reading.positions
        )
    if quoted:
        return False
    if reading.value(at + 1) is not None:  # abstime 'now'
        return before not in ("as", "language") and _may_follow(reading, start)
    if first == "declare":
        return start >= 2 and reading.enclosing[start] == -1 and before != ":="
    if first == "create" and reading.keyword(1) == "cast":
        return before in ("(", "as")
    definition = first in ("create", "alter", "drop") and reading.enclosing[start] <= _opening_of_list(
        reading
    )
    if not definition or reading.tokens[at].kind != "word":
        return False
    named = reading.name(start - 1) is not None
    lead = reading.keyword(start - 2)
    if _is_routine(reading) and reading.enclosing[start] == _opening_of_list(reading):
        unnamed = before in ("(", ",", "in", "out", "inout", "variadic") and after in (
            ",",
            ")",
            "[",
            "default",
            "=",
        )
        return unnamed or (named and lead in ("(", ",", "in", "out", "inout", "variadic"))
    if not named or after == "(" or before in _NO_COLUMN:
        return False
    if lead in ("add", "column", "exists"):
        return first == "alter"
    return lead in ("(", ",") and reading.enclosing[start] == _opening_of_list(reading) >= 0


_NO_COLUMN = frozenset({"constraint", "check", "unique", "like", "primary", "foreign", "references", "key"})


def _is_routine(reading: Reading) -> bool:
    return not _DEFINING.isdisjoint(reading.keyword(at) for at in range(1, 4))


def _opening_of_list(reading: Reading) -> int:
    """The first parenthesis: of a table's columns, or a routine's arguments."""
    found = reading.positions.get("(", ())
    return found[0] if found else -1


# --- types of operands -------------------------------------------------------------------------------------


def left_type(context: Context, at: int) -> str | None:
    """The type of what stands before an operator, if it shows."""
    reading = context.reading
    last = at - 1
    if reading.keyword(last) == "]":
        return _array_type(
            context, next((i for i in reading.positions.get("[", ()) if reading.closing(i) == last), 0)
        )
    if reading.name(last) is not None and reading.keyword(last - 1) == "::":
        return reading.name(last)
    if (
        reading.name(last) is not None
        and reading.keyword(last - 1) == "."
        and reading.keyword(last - 3) == "::"
    ):
        return reading.name(last)
    if reading.value(last) is not None:
        return _typed(reading, last)
    if reading.keyword(last) == ")":
        opening = next((i for i in reading.positions.get("(", ()) if reading.closing(i) == last), None)
        return _of_parentheses(context, opening) if opening is not None else None
    return context.type_of_column(last)


def right_type(context: Context, at: int) -> str | None:
    """The type of what stands after an operator, if it shows."""
    reading = context.reading
    first = at + 1
    if reading.value(first) is not None:
        if reading.keyword(first + 1) != "::":
            return None
        name = reading.name(first + 2)
        return f"{_INTEGERS.get(name or '', name)}[]" if reading.keyword(first + 3) == "[" else name
    if reading.name(first) is not None and reading.value(first + 1) is not None:
        return reading.name(first)
    if reading.keyword(first) == "(":
        end = reading.closing(first)
        if reading.keyword(end + 1) == "::":
            return reading.name(end + 2)
        return _of_parentheses(context, first)
    if reading.keyword(first) == "array" and reading.keyword(first + 1) == "[":
        return _array_type(context, first + 1)
    last = first
    while reading.keyword(last + 1) == "." and reading.name(last + 2) is not None:
        last += 2
    if reading.keyword(last + 1) == "(":
        end = reading.closing(last + 1)
        return (
            reading.name(end + 2) if reading.keyword(end + 1) == "::" else _of_parentheses(context, last + 1)
        )
    if reading.keyword(last + 1) == "::":
        return reading.name(last + 2)
    return context.type_of_column(last)


def _array_type(context: Context, opening: int) -> str | None:
    """The type of ``ARRAY[1, 2]`` or ``...::int[]``."""
    reading = context.reading
    if reading.keyword(opening - 1) == "array":
        return "integer[]" if reading.tokens[opening + 1].kind == "number" else None
    name = reading.name(opening - 1)
    return (
        f"{_INTEGERS.get(name, name)}[]"
        if name is not None and reading.keyword(opening - 2) == "::"
        else None
    )


_INTEGERS = {"int": "integer", "int4": "integer"}


def _typed(reading: Reading, at: int) -> str | None:
    """The type in ``box '...'``."""
    return reading.name(at - 1) if reading.name(at - 1) is not None else None


def _of_parentheses(context: Context, opening: int) -> str | None:
    """The type of ``point(...)``, ``CAST(... AS box)`` or ``(column)``."""
    reading = context.reading
    name = reading.name(opening - 1)
    end = reading.closing(opening)
    if name == "cast":
        return reading.name(end - 1)
    if name is not None and reading.keyword(opening - 1) not in _OPERAND_BEFORE:
        return name
    if reading.name(end - 1) is not None and reading.keyword(end - 2) == "::":
        return reading.name(end - 1)
    if reading.value(end - 1) is not None:
        return _typed(reading, end - 1)
    return context.type_of_column(end - 1)


def names_without_schema(context: Context) -> bool:
    """Whether a statement names an own object, or a function of a usual extension, without its schema."""
    reading = context.reading
    if any(
        used.schema is None and context.own.has_relation(used.name) and used.name not in context.scopes.common
        for used in context.scopes.used
    ):
        return True
    return any(
        call.schema is None and not _is_no_call(reading, call)
        for name in (context.own.functions.keys() | _OF_EXTENSIONS) & reading.positions.keys()
        for call in reading.calls(name)
    )


_OF_EXTENSIONS = frozenset({
    "unaccent", "similarity", "word_similarity", "hstore", "crypt", "digest", "gen_salt", "uuid_generate_v4",
    "levenshtein", "soundex", "metaphone", "earth_distance", "ll_to_earth", "immutable_unaccent",
})  # fmt: skip


def matcher(kind: object) -> Matcher | None:
    """What looks for a kind of evidence in statements; None for kinds that are elsewhere."""
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
