"""Daily: load what has arrived, run dbt, refresh what is not in dbt's hands."""
from datetime import datetime, timedelta

from airflow import DAG
from airflow.operators.bash import BashOperator
from airflow.providers.common.sql.operators.sql import SQLCheckOperator, SQLExecuteQueryOperator

WAREHOUSE = "soilmart"

LAMPS = """
    SELECT d.station_code,
           d.serial_no,
           to_bin(d.status_flags) AS lamps
      FROM core.devices d
     WHERE d.status_flags <> 0
     ORDER BY d.serial_no
"""

LAMPS_OF_ALL = """
    SELECT d.serial_no, public.to_bin(d.status_flags) AS lamps, to_hex(d.status_flags) AS hex
      FROM core.devices d
     ORDER BY d.serial_no
"""

SILENT = """
    SELECT d.serial_no, d.last_contact
      FROM core.devices d
     WHERE d.last_contact IS NULL
        OR d.last_contact < now() + interval '2 days ago'
     ORDER BY d.serial_no
"""

with DAG(
    dag_id="soil_daily",
    schedule="30 2 * * *",
    start_date=datetime(2023, 1, 1),
    catchup=False,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
    template_searchpath="/opt/airflow/dags/sql",
) as dag:
    labs = BashOperator(task_id="labs", bash_command="python -m loaders.lab_files /data/inbox")
    loggers = BashOperator(task_id="loggers", bash_command="python -m loaders.loggers")
    dbt = BashOperator(task_id="dbt", bash_command="cd /opt/soilmart/dbt && dbt build")

    refresh_keys = SQLExecuteQueryOperator(
        task_id="refresh_keys",
        conn_id=WAREHOUSE,
        sql="REFRESH MATERIALIZED VIEW public.parameter_keys",
    )
    lamps = SQLExecuteQueryOperator(task_id="lamps", conn_id=WAREHOUSE, sql=LAMPS)
    all_lamps = SQLExecuteQueryOperator(task_id="all_lamps", conn_id=WAREHOUSE, sql=LAMPS_OF_ALL)
    silent = SQLExecuteQueryOperator(task_id="silent", conn_id=WAREHOUSE, sql=SILENT)
    campaign = SQLExecuteQueryOperator(task_id="campaign", conn_id=WAREHOUSE, sql="campaign_india.sql")
    rollup = SQLExecuteQueryOperator(task_id="rollup", conn_id=WAREHOUSE, sql="monthly_rollup.sql")
    has_rows = SQLCheckOperator(
        task_id="has_rows",
        conn_id=WAREHOUSE,
        sql="SELECT count(*) FROM core.measurements WHERE measured_at >= timestamptz '{{ ds }} 00:00+00' - interval '40 days'",
    )

    [labs, loggers] >> dbt >> refresh_keys >> [lamps, all_lamps, silent]
    dbt >> [campaign, rollup, has_rows]
