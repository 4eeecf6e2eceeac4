import sqlite3

SCHEMA = "CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY, tries INTEGER, body TEXT)"


def pending(path):
    connection = sqlite3.connect(path)
    connection.execute(SCHEMA)
    return connection.execute("SELECT id, body FROM queue WHERE tries < 5AND body <> ''").fetchall()
