"""Loads one file of the head end into raw.head_end_messages."""
from __future__ import annotations

import csv
import sys
from pathlib import Path

from .connection import connect

COLUMNS = ("serial", "raw_at", "raw_value", "unit", "quality")

KNOWN_BATCH = "SELECT 1 FROM raw.load_batches WHERE batch = %s"


def batch_of(path: Path) -> str:
    return "b-" + path.stem[-4:]


def load(path: Path) -> int:
    batch = batch_of(path)
    with connect() as connection, connection.cursor() as cursor:
        if cursor.execute(KNOWN_BATCH, [batch]).fetchone():
            return 0
        first = cursor.execute("SELECT coalesce(max(message_id), 0) + 1 FROM raw.head_end_messages").fetchone()[0]
        rows = 0
        with path.open(newline="") as source:
            for number, row in enumerate(csv.DictReader(source, delimiter=";")):
                cursor.execute(
                    "INSERT INTO raw.head_end_messages"
                    " (message_id, batch, serial, raw_at, raw_value, unit, quality, received_at)"
                    " VALUES (%s, %s, %s, %s, %s, %s, %s, now())",
                    [first + number, batch, *(row[column] for column in COLUMNS)],
                )
                rows += 1
        cursor.execute(
            "INSERT INTO raw.load_batches (batch, file_name, loaded_at, row_count) VALUES (%s, %s, now(), %s)",
            [batch, path.name, rows],
        )
    return rows


def unknown_serials(batch: str) -> list[str]:
    query = """
        SELECT DISTINCT h.serial
          FROM raw.head_end_messages h
          LEFT JOIN raw.meters m ON m.serial = h.serial
         WHERE h.batch = %(batch)s AND m.meter_id IS NULL
         ORDER BY 1
         LIMIT 100 OFFSET 0
    """
    with connect() as connection:
        return [serial for (serial,) in connection.execute(query, {"batch": batch})]


def doubtful(limit: int) -> list[tuple]:
    with connect() as connection:
        return connection.execute(
            "SELECT message_id, raw_value"
            "  FROM raw.head_end_messages"
            " WHERE quality = 9"
            " ORDER BY message_id LIMIT %s",
            [limit],
        ).fetchall()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, load(Path(name)))
