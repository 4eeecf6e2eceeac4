from django.db import migrations

FORWARD = """
DROP FUNCTION IF EXISTS next_appointment;

CREATE FUNCTION next_appointment(patient integer, clinic integer, not_before timestamptz)
RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT min(started_at)
      FROM clinics_visit
     WHERE patient_id = $1
       AND clinic_id = $2
       AND status = 'planned'
       AND started_at >= $3
$$;
"""

BACKWARD = """
DROP FUNCTION IF EXISTS next_appointment(integer, integer, timestamptz);
"""


class Migration(migrations.Migration):

    dependencies = [("clinics", "0031_labresult_index")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
