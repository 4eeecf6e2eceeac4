"""A cache beside: SQLite, one file for each worker."""
import sqlite3
import time

SCHEMA = """
CREATE TABLE IF NOT EXISTS cached (
    key TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    system_user TEXT,
    stored_at INTEGER NOT NULL
) WITHOUT ROWID
"""


class Cache:
    def __init__(self, path=":memory:", ttl=300):
        self.ttl = ttl
        self.connection = sqlite3.connect(path)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute(SCHEMA)

    def get(self, key):
        row = self.connection.execute(
            "SELECT body FROM cached WHERE key = ? AND stored_at > ?",
            (key, int(time.time()) - self.ttl),
        ).fetchone()
        return row[0] if row else None

    def put(self, key, body, user):
        self.connection.execute(
            "INSERT OR REPLACE INTO cached (key, body, system_user, stored_at) VALUES (?, ?, ?, ?)",
            (key, body, user, int(time.time())),
        )
        self.connection.commit()

    def purge(self):
        self.connection.execute(
            "DELETE FROM cached WHERE stored_at < CAST(strftime('%s', 'now') AS INTEGER) - 86400"
        )
        self.connection.execute("VACUUM")

    def size(self):
        return self.connection.execute(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        ).fetchone()[0]
