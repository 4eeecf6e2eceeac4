import pymysql
from django.conf import settings
from django.core.management.base import BaseCommand

from clinics.models import Patient


class Command(BaseCommand):
    help = "Takes over birth years from the old practice management system (MySQL)."

    def handle(self, *args, **options):
        legacy = pymysql.connect(**settings.LEGACY_PMS)
        cursor = legacy.cursor()
        cursor.execute("SELECT chip, EXTRACT(YEAR FROM birthday), name FROM animals WHERE deleted = 0")
        for chip, year, name in cursor.fetchall():
            updated = Patient.objects.filter(chip_number=chip, born=None).update(born="%d-07-01" % year)
            if not updated:
                self.stderr.write("no patient without birthday for %s (%s)" % (chip, name))
        legacy.close()
