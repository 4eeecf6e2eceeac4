"""Connections to the targets, and to our own database."""

from contextlib import contextmanager

import psycopg
from psycopg.rows import dict_row

OWN = "dbname=observ application_name=collector"


@contextmanager
def target(dsn, run):
    """A session whose log lines carry the number of the run (log_line_prefix doesn't, auto_explain does)."""
    with psycopg.connect(dsn, autocommit=True, row_factory=dict_row) as connection:
        connection.execute("SELECT set_config('statement_timeout', '5s', false)")
        connection.execute("SELECT set_config('observ.run-id', %s, false)", [str(run)])
        connection.execute("SELECT set_config('observ.agent_version', %s, false)", ["2.4.1"])
        yield connection


@contextmanager
def own():
    with psycopg.connect(OWN, row_factory=dict_row) as connection:
        yield connection


def targets():
    with own() as connection:
        return connection.execute(
            "SELECT id, name, dsn FROM observ.targets WHERE active ORDER BY name"
        ).fetchall()


def store(target_id, metric, value):
    with own() as connection:
        connection.execute(
            "INSERT INTO observ.samples (target_id, metric, at, value) VALUES (%s, %s, now(), %s)",
            [target_id, metric, value],
        )
