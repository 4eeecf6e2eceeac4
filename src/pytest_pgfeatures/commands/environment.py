"""Pass a server to a command: libpq's variables, DATABASE_URL, programs on PATH, placeholders in arguments."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.libpq import NO_FILE, without_libpq

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from pytest_pgfeatures.install import Install, Resolver
    from pytest_pgfeatures.server import Cluster

DBNAME = "postgres"
"""The database that the command connects to: the one that initdb creates."""
NO_PASSWORDS = {"PGPASSFILE": NO_FILE}
"""The password is in PGPASSWORD, if the servers have one."""
_BORROWABLE = ("psql", "pg_dump", "pgbench")


def command_environment(cluster: Cluster, tools: Iterable[Path] = ()) -> dict[str, str]:
    """Return our environment, with libpq's variables, DATABASE_URL, PG_CONFIG and PATH set for a server.

    Parameters:
        tools: directories of further programs, placed on PATH after the install's own.
    """
    config = cluster.install.bindir / "pg_config"
    search = [str(cluster.install.bindir), *map(str, tools), os.environ.get("PATH", os.defpath)]
    given = {
        "PGHOST": cluster.host,
        "PGPORT": str(cluster.port),
        "PGUSER": cluster.user,
        "PGDATABASE": DBNAME,
        "PGPASSWORD": cluster.password,
        "PG_CONFIG": str(config) if config.exists() else None,
        "DATABASE_URL": cluster.url(DBNAME),
        "PATH": os.pathsep.join(search),
    }
    return (
        without_libpq() | NO_PASSWORDS | {name: value for name, value in given.items() if value is not None}
    )


def substituted(argument: str, cluster: Cluster) -> str:
    """Return an argument with ``{version}``, ``{major}`` and ``{dsn}`` replaced by the server's values."""
    values: dict[str, Callable[[], str]] = {
        "{version}": lambda: str(cluster.version),
        "{major}": lambda: str(cluster.version.major),
        "{dsn}": lambda: cluster.dsn(DBNAME),
    }
    for name, value in values.items():
        if name in argument:
            argument = argument.replace(name, value())
    return argument


def borrowed_tools(install: Install, resolver: Resolver, cluster: Cluster) -> tuple[list[Path], str]:
    """Link missing client programs from other installs. Return the directories of links, and a list of programs."""
    lacking = [tool for tool in _BORROWABLE if not install.has(tool)]
    if not lacking:
        return [], ""
    tools = cluster.datadir.parent / "tools"
    tools.mkdir()
    tools.chmod(0o755)  # regardless of the umask
    lent: dict[str, list[str]] = {}
    for tool in lacking:
        try:
            lender = resolver.client(tool, install.version)
        except PgFeaturesError:
            continue  # the command may not need it; if it does, it will report it
        (tools / tool).symlink_to(lender.program(tool))
        lent.setdefault(str(lender.version), []).append(tool)
    return [tools], "; ".join(f"{', '.join(names)} of {version}" for version, names in lent.items())
