"""The contents that an upgrade has to preserve: rows, sequences, roles and settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.running.contents import all_contents, sequences
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

    from pytest_pgfeatures.readiness.running.contents import Contents

_OTHERS = """
SELECT 'role ' || rolname, concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin,
    rolreplication, {bypassrls} rolconnlimit, rolvaliduntil, md5(rolpassword),
    (SELECT string_agg(g.rolname, ',' ORDER BY g.rolname) FROM pg_catalog.pg_auth_members m
     JOIN pg_catalog.pg_authid g ON g.oid = m.roleid WHERE m.member = a.oid))
FROM pg_catalog.pg_authid a WHERE rolname !~ '^pg_'
UNION ALL
SELECT 'settings of ' || concat_ws(' in ', coalesce('role ' || r.rolname, 'all roles'), 'database ' || d.datname),
    array_to_string(array(SELECT unnest(s.setconfig) ORDER BY 1), ', ')
FROM pg_catalog.pg_db_role_setting s
LEFT JOIN pg_catalog.pg_authid r ON r.oid = s.setrole
LEFT JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
"""
_HAS_BYPASSRLS = VersionSet(">=9.5")  # https://www.postgresql.org/docs/release/9.5.0/


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The contents of a database and its server.

    Parameters:
        contents: the contents of each table, by its name.
        others: sequences, roles, and settings of ALTER ROLE ... SET and ALTER DATABASE ... SET, each as a text.
    """

    contents: dict[str, Contents]
    others: dict[str, str]

    @classmethod
    def of(cls, connection: psycopg.Connection, superuser: psycopg.Connection) -> Snapshot:
        """Take a snapshot.

        Parameters:
            connection: a connection of the role that loaded the database, in autocommit mode; it reads the rows.
            superuser: a superuser's, in autocommit mode; it reads the roles.
        """
        version = PgVersion.from_num(connection.info.server_version)
        bypassrls = "rolbypassrls," if version in _HAS_BYPASSRLS else "false,"
        others = {f"sequence {name}": str(value) for name, value in sequences(connection).items()}
        others |= dict(superuser.execute(_OTHERS.format(bypassrls=bypassrls).encode()).fetchall())
        return cls(all_contents(connection), others)

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
        for name, value in self.others.items():
            if name not in after.others:
                yield name, "missing"
            elif after.others[name] != value:
                yield (
                    name,
                    "not as it was"
                    + ("" if name.startswith("role") else f": {value} -> {after.others[name]}"),
                )
