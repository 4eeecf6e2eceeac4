"""What all DAGs of the warehouse share."""
from datetime import datetime, timedelta

from airflow.providers.postgres.hooks.postgres import PostgresHook

DEFAULT_ARGS = {
    "owner": "data-team",
    "start_date": datetime(2021, 3, 1),
    "retries": 2,
    "retry_delay": timedelta(minutes=10),
}
CONNECTION = "tramwh"


def tagged_connection(batch_id, source):
    """A connection whose session carries batch and source, for the triggers and for the log prefix."""
    connection = PostgresHook(postgres_conn_id=CONNECTION).get_conn()
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('tram-dwh.batch_id', %s, false)", (batch_id,))
        cursor.execute("SELECT set_config('tram_dwh.source', %s, false)", (source,))
        cursor.execute("SET application_name = 'tram-dwh loader'")
    return connection


def log_load(connection, batch_id, source, rows):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ops.load_log (batch_id, source, ended_at, row_count) VALUES (%s, %s, now(), %s)",
            (batch_id, source, rows),
        )
    connection.commit()
