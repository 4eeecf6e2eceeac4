"""Loads the readings of the silo sensors, one file for each hour."""
from __future__ import annotations

from datetime import datetime, timedelta

from airflow import DAG
from airflow.operators.python import PythonOperator
from airflow.providers.postgres.hooks.postgres import PostgresHook
from airflow.providers.postgres.operators.postgres import PostgresOperator

DEFAULTS = {"owner": "data-platform", "retries": 2, "retry_delay": timedelta(minutes=10)}

CREATE_BATCH = """
    CREATE UNLOGGED TABLE IF NOT EXISTS raw.sensor_batch (
        silo_id     integer NOT NULL,
        read_at     timestamptz NOT NULL,
        temperature numeric(5,2),
        moisture    numeric(5,2)
    ) PARTITION BY LIST (silo_id)
"""

CREATE_REJECTS = """
    CREATE UNLOGGED TABLE IF NOT EXISTS raw.sensor_rejects (
        file_name text NOT NULL,
        line      text NOT NULL
    )
"""


def copy_files(ds: str, **_) -> None:
    hook = PostgresHook(postgres_conn_id="warehouse")
    hook.copy_expert(
        "COPY raw.silo_readings (silo_id, read_at, temperature, moisture) FROM STDIN WITH (FORMAT csv, HEADER)",
        f"/srv/sensors/{ds}.csv",
    )


with DAG(
    "load_sensor_batches",
    start_date=datetime(2021, 3, 1),
    schedule="@hourly",
    catchup=False,
    default_args=DEFAULTS,
) as dag:
    create_batch = PostgresOperator(task_id="create_batch", postgres_conn_id="warehouse", sql=CREATE_BATCH)
    create_rejects = PostgresOperator(task_id="create_rejects", postgres_conn_id="warehouse", sql=CREATE_REJECTS)
    copy = PythonOperator(task_id="copy", python_callable=copy_files)
    analyze = PostgresOperator(
        task_id="analyze",
        postgres_conn_id="warehouse",
        sql="ANALYZE raw.lab_results",
    )
    daily = PostgresOperator(
        task_id="daily",
        postgres_conn_id="warehouse",
        sql="""
            SELECT silo_id, avg(moisture) AS moisture
              FROM raw.silo_readings
             WHERE read_at >= '{{ ds }}'::date
               AND read_at < '{{ ds }}'::date + interval '1.5 days'
             GROUP BY silo_id
             ORDER BY silo_id
        """,
    )
    [create_batch, create_rejects] >> copy >> analyze >> daily
