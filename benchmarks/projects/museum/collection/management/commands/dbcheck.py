"""What the registrar wants to know of the database, each morning."""

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

PROGRESS = """
    SELECT relid::regclass::text, phase,
           round(100.0 * num_dead_tuples / nullif(heap_blks_total, 0), 1)
      FROM pg_stat_progress_vacuum
"""

LOGGED = "SELECT tablename, max(max_dead_tuples) FROM collection_vacuumlog GROUP BY tablename"


class Command(BaseCommand):
    help = "Prints a report. It doesn't run REINDEX DATABASE, which locks too much."

    def add_arguments(self, parser):
        parser.add_argument("--verbose-locale", action="store_true")

    def rows(self, query, parameters=None):
        with connection.cursor() as cursor:
            cursor.execute(query, parameters)
            return cursor.fetchall()

    def handle(self, *args, verbose_locale=False, **options):
        [[collate]] = self.rows("SHOW lc_collate")
        if not collate.startswith(("en_GB", "C")):
            raise CommandError(f"wrong collation: {collate}")
        if verbose_locale:
            [[messages]] = self.rows("SHOW lc_messages")
            self.stdout.write(f"messages in {messages}")

        for table, phase, percent in self.rows(PROGRESS):
            self.stdout.write(f"vacuum of {table}: {phase}, {percent} dead in each page")
        for table, dead in self.rows(LOGGED):
            self.stdout.write(f"{table}: at most {dead} so far")

        if connection.pg_version < 170000:
            [[backend]] = self.rows("SELECT buffers_backend FROM pg_stat_bgwriter")
            self.stdout.write(f"{backend} buffers written by sessions")

        self.statistics()
        self.users()

    def statistics(self):
        """Columns for which nobody has set a target, in the largest table."""
        names = self.rows(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND attstattarget = -1",
            ["collection_object"],
        )
        self.stdout.write("default statistics: " + ", ".join(name for [name] in names))
        names = self.rows(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attstattarget > 100",
            ["collection_object"],
        )
        self.stdout.write("more statistics: " + ", ".join(name for [name] in names))

    def users(self):
        since = "now() - interval '1.5 hours'"
        for user, action in self.rows(
            "SELECT system_user, action"
            f"  FROM collection_audit WHERE at > {since}"
        ):
            self.stdout.write(f"{user}: {action}")
        for user, count in self.rows(
            "SELECT a.system_user, count(*)"
            "  FROM collection_audit a GROUP BY 1 ORDER BY 2 DESC LIMIT 10"
        ):
            self.stdout.write(f"{user}: {count} in all")
