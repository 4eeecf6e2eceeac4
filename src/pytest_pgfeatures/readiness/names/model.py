"""Names of an application's own objects.

They come from the catalogs of the old server with the schema loaded
(:mod:`pytest_pgfeatures.readiness.names.in_catalogs`), and from the application's CREATE statements
(:mod:`pytest_pgfeatures.readiness.names.in_statements`), which suffice if there is no server.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class OwnRelation:
    """A relation of the application.

    Parameters:
        schema: the schema; None if the statement does not name it.
        kind: ``table``, ``view``, ``sequence``, ...
        columns: the types by column; None if they are unknown, as for views.
        partitioned: whether it is a partitioned table.
    """

    schema: str | None
    kind: str
    columns: dict[str, str] | None = None
    partitioned: bool = False


@dataclass(slots=True)
class Names:
    """The names of the application's own objects."""

    functions: dict[str, list[tuple[str | None, int, int]]] = field(default_factory=lambda: defaultdict(list))
    """By name: the schema, and the minimum and maximum number of arguments."""
    relations: dict[str, list[OwnRelation]] = field(default_factory=lambda: defaultdict(list))
    types: set[str] = field(default_factory=set)
    operators: set[str] = field(default_factory=set)
    parents: set[str] = field(default_factory=set)
    """Tables that other tables inherit from."""
    extensions: set[str] = field(default_factory=set)
    arguments: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the types of its arguments, as format_type() writes them, if a server knows them."""
    temporary: set[str] = field(default_factory=set)
    """Temporary tables and views."""
    path_functions: set[str] = field(default_factory=set)
    """Functions that name objects without a schema and don't set search_path."""
    events: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the events of the triggers that run it."""
    triggered: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the tables of the triggers that run it."""
    session_roles: set[str] = field(default_factory=set)
    """Roles in SET SESSION AUTHORIZATION."""
    cursors: set[str] = field(default_factory=set)
    """Cursor variables of PL/pgSQL that are declared with a query."""

    def has_function(self, name: str, count: int, schema: str | None = None) -> bool:
        """Whether the application has a function of this name that takes this number of arguments."""
        return any(
            low <= count <= high and (schema is None or own is None or own == schema)
            for own, low, high in self.functions.get(name, ())
        )

    def has_relation(self, name: str, schema: str | None = None) -> bool:
        """Whether the application has a relation of this name."""
        return any(
            schema is None or own.schema is None or own.schema == schema
            for own in self.relations.get(name, ())
        )

    def is_of_kind(self, name: str | None, kind: str) -> bool:
        """Whether a relation of this name is of a kind."""
        return any(own.kind == kind for own in self.relations.get(name or "", ()))

    def column_type(self, column: str, relations: Iterable[str]) -> str | None:
        """The type of a column that one of the given relations has; None if unknown."""
        for name in relations:
            for own in self.relations.get(name, ()):
                if own.columns and column in own.columns:
                    return own.columns[column]
        return None

    def has_column(self, column: str, relation: str) -> bool | None:
        """Whether a relation of the application has a column; None if its columns are unknown."""
        found = self.relations.get(relation, ())
        if not found or any(own.columns is None for own in found):
            return None
        return any(own.columns and column in own.columns for own in found)
