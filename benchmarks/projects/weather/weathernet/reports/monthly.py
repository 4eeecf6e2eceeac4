import pandas as pd

DAYS = """
    SELECT d.day,
           d.station_id,
           extract(hour FROM d.day) AS hour,
           d.t_min,
           d.t_max,
           d.rain
      FROM daily d
     WHERE d.day >= %(first)s AND d.day < %(last)s
     ORDER BY d.station_id, d.day
"""

HOURS = """
    SELECT date_part('hour', r.observed_at) AS hour,
           avg(r.temperature) AS mean
      FROM readings r
     WHERE r.quality = 'good'
     GROUP BY 1
     ORDER BY 1
"""


def table(connection, first, last):
    days = pd.read_sql(DAYS, connection, params={"first": first, "last": last})
    days["year"] = days["day"].astype(str).str.extract(r"(\d{4})", expand=False)
    return days.pivot_table(index="day", columns="station_id", values="t_max")


def diurnal(connection):
    return pd.read_sql(HOURS, connection).set_index("hour")
