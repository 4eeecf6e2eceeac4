"""Names of an application's own objects.

They come from the loaded old server's catalogs (:mod:`pytest_pgfeatures.readiness.catalog_names`), and from the
application's CREATE statements, which suffice where there is no server
(:mod:`pytest_pgfeatures.readiness.statement_names`).
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

    columns: set[str] = field(default_factory=set)
    """Names of columns of which the type is known; filled by :meth:`note_columns`."""

    def note_columns(self) -> None:
        """Note the names of all columns, once all relations are known."""
        for relations in self.relations.values():
            for own in relations:
                self.columns.update(own.columns or ())

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
