"""Connections, and the statements of sql/ by name."""
import pathlib
import re

import psycopg2
import psycopg2.extras
from flask import current_app, g, session

SQL = pathlib.Path(__file__).resolve().parent.parent / "sql"
_statements = {}


def statement(name):
    if not _statements:
        for path in sorted(SQL.glob("*.sql")):
            for part in re.split(r"^-- name: ", path.read_text(), flags=re.M)[1:]:
                key, _, text = part.partition("\n")
                _statements[key.strip()] = text.strip().rstrip(";")
    return _statements[name]


def connection():
    if "db" not in g:
        g.db = psycopg2.connect(
            current_app.config["DATABASE_URL"],
            cursor_factory=psycopg2.extras.RealDictCursor,
            application_name="ferry-desk.web",
        )
        introduce(g.db)
    return g.db


def introduce(conn):
    """Tells the server who works at the desk, for the triggers and for the statement log."""
    agent = session.get("login") or "web"
    with conn.cursor() as cur:
        cur.execute("SELECT set_config('ferrydesk.agent', %s, false)", [agent])
        cur.execute("SELECT set_config('ferry-desk.counter', %s, false)", [session.get("counter", "")])
        cur.execute("SELECT set_config('application_name', 'ferry-desk.' || %s, false)", [agent])
        cur.execute("SET TIME ZONE 'Europe/Athens'")


def rows(name, **values):
    with connection().cursor() as cur:
        cur.execute(statement(name), values)
        return cur.fetchall()


def health():
    with connection().cursor() as cur:
        cur.execute("SELECT count(*) AS waiting FROM outbox WHERE sent_at IS NULL AND attempts < 5")
        waiting = cur.fetchone()["waiting"]
        backing_up = False
        if connection().server_version < 150000:
            cur.execute("SELECT pg_is_in_backup() AS busy")
            backing_up = cur.fetchone()["busy"]
    return {"waiting": waiting, "backing_up": backing_up}


def close(_error=None):
    conn = g.pop("db", None)
    if conn is not None:
        conn.close()


def init_app(app):
    app.teardown_appcontext(close)
