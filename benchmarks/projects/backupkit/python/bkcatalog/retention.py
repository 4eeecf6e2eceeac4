"""Decides which backups may go."""
import logging
import shutil

import psycopg2
import psycopg2.extras

logger = logging.getLogger(__name__)

KEEP = {"base": 14, "dump": 60}

EXPIRED = """
    SELECT b.id, b.path, b.abstime
      FROM bk.backup b
     WHERE b.kind = %(kind)s
       AND b.started < now() - make_interval(days => %(days)s)
       AND NOT EXISTS (SELECT 1 FROM bk.hold h WHERE h.backup = b.id)
     ORDER BY b.started
"""

YEARLY = (
    "SELECT DISTINCT ON (date_trunc('year', started)) id "
    "FROM bk.backup "
    "WHERE started > now() - interval '18 months' "
    "ORDER BY date_trunc('year', started), started"
)


def expire(connection, remove=shutil.rmtree):
    """Removes what is older than KEEP says, except for the first of each year."""
    with connection, connection.cursor(cursor_factory=psycopg2.extras.DictCursor) as cursor:
        cursor.execute(YEARLY)
        yearly = {row["id"] for row in cursor}
        for kind, days in KEEP.items():
            cursor.execute(EXPIRED, {"kind": kind, "days": days})
            for row in cursor.fetchall():
                if row["id"] in yearly:
                    continue
                remove(row["path"], ignore_errors=True)
                cursor.execute("DELETE FROM bk.backup WHERE id = %s", [row["id"]])
                logger.info("expired %s, pg_start_backup() was at %s", row["path"], row["abstime"])
