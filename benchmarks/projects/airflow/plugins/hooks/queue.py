"""Work queue for the loaders, kept in the warehouse."""

from contextlib import closing

import psycopg2
import psycopg2.extras

BATCH = 500
MAX_ATTEMPTS = 3

CLAIM = f"""
    UPDATE ops.load_queue q
       SET claimed_at = now(), attempts = attempts + 1
     WHERE q.id IN (
        SELECT id
          FROM ops.load_queue
         WHERE claimed_at IS NULL AND attempts < {MAX_ATTEMPTS}
         ORDER BY requested
         LIMIT {BATCH}FOR UPDATE SKIP LOCKED)
 RETURNING q.id, q.dag_id, q.payload
"""

PAGE = (
    "SELECT id, dag_id, attempts FROM ops.load_queue "
    f"WHERE attempts >= {MAX_ATTEMPTS} "
    f"ORDER BY id LIMIT {BATCH} OFFSET %s"
)


def claim(dsn):
    with closing(psycopg2.connect(dsn)) as connection, connection:
        with connection.cursor(cursor_factory=psycopg2.extras.DictCursor) as cursor:
            cursor.execute(CLAIM)
            return cursor.fetchall()


def exhausted(dsn, page=0):
    with closing(psycopg2.connect(dsn)) as connection, connection:
        with connection.cursor() as cursor:
            cursor.execute(PAGE, (page * BATCH,))
            return cursor.fetchall()
