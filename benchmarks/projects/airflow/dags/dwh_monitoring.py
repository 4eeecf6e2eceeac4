from __future__ import annotations

import logging

import pendulum
from airflow.decorators import dag, task
from airflow.providers.postgres.hooks.postgres import PostgresHook
from sqlalchemy import text

log = logging.getLogger(__name__)

CONTENTION = text(
    """
    SELECT a.wait_event, count(*) AS sessions
      FROM pg_stat_activity a
     WHERE a.wait_event_type = 'LWLock'
       AND a.wait_event IN ('WALWriteLock', 'ProcArrayLock')
     GROUP BY a.wait_event
    """
)

IDLE = text(
    """
    SELECT a.pid, a.usename, now() - a.state_change AS idle_for
      FROM pg_stat_activity a
     WHERE a.wait_event = 'ClientRead'
       AND a.state = 'idle in transaction'
       AND a.state_change < now() - interval '15 min'
    """
)

CHECKPOINTS = text("SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter")

LOCALE = text(
    "SELECT current_setting('server_encoding') AS encoding, "
    "current_setting('lc_collate') AS collation"
)


@dag(
    dag_id="dwh_monitoring",
    start_date=pendulum.datetime(2023, 1, 1, tz="UTC"),
    schedule="*/10 * * * *",
    catchup=False,
)
def dwh_monitoring():
    @task
    def sample() -> dict:
        engine = PostgresHook(postgres_conn_id="dwh").get_sqlalchemy_engine()
        with engine.connect() as connection:
            waits = connection.execute(CONTENTION).mappings().all()
            idle = connection.execute(IDLE).mappings().all()
            checkpoints = connection.execute(CHECKPOINTS).mappings().one()
            locale = connection.execute(LOCALE).mappings().one()
        for session in idle:
            log.warning("idle in transaction: %s (%s)", session["pid"], session["usename"])
        return {
            "waits": [dict(each) for each in waits],
            "checkpoints": dict(checkpoints),
            "locale": dict(locale),
        }

    sample()


dwh_monitoring()
