"""Builds the marts each morning."""
from __future__ import annotations

import pendulum
from airflow.decorators import dag
from airflow.operators.bash import BashOperator
from airflow.providers.common.sql.operators.sql import SQLCheckOperator, SQLExecuteQueryOperator

WAREHOUSE = "metermart"


@dag(
    dag_id="marts",
    schedule="15 3 * * *",
    start_date=pendulum.datetime(2024, 2, 1, tz="Asia/Kolkata"),
    catchup=False,
    template_searchpath=["/opt/airflow/dags/sql"],
    tags=["warehouse"],
)
def marts():
    load = SQLExecuteQueryOperator(
        task_id="load_head_end",
        conn_id=WAREHOUSE,
        sql="load_head_end.sql",
    )
    models = BashOperator(
        task_id="dbt_build",
        bash_command="cd /opt/metermart/dbt && dbt build --target prod",
    )
    complete = SQLCheckOperator(
        task_id="readings_complete",
        conn_id=WAREHOUSE,
        sql="""
            SELECT count(*) > 0
              FROM raw.readings r
             WHERE r.read_at >= TIMESTAMPTZ '{{ ds }} 00:00+00'
               AND r.quality < 9
        """,
    )
    known = SQLCheckOperator(
        task_id="relation_exists",
        conn_id=WAREHOUSE,
        sql="SELECT to_regclass('public.month_cost') IS NOT NULL",
    )
    keys = SQLCheckOperator(
        task_id="keys_of_readings",
        conn_id=WAREHOUSE,
        sql="""
            SELECT count(*) = 2
              FROM pg_constraint c
             WHERE c.conrelid = 'raw.readings'::regclass AND c.contype <> 'n'
        """,
    )
    inventory = SQLExecuteQueryOperator(
        task_id="inventory",
        conn_id=WAREHOUSE,
        sql="""
            SELECT n.nspname AS schema,
                   c.relname AS relation,
                   coalesce(obj_description(c.oid, 'pg_class'), c.relkind) AS description,
                   c.relkind::text AS kind,
                   CASE c.relkind WHEN 'm' THEN 'matview' WHEN 'v' THEN 'view' ELSE 'table' END AS label
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname IN ('raw', 'public')
               AND c.relkind IN ('r', 'm', 'v')
               AND c.relname NOT LIKE 'readings_stage%'
             ORDER BY 1, 2
        """,
    )
    undocumented = SQLExecuteQueryOperator(
        task_id="undocumented",
        conn_id=WAREHOUSE,
        sql="""
            SELECT c.relname, coalesce(obj_description(c.oid, 'pg_class'), c.relkind::text) AS remark
              FROM pg_class c
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'm'
             ORDER BY c.relname
        """,
    )
    load >> models >> complete >> [known, keys] >> inventory >> undocumented


marts()
