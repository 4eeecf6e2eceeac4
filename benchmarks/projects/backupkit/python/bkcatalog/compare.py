"""Compares a restored database with the original one."""
import argparse
import sys

import psycopg2

QUERIES = {
    "tables": """
        SELECT n.nspname || '.' || c.relname, c.relnatts
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema'
           AND n.nspname NOT LIKE 'pg\\_%%'
    """,
    "checks": """
        SELECT k.conrelid::regclass || '.' || k.conname, k.consrc
          FROM pg_constraint k
         WHERE k.contype = 'c' AND k.conrelid <> 0
    """,
    "keys": """
        SELECT k.conrelid::regclass || '.' || k.conname, pg_get_constraintdef(k.oid) AS consrc
          FROM pg_constraint k
         WHERE k.contype = 'f'
    """,
}


def read(dsn, query):
    with psycopg2.connect(dsn) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        return dict(cursor.fetchall())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("original")
    parser.add_argument("restored")
    arguments = parser.parse_args()
    failed = False
    for name, query in QUERIES.items():
        original, restored = read(arguments.original, query), read(arguments.restored, query)
        for key in sorted(original.keys() | restored.keys()):
            if original.get(key) != restored.get(key):
                failed = True
                print(f"{name}: {key}: {original.get(key)} is {restored.get(key)}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
