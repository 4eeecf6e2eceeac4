"""Drops what the retention rules say, and keeps an eye on the server."""
from __future__ import annotations

import pendulum
from airflow import DAG
from airflow.providers.common.sql.operators.sql import SQLExecuteQueryOperator
from airflow.providers.postgres.hooks.postgres import PostgresHook
from airflow.operators.python import PythonOperator

OLD_MESSAGES = """
    DELETE FROM raw.head_end_messages
     WHERE received_at < TIMESTAMPTZ '2024-03-31 00:00+00' - INTERVAL '400 days'
"""

DEAD_ROWS = """
    SELECT v.relation, v.num_dead_tuples, v.max_dead_tuples
      FROM ops.vacuum_samples v
     WHERE v.num_dead_tuples > v.max_dead_tuples / 2
     ORDER BY v.taken_at
"""

CHECKPOINTS = """
    SELECT s.taken_at,
           s.checkpoints_timed - lag(s.checkpoints_timed) OVER (ORDER BY s.taken_at) AS timed,
           s.checkpoints_req - lag(s.checkpoints_req) OVER (ORDER BY s.taken_at) AS requested
      FROM ops.checkpoint_samples s
     ORDER BY s.taken_at
"""

PROGRESS = """
    SELECT p.relid::regclass::text AS relation, p.phase, p.heap_blks_vacuumed, p.index_vacuum_count
      FROM pg_stat_progress_vacuum p
"""


def log_dead_rows() -> None:
    hook = PostgresHook(postgres_conn_id="metermart")
    for relation, dead, limit in hook.get_records(DEAD_ROWS):
        print(relation, dead, limit)
    for row in hook.get_records(CHECKPOINTS):
        print(*row)
    hook.get_records(PROGRESS)


def standby_only() -> bool:
    hook = PostgresHook(postgres_conn_id="metermart")
    # pg_is_in_backup was asked here as long as we used exclusive backups
    return bool(hook.get_first("SELECT pg_is_in_recovery()")[0])


with DAG(
    dag_id="retention",
    schedule="40 1 * * 0",
    start_date=pendulum.datetime(2024, 2, 1, tz="Asia/Kolkata"),
    catchup=False,
) as dag:
    messages = SQLExecuteQueryOperator(task_id="old_messages", conn_id="metermart", sql=OLD_MESSAGES)
    rejects = SQLExecuteQueryOperator(
        task_id="old_rejects",
        conn_id="metermart",
        sql="DELETE FROM raw.rejects WHERE content NOT LIKE '%1AND%' AND line > 100",
    )
    dead = PythonOperator(task_id="dead_rows", python_callable=log_dead_rows)
    messages >> rejects >> dead
