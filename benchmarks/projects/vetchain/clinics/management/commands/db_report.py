from django.core.management.base import BaseCommand
from django.db import connection

SLOWEST = """
    SELECT queryid, calls, rows, round(total_time::numeric, 1) AS ms, left(query, 120) AS query
      FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     LIMIT 20
"""

WAITING = """
    SELECT pid, wait_event, now() - query_start AS since, left(query, 120) AS query
      FROM pg_stat_activity
     WHERE wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple', 'relation')
     ORDER BY query_start
"""


class Command(BaseCommand):
    help = "The weekly database report for the mail to the developers."

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            if connection.pg_version < 150000:
                cursor.execute("SELECT pg_is_in_backup()")
                if cursor.fetchone()[0]:
                    self.stdout.write("a base backup is running, times are not representative")

            self.section("slowest statements", cursor, SLOWEST)
            self.section("waiting for locks", cursor, WAITING)

    def section(self, title, cursor, sql):
        self.stdout.write("\n%s\n%s" % (title, "-" * len(title)))
        cursor.execute(sql)
        for row in cursor.fetchall():
            self.stdout.write(" | ".join(str(value) for value in row))
