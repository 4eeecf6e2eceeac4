"""Takes the accounts of the library over, whose system keeps them in a file of SQLite."""
import sqlite3

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection


class Command(BaseCommand):
    help = "imports accounts of the library"

    def handle(self, *args, **options):
        library = sqlite3.connect(settings.SIS_LIBRARY_FILE)
        accounts = library.execute("SELECT oid, username, full_name FROM people_person WHERE is_staff = 0").fetchall()
        with connection.cursor() as cursor:
            for _, username, full_name in accounts:
                cursor.execute(
                    "INSERT INTO people_person (username, full_name) VALUES (%s, %s) ON CONFLICT (username) DO NOTHING",
                    [username, full_name],
                )
            cursor.execute("SELECT count(*) FROM people_person WHERE joined_at < now() - interval '1.5 years'")
            (old,) = cursor.fetchone()
        self.stdout.write(f"{len(accounts)} accounts, {old} people are older")
