from django.db import connection
from django.db.models.expressions import RawSQL

from .models import Pallet


def tree():
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, code, parent FROM pallets_location WHERE level = 0 OR parent IS NOT NULL ORDER BY id")
        return cursor.fetchall()


def lines(pallet_id):
    with connection.cursor() as cursor:
        cursor.execute("SELECT open_lines('lines', %s)", [pallet_id])
        cursor.execute('FETCH ALL FROM "lines"')
        return cursor.fetchall()


def with_best_before():
    return Pallet.objects.annotate(
        best_before=RawSQL("date_add(packed_at::date, 21)", [])
    )


def grades_of(pallet_id):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT public.array_sort(array_agg(grade)) FROM pallets_line WHERE pallet_id = %s",
            [pallet_id],
        )
        return cursor.fetchone()[0]


def sample(station):
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('public.pallets_scan') IS NOT NULL")
        if not cursor.fetchone()[0]:
            return []
        cursor.execute("SELECT sscc, seen_at FROM pallets_scan WHERE station = %s ORDER BY seen_at DESC LIMIT 50", [station])
        return cursor.fetchall()
