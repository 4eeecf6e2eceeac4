"""Exporter for Prometheus."""
import psycopg
from prometheus_client import Gauge

CHECKPOINTS = Gauge("pg_checkpoints_timed", "Number of scheduled checkpoints")
BACKEND = Gauge("pg_buffers_backend", "buffers_backend of pg_stat_bgwriter")
DEAD = Gauge("pg_vacuum_dead", "Dead tuples seen by a running VACUUM", ["table"])

BGWRITER = """
    SELECT buffers_clean, maxwritten_clean,
           buffers_backend,
           buffers_alloc
      FROM pg_stat_bgwriter
"""


def checkpoints(connection):
    if connection.info.server_version >= 170000:
        return connection.execute("SELECT num_timed FROM pg_stat_checkpointer").fetchone()[0]
    return connection.execute("SELECT checkpoints_timed FROM pg_stat_bgwriter").fetchone()[0]


def collect(dsn):
    with psycopg.connect(dsn) as connection:
        CHECKPOINTS.set(checkpoints(connection))
        row = connection.execute(BGWRITER).fetchone()
        BACKEND.set(row[2])
        for table, dead in connection.execute(
            "SELECT relid::regclass::text, "
            "num_dead_tuples "
            "FROM pg_stat_progress_vacuum WHERE datname = current_database()"
        ):
            DEAD.labels(table).set(dead)


def reset_slru(connection):
    connection.execute("SELECT pg_stat_reset_slru('CommitTs')")


def reset_other(connection):
    connection.execute("SELECT pg_stat_reset_slru('other')")


def default_targets(connection, schema):
    """Columns that nobody gave a statistics target."""
    return connection.execute(
        """
        SELECT c.relname, a.attname
          FROM pg_attribute a
          JOIN pg_class c ON c.oid = a.attrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = %s
           AND a.attnum > 0
           AND a.attstattarget = -1
         ORDER BY 1, 2
        """,
        [schema],
    ).fetchall()


def raised_targets(connection):
    return connection.execute(
        "SELECT attrelid::regclass, attname FROM pg_attribute WHERE attstattarget > 100"
    ).fetchall()


def samples(connection, node):
    return connection.execute(
        "SELECT sampled_at, checkpoints_timed, buffers_backend"
        " FROM harbor.bgwriter_samples WHERE node = %s ORDER BY 1",
        [node],
    ).fetchall()
