from django.db import migrations

# Ferrets get a yearly booster, too.
FORWARD = """
DROP FUNCTION IF EXISTS booster_due;

CREATE FUNCTION booster_due(given date, species text) RETURNS date LANGUAGE sql IMMUTABLE AS $$
    SELECT (given + CASE species
        WHEN 'cat' THEN interval '1.5 years'
        WHEN 'ferret' THEN interval '1 year'
        ELSE interval '3 years' END)::date
$$;
"""


class Migration(migrations.Migration):

    dependencies = [("clinics", "0032_next_appointment")]

    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
