"""Sessions and checkpoints, written as lines of JSON to standard output."""

import json
import sys

SESSIONS = """
    SELECT pid,
           usename,
           state,
           wait_event_type,
           EXTRACT(epoch FROM clock_timestamp() - xact_start) AS transaction_seconds
      FROM pg_stat_activity
     WHERE backend_type = 'client backend'
       AND pid <> pg_backend_pid()
"""

OLDEST = """
    SELECT EXTRACT(epoch FROM max(now() - xact_start))::bigint AS seconds
      FROM pg_stat_activity
     WHERE state <> 'idle'
"""


def write_sessions(connection, out=sys.stdout):
    for row in connection.execute(SESSIONS):
        out.write(json.dumps(row) + "\n")


def oldest(connection):
    return connection.execute(OLDEST).fetchone()["seconds"]


def checkpoints(connection):
    if connection.info.server_version >= 170000:
        sql = "SELECT num_timed, num_requested, buffers_written FROM pg_stat_checkpointer"
    else:
        sql = "SELECT checkpoints_timed, checkpoints_req, buffers_checkpoint FROM pg_stat_bgwriter"
    timed, requested, buffers = connection.execute(sql).fetchone().values()
    return {"timed": timed, "requested": requested, "buffers": buffers}


def replicas(connection):
    return connection.execute(
        "SELECT application_name, state, sync_state, pg_wal_lsn_diff(sent_lsn, replay_lsn)::bigint AS bytes "
        "FROM pg_stat_replication"
    ).fetchall()
