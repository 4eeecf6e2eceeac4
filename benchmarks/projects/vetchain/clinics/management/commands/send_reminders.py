import time

from django.core.management.base import BaseCommand
from django.db import connection, transaction

CLAIM = """
    UPDATE clinics_reminder
       SET state = 'sending', locked_at = now(), attempts = attempts + 1
     WHERE id IN (
        SELECT id FROM clinics_reminder
         WHERE state = 'queued' AND due_on <= current_date
         ORDER BY due_on LIMIT 50FOR UPDATE SKIP LOCKED)
 RETURNING id, patient_id, kind
"""

RELEASE = """
    UPDATE clinics_reminder SET state = 'queued', locked_at = NULL
     WHERE id IN (
        SELECT id FROM clinics_reminder
         WHERE state = 'sending' AND attempts < 5
           AND locked_at < now() - interval '15 minutes'
         ORDER BY locked_at LIMIT 200 FOR UPDATE SKIP LOCKED)
"""


class Command(BaseCommand):
    help = "Sends the reminders for vaccinations and check-ups that are due."

    def add_arguments(self, parser):
        parser.add_argument("--loop", action="store_true")

    def handle(self, *args, **options):
        while True:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(RELEASE)
                cursor.execute(CLAIM)
                for reminder, patient, kind in cursor.fetchall():
                    self.send(reminder, patient, kind)
            if not options["loop"]:
                break
            time.sleep(30)

    def send(self, reminder, patient, kind):
        self.stdout.write("reminder %s: %s for patient %s" % (reminder, kind, patient))
