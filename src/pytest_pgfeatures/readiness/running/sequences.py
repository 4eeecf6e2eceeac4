"""The values of sequences, which no rollback restores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import sql

if TYPE_CHECKING:
    import psycopg

    Values = dict[str, tuple[int, bool]]

_SEQUENCES = """
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'S' AND c.relpersistence <> 't' ORDER BY n.nspname, c.relname
"""


class Sequences:
    """The sequences of a connection's database, with the values that they have now.

    Parameters:
        connection: in autocommit mode.
    """

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        names = connection.execute(_SEQUENCES.encode()).fetchall()
        one = sql.SQL("SELECT {}::text, last_value, is_called FROM {}")
        self._query = sql.SQL(" UNION ALL ").join(
            one.format(sql.Literal(name.as_string(connection)), name)
            for name in (sql.Identifier(schema, name) for schema, name in names)
        )
        self._any = bool(names)
        self.values = self.now()

    def now(self) -> Values:
        """For each sequence, its last value, and whether ``nextval`` has been called."""
        if not self._any:
            return {}
        return {name: (last, called) for name, last, called in self._connection.execute(self._query)}

    def restore(self) -> list[tuple[str, tuple[int, bool]]]:
        """Restore the value of each sequence that has moved.

        Returns:
            these sequences, with the values that they had.
        """
        moved = [(name, value) for name, value in self.now().items() if value != self.values[name]]
        for name, _ in moved:
            last, called = self.values[name]
            self._connection.execute("SELECT pg_catalog.setval(%s::regclass, %s, %s)", [name, last, called])
        return moved
