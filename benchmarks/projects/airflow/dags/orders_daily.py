from __future__ import annotations

import pendulum
from airflow import DAG
from airflow.operators.bash import BashOperator
from airflow.operators.python import PythonOperator
from airflow.providers.mysql.hooks.mysql import MySqlHook
from airflow.providers.postgres.hooks.postgres import PostgresHook
from airflow.providers.postgres.operators.postgres import PostgresOperator

DEFAULT_ARGS = {"owner": "data", "retries": 2}


def extract_orders(ds: str) -> int:
    source = MySqlHook(mysql_conn_id="shop")
    rows = source.get_records(
        """
        SELECT o.order_id, o.customer_id, o.order_date, o.total,
               EXTRACT(HOUR FROM o.order_date) AS order_hour
          FROM orders o
         WHERE DATE(o.order_date) = %s
        """,
        parameters=(ds,),
    )
    target = PostgresHook(postgres_conn_id="dwh")
    target.insert_rows("staging.orders_raw", rows)
    return len(rows)


with DAG(
    dag_id="orders_daily",
    start_date=pendulum.datetime(2023, 1, 1, tz="UTC"),
    schedule="30 2 * * *",
    template_searchpath=["/opt/airflow/dags/sql"],
    default_args=DEFAULT_ARGS,
    catchup=False,
) as dag:
    extract = PythonOperator(task_id="extract", python_callable=extract_orders)

    by_zone = PostgresOperator(
        task_id="by_zone",
        postgres_conn_id="dwh",
        sql="orders_by_zone.sql",
        parameters={"ds": "{{ ds }}"},
    )
    by_hour = PostgresOperator(
        task_id="by_hour",
        postgres_conn_id="dwh",
        sql="orders_by_hour.sql",
        parameters={"ds": "{{ ds }}"},
    )
    tags = PostgresOperator(
        task_id="tags",
        postgres_conn_id="dwh",
        sql="""
            INSERT INTO mart.customer_tags (customer_id, tag_ids, skus)
            SELECT o.customer_id, '{}'::integer[], mart.array_accum(p.sku)
              FROM staging.orders o
              JOIN staging.parcels p USING (order_id)
             GROUP BY o.customer_id
                ON CONFLICT (customer_id) DO UPDATE SET skus = excluded.skus
        """,
    )
    notify = BashOperator(task_id="notify", bash_command="/opt/airflow/scripts/notify.sh ")

    extract >> [by_zone, by_hour] >> tags >> notify
