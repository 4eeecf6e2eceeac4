from django.db import connection


def partners():
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT a.partner, a."system_user" FROM ops_integrationaccount a ORDER BY a.partner'
        )
        return cursor.fetchall()


def flags():
    with connection.cursor() as cursor:
        cursor.execute("SELECT partner, NOT a.\"system_user\" AS person FROM ops_integrationaccount a ORDER BY 1")
        return cursor.fetchall()


def contacts():
    """What the partners' portal shows; its field names are not ours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT g.name AS system_user FROM intake_grower g ORDER BY g.id")
        return cursor.fetchall()
