"""Whether transactions were committed in a cluster since a moment, by whatever session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    import psycopg

CAN_TELL = VersionSet(">=10")
"""txid_status() is in these (https://www.postgresql.org/docs/release/10.0/)."""
_NEXT = "SELECT txid_snapshot_xmax(txid_current_snapshot())"
# A transaction has an ID only if it wrote. What creates a database writes it into no other, but its row is there.
_COMMITTED = """
SELECT EXISTS (
    SELECT FROM generate_series({since}, txid_snapshot_xmax(txid_current_snapshot()) - 1) AS txid
    WHERE txid_status(txid) = 'committed'
    AND NOT EXISTS (SELECT FROM pg_database WHERE xmin::text::bigint = txid % (1::bigint << 32)))
"""


def next_transaction(connection: psycopg.Connection) -> int:
    """The transaction ID from which on none has ended. The connection is in autocommit mode."""
    ((txid,),) = connection.execute(_NEXT).fetchall()
    return int(txid)


def committed_since(connection: psycopg.Connection, txid: int) -> bool:
    """Whether a transaction from this ID on has written and committed, other than to create a database."""
    ((committed,),) = connection.execute(_COMMITTED.format(since=txid).encode()).fetchall()
    return bool(committed)
