from flask import Blueprint, jsonify
from sqlalchemy import text

from .db import Session

blueprint = Blueprint("reports", __name__, url_prefix="/reports")

CROSSINGS = text(
    """
    SELECT s.from_port, s.to_port, s.departs_at,
           EXTRACT(epoch FROM s.arrived_at - s.departed_at) / 60 AS minutes
      FROM sailing s
     WHERE s.arrived_at IS NOT NULL
       AND s.departs_at >= :since
     ORDER BY s.departs_at
    """
)

DELAYS = text("SELECT sailing_id, minutes_late FROM delay WHERE minutes_late > :limit ORDER BY minutes_late DESC")

MANIFEST = text(
    """
    SELECT b.sailing_id, array_agg(c.full_name ORDER BY c.full_name) AS passengers
      FROM booking b
      JOIN customer c ON c.id = b.customer_id
     WHERE b.sailing_id = :sailing AND b.cancelled_at IS NULL
     GROUP BY b.sailing_id
    """
)

WAYBILLS = text("SELECT id, compression, length(content) AS bytes FROM waybill_file WHERE booking_id = :booking")


@blueprint.get("/crossings/<since>")
def crossings(since):
    """Duration of each crossing. The page divides by the planned minutes, so they must be floats."""
    with Session() as session:
        rows = session.execute(CROSSINGS, {"since": since}).all()
    return jsonify([{"route": f"{r.from_port}-{r.to_port}", "share": r.minutes / 95.0} for r in rows])


@blueprint.get("/delays/<float:limit>")
def delays(limit):
    with Session() as session:
        return jsonify([dict(r._mapping) for r in session.execute(DELAYS, {"limit": limit})])


@blueprint.get("/manifest/<int:sailing>")
def manifest(sailing):
    with Session() as session:
        row = session.execute(MANIFEST, {"sailing": sailing}).first()
    return jsonify(row.passengers if row else [])


@blueprint.get("/waybills/<int:booking>")
def waybills(booking):
    with Session() as session:
        return jsonify([dict(r._mapping) for r in session.execute(WAYBILLS, {"booking": booking})])
