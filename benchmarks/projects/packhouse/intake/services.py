"""What the weighbridge terminal and the office need about deliveries."""

from django.db import connection, transaction


def _rows(sql, params=()):
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        names = [c[0] for c in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]


def accepted(lot_id):
    return _rows(
        "SELECT d.id, d.net_kg, d.arrived_at FROM intake_delivery d "
        "WHERE d.lot_id = %s AND d.net_kg > 0"
        "AND d.rejected_at IS NULL "
        "ORDER BY d.arrived_at",
        [lot_id],
    )


def latest(limit=20, offset=0):
    return _rows(
        "SELECT d.id, d.net_kg, d.notes FROM intake_delivery d "
        "WHERE d.net_kg > 0 "
        "AND d.rejected_at IS NULL "
        "ORDER BY d.arrived_at DESC LIMIT %s OFFSET %s",
        [limit, offset],
    )


def bins_1a(lot_id):
    return _rows(
        "SELECT q.first1a, q.total FROM (SELECT min(d.id) AS first1a, count(*) AS total"
        " FROM intake_delivery d WHERE d.lot_id = %s) q",
        [lot_id],
    )


def print_lines(delivery_ids):
    """Notes with the line feeds that the ticket printer expects."""
    return _rows(
        "SELECT id, replace(notes, '; ', chr(10)) AS lines FROM intake_delivery WHERE id = ANY(%s) ORDER BY id",
        [list(delivery_ids)],
    )


@transaction.atomic
def reject(delivery_id):
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE intake_delivery SET rejected_at = now() WHERE id = %s AND rejected_at IS NULL",
            [delivery_id],
        )
        return cursor.rowcount == 1


def mirrored_labels():
    """The old scanners read labels from right to left."""
    return _rows("SELECT id, reverse(label) AS label FROM intake_lot ORDER BY id")


def since_epoch():
    return _rows("SELECT count(*) AS n FROM intake_delivery WHERE arrived_at > 'epoch'::timestamptz")


def late_hours():
    return _rows(
        "SELECT count(*) AS n FROM intake_delivery"
        " WHERE arrived_at > timestamptz '2024-10-13 00:00+00' + interval '36 hours ago'"
    )
