"""Weekly: statistics of what autovacuum has not seen yet."""
from airflow import DAG
from airflow.operators.python import PythonOperator
from airflow.providers.postgres.hooks.postgres import PostgresHook

from common import CONNECTION, DEFAULT_ARGS

NEVER_ANALYZED = """
    SELECT n.nspname, c.relname
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('raw', 'ref', 'dwh')
       AND c.relkind = 'r'
       AND c.reltuples = 0
       AND pg_relation_size(c.oid) > 0
"""

LARGE = """
    SELECT n.nspname, c.relname, c.relpages
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('raw', 'dwh')
       AND c.reltuples > 5000000
"""


def analyze_new():
    hook = PostgresHook(postgres_conn_id=CONNECTION)
    for schema, table in hook.get_records(NEVER_ANALYZED):
        hook.run(f'ANALYZE "{schema}"."{table}"', autocommit=True)


def vacuum_large():
    hook = PostgresHook(postgres_conn_id=CONNECTION)
    for schema, table, pages in hook.get_records(LARGE):
        print(schema, table, pages)
        hook.run(f'VACUUM "{schema}"."{table}"', autocommit=True)


with DAG("maintenance", default_args=DEFAULT_ARGS, schedule_interval="@weekly", catchup=False) as dag:
    PythonOperator(task_id="analyze_new", python_callable=analyze_new) >> PythonOperator(
        task_id="vacuum_large", python_callable=vacuum_large
    )
