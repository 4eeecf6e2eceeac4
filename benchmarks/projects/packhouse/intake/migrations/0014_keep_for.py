from django.db import migrations

FORWARD = """
CREATE TABLE intake_retention (
    variety_id bigint PRIMARY KEY REFERENCES intake_variety (id),
    keep_for interval NOT NULL
);
CREATE INDEX intake_retention_days ON intake_retention ((EXTRACT(DAY FROM keep_for)));
"""


class Migration(migrations.Migration):
    dependencies = [("intake", "0013_lot_trgm")]

    operations = [
        migrations.RunSQL(FORWARD, "DROP TABLE intake_retention"),
    ]
