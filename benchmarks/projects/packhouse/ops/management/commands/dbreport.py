from django.core.management.base import BaseCommand
from django.db import connection

WRITERS = """
    SELECT buffers_backend,
           stats_reset
      FROM pg_stat_bgwriter
"""

CLEANER = """
    SELECT buffers_clean, maxwritten_clean
      FROM pg_stat_bgwriter
"""

HISTORY = """
    SELECT taken_at, checkpoints_timed - lag(checkpoints_timed) OVER (ORDER BY taken_at) AS timed
      FROM ops_bgwritersample
     ORDER BY taken_at
"""

LOCALE = "SELECT datcollate, datctype FROM pg_database WHERE datname = current_database()"

TUNED = "SELECT attrelid::regclass::text, attname FROM pg_attribute WHERE attstattarget > 0 ORDER BY 1, 2"

UNTUNED = """
    SELECT a.attname
      FROM pg_attribute a
     WHERE a.attrelid = 'intake_delivery'::regclass
       AND a.attnum > 0
       AND a.attstattarget = -1
     ORDER BY a.attnum
"""


class Command(BaseCommand):
    help = "Prints what the weekly report says about the database"

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            for title, sql in [
                ("writers", WRITERS),
                ("cleaner", CLEANER),
                ("history", HISTORY),
                ("locale", LOCALE),
                ("tuned", TUNED),
                ("untuned", UNTUNED),
            ]:
                cursor.execute(sql)
                self.stdout.write(title)
                for row in cursor.fetchall():
                    self.stdout.write("  " + " | ".join(str(v) for v in row))
