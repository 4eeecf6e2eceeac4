"""Connections. The warehouse by psycopg, the shop by PyMySQL."""
import os
from contextlib import contextmanager

import psycopg
import pymysql


@contextmanager
def warehouse(batch=None):
    with psycopg.connect(os.environ.get("WAREHOUSE_DSN", "dbname=warehouse")) as connection:
        if batch is not None:
            # triggers of the audit read it
            connection.execute("SELECT set_config('etl-run.batch', %s, false)", [str(batch)])
        connection.execute("SELECT set_config('etl_run.host', %s, false)", [os.uname().nodename])
        yield connection


def shop():
    return pymysql.connect(
        host=os.environ["SHOP_HOST"],
        user="etl",
        password=os.environ["SHOP_PASSWORD"],
        database="shop",
    )
