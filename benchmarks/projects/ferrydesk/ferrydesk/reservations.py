import secrets

from flask import Blueprint, abort, current_app, jsonify, request

from .db import connection, rows

bp = Blueprint("reservations", __name__)
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def reference():
    return "FD-" + "".join(secrets.choice(ALPHABET) for _ in range(4))


@bp.get("/sailings")
def sailings():
    return jsonify(rows("free_sailings", now=request.args["from"]))


@bp.post("/")
def hold():
    body = request.get_json()
    conn = connection()
    with conn, conn.cursor() as cur:
        cur.execute(
            """
            UPDATE sailings
               SET seats_left = seats_left - %(seats)s,
                   lane_metres_left = lane_metres_left - %(metres)s
             WHERE id = %(sailing)s
               AND NOT cancelled
               AND seats_left >= %(seats)s
               AND lane_metres_left >= %(metres)s
         RETURNING id
            """,
            {"sailing": body["sailing"], "seats": len(body["passengers"]), "metres": body.get("metres", 0)},
        )
        if cur.fetchone() is None:
            abort(409, "the sailing is full")
        cur.execute(
            "INSERT INTO reservations (reference, customer_id, sailing_id, vehicle_id, state, held_until) "
            "VALUES (%s, %s, %s, %s, 'held', now() + %s * interval '1 minute') RETURNING id, reference",
            (reference(), body["customer"], body["sailing"], body.get("vehicle"), current_app.config["HOLD_MINUTES"]),
        )
        return jsonify(cur.fetchone()), 201


@bp.get("/by-plate/<plate>")
def by_plate(plate):
    """What the gate's camera asks for."""
    with connection().cursor() as cur:
        cur.execute(
            """
            SELECT r.reference, r.state, v.plate
              FROM vehicles v
              JOIN reservations r ON r.vehicle_id = v.id
             WHERE public.normalize(v.plate) = public.normalize(%s)
             ORDER BY r.made_at DESC
            """,
            (plate,),
        )
        return jsonify(cur.fetchall())


@bp.get("/<int:reservation_id>/passengers")
def passengers(reservation_id):
    with connection().cursor() as cur:
        cur.execute(
            "SELECT p.full_name, p.seat, p.normalize FROM passengers p WHERE p.reservation_id = %s ORDER BY p.id",
            (reservation_id,),
        )
        return jsonify(cur.fetchall())


def expire_holds(conn):
    with conn.cursor() as cur:
        cur.execute(
            "UPDATE reservations SET state = 'cancelled', held_until = NULL "
            "WHERE state = 'held' AND held_until < now() AND vehicle_id > 0 "
            "AND id IN (SELECT c.reservation_id FROM charges c WHERE c.gross > 10 "
            "AND c.reservation_id NOT IN (SELECT reservation_id FROM payments))"
        )
        return cur.rowcount


def duplicates(conn, customer):
    with conn.cursor() as cur:
        cur.execute(
            "SELECT a.reference, b.reference AS other FROM reservations a JOIN reservations b ON b.customer_id = a.customer_id "
            "AND b.id > a.id WHERE a.customer_id = %s ORDER BY 1, 2",
            (customer,),
        )
        return cur.fetchall()
