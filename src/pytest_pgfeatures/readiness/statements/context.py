"""A statement, with the known facts about the names in it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.statements.grammar import is_no_call
from pytest_pgfeatures.readiness.statements.scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.names.model import Names
    from pytest_pgfeatures.readiness.statements.reading import StatementReading
    from pytest_pgfeatures.readiness.statements.scopes import Used


class StatementContext:
    """A statement, with the known facts about the application's names.

    Parameters:
        reading: the statement.
        own: the application's own objects.
    """

    def __init__(self, reading: StatementReading, own: Names) -> None:
        self.reading = reading
        self.own = own
        reading.context = self

    def type_of_column(self, at: int) -> str | None:
        """The type of the application's column that a token names; None if unknown."""
        name = self.reading.name(at)
        if name is None or name not in self.own.columns:
            return None
        return self.own.column_type(name, self.named_at(at))

    @functools.cached_property
    def scopes(self) -> Scopes:
        """The queries within the statement."""
        return Scopes(self.reading)

    def relations_at(self, at: int) -> Iterator[list[Used]]:
        """The relations of the query that contains a token, then those of the enclosing queries, inside out."""
        for scope in self.scopes.around(at):
            yield self.scopes.relations.get(scope, [])

    def named_at(self, at: int) -> list[str]:
        """The names of all relations that the column at a token may belong to."""
        found = [used for listed in self.relations_at(at) for used in listed]
        qualifier = self.reading.name(at - 2) if self.reading.keyword(at - 1) == "." else None
        if qualifier is not None:
            found = [used for used in found if qualifier == (used.alias or used.name)]
        return [used.name for used in found]


def is_system(context: StatementContext, used: Used, schema: str, name: str, *, extension: bool) -> bool:
    """Whether a relation in a query is the given relation of PostgreSQL or of an extension."""
    if used.name != name or (used.called and not extension):
        return False
    if used.schema is None:
        if name in context.scopes.common or schema == "information_schema":
            return False
        return not (extension and context.own.has_relation(name))
    if extension:
        return not context.own.has_relation(name, used.schema)
    return used.schema == schema


def names_without_schema(context: StatementContext) -> bool:
    """Whether a statement names an object of the application or a common extension's function without schema."""
    reading = context.reading
    if any(
        used.schema is None
        and not used.called
        and context.own.has_relation(used.name)
        and used.name not in context.scopes.common
        for used in context.scopes.used
    ):
        return True
    return any(
        call.schema is None and not is_no_call(reading, call)
        for name in (context.own.functions.keys() | _OF_EXTENSIONS) & reading.positions.keys()
        for call in reading.calls(name)
    )


_OF_EXTENSIONS = frozenset({
    "unaccent", "similarity", "word_similarity", "hstore", "crypt", "digest", "gen_salt", "uuid_generate_v4",
    "levenshtein", "soundex", "metaphone", "earth_distance", "ll_to_earth", "immutable_unaccent",
})  # fmt: skip
