from flask import Blueprint, jsonify, request

from .db import connection, rows

bp = Blueprint("staff", __name__)


@bp.get("/")
def seen():
    return jsonify(rows("staff_seen"))


@bp.get("/port/<code>")
def of_port(code):
    return jsonify(rows("staff_of_port", port=code))


@bp.get("/actions")
def actions():
    order = "u.login" if request.args.get("by") == "login" else "u.id"
    with connection().cursor() as cur:
        cur.execute(
            "SELECT u.login, max(a.at) AS latest FROM system_users u LEFT JOIN audit_log a ON a.actor = u.login "
            "GROUP BY u.id, u.login ORDER BY " + order
        )
        return jsonify(cur.fetchall())
