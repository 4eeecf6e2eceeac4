"""Bracket the storage snapshot of the warehouse volume."""

import logging

import psycopg2

log = logging.getLogger("snapshot")


class Snapshot:
    def __init__(self, dsn, label):
        self.connection = psycopg2.connect(dsn)
        self.connection.autocommit = True
        self.label = label

    def __enter__(self):
        with self.connection.cursor() as cursor:
            if self.connection.server_version >= 150000:
                cursor.execute("SELECT pg_backup_start(%s, true)", (self.label,))
            else:
                cursor.execute("SELECT pg_start_backup(%s, true, false)", (self.label,))
        return self

    def __exit__(self, kind, error, trace):
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT labelfile FROM pg_stop_backup(false, true)")
            label_file = cursor.fetchone()[0]
        log.info("SELECT pg_stop_backup() has returned, %s bytes of label", len(label_file))
        self.connection.close()
