"""The configuration of clusters, with reasons.

There are four groups of settings. Those for *speed* are set for every cluster: they give up safety against a
crash of the operating system, and change no result and no plan. *Plumbing* says where the server listens and
what its log lines look like. Settings for *replication* are set if a test requests a ``wal_level`` above
minimal. *Everything else keeps the default of that major* unless a test sets it: autovacuum runs, and jit and
checksums are what the major's defaults are.

initdb's options fix what would otherwise depend on the machine: the locale C with encoding UTF8, so that sort
order and messages are the same everywhere; the superuser ``postgres``; and the time zone UTC.
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
"""Each server has its own socket directory, so all can use the same port."""


_EVERY_VERSION = VersionSet("all")


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of every cluster, on the majors that have it."""

    name: str
    value: str
    why: str
    versions: VersionSet = _EVERY_VERSION


MERELY_FAST: tuple[Setting, ...] = (
    Setting("fsync", "off", "the data directory does not outlive the test anyway"),
    Setting("wal_buffers", "512kB", "filling the default's 4MB with zeros is a tenth of a start's work"),
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
"""Set if a test requests a ``wal_level`` that allows replication."""

INITDB_OPTIONS: tuple[str, ...] = (
    f"--username={USER}",
    "--auth=trust",  # the socket's directory is private; TCP, if requested, has a password
    "--encoding=UTF8",
    "--locale=C",
    "--nosync",
)
INITDB_ENVIRONMENT = {"TZ": "UTC", "LC_ALL": "C"}

_RENAMED_INITDB_OPTIONS = {"--nosync": "-N"}
"""9.3 to 9.6 spell it ``--nosync`` and 10 on ``--no-sync``; the short form is the same on all."""


def initdb_arguments(options: tuple[str, ...]) -> tuple[str, ...]:
    """initdb's arguments: the defaults, then the test's, which take precedence."""
    return tuple(_RENAMED_INITDB_OPTIONS.get(option, option) for option in (*INITDB_OPTIONS, *options))


@dataclass(frozen=True, slots=True)
class Access:
    """The roles that can connect to a cluster, and how they connect.

    Parameters:
        tcp: whether the server also listens on 127.0.0.1.
        user: the superuser's name.
        password: the superuser's, for TCP; without one, there are no TCP connections.
        port: the TCP port; None for any free port.
        scram_iterations: how often the password is hashed, from 16 on; None for the default
            (https://www.postgresql.org/docs/current/runtime-config-connection.html#GUC-SCRAM-ITERATIONS).
        inside: whether libpq in the server, in extensions such as dblink and PL/Proxy, connects to the server by
            default: its socket directory, and for ``host=127.0.0.1`` port and password, are in its environment.
        pg_hba: lines of ``pg_hba.conf`` that come before the default ones, so that the first match counts
            (https://www.postgresql.org/docs/current/auth-pg-hba-conf.html). The superuser is trusted on the socket
            in any case.
    """

    tcp: bool = False
    user: str = USER
    password: str | None = None
    port: int | None = None
    scram_iterations: int | None = None
    inside: bool = False
    pg_hba: tuple[str, ...] = ()

    @classmethod
    def by_tcp(
        cls,
        *,
        user: str = USER,
        password: str | None = None,
        port: int | None = None,
        inside: bool = False,
    ) -> Access:
        """Access by TCP, with a random password if none is given."""
        password = password or secrets.token_urlsafe(24)
        return cls(tcp=True, user=user, password=password, port=port, inside=inside)

    @property
    def initdb_options(self) -> tuple[str, ...]:
        """The initdb options that it needs."""
        return () if self.user == USER else (f"--username={self.user}",)


SOCKET_ONLY = Access()


def configuration(
    version: PgVersion, socket_directory: Path, access: Access, settings: Mapping[str, str]
) -> str:
    """The lines to append to ``postgresql.conf``.

    Parameters:
        version: the server's version.
        socket_directory: the directory of its socket.
        access: whether it listens on 127.0.0.1, too.
        settings: the test's settings, under their newest names; they take precedence.

    Raises:
        ServerError: a setting determines where the server listens, which tests can't choose.
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
    """A value, quoted for ``postgresql.conf`` (https://www.postgresql.org/docs/current/config-setting.html)."""
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


HAS_SCRAM = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
HAS_SCRAM_ITERATIONS = VersionSet(">=16")  # https://www.postgresql.org/docs/release/16.0/


def host_based_authentication(version: PgVersion, access: Access) -> str:
    """The text of ``pg_hba.conf``: trust on the private socket, a password over TCP."""
    superuser = '"' + access.user.replace('"', '""') + '"'
    lines = [f"local {database} {superuser} trust" for database in ("all", "replication")]
    lines += access.pg_hba
    lines += ["local all all trust", "local replication all trust"]
    if access.tcp:
        method = "scram-sha-256" if version in HAS_SCRAM else "md5"
        lines += [f"host {database} all 127.0.0.1/32 {method}" for database in ("all", "replication")]
    return "\n".join(lines) + "\n"
