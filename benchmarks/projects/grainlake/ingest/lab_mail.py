"""Reads the laboratory's mails (comments in German) and stores samples."""
import json

import psycopg2


def store(connection, sample_id: int, delivery_id: int, payload: dict, taken_at: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO raw.lab_results (sample_id, delivery_id, payload, taken_at) VALUES (%s, %s, %s::jsonb, %s) "
            "ON CONFLICT (sample_id) DO UPDATE SET payload = excluded.payload",
            (sample_id, delivery_id, json.dumps(payload), taken_at),
        )


def wet_samples(connection, limit: float):
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT l.sample_id, (l.payload ->> 'moisture')::float8 AS moisture
              FROM raw.lab_results l
             WHERE (l.payload ->> 'moisture')::float8 > %s
             ORDER BY l.sample_id
            """,
            (limit,),
        )
        return cursor.fetchall()


def grades_of(connection, delivery_id: int):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT array_position(d.grade_codes, 1), array_cat(d.grade_codes, ARRAY[9]) "
            "FROM raw.deliveries d WHERE d.delivery_id = %s",
            (delivery_id,),
        )
        return cursor.fetchone()
