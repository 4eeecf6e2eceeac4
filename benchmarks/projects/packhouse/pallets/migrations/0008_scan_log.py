from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("pallets", "0007_squashed")]

    operations = [
        migrations.RunSQL(
            sql="""
                CREATE UNLOGGED TABLE pallets_scanlog (
                    station smallint NOT NULL,
                    sscc varchar(18) NOT NULL,
                    seen_at timestamptz NOT NULL
                ) PARTITION BY RANGE (seen_at)
            """,
            reverse_sql="DROP TABLE pallets_scanlog",
        ),
    ]
