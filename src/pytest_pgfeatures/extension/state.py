"""The state of a server's databases, to compare it with another server's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.model import Object, StageError
from pytest_pgfeatures.extension.objects import cut, difference, extension_versions, members
from pytest_pgfeatures.extension.rows import Owned, owned_rows, rows, together

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    import psycopg

_DATABASES = "SELECT datname FROM pg_database WHERE datallowconn AND datname <> 'template1' ORDER BY 1"


@dataclass(frozen=True, slots=True)
class Fresh:
    """The objects that CREATE EXTENSION creates in a fresh database of one major.

    Parameters:
        versions: the versions of the extensions, and of the extensions that they require.
        members: the extensions' objects, by extension.
        owned: the extensions' tables and sequences, by extension and name.
        varying: the tables whose rows differ between two runs of CREATE EXTENSION, such as times from ``now()``.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    owned: Mapping[tuple[str, str], Owned] = field(default_factory=dict)
    varying: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences of a database from another.

    Parameters:
        failed: tables and sequences with wrong contents.
        lost: descriptions of the losses, intended or not.
    """

    failed: tuple[Object, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The contents of a server's databases.

    Parameters:
        rows: for each database, the rows of its tables and sequences.
        owned: for each database, the tables and sequences that belong to extensions.
        versions: for each database, the versions of its extensions.
        members: for each database, the objects of the tested extensions.
    """

    rows: Mapping[str, Mapping[str, str]]
    owned: Mapping[str, Mapping[str, Owned]]
    versions: Mapping[str, Mapping[str, str]]
    members: Mapping[str, Mapping[str, tuple[str, ...]]]

    @classmethod
    def of(cls, connect: Callable[[str], psycopg.Connection], names: Collection[str]) -> State:
        """Read the state of a server.

        Parameters:
            connect: opens a connection to one of its databases.
            names: the tested extensions.
        """
        found: dict[str, dict[str, str]] = {}
        owned: dict[str, dict[str, Owned]] = {}
        versions: dict[str, dict[str, str]] = {}
        objects: dict[str, dict[str, tuple[str, ...]]] = {}
        with connect("postgres") as connection:
            dbnames = [dbname for (dbname,) in connection.execute(_DATABASES).fetchall()]
        for dbname in dbnames:
            with connect(dbname) as connection:
                found[dbname] = rows(connection)
                versions[dbname] = extension_versions(connection)
                tried = [name for name in versions[dbname] if name in names]
                owned[dbname] = owned_rows(connection, tried)
                objects[dbname] = {name: members(connection, name) for name in tried}
        return cls(found, owned, versions, objects)

    def check(self, other: State, where: str, created_by: Fresh | None = None) -> Compared:
        """Check that another server has the same state.

        Parameters:
            where: the place where the other state was found, for messages.
            created_by: the objects that CREATE EXTENSION created there; restoring a dump runs it. Then
                versions and objects must be those of that major, and the extensions' tables must have its
                rows and the dumped ones.

        Raises:
            StageError: extensions or their objects differ.
        """
        failed: dict[str, Object] = {}
        lost: dict[str, None] = {}
        for dbname in self.rows:
            for differing in self._tables(dbname, other, where, created_by):
                if isinstance(differing, str):
                    lost.setdefault(differing)
                else:
                    failed.setdefault(differing.id, differing)
            self._check_extensions(dbname, other, where, created_by)
        return Compared(tuple(failed.values()), tuple(lost))

    def _tables(
        self, dbname: str, other: State, where: str, created_by: Fresh | None
    ) -> Iterator[Object | str]:
        found = other.rows.get(dbname, {})
        owned = self.owned[dbname]
        for name in sorted(self.rows[dbname].keys() | found.keys()):
            before, after = self.rows[dbname].get(name, ""), found.get(name, "")
            mine = owned.get(name) if created_by is not None else None
            if mine is None or created_by is None:
                expected, kind = before, "table"
            else:
                expected, kind = (
                    _restored(mine, created_by, after),
                    "sequence" if mine.is_sequence else "table",
                )
                if before != after and mine.used_by and owned[mine.used_by].dumped:
                    yield Object(
                        f"sequence:{name}",
                        f"the sequence {name} of the configuration table {mine.used_by} loses its value {where}",
                        (*cut(difference({name: before}, {name: after}, ("before", where))), _SEQUENCE),
                    )
                    continue
            if expected != after:
                yield Object(
                    f"{kind}:{name}",
                    f"the data of {name} in {dbname} differ {where}",
                    cut(difference({name: expected}, {name: after}, ("expected", where))),
                )
            elif mine is not None and before != after and not mine.is_sequence:
                why = "it is no configuration table" if mine.condition is None else f"not {mine.condition}"
                yield f"{name} does not keep rows: {why}"

    def _check_extensions(self, dbname: str, other: State, where: str, created_by: Fresh | None) -> None:
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
                missing, gained = sorted({*had} - {*found}), sorted({*found} - {*had})
                raise StageError(
                    f"the objects of {name} differ {where}",
                    (*(f"- {entry}" for entry in missing), *(f"+ {entry}" for entry in gained)),
                )


_SEQUENCE = (
    "the next row would take a number that is in use; what to do: "
    "SELECT pg_extension_config_dump('SEQUENCE', '') in the script"
)


def _restored(mine: Owned, created_by: Fresh, after: str) -> str:
    """The rows that CREATE EXTENSION creates, and those that pg_dump dumps."""
    key = mine.extension, mine.name
    fresh = created_by.owned.get(key)
    initial = fresh.left_out if fresh else ""
    if key in created_by.varying:  # rows with now() may differ
        count = len(initial.splitlines()) + len(mine.dumped.splitlines())
        return after if len(after.splitlines()) == count else together(initial, mine.dumped)
    if mine.is_sequence:
        return initial if mine.condition is None else mine.dumped
    return together(initial, mine.dumped)
