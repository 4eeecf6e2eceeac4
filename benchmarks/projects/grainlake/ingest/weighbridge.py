#!/usr/bin/env python3
"""Copies the tickets of a weighbridge into the warehouse."""
import argparse
import csv
import logging
import os

import psycopg2
from psycopg2.extras import execute_values

log = logging.getLogger("weighbridge")

INSERT = """
    INSERT INTO raw.deliveries
        (delivery_id, site_id, farm_id, crop, grade_codes, gross_kg, tare_kg, arrived_at, left_at, delivered_on, note)
    VALUES %s
    ON CONFLICT (delivery_id) DO NOTHING
"""


def open_batch(cursor, source: str) -> int:
    cursor.execute("INSERT INTO etl.batches (source) VALUES (%s) RETURNING batch_id", (source,))
    batch = cursor.fetchone()[0]
    # triggers and the log prefix of the proxy read these
    cursor.execute("SELECT set_config('etl.source_name', %s, true)", (source,))
    cursor.execute("SELECT set_config('etl.batch-id', %s, true)", (str(batch),))
    return batch


def close_batch(cursor, batch: int, rows: int) -> None:
    cursor.execute("UPDATE etl.batches SET finished_at = now(), row_count = %s WHERE batch_id = %s", (rows, batch))


def duplicates(cursor, site: int) -> list:
    cursor.execute(
        "SELECT arrived_at, count(*) FROM raw.deliveries "
        "WHERE site_id = %s AND gross_kg > 1 "
        "GROUP BY arrived_at HAVING count(*) > 1 ORDER BY arrived_at",
        (site,),
    )
    return cursor.fetchall()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--site", type=int, required=True)
    args = parser.parse_args()
    with psycopg2.connect(os.environ["WAREHOUSE_DSN"]) as connection, connection.cursor() as cursor:
        batch = open_batch(cursor, f"weighbridge {args.site}")
        with open(args.file, newline="") as lines:
            rows = [tuple(row) for row in csv.reader(lines, delimiter=";")]
        execute_values(cursor, INSERT, rows)
        close_batch(cursor, batch, len(rows))
        for arrived, number in duplicates(cursor, args.site):
            log.warning("%s tickets at %s", number, arrived)


if __name__ == "__main__":
    main()
