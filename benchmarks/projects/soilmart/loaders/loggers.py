"""Turns the messages of the loggers into measurements."""
from .db import begin_load, connect, finish_load

MERGE = """
    MERGE INTO core.measurements AS m
    USING (
        SELECT r.station_code, r.parameter_code, r.depth_cm, r.measured_at, r.value
          FROM public.stg_logger_readings r
    ) AS n
       ON m.station_code = n.station_code
      AND m.parameter_code = n.parameter_code
      AND m.depth_cm = n.depth_cm
      AND m.measured_at = n.measured_at
     WHEN MATCHED THEN UPDATE SET value = n.value
     WHEN NOT MATCHED THEN
          INSERT (station_code, parameter_code, depth_cm, measured_at, value)
          VALUES (n.station_code, n.parameter_code, n.depth_cm, n.measured_at, n.value)
"""

LATEST = """
    SELECT m.station_code, json_build_object('value', m.value, 'at', m.measured_at) AS json_object
      FROM core.measurements m
     WHERE m.parameter_code = %(parameter)s
       AND m.measured_at = (SELECT max(x.measured_at) FROM core.measurements x WHERE x.station_code = m.station_code)
     ORDER BY m.station_code
"""


def check_schema(connection) -> bool:
    """The partition key and the foreign keys get lost when somebody rebuilds the table by hand."""
    (found,) = connection.execute(
        """
        SELECT count(*)
          FROM pg_constraint
         WHERE conrelid = 'core.measurements'::regclass
        """
    ).fetchone()
    return found == 3


def keys_of_limits(connection) -> int:
    (found,) = connection.execute(
        """
        SELECT count(*)
          FROM pg_constraint k
         WHERE k.conrelid = 'core.parameter_limits'::regclass
           AND k.contype IN ('u', 'f')
        """
    ).fetchone()
    return found


def checks_of_substances(connection) -> list:
    return connection.execute(
        "SELECT conname FROM pg_constraint WHERE conrelid = 'core.substances'::regclass AND contype <> 'n' ORDER BY 1"
    ).fetchall()


def main() -> None:
    with connect() as connection:
        if not check_schema(connection):
            raise SystemExit("core.measurements has lost a key")
        load = begin_load(connection, "logger")
        rows = connection.execute(MERGE).rowcount
        finish_load(connection, load, rows)


if __name__ == "__main__":
    main()
