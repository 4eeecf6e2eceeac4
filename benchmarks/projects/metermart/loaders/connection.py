import os

import psycopg


def connect() -> psycopg.Connection:
    return psycopg.connect(os.environ.get("METERMART_DSN", "dbname=metermart"), application_name="loader")
