"""Quality control, after each intake."""
from sqlalchemy import text

# codes are letters, digits, and what the old loggers allowed
BAD_CODES = text(r"SELECT id, code FROM stations WHERE code !~ '^[\w-~]+$'")
BAD_NAMES = text(r"SELECT id, name FROM stations WHERE name !~ '^[\w .()-]+$'")

SUSPECT_WIND = text(
    """
    UPDATE readings
       SET quality = 'suspect'
     WHERE quality = 'raw'
       AND (wind_dir NOT BETWEEN 0 AND 360 OR wind_speed > 90)
    """
)

SUSPECT_JUMP = text(
    """
    UPDATE readings r
       SET quality = 'suspect'
      FROM readings before
     WHERE before.station_id = r.station_id
       AND before.observed_at = r.observed_at - interval '5 minutes'
       AND abs(before.temperature - r.temperature) > 6
       AND r.quality = 'raw'
    """
)


def run(connection):
    for statement in (SUSPECT_WIND, SUSPECT_JUMP):
        connection.execute(statement)
    return connection.execute(BAD_CODES).all() + connection.execute(BAD_NAMES).all()


def power_sources(connection):
    return connection.execute(
        text("SELECT w.station_id, w.consrc, min(w.millivolts) FROM power w GROUP BY w.station_id, w.consrc")
    ).all()
