from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("intake", "0012_squashed")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX intake_delivery_open ON intake_delivery (lot_id) WHERE rejected_at IS NULL",
            reverse_sql="DROP INDEX intake_delivery_open",
        ),
    ]
