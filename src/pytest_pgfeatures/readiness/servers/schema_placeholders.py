"""Schemas that a program fills in: ``${schema}.job`` is in the schema that has a ``job``."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    import psycopg

    from pytest_pgfeatures.readiness.model import Query

_FILLED_IN = re.compile(r'(?:\bx|\$)(\d+)\.(?:(\w+)|"([^"]+)")')
"""A parameter, or a name that stands for a parameter, in the place of a schema."""
_NAMES = """
    SELECT n.nspname, o.name
      FROM (SELECT relnamespace, relname FROM pg_catalog.pg_class
            UNION SELECT pronamespace, proname FROM pg_catalog.pg_proc
            UNION SELECT typnamespace, typname FROM pg_catalog.pg_type) o (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.oid = o.schema
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""


class Schemas:
    """The schemas of a database, by the names of the relations, functions and types in them.

    Parameters:
        connection: a connection to a server with the application's schema.
    """

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    @functools.cached_property
    def _by_name(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for schema, name in self._connection.execute(_NAMES).fetchall():
            found.setdefault(name, set()).add(schema)
        return found

    def place(self, queries: list[Query], at: int) -> bool:
        """Make the server find objects whose schema the program fills in: set the search path, and replace
        the schema by blanks, so that all else keeps its place. Nothing is done unless exactly one schema has
        all of the objects.

        Returns:
            whether there is such a schema.
        """
        query = queries[at]
        named = list(_FILLED_IN.finditer(query.sql))
        if not named:
            return False
        having = [self._by_name.get(each[3] or each[2].lower(), set()) for each in named]
        known = [schemas for schemas in having if schemas]
        fitting = set.intersection(*known) if known else set()
        if len(fitting) != 1:
            return False
        sql = query.sql
        # a definition may name what is not there yet, and a parameter may stand for an alias
        named = [each for each, schemas in zip(named, having, strict=True) if schemas or each[0][0] == "x"]
        for each in named:
            end = each.end(1) + 1
            sql = f"{sql[: each.start()]}{' ' * (end - each.start())}{sql[end:]}"
        gone = {int(each[1]) for each in named}
        path = (row := self._connection.execute("SHOW search_path").fetchone()) and row[0]
        settings = (
            *query.settings,
            ("search_path", f"{_quoted(*fitting)}, {path}" if path else _quoted(*fitting)),
        )
        names = tuple(name for number, name in enumerate(query.names, 1) if number not in gone)
        queries[at] = replace(query, sql=_renumbered(sql, gone), names=names, settings=settings)
        return True


def _quoted(schema: str) -> str:
    return '"' + schema.replace('"', '""') + '"'


def _renumbered(sql: str, gone: set[int]) -> str:
    """A statement whose remaining parameters are renumbered, each at its place."""
    parts = []
    for token in tokens(sql):
        text = token.text
        if token.kind == "parameter" and text[1:].isdecimal():
            number = int(text[1:])
            text = f"${number - sum(each < number for each in gone)}".ljust(len(text))
        parts.append(text)
    return "".join(parts)
