from flask import Blueprint, abort, jsonify, request
from sqlalchemy import func, text

from .db import Session
from .models import Booking, Sailing

blueprint = Blueprint("bookings", __name__, url_prefix="/bookings")


@blueprint.post("/")
def book():
    data = request.get_json()
    with Session.begin() as session:
        free = session.execute(
            text("UPDATE sailing SET seats_free = seats_free - :n WHERE id = :id AND seats_free >= :n RETURNING seats_free"),
            {"n": data["passengers"], "id": data["sailing"]},
        ).scalar()
        if free is None:
            abort(409, "no seats left")
        booking = Booking(
            customer_id=data["customer"],
            sailing_id=data["sailing"],
            passengers=data["passengers"],
            price=data["price"],
        )
        session.add(booking)
        session.flush()
        return jsonify(id=booking.id, seats_free=free), 201


@blueprint.post("/<int:booking_id>/tags")
def add_tag(booking_id):
    with Session.begin() as session:
        session.execute(
            text("UPDATE booking SET tags = array_append(tags, :tag) WHERE id = :id"),
            {"tag": request.form["tag"], "id": booking_id},
        )
    return "", 204


@blueprint.get("/by-hour")
def by_hour():
    hour = func.date_part("hour", Sailing.departs_at)
    with Session() as session:
        rows = session.query(hour, func.count(Booking.id)).join(Sailing).group_by(hour).all()
    return jsonify({int(h): n for h, n in rows})


@blueprint.get("/tags")
def tags():
    with Session() as session:
        rows = session.execute(
            text("SELECT t.tag, count(*) AS n FROM booking, unnest(tags) AS t(tag) WHERE t.tag ~ :pattern GROUP BY 1"),
            {"pattern": request.args.get("match", ".")},
        )
        return jsonify([dict(row._mapping) for row in rows])
