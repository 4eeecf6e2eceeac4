"""The queries within a statement, and the relations that each of them names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.statements.reading import qualified

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.statements.reading import StatementReading


class Used(NamedTuple):
    """A relation that a query uses."""

    schema: str | None
    name: str
    alias: str | None
    at: int
    scope: int
    """The query that uses it."""
    called: bool = False
    """Whether it is a function."""


class Scopes:
    """The queries within a statement, and the relations that each of them names.

    Parameters:
        reading: the statement.
    """

    def __init__(self, reading: StatementReading) -> None:
        self._reading = reading
        self._parents = [-1]
        self.of: list[int] = []
        """For each token, its query."""
        self._find()
        self.common: set[str] = set()
        """Names of WITH queries."""
        self._find_common()
        self.used = tuple(self._relations())
        self.relations: dict[int, list[Used]] = {}
        """By query: the relations that it uses."""
        for used in self.used:
            self.relations.setdefault(used.scope, []).append(used)

    def around(self, at: int) -> Iterator[int]:
        """The query that contains a token, and the enclosing queries."""
        scope = self.of[at]
        while scope >= 0:
            yield scope
            scope = self._parents[scope]

    def _find(self) -> None:
        """Assign each token to its query. A query begins at a parenthesis before SELECT, and at UNION."""
        reading = self._reading
        stack: list[int] = [0]
        heads = [0]
        for at in range(len(reading.tokens)):
            word = reading.keyword(at)
            if word in ("(", "["):
                self.of.append(stack[-1])
                inner = reading.keyword(at + 1)
                if inner in ("select", "with", "values", "update", "insert", "delete", "("):
                    self._parents.append(stack[-1])
                    stack.append(len(self._parents) - 1)
                else:
                    stack.append(stack[-1])
                heads.append(stack[-1])
                continue
            if word in (")", "]") and len(stack) > 1:
                stack.pop()
                heads.pop()
            elif word in ("union", "except", "intersect", ";") or (
                word == "select" and reading.keyword(at - 1) not in ("(", "all", "distinct") and at
            ):
                self._parents.append(self._parents[heads[-1]])
                stack[-1] = len(self._parents) - 1
            self.of.append(stack[-1])

    def _find_common(self) -> None:
        reading = self._reading
        for at in reading.positions.get("as", ()):
            inner = at + 1
            while reading.keyword(inner) in ("not", "materialized"):
                inner += 1
            if reading.keyword(inner) != "(" or (reading.keyword(inner + 1) in ("", "(") and False):
                continue
            before = at - 1
            if reading.keyword(before) == ")":
                before = reading.enclosing[before - 1] - 1 if reading.enclosing[before - 1] >= 0 else before
            if reading.keyword(before - 1) in ("with", "recursive", ",") and (name := reading.name(before)):
                self.common.add(name)

    def _relations(self) -> Iterator[Used]:
        reading = self._reading
        for at in range(len(reading.tokens)):
            word = reading.keyword(at)
            if reading.tokens[at].kind != "word" or word not in _BEFORE_RELATION:
                continue
            if word == "table" and reading.keyword(0) in ("create", "alter", "drop") and at < 4:
                following = at + 1
                while reading.keyword(following) in ("if", "not", "exists", "only"):
                    following += 1
                yield from self._listed(following, self.of[at])
            elif (
                (word == "from" and self._is_in_expression(at))
                or (word == "update" and reading.keyword(at - 1) in ("for", "do", "on", "or", "key"))
                or (
                    word == "on"
                    and reading.keyword(0) not in ("create", "grant", "revoke", "comment", "drop")
                )
                or (word == "on" and at > 12)
            ):
                continue
            else:
                yield from self._listed(at + 1, self.of[at])

    def _is_in_expression(self, at: int) -> bool:
        """Whether FROM belongs to extract(), substring(), trim(), overlay(), or IS DISTINCT FROM."""
        reading = self._reading
        opening = reading.enclosing[at]
        function = reading.keyword(opening - 1) if opening > 0 else ""
        if function in ("extract", "substring", "trim", "overlay", "position"):
            return True
        return reading.keyword(at - 1) == "distinct" and reading.keyword(at - 2) in ("is", "not")

    def _listed(self, at: int, scope: int) -> Iterator[Used]:
        """The relations of a list that begins at a token."""
        reading = self._reading
        while True:
            while reading.keyword(at) in ("only", "lateral", "(", "table", "into"):
                if reading.keyword(at) == "(" and reading.keyword(at + 1) in ("select", "with", "values"):
                    break
                at += 1
            if reading.keyword(at) == "(":
                end = reading.closing(at) + 1
                schema = name = None
                called = False
            else:
                called = False
                name, schema, end = qualified(reading, at)
                if name is None:
                    return
                if reading.keyword(end) == "(":
                    end = reading.closing(end) + 1
                    called = (
                        reading.keyword(0) not in ("create", "insert") and reading.keyword(at - 1) != "into"
                    )
            if reading.keyword(end) == "*":
                end += 1
            alias, end = _alias(reading, end)
            if name is not None:
                yield Used(schema, name, alias, at, scope, called)
            if reading.keyword(end) != ",":
                return
            at = end + 1


_BEFORE_RELATION = frozenset(
    {"from", "join", "update", "into", "using", "table", "copy", "on", "analyze", "vacuum"}
)
_NO_ALIAS = frozenset({
    "", "where", "on", "join", "inner", "left", "right", "full", "cross", "natural", "group", "order", "limit",
    "offset", "having", "union", "except", "intersect", "set", "using", "values", "select", "returning", "for",
    "window", "fetch", "tablesample", "default", "to", "from", "do", "loop", "with", "when", "as", "then", "end",
    "into", "add", "alter", "drop", "rename", "owner", "enable", "disable", "inherit", "partition", "attach",
})  # fmt: skip


def _alias(reading: StatementReading, at: int) -> tuple[str | None, int]:
    """The alias at a token, if there is one, and the token after the alias and its column list."""
    alias = None
    if reading.keyword(at) == "as" and reading.name(at + 1) is not None:
        alias, at = reading.name(at + 1), at + 2
    elif reading.name(at) is not None and (
        reading.tokens[at].kind == "identifier" or reading.keyword(at) not in _NO_ALIAS
    ):
        alias, at = reading.name(at), at + 1
    if alias is not None and reading.keyword(at) == "(":
        at = reading.closing(at) + 1
    return alias, at
