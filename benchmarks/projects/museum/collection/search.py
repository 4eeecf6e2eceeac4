"""Keeps the lexemes of objects, which are whole words as the registrar wrote them."""

from django.db import connection


def index_objects(ids):
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE collection_object"
            "   SET lexemes = array_to_tsvector(ARRAY[lower(title), coalesce(lower(medium), '')])"
            " WHERE id = ANY(%s)",
            [ids],
        )


def index_all():
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE collection_object
               SET lexemes = array_to_tsvector(array_remove(ARRAY[lower(title), coalesce(lower(medium), '')], ''))
             WHERE title <> ''
            """
        )
        return cursor.rowcount


def next_reports(days):
    """Objects whose condition has to be looked at again within so many days."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT object_id, max(seen_on) AS last
              FROM collection_condition
             WHERE seen_on < date_subtract(current_date, interval_days)
             GROUP BY object_id
            HAVING max(seen_on) + %s > current_date
            """,
            [days],
        )
        return cursor.fetchall()
