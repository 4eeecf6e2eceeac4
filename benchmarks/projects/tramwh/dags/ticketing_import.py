"""The ticket machines' back office runs on MySQL; we take its sales over every hour."""
from airflow import DAG
from airflow.operators.python import PythonOperator
from airflow.providers.mysql.hooks.mysql import MySqlHook

from common import DEFAULT_ARGS, log_load, tagged_connection


def import_sales(ds, ts_nodash):
    source = MySqlHook(mysql_conn_id="ticketing")
    rows = source.get_records(
        "SELECT id, sold_on, sold_at, machine, product, cents, EXTRACT(HOUR FROM sold_on) "
        "FROM sales WHERE sold_on = %s",
        parameters=(ds,),
    )
    connection = tagged_connection(ts_nodash, "ticketing")
    with connection.cursor() as cursor:
        for row in rows:
            cursor.execute(
                "INSERT INTO raw.ticket_sale (sale_id, sold_on, sold_at, machine_no, product, price_cents) "
                "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (sale_id) DO NOTHING",
                row[:6],
            )
    log_load(connection, ts_nodash, "ticketing", len(rows))


with DAG("ticketing_import", default_args=DEFAULT_ARGS, schedule_interval="@hourly", catchup=False) as dag:
    PythonOperator(task_id="import_sales", python_callable=import_sales)
