"""Bidirectional logical replication among several servers."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.server.cluster import Cluster

PUBLICATION = "all_tables"
_HAS_ORIGIN = VersionSet(">=16")  # https://www.postgresql.org/docs/release/16.0/


def replicate_bidirectionally(nodes: Sequence[Cluster], *, dbname: str = "postgres") -> None:
    """Replicate each server's own writes, but not those that it received, to all other servers.

    Every node gets a publication named ``all_tables``, and for each other node a subscription named
    ``NODE_from_OTHER`` with ``origin = none``
    (https://www.postgresql.org/docs/current/sql-createsubscription.html#SQL-CREATESUBSCRIPTION-PARAMS-WITH-ORIGIN).
    The tables must exist on all nodes; their existing rows are not copied. Returns when all subscriptions are
    connected.

    Parameters:
        nodes: 16 or newer, with ``wal_level`` logical; majors may differ.
        dbname: the database, on all of them.

    Raises:
        ServerError: a node is older than 16. It would forward the rows that it received, which would loop.
    """
    from psycopg import sql

    for node in nodes:
        if node.version not in _HAS_ORIGIN:
            raise ServerError(
                f"{node.name} is PostgreSQL {node.version}, which can't distinguish its own rows from those"
                " that it received",
                remedy="take 16 or newer, or replicate in one direction only",
            )
    for node in nodes:
        node.sql(f"CREATE PUBLICATION {PUBLICATION} FOR ALL TABLES", dbname=dbname)
    pairs = list(itertools.permutations(nodes, 2))
    for node, other in pairs:
        with node.connect(dbname) as connection:
            connection.execute(
                sql.SQL(
                    "CREATE SUBSCRIPTION {} CONNECTION {} PUBLICATION {} WITH (origin = none, copy_data = false)"
                ).format(
                    sql.Identifier(subscription_name(node, other)),
                    sql.Literal(other.dsn(dbname)),
                    sql.Identifier(PUBLICATION),
                )
            )
    for node, other in pairs:
        node.wait_for_subscription_sync(other, subscription_name(node, other), dbname)


def wait_for_all(nodes: Sequence[Cluster]) -> None:
    """Wait until each node has applied everything that the others have written so far."""
    for node, other in itertools.permutations(nodes, 2):
        other.wait_for_catchup(subscription_name(node, other))


def subscription_name(node: Cluster, other: Cluster) -> str:
    """The name of the subscription of ``node`` to ``other``."""
    return f"{node.name}_from_{other.name}".replace("-", "_")
