from django.db import migrations

# The column types are spelled out: the audio guide's importer reads them from the table.
ON_VIEW = [
    "CREATE TABLE collection_onview (object_id bigint, title text, room text)",
    """
    CREATE RULE "_RETURN" AS ON SELECT TO collection_onview DO INSTEAD
        SELECT id AS object_id, title, details ->> 'room' AS room
          FROM collection_object
         WHERE details ? 'room'
    """,
]

LENT = """
CREATE OR REPLACE RULE "_RETURN" AS ON SELECT TO collection_lent DO INSTEAD
    SELECT object_id, upper(borrower) AS borrower
      FROM collection_loan
     WHERE returned IS NULL
"""

AUDIT = """
CREATE RULE keep AS ON DELETE TO collection_audit DO INSTEAD NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [("collection", "0002_visitor_counts")]
    operations = [
        migrations.RunSQL(ON_VIEW, "DROP VIEW collection_onview"),
        migrations.RunSQL(LENT, migrations.RunSQL.noop),
        migrations.RunSQL(AUDIT, "DROP RULE keep ON collection_audit"),
    ]
