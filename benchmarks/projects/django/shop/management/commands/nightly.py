"""Nightly figures and backup.

SELECT EXTRACT(hour FROM due) FROM shop_order was too slow.
"""
from django.core.management.base import BaseCommand
from django.db import connection


class Command(BaseCommand):
    help = "Calls pg_start_backup() and copies the files"

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_start_backup(%s, true)", ["nightly"])
            self.copy()
            cursor.execute("SELECT pg_stop_backup()")
            cursor.execute("SHOW lc_collate")
            self.stdout.write(cursor.fetchone()[0])
            cursor.execute("SHOW lc_messages")
            cursor.execute('SELECT "lc_collate" FROM shop_order LIMIT 1')
            cursor.execute("SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter")
