"""Checks each night that the tables of raw still are as agreed with the suppliers."""
from datetime import datetime

from airflow.decorators import dag, task
from airflow.exceptions import AirflowFailException
from airflow.providers.postgres.hooks.postgres import PostgresHook

EXPECTED = {"deliveries": 3, "lab_results": 1, "sites": 1}


@dag(schedule="0 3 * * *", start_date=datetime(2021, 9, 1), catchup=False, tags=["quality"])
def contract_checks():
    @task
    def constraints() -> None:
        hook = PostgresHook(postgres_conn_id="warehouse")
        found = dict(
            hook.get_records(
                """
                SELECT c.conrelid::regclass::text, count(*)
                  FROM pg_catalog.pg_constraint c
                 WHERE c.connamespace = 'raw'::regnamespace
                 GROUP BY 1
                 ORDER BY 1
                """
            )
        )
        for table, number in EXPECTED.items():
            if found.get(f"raw.{table}") != number:
                raise AirflowFailException(f"constraints of raw.{table} have changed")

    @task
    def foreign_keys() -> None:
        hook = PostgresHook(postgres_conn_id="warehouse")
        rows = hook.get_records(
            """
            SELECT k.conname
              FROM pg_constraint k
             WHERE k.connamespace = 'raw'::regnamespace AND k.contype = 'f'
             ORDER BY 1
            """
        )
        if len(rows) != 2:
            raise AirflowFailException("foreign keys of raw have changed")

    @task
    def inventory() -> list:
        hook = PostgresHook(postgres_conn_id="warehouse")
        return hook.get_records(
            """
            SELECT e.extname::text AS name, 'extension'::text AS kind
              FROM pg_extension e
             UNION ALL
            SELECT p.proname::text, p.prokind
              FROM pg_proc p
             WHERE p.pronamespace = 'etl'::regnamespace
             ORDER BY 1, 2
            """
        )

    @task
    def relations() -> list:
        hook = PostgresHook(postgres_conn_id="warehouse")
        return hook.get_records(
            "SELECT c.relname::text AS name, c.relkind::text AS kind FROM pg_class c "
            "WHERE c.relnamespace = 'etl'::regnamespace AND c.relkind = 'r' "
            "UNION ALL SELECT r.expression, r.severity FROM etl.rule r ORDER BY 1, 2"
        )

    constraints() >> foreign_keys()
    inventory()
    relations()


contract_checks()
