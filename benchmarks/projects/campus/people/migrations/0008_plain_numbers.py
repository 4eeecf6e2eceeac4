from django.db import migrations

# the old form had a text area: some people wrote several numbers, one a line


class Migration(migrations.Migration):
    dependencies = [("people", "0007_sis_staging")]

    operations = [
        migrations.RunSQL(
            r"UPDATE people_person SET phone = regexp_replace(phone, '\D', '', 'gn') WHERE phone <> ''",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            r"UPDATE people_person SET fax = regexp_replace(fax, '\D', '', 'g') WHERE fax <> ''",
            migrations.RunSQL.noop,
        ),
    ]
