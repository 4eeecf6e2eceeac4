"""What the databases of a server are like."""

COLUMNS = ["datname", "datconnlimit", "datallowconn"]


def user_databases(connection):
    """Databases that somebody created: not template1, which has the same last system oid as template0."""
    sql = "SELECT " + ", ".join(COLUMNS)
    sql += " FROM pg_database WHERE oid > datlastsysoid"
    sql += " ORDER BY datname"
    return connection.execute(sql).fetchall()


def sizes(connection):
    return connection.execute(
        "SELECT datname, pg_database_size(oid) AS bytes FROM pg_database WHERE NOT datistemplate AND oid >= 16384"
    ).fetchall()


def locale(connection, database):
    """The locale that sorts the texts, as the page on collations shows it."""
    row = connection.execute(
        "SELECT current_database() AS name, current_setting('server_encoding') AS encoding, "
        "current_setting('lc_collate') AS collate"
    ).fetchone()
    if row["name"] != database:
        raise RuntimeError(f"connected to {row['name']}: compare lc_collate and lc_ctype of {database} by hand")
    return row
