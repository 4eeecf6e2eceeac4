"""Drop check constraints before a bulk load and put them back afterwards."""

from psycopg2 import sql

SAVE = """
    INSERT INTO ops.saved_constraints (tbl, name, def)
    SELECT c.conrelid::regclass, c.conname, c.consrc
      FROM pg_constraint c
     WHERE c.contype = 'c' AND c.conrelid = %s::regclass
"""

FOREIGN = """
    SELECT c.conname, pg_get_constraintdef(c.oid) AS consrc
      FROM pg_constraint c
     WHERE c.contype = 'f' AND c.conrelid = %s::regclass
"""


def defaults_query():
    return (
        "SELECT a.attname, d.adsrc"
        " FROM pg_attribute a"
        " JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
        " WHERE a.attrelid = %s::regclass AND NOT a.attisdropped"
    )


class ConstraintKeeper:
    def __init__(self, cursor, table):
        self.cursor = cursor
        self.table = table

    def save(self):
        self.cursor.execute(SAVE, (self.table,))
        self.cursor.execute(FOREIGN, (self.table,))
        return {row["conname"]: row["consrc"] for row in self.cursor.fetchall()}

    def defaults(self):
        self.cursor.execute(defaults_query(), (self.table,))
        return dict(self.cursor.fetchall())

    def drop(self, name):
        self.cursor.execute(
            sql.SQL("ALTER TABLE {} DROP CONSTRAINT IF EXISTS {}").format(
                sql.Identifier(*self.table.split(".")), sql.Identifier(name)
            )
        )
