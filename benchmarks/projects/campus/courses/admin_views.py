from django.contrib.admin.views.decorators import staff_member_required
from django.db import connection
from django.http import JsonResponse


@staff_member_required
def slow_queries(request):
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT query, calls,
                   round((total_time / calls)::numeric, 1) AS mean
              FROM pg_stat_statements
             WHERE calls > %s
             ORDER BY 3 DESC
             LIMIT 20
            """,
            [100],
        )
        return JsonResponse({"queries": cursor.fetchall()})


@staff_member_required
def tags(request):
    with connection.cursor() as cursor:
        cursor.execute("SELECT sis.json_array(akeys(attributes)) FROM courses_course ORDER BY code")
        return JsonResponse({"tags": [row[0] for row in cursor.fetchall()]})
