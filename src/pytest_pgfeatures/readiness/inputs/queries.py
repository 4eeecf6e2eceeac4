"""The statements of ``--queries``: SQL files, pg_stat_statements, server logs, string literals of source code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.files import found
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.readiness.model import Query


def read_queries(
    given: Sequence[str], resolver: Callable[[], Resolver], problems: list[str]
) -> tuple[list[Query], list[Query]]:
    """The statements of all arguments of ``--queries``, and string literals that may be statements."""
    queries: list[Query] = []
    literals: list[Query] = []
    for argument in given:
        for path, name in found(argument, "--queries", lambda path: path.suffix == ".sql"):
            queries += [
                each.query for each in SqlReader("query", resolver, placeholders=True).file(path, name)
            ]
    return queries, literals
