"""Takes packets of the stations apart.

The Davis consoles write the pressure as 1,013.2 or, since firmware 1.90, as 1013.2; the others write 1013.2.
"""
import logging
import random
import sys

from sqlalchemy import func, insert, select, text

from .database import engine
from .tables import packets, readings

log = logging.getLogger(__name__)

TEMPERATURE = "xpath('temp/text()', p.body)"
HUMIDITY = "xpath('/obs/humidity/text()', p.body)"


def pressures(connection, since):
    davis = func.to_number(packets.c.pressure, "9,999D9")
    query = select(packets.c.station_code, davis).where(packets.c.received_at >= since)
    return connection.execute(query.where(packets.c.station_code.like("DV-%"))).all()


def rain(connection, since):
    amount = func.to_number(packets.c.rain, "999D9")
    return connection.execute(select(packets.c.station_code, amount).where(packets.c.received_at >= since)).all()


def temperatures(connection):
    query = f"SELECT p.id, ({TEMPERATURE})[1]::text AS temperature FROM packets p WHERE p.body IS NOT NULL"
    return connection.execute(text(query)).all()


def humidities(connection):
    query = f"SELECT p.id, ({HUMIDITY})[1]::text AS humidity FROM packets p WHERE p.body IS NOT NULL"
    return connection.execute(text(query)).all()


def late(connection):
    return connection.execute(
        text("SELECT p.station_code, p.reltime FROM packets p WHERE p.reltime > 600")
    ).all()


def store(connection, rows):
    connection.execute(insert(readings), rows)
    log.info("SELECT pg_is_in_backup() is no longer asked before %d rows are stored", len(rows))


def main():
    random.seed(1847)
    with engine.begin() as connection:
        for station, pressure in pressures(connection, sys.argv[1]):
            log.debug("%s %s", station, pressure)
