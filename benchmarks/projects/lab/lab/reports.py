import pandas as pd
from sqlalchemy import text

from lab.db import engine

TURNAROUND = text(
    """
    SELECT i.code,
           extract(epoch FROM r.finished_at - r.started_at) / 60 AS minutes
      FROM runs r
      JOIN instruments i ON i.id = r.instrument_id
     WHERE r.started_at >= :since
    """
)

BY_YEAR = text(
    """
    SELECT extract(year FROM s.collected_on)::int AS year, count(*) AS samples
      FROM samples s
     GROUP BY 1
     ORDER BY 1
    """
)

WAITING = """
    SELECT s.barcode,
           date_part('epoch', now() - s.received_at) / 3600 AS hours
      FROM samples s
     WHERE NOT EXISTS (SELECT FROM results WHERE sample_id = s.id)
"""


def turnaround(since):
    frame = pd.read_sql(TURNAROUND, engine, params={"since": since})
    return frame.groupby("code")["minutes"].quantile([0.5, 0.95])


def by_year():
    return pd.read_sql(BY_YEAR, engine, index_col="year")


def waiting():
    return pd.read_sql(WAITING, engine)
