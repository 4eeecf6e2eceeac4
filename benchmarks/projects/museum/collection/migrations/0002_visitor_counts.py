from django.db import migrations

# Counts of the light barriers. They may be lost, the barriers keep a week.
FORWARD = """
CREATE UNLOGGED TABLE collection_visitorcount (
    room text NOT NULL,
    at   timestamptz NOT NULL,
    n    integer NOT NULL
) PARTITION BY RANGE (at);

CREATE TABLE collection_visitorcount_all PARTITION OF collection_visitorcount
    FOR VALUES FROM ('2020-01-01') TO ('2040-01-01');
"""

BACKWARD = "DROP TABLE collection_visitorcount;"


class Migration(migrations.Migration):
    dependencies = [("collection", "0001_baseline")]
    operations = [
        migrations.RunSQL(FORWARD, BACKWARD),
        migrations.RunSQL(
            "CREATE UNLOGGED TABLE collection_kioskcache (key text PRIMARY KEY, page bytea NOT NULL)",
            "DROP TABLE collection_kioskcache",
        ),
        migrations.RunSQL(
            """
            CREATE TABLE collection_sensor (sensor text, at timestamptz, celsius real)
                PARTITION BY LIST (sensor)
            """,
            "DROP TABLE collection_sensor",
        ),
    ]
