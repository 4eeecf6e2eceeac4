"""The client programs that work with servers of older majors."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_pgfeatures.version import PgVersion, VersionSet


@dataclass(frozen=True, slots=True)
class CompatibleClient:
    """A client program that works with servers of older majors.

    Parameters:
        program: the program's name.
        servers: the servers that the program of a newer major works with; tested with the programs of 14 to 19.
            Sets of versions are text here, because this table is read while the first test waits.
        programs: the versions of the program for which this holds.
    """

    program: str
    servers: str
    programs: str = "all"


COMPATIBLE_CLIENTS: tuple[CompatibleClient, ...] = (
    # https://www.postgresql.org/docs/current/app-psql.html, Notes
    CompatibleClient("psql", ">=9.3"),
    # https://www.postgresql.org/docs/current/app-pgdump.html, Notes
    CompatibleClient("pg_dump", ">=9.3"),
    CompatibleClient("pg_dumpall", ">=9.3"),
    # https://www.postgresql.org/docs/current/app-pgbasebackup.html, Notes
    CompatibleClient("pg_basebackup", ">=9.3"),
    CompatibleClient("pg_receivewal", ">=9.3"),
    # https://www.postgresql.org/docs/release/9.4.0/: logical decoding came with 9.4
    CompatibleClient("pg_recvlogical", ">=9.4"),
    CompatibleClient("pgbench", ">=9.3"),
    # It sets parameters that older servers do not know: idle_in_transaction_session_timeout came with 9.6,
    # transaction_timeout, which the program of 17 sets, with 17.
    CompatibleClient("pg_restore", ">=9.6", "<17"),
    # https://www.postgresql.org/docs/current/app-createdb.html and their own pages: wrappers around SQL commands
    CompatibleClient("createdb", ">=9.3"),
    CompatibleClient("dropdb", ">=9.3"),
    # https://www.postgresql.org/docs/release/9.5.0/: it says NOBYPASSRLS, which came with 9.5
    CompatibleClient("createuser", ">=9.5"),
    CompatibleClient("dropuser", ">=9.3"),
    CompatibleClient("clusterdb", ">=9.3"),
    CompatibleClient("reindexdb", ">=9.3"),
    CompatibleClient("vacuumdb", ">=9.3"),
    # https://www.postgresql.org/docs/current/app-pg-isready.html: it only asks whether a server takes connections
    CompatibleClient("pg_isready", ">=9.3"),
)


def client_versions(program: str, server: PgVersion) -> VersionSet:
    """The versions of a client program that work with a server: its own major's, and for some programs newer ones.

    Parameters:
        program: such as ``psql``.
        server: the server's version.
    """
    own = VersionSet(server.major)
    for client in COMPATIBLE_CLIENTS:
        if client.program == program and server in VersionSet(client.servers):
            return own | (VersionSet(f">={server.major}") & VersionSet(client.programs))
    return own
