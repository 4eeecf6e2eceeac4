from django.db import migrations


class Migration(migrations.Migration):

    atomic = False
    dependencies = [("clinics", "0030_roomusage")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX CONCURRENTLY clinics_labresult_payload_idx"
            " ON clinics_labresult USING gin (payload jsonb_path_ops)",
            "DROP INDEX IF EXISTS clinics_labresult_payload_idx",
        ),
    ]
