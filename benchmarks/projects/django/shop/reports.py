from django.db import connection

from shop.models import Order

# SELECT 5 ! is what the old report did

NEARBY = """
    SELECT id
      FROM shop_order
     WHERE place @ area
       AND customer_id = %s
"""
INSIDE = "SELECT id FROM shop_order WHERE place <@ area"
TAGGED = "SELECT id FROM shop_order WHERE tags @> ARRAY[3]"
PATTERN = "SELECT id FROM shop_order WHERE note ~ '^[0-9]+ !'"


def due_hours():
    return Order.objects.raw("SELECT id, extract(hour FROM due) AS h FROM shop_order")


def placed_hours():
    return Order.objects.raw("SELECT id, date_part('hour', due) AS h FROM shop_order")


def permutations(n):
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) ! FROM shop_order WHERE customer_id = %s", [n])
        cursor.execute("SELECT factorial(5) FROM shop_order WHERE customer_id = %s", [n])
        cursor.execute("SELECT id FROM shop_order WHERE customer_id = 7AND total > 0")
        cursor.execute("SELECT id FROM shop_order WHERE customer_id = 7 AND total > 0")
        cursor.execute("SELECT id FROM shop_order WHERE placed_at > now() - interval '1.99 years'")
        cursor.execute("SELECT id FROM shop_order WHERE placed_at > now() - interval '1.5 years'")


def sessions():
    with connection.cursor() as cursor:
        cursor.execute("SELECT key, system_user FROM shop_session")
        cursor.execute('SELECT key, "system_user" FROM shop_session')
        cursor.execute("SELECT key, s.system_user FROM shop_session s")
        cursor.execute("SELECT key FROM shop_session WHERE backend = ''::xid")
        cursor.execute("SELECT key FROM shop_session WHERE backend = '0'::xid")
