"""Restore statistics on a server, so that it plans as production does, without production's data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError, StatisticsError
from pytest_pgfeatures.plan.transplanted import MARK
from pytest_pgfeatures.scripts.load import load
from pytest_pgfeatures.scripts.privileges import CLEAN_SESSION, Definer, hand_over
from pytest_pgfeatures.settings import exists, name_for
from pytest_pgfeatures.statistics.btree import height_of
from pytest_pgfeatures.statistics.differences import differences, places
from pytest_pgfeatures.statistics.entries import Entries, entries_of
from pytest_pgfeatures.statistics.extended_placing import put_extended
from pytest_pgfeatures.statistics.locales import NO_ICU, another_locale, create_database
from pytest_pgfeatures.statistics.model import BLOCK
from pytest_pgfeatures.statistics.placing import put
from pytest_pgfeatures.statistics.sizes import Sized, check_sparse, resize
from pytest_pgfeatures.statistics.types import Types
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.statistics.differences import Counterpart
    from pytest_pgfeatures.statistics.model import RelationStatistics, Statistics

DBNAME = "transplant"
LOADER = "pgfeatures_loader"
"""The role that loads the schema, and owns the objects that the superuser owns in production."""
_SESSION = (
    "SET search_path = pg_catalog",
    "SET DateStyle = ISO",
    "SET IntervalStyle = postgres",
    "SET TimeZone = 'UTC'",
    "SET client_min_messages = warning",
)
_VARIABLE_WIDTH = 16
"""The width of an index's key in bytes, if no statistics show it."""


@dataclass(frozen=True, slots=True)
class Transplant:
    """A database that plans as production does.

    Parameters:
        dbname: the database's name.
        relations: the number of relations with production's statistics and size.
        size: the size of these relations, in bytes; they take next to nothing on disk.
        problems: objects that could not be restored, and differences from production, one line each.
    """

    dbname: str
    relations: int
    size: int
    problems: tuple[str, ...] = ()


def transplant(
    cluster: Cluster,
    statistics: Statistics,
    *,
    dbname: str = DBNAME,
    partial: bool = False,
    trust: bool = False,
) -> Transplant:
    """Give a database of a server the statistics and sizes of production's. The server is restarted.

    EXPLAIN then shows production's plans. Nothing can be executed there: tables are sparse files. Autovacuum
    is switched off, because it would read them.

    Parameters:
        cluster: a server that nobody else uses: all its sessions end.
        statistics: production's statistics, as :func:`~pytest_pgfeatures.statistics.document.read_statistics`
            reads them.
        dbname: the database. If it does not exist, it is created, and gets the schema of the statistics.
        partial: if the schema differs, restore the matching objects. By default, a difference is an error.
        trust: load the schema as superuser. By default an ordinary role loads it, so that its code can't
            reach a file, a program or another host.

    Raises:
        StatisticsError: the statistics have no schema, or one that differs from the database's; or the disk has no
            sparse files.
        ScriptError: the server refuses the schema.
    """
    check_sparse(cluster.datadir, statistics.bytes, cluster.account)
    _create(cluster, statistics, dbname, trust=trust)
    role = None if trust else _owner(cluster, dbname)
    with _session(cluster, dbname, None) as connection, _session(cluster, dbname, role) as owner:
        found = places(connection, owner)
        differing = differences(statistics, found)
        if differing and not partial:
            raise StatisticsError(
                f"the statistics of {statistics.dbname} are of another schema than the database {dbname} has",
                details=tuple(differing),
                remedy="export the statistics again, or load the schema that they are of",
            )
        known = [
            (relation, found[relation.key])
            for relation in statistics.relations
            if relation.key in found and found[relation.key].kind == relation.kind
        ]
        types = Types(connection, trusted=role is None)
        problems = [
            *another_locale(connection, statistics),
            *differing,
            *put(connection, owner, known, types),
        ]
        problems += put_extended(connection, owner, statistics.extended, found, types)
        problems += _settings(owner, statistics)
        _set(connection, MARK, f"{statistics.dbname} {statistics.version}")
        entries = entries_of(connection, known, types)
        checksums = connection.execute("SHOW data_checksums").fetchone() == ("on",)
    cluster.append_conf(autovacuum=False)
    cluster.stop()
    resize(_files(cluster, statistics, known, entries), cluster.account, checksums=checksums)
    cluster.start()
    size = BLOCK * sum(relation.pages for relation, _ in known)
    return Transplant(dbname, len(known), size, tuple(dict.fromkeys(problems)))


def _owner(cluster: Cluster, dbname: str) -> str | None:
    """The role that may run a database's code as its own: the database's owner; None for a superuser."""
    query = """
        SELECT r.rolname::text FROM pg_catalog.pg_database d JOIN pg_catalog.pg_roles r ON r.oid = d.datdba
         WHERE d.datname = %s AND r.rolcanlogin AND NOT r.rolsuper
    """
    rows = cluster.sql(query, [dbname])
    return str(rows[0][0]) if rows else None


def connect_as(cluster: Cluster, dbname: str, role: str | None, **options: Any) -> psycopg.Connection:
    """Connect by the socket, which needs no password, as a role; as superuser for None."""
    if role is not None:
        options |= {"user": role, "host": str(cluster.socket_directory), "password": ""}
    return cluster.connect(dbname, prepare_threshold=None, **options)


def _session(cluster: Cluster, dbname: str, role: str | None) -> psycopg.Connection:
    connection = connect_as(cluster, dbname, role, options=CLEAN_SESSION)
    for setting in _SESSION:
        connection.execute(setting.encode())
    return connection


def _create(cluster: Cluster, statistics: Statistics, dbname: str, *, trust: bool) -> None:
    """Create the database with production's schema, unless it exists."""
    if cluster.sql("SELECT 1 FROM pg_database WHERE datname = %s", [dbname]):
        return
    if statistics.schema is None:
        raise StatisticsError(
            f"the statistics of {statistics.dbname} have no schema",
            details=statistics.unseen,
            remedy=f"load it into the database {dbname} first, and transplant then",
        )
    create_database(cluster, statistics, dbname)
    roles = {name for (name,) in cluster.sql("SELECT rolname FROM pg_roles")}
    with cluster.connect(dbname, options=CLEAN_SESSION) as superuser:
        hand_over(superuser, trusted=trust, role=LOADER)
        definer = Definer(superuser, LOADER)
        for role in statistics.roles:
            if role in roles:
                continue
            if trust:  # a definer would give the schema the loading role's rights
                superuser.execute(psycopg.sql.SQL("CREATE ROLE {}").format(psycopg.sql.Identifier(role)))
            else:
                definer.create_role(role)
        try:
            with connect_as(cluster, dbname, LOADER) as connection:
                load(connection, statistics.schema, definer=None if trust else definer)
        except PgFeaturesError as error:
            superuser.close()
            with cluster.connect() as other:
                other.execute(psycopg.sql.SQL("DROP DATABASE {}").format(psycopg.sql.Identifier(dbname)))
            if NO_ICU in error.problem:
                raise StatisticsError(
                    f"the schema has a collation of ICU, and {cluster.name} is built without it",
                    details=(error.problem,),
                    remedy='name an install that has it, as --pg maven:18 does, or @pytest.mark.pg(needs=["icu"])',
                ) from None
            raise


def _settings(owner: psycopg.Connection, statistics: Statistics) -> list[str]:
    """Set production's settings for the database, as far as its owner may change them."""
    version = PgVersion.from_num(owner.info.server_version)
    refused = []
    for name, value in statistics.settings:
        here = name_for(name, version) if exists(name, version) else name
        try:
            _set(owner, here, value)
        except psycopg.Error as error:
            refused.append(f"setting {name} = {value}: {error.diag.message_primary}")
    return refused


def _set(connection: psycopg.Connection, name: str, value: str) -> None:
    statement = psycopg.sql.SQL("ALTER DATABASE {} SET {} = {}").format(
        psycopg.sql.Identifier(connection.info.dbname), psycopg.sql.Identifier(*name.split(".")), value
    )
    connection.execute(statement)


def _files(
    cluster: Cluster,
    statistics: Statistics,
    known: list[tuple[RelationStatistics, Counterpart]],
    entries: Entries,
) -> list[Sized]:
    widths = {
        (relation.schema, column.name): column.avg_width
        for relation in statistics.relations
        for column in relation.columns
        if relation.kind != "i"
    }
    return [
        Sized(
            cluster.datadir / place.path,
            relation.pages * BLOCK,
            height_of(relation, _key_width(relation, place, widths)) if relation.method == "btree" else None,
            relation.method,
            relation.counts,
            entries.of.get(place.oid, ()),
            place.oid in entries.tables,
        )
        for relation, place in known
        if place.path is not None and relation.pages
    ]


def _key_width(
    relation: RelationStatistics, place: Counterpart, widths: Mapping[tuple[str, str], int]
) -> int:
    """The width of an index's keys: its columns have the names of the table's columns, and its expressions
    have statistics."""
    own = {column.name: column.avg_width for column in relation.columns}
    return sum(
        own.get(name) or widths.get((relation.schema, name), _VARIABLE_WIDTH) for name in place.columns
    )
