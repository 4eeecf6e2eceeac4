"""Grades are computed in courses.grading since the autumn release."""
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("courses", "0014_enrolment_indexes")]

    operations = [
        migrations.RunSQL("DROP FUNCTION IF EXISTS grade_points", migrations.RunSQL.noop),
        migrations.RunSQL("DROP FUNCTION IF EXISTS honours(numeric)", migrations.RunSQL.noop),
    ]
