from django.core.checks import Tags, Warning, register
from django.db import connection


@register(Tags.database, deploy=True)
def collation(app_configs, databases, **kwargs):
    """Labels sort by code point: the database must be in C."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT datcollate FROM pg_database WHERE datname = current_database()")
        (found,) = cursor.fetchone()
        cursor.execute("SELECT current_setting('lc_monetary')")
        (money,) = cursor.fetchone()
    problems = []
    if found not in ("C", "POSIX"):
        problems.append(Warning(f"database collation is {found}", id="ops.W001"))
    if money != "C":
        problems.append(Warning(f"lc_monetary is {money}", id="ops.W002"))
    return problems
