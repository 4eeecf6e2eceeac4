from django.db import migrations

GRANTS = """
    REVOKE INSERT, UPDATE, DELETE, REFERENCES, TRIGGER ON pallets_pallet FROM PUBLIC;
    REVOKE INSERT, UPDATE, DELETE, REFERENCES ON pallets_line FROM PUBLIC;
"""


class Migration(migrations.Migration):
    dependencies = [("pallets", "0008_scan_log")]

    operations = [migrations.RunSQL(GRANTS, migrations.RunSQL.noop)]
