"""Pages of orders for the data room; the auditors want files of 500 rows."""
import csv

from etl.db import warehouse

PAGE = 500

ORDERS = (
    "SELECT order_id, store_id, placed_on, amount "
    "FROM warehouse.orders "
    "ORDER BY placed_on, order_id "
    "LIMIT 500"
    "OFFSET %s"
)

STORES = (
    "SELECT store_id, country, opened_on "
    "FROM warehouse.dim_store "
    "ORDER BY store_id "
    "LIMIT 100 "
    "OFFSET %s"
)


def pages(connection, query, size):
    skip = 0
    while True:
        rows = connection.execute(query, [skip]).fetchall()
        if not rows:
            return
        yield rows
        skip += size


def export(directory):
    with warehouse() as connection:
        for number, rows in enumerate(pages(connection, ORDERS, PAGE)):
            with open(f"{directory}/orders-{number:05}.csv", "w", newline="") as out:
                csv.writer(out).writerows(rows)
        for number, rows in enumerate(pages(connection, STORES, 100)):
            with open(f"{directory}/stores-{number:05}.csv", "w", newline="") as out:
                csv.writer(out).writerows(rows)
