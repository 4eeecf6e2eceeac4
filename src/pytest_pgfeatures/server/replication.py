"""Replication: wait until a receiver has caught up, and drop slots.

The names follow PostgreSQL's own test framework (``PostgreSQL::Test::Cluster``).
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.server.waiting import SECONDS, wait_until
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    import psycopg

    from pytest_pgfeatures.server.client import ClientSide
    from pytest_pgfeatures.version import PgVersion

MODES = ("sent", "write", "flush", "replay")
"""The positions of a receiver to wait for (https://www.postgresql.org/docs/current/monitoring-stats.html,
``pg_stat_replication``)."""

HAS_SLOTS = VersionSet(">=9.4")  # https://www.postgresql.org/docs/release/9.4.0/
_SLOT_NAMES_PROCESS = VersionSet(">=9.5")
"""Servers whose ``pg_replication_slots`` has ``active_pid`` (https://www.postgresql.org/docs/release/9.5.0/)."""
_HAS_SUBSCRIPTIONS = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
_WAL_AND_LSN = VersionSet(">=10")
"""Servers whose functions are named after wal and lsn, no longer xlog and location
(https://www.postgresql.org/docs/release/10.0/)."""

_CONFLICT = "due to conflict with recovery"
"""The end of a message to a session of a standby, ours perhaps: what the standby replays conflicts with it
(https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CONFLICT)."""


def wait_for_catchup(
    sender: ClientSide,
    receiver: ClientSide | str,
    mode: str,
    lsn: str | None,
    *,
    timeout: float = SECONDS,
    session: psycopg.Connection | None = None,
) -> None:
    """Wait until a standby or a subscription has received everything that its sender has written so far.

    Parameters:
        sender: the primary, the publisher, or a standby from which another one streams.
        receiver: a standby, or the name of a subscription.
        mode: one of :data:`MODES`.
        lsn: wait for this position instead, such as ``0/3000148``.
        timeout: the deadline.
        session: a superuser's session on the sender, outside of a transaction; without it, a new one is used.

    Raises:
        ServerError: there is no such mode.
        WaitTimeoutError: the receiver did not catch up before the deadline.
    """
    if mode not in MODES:
        raise ServerError(
            f"there is no mode {mode!r} to catch up in", remedy=f"use one of {', '.join(MODES)}"
        )
    import psycopg
    from psycopg import sql

    name = receiver if isinstance(receiver, str) else receiver.name
    if mode == "replay" and not isinstance(receiver, str):
        # A standby reports the replayed position only at intervals, before 10 every 10 seconds.
        asked, position, rows = receiver, f"{_wal_function(receiver.version, recovering=True)}()", ""
    else:
        asked, position = sender, f"{mode}_{'lsn' if sender.version in _WAL_AND_LSN else 'location'}"
        of_receiver = f"application_name = {sql.quote(name)} AND state = 'streaming'"
        rows = f" FROM pg_stat_replication WHERE {of_receiver}"
    with contextlib.ExitStack() as opened:

        def session_on(cluster: ClientSide) -> psycopg.Connection:
            return session if session and cluster is sender else opened.enter_context(cluster.connect())

        session_there = session_on(sender) if asked is sender else None
        target = sql.quote(lsn or _lsn(sender, session_there or session_on(sender)))
        query = f"SELECT {_at_least(asked.version, position, target)}{rows}"

        def arrived() -> bool:
            nonlocal session_there
            try:
                session_there = session_there or session_on(asked)
                return any(row[0] for row in session_there.execute(query.encode(), prepare=False).fetchall())
            except psycopg.OperationalError as error:
                if asked is sender or not (session_there or _CONFLICT in str(error)):
                    raise
            session_there = None
            return False

        wait_until(
            arrived,
            f"{name} to have what {sender.name} has written up to {target} ({mode})",
            timeout=timeout,
            details=lambda: (_progress(sender), *_tails(sender, receiver)),
        )


def _at_least(version: PgVersion, position: str, target: str) -> str:
    """An SQL condition that is true if one WAL position is at or after another."""
    if version in _WAL_AND_LSN:
        return f"{position} >= {target}::pg_lsn"
    return f"pg_xlog_location_diff({position}, {target}) >= 0"


def wait_for_subscription_sync(
    subscriber: ClientSide,
    publisher: ClientSide | None,
    subscription: str | None,
    dbname: str,
    *,
    timeout: float = SECONDS,
) -> None:
    """Wait until the subscriptions in a database have copied their tables
    (https://www.postgresql.org/docs/current/catalog-pg-subscription-rel.html).

    Parameters:
        subscriber: the server that receives.
        publisher: also wait until the subscription has applied everything that this server has written so far.
        subscription: the subscription's name; required with a publisher.
        dbname: the subscriber's database.
        timeout: the deadline for each of the two.
    """
    subscriber.poll_query_until(
        "SELECT count(*) = 0 FROM pg_subscription_rel WHERE srsubstate NOT IN ('r', 's')",
        dbname=dbname,
        timeout=timeout,
    )
    if publisher is not None:
        if subscription is None:
            raise ServerError(
                "wait_for_subscription_sync needs the subscription's name if a publisher is given",
                remedy='pass it: wait_for_subscription_sync(publisher, "sub")',
            )
        wait_for_catchup(publisher, subscription, "replay", None, timeout=timeout)


def current_lsn(cluster: ClientSide) -> str:
    """A server's WAL position: the last one that a primary has written, or that a standby has replayed."""
    with cluster.connect() as connection:
        return _lsn(cluster, connection)


def _lsn(cluster: ClientSide, connection: psycopg.Connection) -> str:
    replayed, written = (_wal_function(cluster.version, recovering) for recovering in (True, False))
    query = f"SELECT CASE WHEN pg_is_in_recovery() THEN {replayed}() ELSE {written}() END"
    ((lsn,),) = connection.execute(query.encode(), prepare=False).fetchall()
    return str(lsn)


def _wal_function(version: PgVersion, recovering: bool) -> str:
    if version in _WAL_AND_LSN:
        return "pg_last_wal_replay_lsn" if recovering else "pg_current_wal_lsn"
    return "pg_last_xlog_replay_location" if recovering else "pg_current_xlog_location"


def drop_slots(cluster: ClientSide, condition: str) -> None:
    """Drop replication slots, after disconnecting their users. Do nothing before 9.4, which has no slots.

    Parameters:
        condition: an SQL condition on ``pg_replication_slots``.
    """
    if cluster.version not in HAS_SLOTS:
        return
    process = "active_pid" if cluster.version in _SLOT_NAMES_PROCESS else "NULL::int"
    import psycopg

    with cluster.connect() as connection:

        def all_dropped() -> bool:
            query = f"SELECT slot_name, {process}, active FROM pg_replication_slots WHERE {condition}"
            slots = connection.execute(query.encode()).fetchall()
            for name, pid, active in slots:
                try:
                    if active:
                        connection.execute("SELECT pg_terminate_backend(%s)", [pid])
                    else:
                        connection.execute("SELECT pg_drop_replication_slot(%s)", [name])
                except (psycopg.errors.ObjectInUse, psycopg.errors.UndefinedObject):
                    continue  # in use again, or dropped by its own session; the next query shows which
            return not slots

        wait_until(all_dropped, f"the replication slots of {cluster.name} to be dropped ({condition})")


def drop_subscriptions(cluster: ClientSide, dbname: str) -> None:
    """Drop the subscriptions of a database, without their slots. Do nothing before 10, which has none."""
    if cluster.version not in _HAS_SUBSCRIPTIONS:
        return
    from psycopg import sql

    with cluster.connect(dbname) as connection:
        mine = "SELECT subname FROM pg_subscription JOIN pg_database d ON subdbid = d.oid WHERE datname = %s"
        for (name,) in connection.execute(mine.encode(), [dbname]).fetchall():
            for rest in ("DISABLE", "SET (slot_name = NONE)"):
                connection.execute(
                    sql.SQL("ALTER SUBSCRIPTION {} {}").format(sql.Identifier(name), sql.SQL(rest))
                )
            connection.execute(sql.SQL("DROP SUBSCRIPTION {}").format(sql.Identifier(name)))


def _progress(sender: ClientSide) -> str:
    rows = sender.sql("SELECT * FROM pg_stat_replication")
    return f"pg_stat_replication of {sender.name} has {len(rows)} rows: {rows!r}"


def _tails(sender: ClientSide, receiver: ClientSide | str) -> tuple[str, ...]:
    """The last lines of both servers' logs, with the files' names."""
    lines: list[str] = []
    for cluster in (sender, receiver):
        if not isinstance(cluster, str):
            lines += [f"log of {cluster.name} ({cluster.log.path}):", *cluster.log.tail(10)]
    return tuple(lines)
