"""Bookings, with a bit of Core and a lot of text()."""
from datetime import date

from sqlalchemy import Column, BigInteger, Date, DateTime, Integer, MetaData, Table, Text, func, select, text

metadata = MetaData(schema="harbor")

bookings = Table(
    "bookings",
    metadata,
    Column("booking_id", BigInteger, primary_key=True),
    Column("vessel_id", Integer, nullable=False),
    Column("berth_id", Integer, nullable=False),
    Column("arrives_at", DateTime(timezone=True), nullable=False),
    Column("departs_at", DateTime(timezone=True)),
    Column("booked_on", Date, nullable=False),
    Column("remarks", Text),
)

STAY = """
    SELECT b.booking_id,
           extract(epoch FROM b.departs_at - b.arrives_at) AS seconds
      FROM harbor.bookings b
     WHERE b.booking_id = :booking_id
"""

# Hours are shown as floats in the calendar.
CALENDAR = """
    SELECT booking_id,
           extract(hour FROM arrives_at)::float8 AS hour,
           to_char(arrives_at, 'YYYY-MM-DD') AS day
      FROM harbor.bookings
     WHERE arrives_at >= :since
     ORDER BY arrives_at
"""

LONG_TERM = (
    "SELECT booking_id, remarks FROM harbor.bookings"
    " WHERE departs_at - arrives_at > interval '1.99 years'"
    " ORDER BY booking_id"
)

SEASONAL = (
    "SELECT booking_id FROM harbor.bookings"
    " WHERE departs_at - arrives_at > interval '1.5 years'"
)


def stay_seconds(connection, booking_id):
    return connection.execute(text(STAY), {"booking_id": booking_id}).one().seconds


def calendar(connection, since: date):
    return connection.execute(text(CALENDAR), {"since": since}).mappings().all()


def long_term(connection):
    return connection.execute(text(LONG_TERM)).all()


def seasonal(connection):
    return connection.execute(text(SEASONAL)).scalars().all()


def recent(connection, limit=20):
    query = (
        select(bookings.c.booking_id, func.coalesce(bookings.c.remarks, ""))
        .where(bookings.c.arrives_at < func.now())
        .order_by(bookings.c.arrives_at.desc())
        .limit(limit)
    )
    return connection.execute(query).all()


def just_missed(connection):
    """Arrivals of the last hours that nobody has confirmed."""
    return connection.execute(
        text(
            "SELECT booking_id FROM harbor.bookings "
            "WHERE departs_at IS NULL "
            "AND arrives_at BETWEEN now() + interval '2 hours ago 30 minutes' "
            "AND now() + interval '10 minutes ago'"
        )
    ).scalars().all()


def booked_hours(connection):
    """What time of day do people book? Dates have none, so this is always 0."""
    rows = connection.execute(
        text("SELECT date_part('dow', booked_on) AS dow, count(*) FROM harbor.bookings GROUP BY 1 ORDER BY 1")
    )
    return {int(row.dow): row.count for row in rows}
