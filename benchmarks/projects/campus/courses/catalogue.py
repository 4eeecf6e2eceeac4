"""Searches of the catalogue which the ORM can't express."""
from django.db import connection

from .models import Course, Sitting

TRACKS = {
    "data": "to_tsquery('simple', 'data_science | statistics')",
    "law": "to_tsquery('simple', 'contract & law')",
}


def with_attribute(name, value):
    """Courses with this attribute, such as language => de."""
    return Course.objects.raw(
        "SELECT c.id, c.code, c.title"
        "  FROM courses_course c"
        " WHERE c.attributes @ hstore(%s, %s)"
        " ORDER BY c.code",
        [name, value],
    )


def with_attributes(attributes):
    """Courses with all of these attributes, given as text of an hstore."""
    return Course.objects.raw(
        "SELECT c.id, c.code, c.title"
        "  FROM courses_course c"
        " WHERE c.attributes @> %s::hstore"
        " ORDER BY c.code",
        [attributes],
    )


def of_data_track():
    sql = f"""
        SELECT id, code, title
          FROM courses_course
         WHERE to_tsvector('simple', syllabus) @@ {TRACKS['data']}
    """
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def of_track(words):
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT id, code, title
              FROM courses_course
             WHERE to_tsvector('simple', title) @@ to_tsquery('simple', 'introduction & law')
               AND code LIKE %s
            """,
            [words],
        )
        return cursor.fetchall()


def early_sittings():
    return Sitting.objects.raw(
        """
        SELECT s.id, s.course_id, extract(hour FROM s.starts_at)::int AS hour
          FROM courses_sitting s
         WHERE s.starts_at > now()
         ORDER BY s.starts_at
        """
    )


def longest_sittings():
    with connection.cursor() as cursor:
        cursor.execute("SELECT course_id, max(total_time) FROM courses_sitting GROUP BY course_id")
        return dict(cursor.fetchall())
