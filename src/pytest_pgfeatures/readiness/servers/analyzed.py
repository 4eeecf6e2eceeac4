"""A statement's names as a server resolved them, from the parse tree that it prints.

https://www.postgresql.org/docs/current/runtime-config-logging.html#GUC-DEBUG-PRINT-PARSE
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_pgfeatures.readiness.model import Query

_PART = re.compile(
    rb"\\(.)|\{([A-Z]+)|\}"
    rb"|:(funcid|aggfnoid|winfnoid|funcresulttype|aggtype|wintype|opno|opresulttype|varno|varlevelsup|vartype"
    rb"|consttype|relid|location)\s(-?[0-9]++)"
    rb"|:constvalue\s[0-9]++\s\[([-0-9\s]++)\]"
)
"""The parts of a tree that are read. The server breaks long lines at spaces. Each part begins with a literal
character, for which Python searches fast."""
_RESULTS = (b"funcresulttype", b"aggtype", b"wintype", b"opresulttype")
_RANGE_TABLE = frozenset({b"RTE", b"RANGETBLENTRY"})


@dataclass(frozen=True, slots=True)
class ServerNames:
    """The names of a server's objects by OID. Those in pg_catalog have no schema.

    Parameters:
        functions: such as ``lower(text)``.
        operators: such as ``~(box,point)``.
        relations: such as ``public.orders``.
        types: such as ``timestamp with time zone``.
    """

    functions: Mapping[int, str]
    operators: Mapping[int, str]
    relations: Mapping[int, str]
    types: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Analyzed:
    """A statement's functions, operators and columns, as a server resolved them, by the index at which they
    begin.

    Parameters:
        functions: the signatures of functions.
        operators: the signatures of operators.
        results: the types of what functions and operators return.
        columns: the relation, or None for a subquery, and the type of each column; for ``*`` those of the
            last one.
        constants: the types of constants.
        values: the bytes of constants as the server keeps them, in every version alike.
        relations: the relations that the statement names.
    """

    functions: dict[int, str] = field(default_factory=dict)
    operators: dict[int, str] = field(default_factory=dict)
    results: dict[int, str] = field(default_factory=dict)
    columns: dict[int, tuple[str | None, str]] = field(default_factory=dict)
    constants: dict[int, str] = field(default_factory=dict)
    values: dict[int, bytes] = field(default_factory=dict)
    relations: set[str] = field(default_factory=set)

    def moved(self, original: Callable[[int], int]) -> Analyzed:
        """A copy with the indexes of the original statement."""
        moved: dict[str, Any] = {}
        for each in fields(self)[:-1]:
            found = getattr(self, each.name)
            moved[each.name] = {original(at): value for at, value in found.items()}
        return replace(self, **moved)


def _unknown(query: Query) -> Analyzed | None:
    return None


class Servers(NamedTuple):
    """Ask the old and the new server for the names in a statement. An answer is None if the server can't be
    asked or refuses the statement."""

    old: Callable[[Query], Analyzed | None] = _unknown
    new: Callable[[Query], Analyzed | None] = _unknown


NO_SERVERS = Servers()


def analyzed_tree(tree: bytes, names: ServerNames, sql: bytes) -> Analyzed:
    """Read what a server printed for a statement.

    Parameters:
        sql: the statement that it was sent.
    """
    found = Analyzed()
    nodes: list[tuple[bytes, dict[bytes, int]]] = []
    tables: list[list[int]] = []
    for part in _PART.finditer(tree):
        escaped, kind, name, value, constant = part.groups()
        if kind is not None:
            nodes.append((kind, {}))
            if kind == b"QUERY":
                tables.append([])
        elif name is not None and nodes:
            nodes[-1][1][name] = int(value)
        elif constant is not None and nodes:
            if (location := nodes[-1][1].get(b"location", -1)) >= 0:
                found.values[_index(sql, location)] = b" ".join(constant.split())
        elif escaped is None and nodes:
            kind, fields = nodes.pop()
            if kind == b"QUERY":
                tables.pop()
            elif kind in _RANGE_TABLE and tables:
                tables[-1].append(fields.get(b"relid", 0))
                if (relation := names.relations.get(tables[-1][-1])) is not None:
                    found.relations.add(relation)
            elif fields.get(b"location", -1) >= 0:
                _note(found, fields, names, tables, _index(sql, fields[b"location"]))
    return found


def _index(sql: bytes, location: int) -> int:
    return location if sql.isascii() else len(sql[:location].decode(errors="surrogateescape"))


def _note(
    found: Analyzed, fields: dict[bytes, int], names: ServerNames, tables: list[list[int]], at: int
) -> None:
    """Note a node with a place."""
    found.results.update((at, names.types.get(fields[each], "?")) for each in _RESULTS if each in fields)
    called = fields.get(b"funcid", fields.get(b"aggfnoid", fields.get(b"winfnoid")))
    if called is not None:
        found.functions[at] = names.functions.get(called, "")
    elif b"opno" in fields:
        found.operators[at] = names.operators.get(fields[b"opno"], "")
    elif b"consttype" in fields:
        found.constants[at] = names.types.get(fields[b"consttype"], "?")
    elif b"varno" in fields:
        table = (
            tables[-1 - fields.get(b"varlevelsup", 0)] if len(tables) > fields.get(b"varlevelsup", 0) else []
        )
        number = fields[b"varno"] - 1
        relation = names.relations.get(table[number]) if 0 <= number < len(table) else None
        found.columns[at] = relation, names.types.get(fields[b"vartype"], "?")
