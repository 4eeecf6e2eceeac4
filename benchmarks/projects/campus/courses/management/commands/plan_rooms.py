"""Puts sittings into rooms. A label is building, floor and door, such as B12-345."""
from django.core.management.base import BaseCommand
from django.db import connection


class Command(BaseCommand):
    help = "assigns rooms to sittings"

    def add_arguments(self, parser):
        parser.add_argument("--parallel", action="store_true", help="was force_parallel_mode in the old planner")

    def rooms(self, cursor):
        cursor.execute(
            """
            SELECT id, capacity,
                   substring(label from '%#"[0-9]+#"%' for '#') AS floor
              FROM courses_room
             ORDER BY capacity DESC
            """
        )
        return cursor.fetchall()

    def doors(self, cursor):
        cursor.execute("SELECT id, substring(label from '[0-9]+$') FROM courses_room")
        return dict(cursor.fetchall())

    def handle(self, *args, **options):
        with connection.cursor() as cursor:
            if options["parallel"] and connection.pg_version < 160000:
                cursor.execute("SET force_parallel_mode = on")
            doors = self.doors(cursor)
            # whoever comes first: shuffled, so that no faculty always has the small rooms
            cursor.execute("SELECT id FROM courses_sitting WHERE room_id IS NULL ORDER BY random()")
            sittings = [row[0] for row in cursor.fetchall()]
            for sitting, (room, capacity, floor) in zip(sittings, self.rooms(cursor)):
                cursor.execute("UPDATE courses_sitting SET room_id = %s WHERE id = %s", [room, sitting])
                self.stdout.write(f"{sitting}: floor {floor}, door {doors[room]}, {capacity} seats")
