from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("intake", "0014_keep_for")]

    operations = [
        migrations.RunSQL(
            [
                "CREATE INDEX intake_lot_year ON intake_lot ((EXTRACT(YEAR FROM picked_on)::text))",
                "CREATE INDEX intake_delivery_tags ON intake_delivery USING gin (array_to_tsvector(ARRAY['d', lower(notes)]))"
                " WHERE notes <> ''",
            ],
            reverse_sql=["DROP INDEX intake_delivery_tags", "DROP INDEX intake_lot_year"],
        ),
    ]
