from django.core.management.base import BaseCommand, CommandError
from django.db import connection

EXPECTED = {"pallets_pallet_pkey", "pallets_pallet_sscc_key", "pallets_pallet_order", "pallets_pallet_parent_id_fkey"}


class Command(BaseCommand):
    help = "Compares the constraints of the tables that the auditors care about with what we say we have"

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            cursor.execute(
                """
                SELECT c.conname
                  FROM pg_constraint c
                 WHERE c.conrelid = 'pallets_pallet'::regclass
                 ORDER BY c.conname
                """
            )
            found = {name for (name,) in cursor.fetchall()}
            cursor.execute(
                "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid = 'pallets_line'::regclass ORDER BY conname"
            )
            keys = [name for (name,) in cursor.fetchall()]
        if found != EXPECTED:
            raise CommandError(f"constraints differ: {sorted(found ^ EXPECTED)}")
        self.stdout.write(f"pallets_pallet is as expected; foreign keys of lines: {', '.join(keys)}")
