"""Prints a report. pg_stat_ssl.compression is not shown."""

QUERIES = {
    "ssl": """
        SELECT pid, ssl, compression
          FROM pg_stat_ssl
    """,
    "cipher": "SELECT pid, cipher AS compression FROM pg_stat_ssl",
    "slru": "SELECT datlastsysoid FROM pg_database",
    "oid": "SELECT oid AS datlastsysoid FROM pg_database",
}
