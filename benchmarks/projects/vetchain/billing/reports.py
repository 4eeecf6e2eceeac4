from django.db import connection

OPEN_INVOICES = """
    SELECT i.number, o.last_name, i.total, current_date - i.issued_on AS days
      FROM billing_invoice i
      JOIN clinics_visit v ON v.id = i.visit_id
      JOIN clinics_patient p ON p.id = v.patient_id
      JOIN clinics_owner o ON o.id = p.owner_id
     WHERE i.paid_at IS NULL
       AND i.issued_on < current_date - %s
     ORDER BY i.issued_on, i.number
"""

LINES_OF_YEAR = """
    SELECT l.text, sum(l.quantity) AS quantity, sum(l.quantity * l.price) AS amount
      FROM billing_invoiceline l
      JOIN billing_invoice i ON i.id = l.invoice_id
     WHERE i.issued_on >= make_date(%s, 1, 1)
     GROUP BY l.text
     ORDER BY amount DESC, l.text
"""


def open_invoices(days=30):
    with connection.cursor() as cursor:
        cursor.execute(OPEN_INVOICES, [days])
        return cursor.fetchall()


def lines_of_year(year):
    with connection.cursor() as cursor:
        cursor.execute(LINES_OF_YEAR, [year])
        return cursor.fetchall()


def mark_paid(numbers):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE billing_invoice SET paid_at = now() WHERE number = ANY(%s)", [list(numbers)])
        return cursor.rowcount
