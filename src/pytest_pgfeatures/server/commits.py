"""Find out whether any session committed a transaction in a cluster after a given moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    import psycopg

CAN_TELL = VersionSet(">=10")
"""Servers that have txid_status() (https://www.postgresql.org/docs/release/10.0/)."""
_NEXT = "SELECT txid_snapshot_xmax(txid_current_snapshot())"
# Only transactions that write have an ID. CREATE DATABASE writes nothing else into the other databases than
# its row in pg_database.
_COMMITTED = """
SELECT EXISTS (
    SELECT 1 FROM generate_series({since}, txid_snapshot_xmax(txid_current_snapshot()) - 1) AS txid
    WHERE txid_status(txid) = 'committed'
    AND NOT EXISTS (SELECT 1 FROM pg_database WHERE xmin::text::bigint = txid % (1::bigint << 32)))
"""


def next_transaction(connection: psycopg.Connection) -> int:
    """The transaction ID from which on no transaction has ended. The connection is in autocommit mode."""
    ((txid,),) = connection.execute(_NEXT).fetchall()
    return int(txid)


def committed_since(connection: psycopg.Connection, txid: int) -> bool:
    """Whether a transaction with this ID or a later one has written and committed anything other than CREATE
    DATABASE."""
    ((committed,),) = connection.execute(_COMMITTED.format(since=txid).encode()).fetchall()
    return bool(committed)
