import subprocess

from django.core.management.base import BaseCommand
from django.db import connection

TARGET = "/srv/backup/packhouse/"


class Command(BaseCommand):
    help = "Copies the data directory in one session with the server's backup functions"

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            if connection.pg_version >= 150000:
                cursor.execute("SELECT pg_backup_start('hold', true)")
            else:
                cursor.execute("SELECT pg_start_backup('hold', true, false)")
            subprocess.run(["rsync", "-a", "--delete", "/var/lib/postgresql/data/", TARGET], check=True)
            if connection.pg_version >= 150000:
                cursor.execute("SELECT lsn FROM pg_backup_stop()")
            else:
                cursor.execute("SELECT lsn FROM pg_stop_backup(false)")
