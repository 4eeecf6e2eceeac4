from django.db import connection
from django.http import Http404, JsonResponse

LABEL = """
    SELECT p.sscc,
           array_sort(array_agg(l.grade)) AS grades,
           sum(l.crates) AS crates
      FROM pallets_pallet p
      JOIN pallets_line l ON l.pallet_id = p.id
     WHERE p.id = %s
     GROUP BY p.sscc
"""

ORIGINS = """
    SELECT json_object_agg(g.region, c.crates ORDER BY g.region)
      FROM intake_grower g
      JOIN (SELECT lot.grower_id, sum(l.crates) AS crates
              FROM pallets_line l JOIN intake_lot lot ON lot.id = l.lot_id
             WHERE l.pallet_id = %s
             GROUP BY lot.grower_id) c ON c.grower_id = g.id
"""

HEADER = "SELECT json_object(ARRAY['sscc', 'state'], ARRAY[sscc, CASE WHEN dispatched_at IS NULL THEN 'here' ELSE 'gone' END]) FROM pallets_pallet WHERE id = %s"


def label(request, pk):
    with connection.cursor() as cursor:
        cursor.execute(LABEL, [pk])
        row = cursor.fetchone()
        if row is None:
            raise Http404
        cursor.execute(ORIGINS, [pk])
        (origins,) = cursor.fetchone()
        cursor.execute(HEADER, [pk])
        (header,) = cursor.fetchone()
    return JsonResponse({"sscc": row[0], "grades": row[1], "crates": row[2], "origins": origins, **header})
