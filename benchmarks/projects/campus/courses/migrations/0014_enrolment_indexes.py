from django.db import migrations

# the reports of the registrar go by day, not by course


class Migration(migrations.Migration):
    dependencies = [("courses", "0001_initial")]

    operations = [
        migrations.RunSQL(
            sql="""
                CREATE INDEX courses_enrolment_created_idx
                    ON courses_enrolment
                 USING btree (created_at timestamp_ops)
            """,
            reverse_sql="DROP INDEX courses_enrolment_created_idx",
        ),
        migrations.RunSQL(
            sql="""
                CREATE INDEX courses_enrolment_changed_idx
                    ON courses_enrolment
                 USING btree (changed_at timestamptz_ops)
            """,
            reverse_sql="DROP INDEX courses_enrolment_changed_idx",
        ),
    ]
