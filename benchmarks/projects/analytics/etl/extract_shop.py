"""Copies yesterday's orders from the shop (MySQL 8) into warehouse.orders."""
import sys
from datetime import date, timedelta

import pymysql

from etl.db import warehouse

INSERT = """
    INSERT INTO warehouse.orders (order_id, store_id, campaign_id, placed_at, placed_on, amount)
    VALUES (%s, %s, %s, %s, %s, %s)
"""


def extract(day, host, password):
    shop = pymysql.connect(host=host, user="etl", password=password, database="shop")
    cursor = shop.cursor()
    cursor.execute(
        "SELECT id, store_id, campaign_id, paid_at, paid_on, amount, EXTRACT(HOUR FROM paid_on) AS hour "
        "FROM orders WHERE paid_on = %s",
        [day],
    )
    return [row[:6] for row in cursor.fetchall()]


def main(arguments):
    day = date.fromisoformat(arguments[0]) if arguments else date.today() - timedelta(days=1)
    rows = extract(day, arguments[1], arguments[2])
    with warehouse(batch=day.toordinal()) as connection:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM warehouse.orders WHERE placed_on = %s", [day])
            cursor.executemany(INSERT, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
