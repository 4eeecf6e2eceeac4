"""The notice board of the ports, in Greek and English."""
from flask import Blueprint, jsonify, request

from .db import connection

bp = Blueprint("notices", __name__)

WORDS = """
    SELECT w.lexeme, count(*) AS notices
      FROM notices n,
           unnest(to_tsvector('greek', n.body)) AS w
     WHERE n.lang = 'greek'
     GROUP BY w.lexeme
     ORDER BY 2 DESC, 1
"""

SEARCH = """
    SELECT n.id, n.title, n.body
      FROM notices n
     WHERE to_tsvector('public.greek', n.body) @@ plainto_tsquery('public.greek', %(words)s)
        OR to_tsvector('simple', n.title) @@ plainto_tsquery('simple', %(words)s)
     ORDER BY n.shown_from DESC, n.id
"""


@bp.get("/")
def current():
    with connection().cursor() as cur:
        cur.execute(
            "SELECT n.id, n.title, n.body, coalesce(p.code, 'all') AS port FROM notices n LEFT JOIN ports p ON p.id = n.port_id "
            "WHERE n.shown_until IS NULL OR n.shown_until > now() ORDER BY n.shown_from DESC, n.id"
        )
        return jsonify(cur.fetchall())


@bp.get("/search")
def search():
    with connection().cursor() as cur:
        cur.execute(SEARCH, {"words": request.args["q"]})
        return jsonify(cur.fetchall())


@bp.get("/words")
def words():
    with connection().cursor() as cur:
        cur.execute(WORDS)
        return jsonify(cur.fetchall())


def languages(conn):
    with conn.cursor() as cur:
        cur.execute("SELECT lang, count(*) FROM notices WHERE lang IN ('greek', 'english') GROUP BY lang ORDER BY lang")
        return cur.fetchall()
