from sqlalchemy import text

from lab.db import engine, server_version


def freeze(label):
    connection = engine.connect()
    if server_version(connection) < 150000:
        connection.execute(text("SELECT pg_start_backup(:label, true, false)"), {"label": label})
    else:
        connection.execute(text("SELECT pg_backup_start(:label, true)"), {"label": label})
    return connection


def operators():
    statement = text('SELECT DISTINCT "system_user" FROM runs ORDER BY 1')
    with engine.connect() as connection:
        return connection.execute(statement).scalars().all()
