from django.db import connection, models
from django.db.models.expressions import RawSQL


class Doc(models.Model):
    title = models.TextField()

    class Meta:
        managed = False


def hours():
    return Doc.objects.annotate(h=RawSQL("extract(hour from made)", []))


def hours_int():
    return Doc.objects.extra(select={"h": "extract(hour from made)::int"})


def newer(day):
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM app_doc WHERE made > %s AND id > 10and id < %s", [day, 9])
        cursor.execute("SELECT id FROM app_doc WHERE made > %s AND id > 10 AND id < %s", [day, 9])
        return cursor.fetchall()


def json_keys():
    with connection.cursor() as cursor:
        cursor.execute("SELECT jsonb_to_tsvector('english', data, '[\"str\"]') FROM app_doc")
        cursor.execute("SELECT jsonb_to_tsvector('english', data, '[\"string\"]') FROM app_doc")
        cursor.execute("SELECT id FROM app_doc WHERE title SIMILAR TO 'a%%' ESCAPE NULL")
        cursor.execute("SELECT id FROM app_doc WHERE title SIMILAR TO 'a%%' ESCAPE '!'")
        cursor.execute("SELECT wait_event FROM pg_stat_activity WHERE wait_event = 'ClogControlLock'")
        cursor.execute("SELECT wait_event FROM pg_stat_activity WHERE wait_event = 'ClientRead'")


def maintenance(log):
    log.info("SELECT pg_start_backup('x') was called")
    with connection.cursor() as cursor:
        if connection.pg_version >= 150000:
            cursor.execute("SELECT pg_backup_start('x')")
        else:
            cursor.execute("SELECT pg_start_backup('x')")
        cursor.execute("SELECT pg_stop_backup()")
        if connection.vendor == "sqlite":
            cursor.execute("SELECT pg_is_in_backup()")
