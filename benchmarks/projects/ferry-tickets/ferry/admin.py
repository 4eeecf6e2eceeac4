"""Pages for the administrators: slow statements, sessions, sizes."""
from flask import Blueprint, jsonify
from sqlalchemy import text

from .db import Session

blueprint = Blueprint("admin", __name__, url_prefix="/admin")


@blueprint.get("/slow")
def slow():
    """The statements that take the most time.

    Formerly this page also showed pg_is_in_backup(), which is now in ops/check_cluster.sh.
    """
    with Session() as session:
        rows = session.execute(
            text(
                """
                SELECT query, calls, rows,
                       total_time / calls AS ms
                  FROM pg_stat_statements
                 WHERE calls > 20
                 ORDER BY 4 DESC
                 LIMIT 25
                """
            )
        )
        return jsonify([dict(r._mapping) for r in rows])


@blueprint.get("/sessions")
def sessions():
    with Session() as session:
        rows = session.execute(
            text(
                """
                SELECT a.pid, a.usename, a.client_addr::text AS client, s.version AS tls, s.cipher
                  FROM pg_stat_activity a
                  JOIN pg_stat_ssl s ON s.pid = a.pid
                 WHERE a.datname = current_database() AND s.ssl
                """
            )
        )
        return jsonify([dict(r._mapping) for r in rows])


@blueprint.get("/sizes")
def sizes():
    with Session() as session:
        rows = session.execute(
            text(
                """
                SELECT c.relname, pg_total_relation_size(c.oid) AS bytes
                  FROM pg_class c
                 WHERE c.relkind = 'r' AND c.reltuples > 100000
                 ORDER BY 2 DESC
                """
            )
        )
        return jsonify([dict(r._mapping) for r in rows])


@blueprint.get("/locale")
def locale():
    with Session() as session:
        row = session.execute(
            text("SELECT datcollate AS lc_collate, datctype FROM pg_database WHERE datname = current_database()")
        ).one()
        return jsonify(dict(row._mapping))
