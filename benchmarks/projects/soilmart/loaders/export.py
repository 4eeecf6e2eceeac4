"""Writes the daily extract for the web map."""
import json
import sys

from .db import connect

STATIONS = """
    SELECT s.code, s.name, s.elevation_m, array_sort(s.depths_cm) AS depths
      FROM core.stations s
     WHERE s.country = %s
     ORDER BY s.code
"""

LEGEND = "SELECT code, line FROM public.legend ORDER BY code"

UNITS = "SELECT key, method FROM public.parameter_keys ORDER BY key"

POWER = "SELECT serial_no, lamps, power_mw AS power FROM public.device_lamps ORDER BY serial_no"


def main(country: str) -> None:
    with connect() as connection:
        json.dump(
            {
                "stations": connection.execute(STATIONS, [country]).fetchall(),
                "legend": connection.execute(LEGEND).fetchall(),
                "units": connection.execute(UNITS).fetchall(),
                "power": connection.execute(POWER).fetchall(),
            },
            sys.stdout,
            default=str,
        )


if __name__ == "__main__":
    main(sys.argv[1])
