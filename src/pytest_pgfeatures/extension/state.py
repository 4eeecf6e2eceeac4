"""The state of a server's databases, to compare it with another server's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.model import StageError
from pytest_pgfeatures.extension.objects import data, difference, extension_versions, members

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    import psycopg

_LINES = 120
_DATABASES = "SELECT datname FROM pg_database WHERE datallowconn AND datname <> 'template1' ORDER BY 1"


@dataclass(frozen=True, slots=True)
class Fresh:
    """What CREATE EXTENSION creates in a fresh database of one major.

    Parameters:
        versions: of the extensions, and of those that they require.
        members: the extensions' objects, by extension.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """What a server's databases have.

    Parameters:
        data: the rows of each database's tables and sequences.
        versions: of each database's extensions.
        members: of each database's extensions that are tried.
    """

    data: Mapping[str, Mapping[str, str]]
    versions: Mapping[str, Mapping[str, str]]
    members: Mapping[str, Mapping[str, tuple[str, ...]]]

    @classmethod
    def of(cls, connect: Callable[[str], psycopg.Connection], names: Collection[str]) -> State:
        """The state of a server.

        Parameters:
            connect: opens a connection to one of its databases.
            names: the extensions that are tried.
        """
        rows, versions, objects = {}, {}, {}
        with connect("postgres") as connection:
            dbnames = [dbname for (dbname,) in connection.execute(_DATABASES).fetchall()]
        for dbname in dbnames:
            with connect(dbname) as connection:
                rows[dbname] = data(connection)
                versions[dbname] = extension_versions(connection)
                tried = [name for name in versions[dbname] if name in names]
                objects[dbname] = {name: members(connection, name) for name in tried}
        return cls(rows, versions, objects)

    def check(self, other: State, where: str, created_by: Fresh | None = None) -> None:
        """Check that another server has the same state.

        Parameters:
            where: it was found.
            created_by: what CREATE EXTENSION made there, as it does after a dump: versions and objects are that
                major's own.

        Raises:
            StageError: it differs.
        """
        for dbname, rows in self.data.items():
            if lines := difference(rows, other.data.get(dbname, {}), ("before", where)):
                raise StageError(f"the data of {dbname} differ {where}", tuple(lines[:_LINES]))
            expected = self.versions[dbname]
            if created_by is not None:
                expected = {name: created_by.versions.get(name, old) for name, old in expected.items()}
            if expected != other.versions.get(dbname):
                raise StageError(
                    f"the extensions of {dbname} differ {where}",
                    (f"expected: {expected}", f"{where}: {other.versions.get(dbname)}"),
                )
            for name, found in other.members[dbname].items():
                had = created_by.members[name] if created_by is not None else self.members[dbname][name]
                if had != found:
                    lost, gained = sorted({*had} - {*found}), sorted({*found} - {*had})
                    raise StageError(
                        f"the objects of {name} differ {where}",
                        (*(f"- {entry}" for entry in lost), *(f"+ {entry}" for entry in gained)),
                    )
