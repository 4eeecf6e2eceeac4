"""Every hour: figures of the server for the board."""
from datetime import datetime

from airflow import DAG
from airflow.decorators import task
from airflow.providers.postgres.hooks.postgres import PostgresHook

CLIENTS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"

WAL = "SELECT w.wal_records, w.wal_bytes FROM pg_stat_wal w"

WRITER = "SELECT b.buffers_clean, b.buffers_alloc FROM pg_stat_bgwriter b"

NEW_WRITER = "SELECT c.num_timed, c.num_requested FROM pg_stat_checkpointer c"

OLD_WRITER = "SELECT b.checkpoints_timed, b.checkpoints_req FROM pg_stat_bgwriter b"

LATE = """
    SELECT l.job, l.started_at
      FROM ops.last_loads l
     WHERE l.finished_at IS NULL
     ORDER BY l.job
"""

with DAG(dag_id="soil_health", schedule="@hourly", start_date=datetime(2023, 1, 1), catchup=False) as dag:

    @task
    def server() -> dict:
        hook = PostgresHook("soilmart")
        (clients,) = hook.get_first(CLIENTS)
        records, size = hook.get_first(WAL)
        connection = hook.get_conn()
        if connection.server_version >= 170000:
            timed, requested = hook.get_first(NEW_WRITER)
        else:
            timed, requested = hook.get_first(OLD_WRITER)
        clean, alloc = hook.get_first(WRITER)
        return {
            "clients": clients,
            "wal_records": records,
            "wal_bytes": str(size),
            "checkpoints": timed + requested,
            "clean": clean,
            "alloc": alloc,
        }

    @task
    def late() -> list:
        return [job for job, _ in PostgresHook("soilmart").get_records(LATE)]

    server() >> late()
