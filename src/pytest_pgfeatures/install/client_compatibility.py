"""The client programs that work with servers of older majors."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_pgfeatures.version import PgVersion, VersionSet


@dataclass(frozen=True, slots=True)
class CompatibleClient:
    """A client program that works with servers of older majors.

    Parameters:
        program: its name.
        servers: the servers that the program of any newer major works with; tested with the programs of 14 to
            19.
    """

    program: str
    servers: VersionSet


COMPATIBLE_CLIENTS: tuple[CompatibleClient, ...] = (
    # https://www.postgresql.org/docs/current/app-psql.html, Notes
    CompatibleClient("psql", VersionSet(">=9.3")),
    # https://www.postgresql.org/docs/current/app-pgdump.html, Notes
    CompatibleClient("pg_dump", VersionSet(">=9.3")),
    CompatibleClient("pg_dumpall", VersionSet(">=9.3")),
    # https://www.postgresql.org/docs/current/app-pgbasebackup.html, Notes
    CompatibleClient("pg_basebackup", VersionSet(">=9.3")),
    CompatibleClient("pg_receivewal", VersionSet(">=9.3")),
    # https://www.postgresql.org/docs/release/9.4.0/: logical decoding came with 9.4
    CompatibleClient("pg_recvlogical", VersionSet(">=9.4")),
    CompatibleClient("pgbench", VersionSet(">=9.3")),
)


def client_versions(program: str, server: PgVersion) -> VersionSet:
    """The versions of a client program that work with a server: its own major's, and for some programs newer ones.

    Parameters:
        program: such as ``psql``.
        server: the server's version.
    """
    compatible = any(client.program == program and server in client.servers for client in COMPATIBLE_CLIENTS)
    return VersionSet(f">={server.major}" if compatible else server.major)
