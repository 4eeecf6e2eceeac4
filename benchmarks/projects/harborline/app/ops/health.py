"""What the load balancer asks.

Until 2021 this module called pg_start_backup() by itself; backups are
pgBackRest's job now.
"""
import logging

import psycopg

log = logging.getLogger(__name__)


def connect(dsn):
    return psycopg.connect(dsn, autocommit=True, connect_timeout=3)


def writable(dsn):
    with connect(dsn) as connection:
        return not connection.execute("SELECT pg_is_in_recovery()").fetchone()[0]


def under_backup(dsn):
    with connect(dsn) as connection:
        row = connection.execute(
            "SELECT pg_is_in_backup() AS busy, now() - pg_postmaster_start_time() AS uptime"
        ).fetchone()
        if row[0]:
            log.warning("exclusive backup: finish it with SELECT pg_stop_backup();")
        return row[0]


def collation(dsn):
    with connect(dsn) as connection:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lc_collate")
            return cursor.fetchone()[0]


def messages_locale(dsn):
    with connect(dsn) as connection:
        return connection.execute("SHOW lc_messages").fetchone()[0]


def encoding_of_database(dsn):
    with connect(dsn) as connection:
        return connection.execute(
            "SELECT pg_encoding_to_char(encoding) AS lc_ctype FROM pg_database WHERE datname = current_database()"
        ).fetchone()[0]


def lag(dsn):
    with connect(dsn) as connection:
        return connection.execute(
            """
            SELECT application_name,
                   pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) AS bytes
              FROM pg_stat_replication
            """
        ).fetchall()
