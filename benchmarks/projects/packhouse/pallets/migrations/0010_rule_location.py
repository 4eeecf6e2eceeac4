from django.db import migrations


class Migration(migrations.Migration):
    """Locations are never deleted: other systems keep their numbers."""

    dependencies = [("pallets", "0009_access")]

    operations = [
        migrations.RunSQL(
            "CREATE RULE keep_location AS ON DELETE TO pallets_location DO INSTEAD NOTHING",
            "DROP RULE keep_location ON pallets_location",
        ),
    ]
