"""What the registrar's office gets each term: which rules the database itself checks."""
from django.core.management.base import BaseCommand
from django.db import connection

CHECKS = """
    SELECT r.relname::text,
           c.conname::text,
           c.consrc
      FROM pg_constraint c
      JOIN pg_class r ON r.oid = c.conrelid
     WHERE c.contype = 'c'
       AND c.connamespace = 'public'::regnamespace
     ORDER BY r.relname, c.conname
"""

RULES = """
    SELECT conname,
           consrc
      FROM sis.rule
     ORDER BY conname
"""


class Command(BaseCommand):
    help = "lists the rules that the database checks"

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            cursor.execute(CHECKS)
            for table, name, source in cursor.fetchall():
                self.stdout.write(f"{table}\t{name}\t{source}")
            cursor.execute(RULES)
            for name, source in cursor.fetchall():
                self.stdout.write(f"SIS\t{name}\t{source}")
