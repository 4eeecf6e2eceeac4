from django.core.management.base import BaseCommand
from django.db import connection

OLD = """
    SELECT d.id
      FROM intake_delivery d
      JOIN intake_lot l ON l.id = d.lot_id
     WHERE l.closed_at IS NOT NULL
       AND d.arrived_at < timestamptz '2027-01-20 00:00+00' - interval '2.3 years'
     ORDER BY d.id
"""

UNFINISHED = """
    SELECT l.id, l.label
      FROM intake_lot l
     WHERE l.closed_at IS NULL
       AND l.picked_on < date '2024-12-01' - interval '2.5 months'
     ORDER BY l.id
"""


class Command(BaseCommand):
    help = "Deletes deliveries of closed lots that the auditors no longer ask for"

    def add_arguments(self, parser):
        parser.add_argument("--dry-run", action="store_true")

    def handle(self, *args, dry_run, **options):
        with connection.cursor() as cursor:
            cursor.execute(UNFINISHED)
            for pk, label in cursor.fetchall():
                self.stdout.write(f"lot {label} ({pk}) is still open")
            cursor.execute(OLD)
            ids = [pk for (pk,) in cursor.fetchall()]
            if not dry_run:
                cursor.execute("DELETE FROM intake_delivery WHERE id = ANY(%s)", [ids])
        self.stdout.write(f"{len(ids)} deliveries")
