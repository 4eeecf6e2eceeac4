import logging

from django.db import connection
from django.http import JsonResponse

from .models import Loan, Object

logger = logging.getLogger(__name__)

SEARCH = """
    SELECT id, inventory, title, medium, technique, acquired, details,
           extract(year FROM acquired) AS year
      FROM collection_object
     WHERE lexemes @@ plainto_tsquery('simple', %s)
     ORDER BY inventory
"""


def search(request):
    rows = Object.objects.raw(SEARCH, [request.GET.get("q", "")])
    return JsonResponse([{"id": row.id, "title": row.title, "year": int(row.year or 0)} for row in rows], safe=False)


def overdue(request):
    return JsonResponse([{"id": loan.id, "due": loan.due} for loan in Loan.objects.with_due()], safe=False)


def room(request, room):
    """Three objects for the screen beside the door."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, title FROM collection_object WHERE details ->> 'room' = %s ORDER BY random() LIMIT 3",
            [room],
        )
        found = cursor.fetchall()
    if not found:
        logger.info("no objects: while pg_is_in_backup() the screens keep their last ones")
    return JsonResponse(found, safe=False)
