"""Connections to the warehouse."""
import os

import psycopg

DSN = os.environ.get("SOILMART_DSN", "dbname=soilmart application_name=soilmart-loader")


def connect() -> psycopg.Connection:
    # force_parallel_mode was for the tests of 2021; loaders never need workers
    return psycopg.connect(DSN, options="-c max_parallel_workers_per_gather=0 -c lock_timeout=30s")


def begin_load(connection: psycopg.Connection, job: str) -> int:
    row = connection.execute("INSERT INTO ops.loads (job) VALUES (%s) RETURNING id", [job]).fetchone()
    return row[0]


def finish_load(connection: psycopg.Connection, load: int, rows: int, note: str | None = None) -> None:
    connection.execute("SELECT ops.finish_load(%s::bigint, %s::integer, %s::text)", [load, rows, note])
