import pandas as pd
from sqlalchemy import text

STORMS = text(
    """
    SELECT s.code, s.notes
      FROM stations s
     WHERE to_tsvector('simple', s.notes) @@ to_tsquery('simple', 'storm & damage')
    """
)


def storms(connection):
    return pd.read_sql(STORMS, connection)
