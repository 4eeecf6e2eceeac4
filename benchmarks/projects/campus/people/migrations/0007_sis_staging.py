from django.db import migrations

STAGING = """
CREATE TABLE sis.staging (
    matriculation  varchar(12) NOT NULL,
    payload        json NOT NULL,
    "system_user"  text NOT NULL DEFAULT current_user,
    received_at    timestamp with time zone NOT NULL DEFAULT now()
)
WITH (
    fillfactor = 70,
    oids = true
)
"""

REJECTED = """
CREATE TABLE sis.rejected (
    matriculation  varchar(12) NOT NULL,
    reason         text NOT NULL
)
WITHOUT OIDS
"""


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]

    operations = [
        migrations.RunSQL(STAGING, "DROP TABLE sis.staging"),
        migrations.RunSQL(REJECTED, "DROP TABLE sis.rejected"),
    ]
