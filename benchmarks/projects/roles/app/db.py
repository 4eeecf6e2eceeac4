import psycopg2

SQL = {
    "backup": "SELECT pg_stop_backup()",
    "label": "SELECT 'pg_stop_backup()' AS label",
}


def connect(dsn):
    conn = psycopg2.connect(dsn)
    cur = conn.cursor()
    cur.execute("SET SESSION AUTHORIZATION app")
    cur.execute("SELECT parent, level, name FROM pg_backend_memory_contexts")
    cur.execute("SELECT name, total_bytes FROM pg_backend_memory_contexts WHERE name ~ 'parent'")
    cur.execute("SELECT * FROM pg_timezone_abbrevs")
    cur.execute("SELECT * FROM pg_timezone_abbrevs()")
    cur.execute("COPY secure.totals (a) FROM STDIN WITH (FORMAT text)")
    cur.execute("VACUUM secure.accounts")
    cur.execute("EXPLAIN (ANALYZE, BUFFERS OFF, FORMAT JSON) SELECT 1")
    return conn
