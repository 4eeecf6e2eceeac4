from sqlalchemy import text

from lab.db import engine

URGENT = text(
    "SELECT s.id, s.barcode, s.received_at "
    "FROM samples s "
    "WHERE s.priority >= 3"
    "AND s.rejected_at IS NULL "
    "ORDER BY s.received_at"
)

PAGE = text(
    "SELECT id, barcode FROM samples WHERE priority > 0 "
    "ORDER BY id LIMIT 50 OFFSET :skip"
)


def urgent():
    with engine.connect() as connection:
        return connection.execute(URGENT).mappings().all()


def page(number):
    with engine.connect() as connection:
        return connection.execute(PAGE, {"skip": 50 * number}).mappings().all()


def receive(barcode, collected_on, submitted_by):
    statement = text(
        """
        INSERT INTO samples (barcode, collected_on, submitted_by)
        VALUES (:barcode, :collected_on, :submitted_by)
        ON CONFLICT (barcode) DO NOTHING
        RETURNING id
        """
    )
    with engine.begin() as connection:
        values = {"barcode": barcode, "collected_on": collected_on, "submitted_by": submitted_by}
        return connection.execute(statement, values).scalar()
