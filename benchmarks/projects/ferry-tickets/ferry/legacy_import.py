"""Copies sales from the ticket machines on the quays, which keep them in MySQL."""
import logging
import os

import pymysql
from sqlalchemy import text

from .db import engine

log = logging.getLogger(__name__)


def machine_sales(host, day):
    connection = pymysql.connect(host=host, user="export", password=os.environ["MACHINE_PASSWORD"], database="kiosk")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ticket_no, EXTRACT(HOUR FROM sold_at) AS hour, price FROM sale WHERE DATE(sold_at) = %s",
            (day,),
        )
        return cursor.fetchall()


def import_sales(host, day, sailing_id, customer_id):
    sales = machine_sales(host, day)
    with engine.begin() as connection:
        for _ticket_no, _hour, price in sales:
            connection.execute(
                text("INSERT INTO booking (customer_id, sailing_id, price) VALUES (:customer, :sailing, :price)"),
                {"customer": customer_id, "sailing": sailing_id, "price": price},
            )
    log.info("imported %s sales; if a backup runs, pg_is_in_backup() is true and this was slow", len(sales))
    return len(sales)
