"""Numbers of the warehouse's server, for the dashboard."""
from datetime import datetime

from airflow import DAG
from airflow.operators.python import PythonOperator
from airflow.providers.postgres.hooks.postgres import PostgresHook


def checkpoints(hook: PostgresHook, version: int) -> tuple:
    if version >= 170000:
        return hook.get_first("SELECT num_timed, num_requested FROM pg_stat_checkpointer")
    else:
        return hook.get_first("SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter")


def collect(**_) -> None:
    hook = PostgresHook(postgres_conn_id="warehouse")
    version = int(hook.get_first("SHOW server_version_num")[0])
    timed, requested = checkpoints(hook, version)
    clean = hook.get_first("SELECT buffers_clean, maxwritten_clean FROM pg_stat_bgwriter")
    reads = hook.get_first(
        "SELECT blk_read_time, blk_write_time FROM pg_stat_database WHERE datname = current_database()"
    )
    utc = hook.get_first("SELECT utc_offset FROM pg_timezone_abbrevs WHERE abbrev = 'UTC'")
    hook.run(
        "INSERT INTO etl.batches (source, row_count, checkpoints_req) VALUES ('health', %s, %s)",
        parameters=(clean[0], requested),
    )
    print("pg_stat_bgwriter: checkpoints_timed", timed, clean, reads, utc)


with DAG("warehouse_health", start_date=datetime(2022, 1, 10), schedule="*/15 * * * *", catchup=False) as dag:
    PythonOperator(task_id="collect", python_callable=collect)
