from django.db import migrations

VIEW = """
CREATE VIEW billing_revenue_by_month AS
    SELECT v.clinic_id,
           EXTRACT(year FROM i.issued_on) AS year,
           EXTRACT(month FROM i.issued_on)::integer AS month,
           sum(i.total) AS revenue
      FROM billing_invoice i
      JOIN clinics_visit v ON v.id = i.visit_id
     GROUP BY 1, 2, 3;
"""


class Migration(migrations.Migration):

    dependencies = [("billing", "0011_invoice_number"), ("clinics", "0030_roomusage")]

    operations = [migrations.RunSQL(VIEW, "DROP VIEW billing_revenue_by_month")]
