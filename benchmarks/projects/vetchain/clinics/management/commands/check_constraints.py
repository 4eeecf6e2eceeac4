from django.core.management.base import BaseCommand
from django.db import connection


class Command(BaseCommand):
    """Compares CHECK constraints and defaults in the database with those that the models expect.

    The expressions used to come from pg_attrdef.adsrc and pg_constraint; see git log for the reason.
    """

    help = "Lists CHECK constraints and column defaults of our tables."

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            cursor.execute(
                """
                SELECT conrelid::regclass::text, conname, consrc
                  FROM pg_constraint
                 WHERE contype = 'c'
                   AND connamespace = 'public'::regnamespace
                """
            )
            for table, name, expression in cursor.fetchall():
                self.stdout.write("%s: %s CHECK %s" % (table, name, expression))

            cursor.execute(
                """
                SELECT d.adrelid::regclass::text, a.attname, pg_get_expr(d.adbin, d.adrelid) AS adsrc
                  FROM pg_attrdef d
                  JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
                  JOIN pg_class c ON c.oid = d.adrelid
                 WHERE c.relnamespace = 'public'::regnamespace
                """
            )
            for table, column, expression in cursor.fetchall():
                self.stdout.write("%s.%s DEFAULT %s" % (table, column, expression))
