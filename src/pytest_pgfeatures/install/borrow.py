"""Which client tools serve servers of older majors than their own."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_pgfeatures.version import PgVersion, VersionSet


@dataclass(frozen=True, slots=True)
class Lendable:
    """A client tool that works with servers of older majors.

    Parameters:
        tool: the program's name.
        servers: those that the tool of any newer major works with; tried with the tools of 14 to 19.
    """

    tool: str
    servers: VersionSet


LENDABLE: tuple[Lendable, ...] = (
    # https://www.postgresql.org/docs/current/app-psql.html, Notes
    Lendable("psql", VersionSet(">=9.3")),
    # https://www.postgresql.org/docs/current/app-pgdump.html, Notes
    Lendable("pg_dump", VersionSet(">=9.3")),
    Lendable("pg_dumpall", VersionSet(">=9.3")),
    # https://www.postgresql.org/docs/current/app-pgbasebackup.html, Notes
    Lendable("pg_basebackup", VersionSet(">=9.3")),
    Lendable("pg_receivewal", VersionSet(">=9.3")),
    # https://www.postgresql.org/docs/release/9.4.0/: logical decoding came with 9.4
    Lendable("pg_recvlogical", VersionSet(">=9.4")),
    Lendable("pgbench", VersionSet(">=9.3")),
)


def lenders(tool: str, server: PgVersion) -> VersionSet:
    """The versions of a tool that work with a server: of its own major, and for some tools of newer ones."""
    lends = any(lendable.tool == tool and server in lendable.servers for lendable in LENDABLE)
    return VersionSet(f">={server.major}" if lends else server.major)
