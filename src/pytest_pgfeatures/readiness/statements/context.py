"""A statement, with the known facts about the names in it."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.statements.grammar import is_no_call
from pytest_pgfeatures.readiness.statements.scopes import Scopes
from pytest_pgfeatures.readiness.statements.variables import SHORT_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.names.model import Names
    from pytest_pgfeatures.readiness.statements.reading import StatementReading
    from pytest_pgfeatures.readiness.statements.scopes import Used

_ROUTINE = re.compile(r"(\w+)\"?\(")
"""The name in ``function public.total(integer)``."""


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
        """The type of the application's column, or the routine's variable, that a token names; None if unknown."""
        name = self.reading.name(at)
        if name is None:
            return None
        found = self.own.column_type(name, self.named_at(at)) if name in self.own.columns else None
        return self._type_of_variable(at, name) if found is None and self._variables else found

    @functools.cached_property
    def _variables(self) -> dict[str, str]:
        """The variables of the routine that contains the statement, with their types."""
        return dict(self.reading.query.variables)

    def _type_of_variable(self, at: int, name: str) -> str | None:
        """The type of a variable, of its field, or of a field of NEW and OLD."""
        reading = self.reading
        if reading.keyword(at + 1) in ("(", "."):
            return None
        if reading.keyword(at - 1) != ".":
            return self._resolved(self._variables.get(name, ""))
        record = reading.name(at - 2)
        if record is None or reading.keyword(at - 3) == ".":
            return None
        if record in ("new", "old"):
            routine = _ROUTINE.search(reading.query.inside or "")
            return self.own.column_type(name, self.own.triggered.get(routine[1], ()) if routine else ())
        row = self._variables.get(record, "").removesuffix("%rowtype")
        return self.own.column_type(name, [row.rpartition(".")[2]])

    def _resolved(self, name: str) -> str | None:
        """A type's name as columns have it; that of the column for ``orders.total%TYPE``."""
        if name.endswith("%type"):
            relation, _, column = name.removesuffix("%type").rpartition(".")
            return self.own.column_type(column, [relation.rpartition(".")[2]])
        return SHORT_TYPES.get(name, name) or None

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
