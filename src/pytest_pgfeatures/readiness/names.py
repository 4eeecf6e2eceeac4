"""Names of an application's own objects, and which relation a name in a query means.

Own objects come from the loaded old server's catalogs, and from the application's CREATE statements, which suffice
where there is no server.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pytest_pgfeatures.readiness.reading import Reading

SYSTEM_SCHEMAS = frozenset({"pg_catalog", "information_schema"})
_MANY = 1000
_MODIFIERS = frozenset({
    "or", "replace", "temp", "temporary", "unlogged", "global", "local", "recursive", "materialized", "foreign",
    "if", "not", "exists", "unique", "concurrently", "constraint", "trusted", "procedural",
})  # fmt: skip
_CONSTRAINTS = frozenset({"constraint", "check", "unique", "primary", "foreign", "exclude", "like", "period"})
_FUNCTIONS = """
    SELECT n.nspname::text, p.proname::text, p.pronargs - p.pronargdefaults,
        CASE WHEN p.provariadic <> 0 THEN 1000 ELSE p.pronargs END
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = p.oid AND d.deptype = 'e')
"""
_COLUMNS = """
    SELECT n.nspname::text, c.relname::text, c.relkind::text, a.attname::text,
        pg_catalog.format_type(a.atttypid, NULL)
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
        AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c')
        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
"""
_TYPES = """
    SELECT n.nspname::text, t.typname::text
    FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
"""
_OPERATORS = """
    SELECT o.oprname::text FROM pg_catalog.pg_operator AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.oprnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = o.oid AND d.deptype = 'e')
"""
_EXTENSIONS = "SELECT extname::text FROM pg_catalog.pg_extension"
_PARENTS = """
    SELECT DISTINCT c.relname::text FROM pg_catalog.pg_inherits AS i
        JOIN pg_catalog.pg_class AS c ON c.oid = i.inhparent WHERE c.relkind = 'r'
"""


@dataclass(slots=True)
class OwnRelation:
    """A relation of the application.

    Parameters:
        schema: None where the statement did not say.
        kind: ``table``, ``view``, ``sequence``, ...
        columns: types by column; None where they are not known, as for views.
        partitioned: whether it is a partitioned table.
    """

    schema: str | None
    kind: str
    columns: dict[str, str] | None = None
    partitioned: bool = False


@dataclass(slots=True)
class Names:
    """What the application calls its own."""

    functions: dict[str, list[tuple[str | None, int, int]]] = field(default_factory=lambda: defaultdict(list))
    """By name: the schema, and the fewest and most arguments."""
    relations: dict[str, list[OwnRelation]] = field(default_factory=lambda: defaultdict(list))
    types: set[str] = field(default_factory=set)
    operators: set[str] = field(default_factory=set)
    parents: set[str] = field(default_factory=set)
    """Tables from which others inherit."""
    extensions: set[str] = field(default_factory=set)
    signatures: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By a function's name: its lists of arguments."""
    null_indexes: set[str] = field(default_factory=set)
    """Indexes with NULLS NOT DISTINCT."""
    path_functions: set[str] = field(default_factory=set)
    """Functions that name objects without a schema and set no search_path."""
    events: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By a function's name: the events of the triggers that run it."""

    def has_function(self, name: str, count: int, schema: str | None = None) -> bool:
        """Whether there is an own function that takes so many arguments."""
        return any(
            low <= count <= high and (schema is None or own is None or own == schema)
            for own, low, high in self.functions.get(name, ())
        )

    def has_relation(self, name: str, schema: str | None = None) -> bool:
        """Whether there is an own relation of that name."""
        return any(
            schema is None or own.schema is None or own.schema == schema
            for own in self.relations.get(name, ())
        )

    def column_type(self, column: str, relations: Iterable[str]) -> str | None:
        """The type of a column of one of some relations, if it is known."""
        for name in relations:
            for own in self.relations.get(name, ()):
                if own.columns and column in own.columns:
                    return own.columns[column]
        return None

    def has_column(self, column: str, relation: str) -> bool | None:
        """Whether an own relation has a column; None if its columns are not known."""
        found = self.relations.get(relation, ())
        if not found or any(own.columns is None for own in found):
            return None
        return any(own.columns and column in own.columns for own in found)

    def read_catalogs(self, query: Callable[[str], Iterable[tuple[object, ...]]]) -> None:
        """Add what the old server's catalogs have, beside what extensions brought."""
        for schema, name, low, high in query(_FUNCTIONS):
            self.functions[str(name)].append((str(schema), int(str(low)), int(str(high))))
        known: dict[tuple[object, object], OwnRelation] = {}
        for schema, name, kind, column, type_name in query(_COLUMNS):
            own = known.get((schema, name))
            if own is None:
                own = OwnRelation(str(schema), _KINDS[str(kind)], {}, partitioned=kind == "p")
                known[schema, name] = own
                self.relations[str(name)].append(own)
            if column is not None:
                assert own.columns is not None
                own.columns[str(column)] = _SHORT.get(str(type_name), str(type_name))
        relations = {name for _, name in known}
        self.types.update(str(name) for _, name in query(_TYPES) if name not in relations)
        self.operators.update(str(name) for (name,) in query(_OPERATORS))
        self.extensions.update(str(name) for (name,) in query(_EXTENSIONS))
        self.parents.update(str(name) for (name,) in query(_PARENTS))

    def read_statement(self, reading: Reading) -> None:
        """Add what a CREATE or ALTER TABLE statement makes."""
        at = 1
        first = reading.keyword(0)
        if first not in ("create", "alter"):
            return
        while reading.keyword(at) in _MODIFIERS:
            at += 1
        kind = reading.keyword(at)
        at += 1
        while reading.keyword(at) in ("if", "not", "exists", "only"):
            at += 1
        name, schema, after = _qualified(reading, at)
        if name is None:
            if kind == "operator" and first == "create":
                self.operators.update(
                    token.text for token in reading.tokens[at : at + 3] if token.kind == "operator"
                )
            return
        if kind == "operator" and first == "create":
            self.operators.update(
                token.text for token in reading.tokens[at : after + 1] if token.kind == "operator"
            )
        elif first == "create":
            self._created(reading, kind, name, schema, after)
        elif kind == "table":
            self._altered(reading, name, after)

    def _created(self, reading: Reading, kind: str, name: str, schema: str | None, after: int) -> None:
        if kind in ("function", "procedure", "aggregate"):
            if reading.keyword(after) == "(" and schema not in SYSTEM_SCHEMAS:
                low, high = _counted(reading, after)
                self.functions[name].append((schema, low, high))
                self.signatures[name].add(_signature(reading, after))
        elif kind in ("table", "view", "sequence"):
            columns = _columns(reading, after) if kind == "table" else None
            partitioned = any(
                reading.keyword(at + 1) == "by" and reading.enclosing[at] == -1
                for at in reading.positions.get("partition", ())
            )
            if kind == "table" and "foreign" in (reading.keyword(1), reading.keyword(2)):
                kind = "foreign table"
            self.relations[name].append(OwnRelation(schema, kind, columns, partitioned))
            for at in reading.positions.get("inherits", ()):
                for start, end in reading.split(at + 2, min(reading.closing(at + 1), len(reading.tokens))):
                    if (parent := reading.name(end - 1)) is not None and end > start:
                        self.parents.add(parent)
        elif kind in ("type", "domain"):
            self.types.add(name)
        elif kind == "extension":
            self.extensions.add(name)
        elif kind == "index":
            if any(reading.keyword(at + 1) == "not" for at in reading.positions.get("nulls", ())):
                self.null_indexes.add(name)
        elif kind == "trigger":
            self._triggered(reading)

    def _triggered(self, reading: Reading) -> None:
        """CREATE TRIGGER: the events, and the function."""
        for at in reading.positions.get("execute", ()):
            name, _, _ = _qualified(reading, at + 2)
            if name is not None:
                self.events[name].update({"insert", "update", "delete"} & reading.positions.keys())

    def _altered(self, reading: Reading, name: str, after: int) -> None:
        """ALTER TABLE ... ADD COLUMN."""
        for at in reading.positions.get("add", ()):
            following = at + 1
            while reading.keyword(following) in ("column", "if", "not", "exists"):
                following += 1
            column = reading.name(following)
            if column is None or reading.keyword(following) in _CONSTRAINTS:
                continue
            for own in self.relations.get(name, ()):
                if own.columns is not None:
                    own.columns[column] = _type(reading, following + 1, len(reading.tokens))


_ALIASES = {
    "int4": "integer", "int": "integer", "serial": "integer", "int8": "bigint", "bigserial": "bigint",
    "int2": "smallint", "float8": "double", "float": "double", "float4": "real", "bool": "boolean",
    "decimal": "numeric", "character": "char",
}  # fmt: skip
_SHORT = {
    "timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
    "time with time zone": "timetz", "double precision": "double", "character varying": "varchar", "character": "char",
}  # fmt: skip
_KINDS = {
    "r": "table", "p": "table", "v": "view", "m": "view", "f": "foreign table", "S": "sequence", "c": "type",
}  # fmt: skip


def _qualified(reading: Reading, at: int) -> tuple[str | None, str | None, int]:
    """A name from a token on, its schema, and the token after it."""
    name, schema = reading.name(at), None
    if name is None:
        return None, None, at
    while reading.keyword(at + 1) == "." and reading.name(at + 2) is not None:
        schema, name, at = name, reading.name(at + 2), at + 2
    return name, schema, at + 1


def _counted(reading: Reading, opening: int) -> tuple[int, int]:
    """How many arguments a function's definition says that it takes."""
    low = high = 0
    for start, end in reading.split(opening + 1, min(reading.closing(opening), len(reading.tokens))):
        words = {reading.keyword(at) for at in range(start, end)}
        if reading.keyword(start) == "out" or (reading.keyword(start) == "*" and end == start + 1):
            continue
        if reading.keyword(start) == "variadic":
            high += _MANY
            continue
        high += 1
        low += not words & {"default", "="}
    return low, high


def _signature(reading: Reading, opening: int) -> str:
    """The arguments of a function's definition, without their defaults."""
    parts = []
    for start, end in reading.split(opening + 1, min(reading.closing(opening), len(reading.tokens))):
        words = [reading.keyword(at) or reading.tokens[at].text for at in range(start, end)]
        stop = next((at for at, word in enumerate(words) if word in ("default", "=")), len(words))
        parts.append(" ".join(words[:stop]))
    return ", ".join(parts)


def _columns(reading: Reading, after: int) -> dict[str, str] | None:
    """The columns of CREATE TABLE, with their types; None if the statement does not list them."""
    if reading.keyword(after) != "(":
        return None
    found = {}
    for start, end in reading.split(after + 1, min(reading.closing(after), len(reading.tokens))):
        name = reading.name(start)
        if name is None or (reading.tokens[start].kind == "word" and name in _CONSTRAINTS):
            continue
        found[name] = _type(reading, start + 1, end)
    return found


def _type(reading: Reading, start: int, end: int) -> str:
    """The type that begins at a token, without its schema and modifiers."""
    name, _, after = _qualified(reading, start)
    if name in ("timestamp", "time") and "with" in {
        reading.keyword(at) for at in range(after, min(end, after + 4))
    }:
        name += "tz"
    name = _ALIASES.get(name or "", name)
    array = (
        "[]" if any(reading.keyword(at) in ("[", "array") for at in range(start, min(end, start + 6))) else ""
    )
    return (name or "") + array if start < end else ""


# --- relations in a query ----------------------------------------------------------------------------------


class Used(NamedTuple):
    """A relation that a query names."""

    schema: str | None
    name: str
    alias: str | None
    at: int
    scope: int
    """The query that names it."""


class Scopes:
    """The queries within a statement, and the relations that each of them names.

    Parameters:
        reading: the statement.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._parents = [-1]
        self.of: list[int] = []
        """For each token, its query."""
        self._find()
        self.common: set[str] = set()
        """Names of WITH queries."""
        self._find_common()
        self.used = tuple(self._relations())

    def around(self, at: int) -> Iterator[int]:
        """The query of a token, and those around it."""
        scope = self.of[at]
        while scope >= 0:
            yield scope
            scope = self._parents[scope]

    def _find(self) -> None:
        """Give each token its query: a parenthesis before SELECT begins one, and so does UNION."""
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
            else:
                name, schema, end = _qualified(reading, at)
                if name is None:
                    return
                if reading.keyword(end) == "(":
                    end = reading.closing(end) + 1
                    called = (
                        reading.keyword(0) not in ("create", "insert") and reading.keyword(at - 1) != "into"
                    )
                    name = None if called else name
            if reading.keyword(end) == "*":
                end += 1
            alias, end = _alias(reading, end)
            if name is not None:
                yield Used(schema, name, alias, at, scope)
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


def _alias(reading: Reading, at: int) -> tuple[str | None, int]:
    """The alias at a token, if there is one, and the token after it and its column list."""
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
