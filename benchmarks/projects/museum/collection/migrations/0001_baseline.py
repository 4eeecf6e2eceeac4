from pathlib import Path

from django.db import migrations

BASELINE = Path(__file__).resolve().parents[2] / "db" / "baseline.sql"


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [migrations.RunSQL(BASELINE.read_text(), migrations.RunSQL.noop)]
