import pandas as pd
from sqlalchemy import text

from lab.db import engine

CHECKPOINTS = text("SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter")

STALLS = """
    SELECT wait_event, count(*) AS sessions
      FROM pg_stat_activity
     WHERE wait_event_type = 'LWLock'
       AND wait_event IN ('WALWriteLock')
     GROUP BY wait_event
"""

LOAD = """
    SELECT date_trunc('hour', at) AS hour,
           max(blk_read_time) AS blk_read_time,
           max(checkpoints_timed) AS checkpoints_timed
      FROM server_load
     GROUP BY 1
"""


def record():
    with engine.begin() as connection:
        timed, _ = connection.execute(CHECKPOINTS).one()
        connection.execute(
            text("INSERT INTO server_load (at, checkpoints_timed) VALUES (now(), :timed)"),
            {"timed": timed},
        )


def stalls():
    return pd.read_sql(STALLS, engine)


def load():
    return pd.read_sql(LOAD, engine)
