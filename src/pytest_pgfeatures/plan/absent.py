"""A warning for a selector that names a relation which the database does not have: it can match nothing.

A plan that :func:`explain` returned knows its connection. The connection is asked only after a selector with a
relation's or an index's name has selected nothing, so that other tests don't pay for it.
"""

from __future__ import annotations

import difflib
import sys
import warnings
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import AbsentRelationWarning
from pytest_pgfeatures.plan.selector import compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

    from pytest_pgfeatures.plan.tree import TreeNode

_KEYS = ("Relation Name", "Index Name")
_RELATIONS = "SELECT relname::text FROM pg_catalog.pg_class WHERE relkind <> 't'"
_PACKAGE = __name__.rpartition(".")[0]


def warn_of_absent(connection: psycopg.Connection[Any], nodes: Sequence[TreeNode], text: str) -> None:
    """Warn of each relation in a selector that is neither in the plan nor in any schema of the database.

    Parameters:
        connection: the connection of EXPLAIN. If asking it would have an effect, it is not asked.
        nodes: the plan's nodes.
        text: a selector that selects none of them.
    """
    in_plan = {node.data.get(key) for node in nodes for key in _KEYS}
    asked = [name for name in compiled(text).relations if name not in in_plan]
    if not asked or (there := _relations(connection)) is None:
        return
    aliases = {node.data.get("Alias") for node in nodes}
    for name in asked:
        if name not in there:
            near = difflib.get_close_matches(name, there, 1, 0.6)
            meant = (
                f": here it is an alias, [alias={name}]"
                if name in aliases
                else f": did you mean {near[0]!r}?"
                if near
                else ""
            )
            warnings.warn(
                f"the database has no relation {name!r}, so that {text!r} can match nothing{meant}",
                AbsentRelationWarning,
                stacklevel=_levels(),
            )


def _relations(connection: psycopg.Connection[Any]) -> set[str] | None:
    """The names of all relations; None if asking for them would fail, wait, or begin a transaction."""
    from psycopg.pq import PipelineStatus, TransactionStatus
    from psycopg.rows import tuple_row

    if connection.closed or connection.pgconn.pipeline_status != PipelineStatus.OFF:
        return None
    status = connection.info.transaction_status
    if status != TransactionStatus.INTRANS and not (
        status == TransactionStatus.IDLE and connection.autocommit
    ):
        return None
    with connection.cursor(row_factory=tuple_row) as cursor:
        rows = cursor.execute(_RELATIONS.encode(), prepare=False).fetchall()
    return {name if isinstance(name, str) else bytes(name).decode(errors="replace") for (name,) in rows}


def _levels() -> int:
    """The number of frames up to the one that uses the plan, counted from :func:`warn_of_absent` as 1."""
    levels, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(_PACKAGE):
        levels, frame = levels + 1, frame.f_back
    return levels
