"""How our clusters are configured, and why.

Four groups. What is *merely fast* is set for every cluster: it gives up safety against a crash of the
operating system, and changes nothing a query or a plan can show. What is *plumbing* is where the server listens
and what its log lines look like. What *replication* needs is set where a test asks for a ``wal_level`` above
minimal. *Everything else stays at PostgreSQL's default of that major*, unless a test asks: autovacuum runs, jit
is as the major has it, checksums are as initdb has them.

initdb is given what would otherwise depend on the machine: the locale C with encoding UTF8, so that sort
order and messages are the same everywhere, the superuser's name ``postgres``, the time zone UTC.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.settings import for_version
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pgfeatures.version import PgVersion

USER = "postgres"
PORT = 5432
"""In a directory of its own, every server can have the same one."""


_EVERY_VERSION = VersionSet("all")


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that every cluster is given, on the majors that have it."""

    name: str
    value: str
    why: str
    versions: VersionSet = _EVERY_VERSION


MERELY_FAST: tuple[Setting, ...] = (
    Setting("fsync", "off", "the data directory does not outlive the test anyway"),
    Setting("wal_init_zero", "off", "no need to allocate WAL files ahead", VersionSet(">=12")),
)

PLUMBING: tuple[Setting, ...] = (
    Setting("port", str(PORT), "part of the socket's name"),
    Setting("log_line_prefix", "%m [%p] %q%d ", "the database tells one test's lines from another's"),
    Setting("logging_collector", "off", "the log is the server's standard error"),
    Setting("log_destination", "stderr", "the log is the server's standard error"),
)

OUR_WAY_IN = frozenset({"port", "unix_socket_directories"})

REPLICATION: tuple[Setting, ...] = (
    Setting("max_wal_senders", "10", "the default from 10 on", VersionSet("<10")),
    Setting("max_replication_slots", "10", "the default from 10 on", VersionSet("9.4..9.6")),
    Setting("hot_standby", "on", "the default from 10 on", VersionSet("<10")),
    Setting("wal_keep_segments", "32", "no slot there keeps the WAL of a new standby", VersionSet("<9.6")),
    Setting("wal_receiver_status_interval", "1s", "merely fast: 10s otherwise", VersionSet("<10")),
    Setting("wal_retrieve_retry_interval", "100ms", "merely fast: 5s otherwise", VersionSet(">=9.5")),
)
"""Given where a test asks for a ``wal_level`` with which a server can replicate."""

INITDB_OPTIONS: tuple[str, ...] = (
    f"--username={USER}",
    "--auth=trust",  # the socket's directory is private; TCP, where asked for, has a password
    "--encoding=UTF8",
    "--locale=C",
    "--nosync",
)
INITDB_ENVIRONMENT = {"TZ": "UTC", "LC_ALL": "C"}

_RENAMED_INITDB_OPTIONS = {"--nosync": "-N"}
"""9.3 to 9.6 spell it ``--nosync`` and 10 on ``--no-sync``; the short form is the same on all."""


def initdb_arguments(options: tuple[str, ...]) -> tuple[str, ...]:
    """initdb's arguments: ours, then the test's, which so take precedence."""
    return tuple(_RENAMED_INITDB_OPTIONS.get(option, option) for option in (*INITDB_OPTIONS, *options))


@dataclass(frozen=True, slots=True)
class Access:
    """Who connects to a cluster, and how.

    Parameters:
        tcp: whether the server listens on 127.0.0.1, beside its socket.
        user: the superuser's name.
        password: what TCP connections need; without one there are none.
        port: of TCP connections; None for any that is free.
        scram_iterations: how often the password is hashed, from 16 on; None for as often as by default
            (https://www.postgresql.org/docs/current/runtime-config-connection.html#GUC-SCRAM-ITERATIONS).
        pg_hba: lines of ``pg_hba.conf`` that come before ours, so that they count where they match
            (https://www.postgresql.org/docs/current/auth-pg-hba-conf.html). The superuser is trusted on the socket
            in any case.
    """

    tcp: bool = False
    user: str = USER
    password: str | None = None
    port: int | None = None
    scram_iterations: int | None = None
    pg_hba: tuple[str, ...] = ()

    @classmethod
    def by_tcp(cls, *, user: str = USER, password: str | None = None, port: int | None = None) -> Access:
        """TCP, with a random password where none is given."""
        return cls(tcp=True, user=user, password=password or secrets.token_urlsafe(24), port=port)

    @property
    def initdb_options(self) -> tuple[str, ...]:
        """What initdb has to know of it."""
        return () if self.user == USER else (f"--username={self.user}",)


SOCKET_ONLY = Access()


def configuration(
    version: PgVersion, socket_directory: Path, access: Access, settings: Mapping[str, str]
) -> str:
    """What is appended to ``postgresql.conf``.

    Parameters:
        version: the server's.
        socket_directory: where its socket is.
        access: whether it listens on 127.0.0.1, too.
        settings: the test's, under their newest names; they take precedence.

    Raises:
        ServerError: one of them is how the server is found, and not for others to set.
    """
    for name in OUR_WAY_IN & settings.keys():
        raise ServerError(
            f"the setting {name} is not for you to choose: it is how the server is found",
            remedy="take host and port from the cluster; ask for TCP with tcp=True, or --tcp",
        )
    ours = [*MERELY_FAST, *PLUMBING]
    if settings.get("wal_level", "minimal") != "minimal":
        ours += REPLICATION
    lines = [(setting.name, setting.value) for setting in ours if version in setting.versions]
    lines.append(("unix_socket_directories", str(socket_directory)))
    lines.append(("listen_addresses", "127.0.0.1" if access.tcp else ""))
    lines.extend(for_version(settings, version).items())
    return "".join(f"{name} = {quoted(value)}\n" for name, value in lines)


def quoted(value: str) -> str:
    """A value as ``postgresql.conf`` takes it
    (https://www.postgresql.org/docs/current/config-setting.html)."""
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


HAS_SCRAM = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
HAS_SCRAM_ITERATIONS = VersionSet(">=16")  # https://www.postgresql.org/docs/release/16.0/


def host_based_authentication(version: PgVersion, access: Access) -> str:
    """The text of ``pg_hba.conf``: trust on the private socket; a password over TCP, where others may connect."""
    superuser = '"' + access.user.replace('"', '""') + '"'
    lines = [f"local {database} {superuser} trust" for database in ("all", "replication")]
    lines += access.pg_hba
    lines += ["local all all trust", "local replication all trust"]
    if access.tcp:
        method = "scram-sha-256" if version in HAS_SCRAM else "md5"
        lines += [f"host {database} all 127.0.0.1/32 {method}" for database in ("all", "replication")]
    return "\n".join(lines) + "\n"
