"""The contents that an upgrade has to preserve: rows, sequences, roles and settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.running.contents import all_contents
from pytest_pgfeatures.readiness.running.sequences import Sequences
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

    from pytest_pgfeatures.readiness.running.contents import Contents
    from pytest_pgfeatures.readiness.running.sequences import Values

_ROLES = """
SELECT rolname::text, concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
    {bypassrls} rolconnlimit, rolvaliduntil, md5(rolpassword),
    (SELECT string_agg(g.rolname, ',' ORDER BY g.rolname) FROM pg_catalog.pg_auth_members m
     JOIN pg_catalog.pg_authid g ON g.oid = m.roleid WHERE m.member = a.oid))
FROM pg_catalog.pg_authid a WHERE rolname !~ '^pg_'
"""
_HAS_BYPASSRLS = VersionSet(">=9.5")  # https://www.postgresql.org/docs/release/9.5.0/
_SETTINGS = """
SELECT concat_ws(' in ', coalesce('role ' || r.rolname, 'all roles'), 'database ' || d.datname),
    array_to_string(array(SELECT unnest(s.setconfig) ORDER BY 1), ', ')
FROM pg_catalog.pg_db_role_setting s
LEFT JOIN pg_catalog.pg_authid r ON r.oid = s.setrole
LEFT JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The contents of a database and its server.

    Parameters:
        contents: the contents of each table, by its name.
        sequences: the values of sequences.
        roles: the properties of roles, as one text each.
        settings: the settings of ALTER ROLE ... SET and ALTER DATABASE ... SET.
    """

    contents: dict[str, Contents]
    sequences: Values
    roles: dict[str, str]
    settings: dict[str, str]

    @classmethod
    def of(cls, connection: psycopg.Connection, superuser: psycopg.Connection) -> Snapshot:
        """Take a snapshot.

        Parameters:
            connection: a connection of the role that loaded the database, in autocommit mode; it reads the rows.
            superuser: a superuser's, in autocommit mode; it reads the roles.
        """
        version = PgVersion.from_num(connection.info.server_version)
        bypassrls = "rolbypassrls," if version in _HAS_BYPASSRLS else "false,"
        return cls(
            {str(table): contents for table, contents in all_contents(connection).items()},
            Sequences(connection).values,
            dict(superuser.execute(_ROLES.format(bypassrls=bypassrls).encode()).fetchall()),
            dict(superuser.execute(_SETTINGS.encode()).fetchall()),
        )

    def lost(self, after: Snapshot) -> Iterator[tuple[str, str]]:
        """Objects that an upgrade lost or changed, each with the difference."""
        for table, contents in self.contents.items():
            there = after.contents.get(table)
            if there is None:
                yield f"table {table}", "it is missing"
            elif there.rows != contents.rows:
                yield f"table {table}", f"it has {there.rows} rows, and had {contents.rows}"
            elif columns := contents.differences(there):
                yield f"table {table}", f"other values, or another text of them, in {', '.join(columns)}"
        pairs = (
            ("sequence", self.sequences, after.sequences),
            ("role", self.roles, after.roles),
            ("settings of", self.settings, after.settings),
        )
        for kind, ours, theirs in pairs:
            for name, value in ours.items():
                if name not in theirs:
                    yield f"{kind} {name}", "missing"
                elif theirs[name] != value:
                    change = "" if kind == "role" else f": {value} -> {theirs[name]}"
                    yield f"{kind} {name}", f"not as it was{change}"
