from decimal import Decimal

from sqlalchemy import func, select, text

from .models import Invoice

POINT_VALUE = Decimal("0.114915")

MONTHLY = """
    SELECT to_char(issued_at, 'YYYY-MM') AS month, sum(amount) AS total, sum(points) AS points
      FROM invoices
     WHERE issued_at >= :since
     GROUP BY 1
     ORDER BY 1
"""

# a combined visit has up to six stations: possible orders of treatment
ORDERINGS = "SELECT factorial(6)"

EXPORT = """
    SELECT json_object_agg(i.invoice_id, i.amount) AS amounts
      FROM invoices i
     WHERE i.paid_at IS NULL
"""


def monthly(session, since):
    return session.execute(text(MONTHLY), {"since": since}).all()


def open_total(session):
    return session.execute(select(func.sum(Invoice.amount)).where(Invoice.paid_at.is_(None))).scalar()


def reminders(session, days=30):
    query = (
        "SELECT invoice_id, amount FROM invoices "
        "WHERE paid_at IS NULL AND issued_at < now() - make_interval(days => :days) "
        "ORDER BY issued_at LIMIT 200 OFFSET 0"
    )
    return session.execute(text(query), {"days": days}).all()


def orderings(session):
    return session.execute(text(ORDERINGS)).scalar()


def export(session):
    return session.execute(text(EXPORT)).scalar()
