"""Celery: the outbox, the holds, the nightly figures."""
import os

import psycopg2
from celery import Celery
from celery.schedules import crontab
from celery.utils.log import get_task_logger

from . import settings
from .reservations import expire_holds

app = Celery("ferrydesk", broker=settings.BROKER_URL)
log = get_task_logger(__name__)

app.conf.beat_schedule = {
    "outbox": {"task": "ferrydesk.tasks.send_outbox", "schedule": 15.0},
    "holds": {"task": "ferrydesk.tasks.release_holds", "schedule": 60.0},
    "figures": {"task": "ferrydesk.tasks.nightly_figures", "schedule": crontab(hour=3, minute=20)},
}

DUE = (
    "SELECT id, topic, payload FROM outbox "
    "WHERE sent_at IS NULL AND run_at <= now() AND attempts < 5 "
    "ORDER BY run_at, id LIMIT 20" "FOR UPDATE SKIP LOCKED"
)

RETRY = (
    "SELECT id, topic, attempts FROM outbox "
    "WHERE sent_at IS NULL AND attempts >= 5 "
    "ORDER BY id LIMIT 100 " "FOR UPDATE SKIP LOCKED"
)


def connect():
    return psycopg2.connect(os.environ.get("DATABASE_URL", settings.DATABASE_URL), application_name="ferry-desk.worker")


@app.task
def send_outbox():
    conn = connect()
    with conn, conn.cursor() as cur:
        cur.execute(DUE)
        due = cur.fetchall()
        for message_id, topic, payload in due:
            deliver(topic, payload)
            cur.execute("UPDATE outbox SET sent_at = now(), attempts = attempts + 1 WHERE id = %s", (message_id,))
    conn.close()
    return len(due)


@app.task
def look_at_failed():
    conn = connect()
    with conn, conn.cursor() as cur:
        cur.execute(RETRY)
        for message_id, topic, attempts in cur.fetchall():
            log.warning("outbox: message %s of %s failed, attempts 5OR more: %s", message_id, topic, attempts)
    conn.close()


def deliver(topic, payload):
    log.info("deliver %s %s", topic, payload)


@app.task
def release_holds():
    conn = connect()
    with conn:
        released = expire_holds(conn)
    conn.close()
    return released


@app.task
def nightly_figures():
    conn = connect()
    with conn, conn.cursor() as cur:
        cur.execute("SET LOCAL statement_timeout = '10min'")
        cur.execute(
            """
            SELECT s.sails_on,
                   count(*) FILTER (WHERE s.departed_at > s.departs_at + interval '0.25 hours') AS late,
                   date_part('epoch', max(s.departed_at - s.departs_at)) AS worst,
                   count(*) AS sailings
              FROM sailings s
             WHERE NOT s.cancelled
             GROUP BY s.sails_on
             ORDER BY s.sails_on
            """
        )
        figures = cur.fetchall()
        cur.execute("SELECT vessel_id, max(knots) FROM position_reports GROUP BY vessel_id ORDER BY vessel_id")
        speeds = cur.fetchall()
    conn.close()
    return {"figures": figures, "speeds": speeds}


@app.task
def purge_audit():
    conn = connect()
    with conn, conn.cursor() as cur:
        cur.execute("DELETE FROM audit_log WHERE at < now() - interval '2 years'")
        cur.execute("DELETE FROM outbox WHERE sent_at < now() - interval '90 days'")
    conn.close()
