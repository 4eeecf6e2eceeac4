"""A statement's session: its settings and temporary objects."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.scripts.source import encoded

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Query


def as_in_session(connection: psycopg.Connection, query: Query) -> None:
    """Within a transaction, set a statement's settings and define the temporary objects of its session. If the
    server refuses one of them, the statement's own error names what is missing."""
    for name, value in query.settings:
        connection.execute("SELECT set_config(%s, %s, true)", [name, value])
    for definition in query.temporary or ():
        with contextlib.suppress(psycopg.Error), connection.transaction():
            connection.execute(encoded(definition), prepare=False)
