from airflow import DAG
from airflow.operators.bash import BashOperator
from airflow.providers.postgres.hooks.postgres import PostgresHook
from airflow.providers.postgres.operators.postgres import PostgresOperator
from airflow.sensors.python import PythonSensor

from common import CONNECTION, DEFAULT_ARGS


def no_backup_running():
    """The nightly file system backup of the DBAs must not see half a load."""
    row = PostgresHook(postgres_conn_id=CONNECTION).get_first("SELECT pg_is_in_backup()")
    return not row[0]


with DAG(
    "load_daily",
    default_args=DEFAULT_ARGS,
    schedule_interval="30 3 * * *",
    catchup=False,
    template_searchpath="/opt/tramwh/load",
) as dag:
    wait_for_backup = PythonSensor(task_id="wait_for_backup", python_callable=no_backup_running, mode="reschedule")

    load = BashOperator(task_id="load", bash_command="/opt/tramwh/bin/load_day.sh {{ ds }}")

    close_orders = PostgresOperator(
        task_id="close_orders",
        postgres_conn_id=CONNECTION,
        sql="""
            UPDATE raw.workshop_order
               SET closed_on = %(day)s::date
             WHERE closed_on IS NULL
               AND labour IS NOT NULL
               AND opened_on < %(day)s::date - 90
        """,
        parameters={"day": "{{ ds }}"},
    )

    hourly = PostgresOperator(
        task_id="hourly",
        postgres_conn_id=CONNECTION,
        sql="""
            SELECT dwh.service_hour(planned_departure) AS hour, count(*)
              FROM raw.stop_event
             WHERE service_date = %(day)s
             GROUP BY 1
             ORDER BY 1
        """,
        parameters={"day": "{{ ds }}"},
    )

    wait_for_backup >> load >> close_orders >> hourly
