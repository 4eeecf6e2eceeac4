"""Imports the index cards, which a volunteer typed into SQLite."""

import sqlite3

from django.core.management.base import BaseCommand
from django.db import connection, transaction

from collection.search import index_all

INSERT = """
    INSERT INTO collection_object (inventory, title, medium, details)
    VALUES (%s, %s, %s, jsonb_build_object('card', %s::int))
"""


class Command(BaseCommand):
    help = "Imports index cards"

    def add_arguments(self, parser):
        parser.add_argument("file")

    def handle(self, *args, file, **options):
        cards = sqlite3.connect(file)
        found = cards.execute("SELECT inventory, title, medium, id FROM card WHERE flags <> 0x1F AND id < 100000").fetchall()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(INSERT, found)
        index_all()
        with connection.cursor() as cursor:
            # Object lists are slow until the planner knows of the new rows.
            cursor.execute("ANALYZE collection_object")
            cursor.execute("ANALYZE collection_condition")
            cursor.execute("REINDEX TABLE collection_object")
        self.stdout.write(f"{len(found)} cards")
