"""Dump a server's databases and restore them into another
(https://www.postgresql.org/docs/current/backup-dump.html)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.server.account_files import read_file, write_file

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Account, Install
    from pytest_pgfeatures.server.cluster import Cluster
    from pytest_pgfeatures.server.factory import Workshop


def dump(
    clusters: Workshop[Cluster], old: Cluster, new: Cluster, *, dbname: str | None, timeout: float
) -> None:
    """Dump from one running server and restore into another; see :meth:`Cluster.dump_to`."""
    script = clusters.directory("dump") / "dump.sql"
    newer = new.version.major == old.version.major or new.version > old.version
    tools = new.install if newer else old.install
    if not tools.has("pg_dump", "pg_dumpall", "psql"):
        tools = clusters.resolver.client("pg_dump", tools.version)
    if dbname is None:
        _run(clusters, old, tools, "pg_dumpall", "--file", script, timeout=timeout)
        _leave_out_superuser(script, new.user, clusters.account)
    else:
        _run(clusters, old, tools, "pg_dump", "--create", "--file", script, dbname, timeout=timeout)
    restore = ("--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--file", script, "--dbname", "postgres")
    _run(clusters, new, tools, "psql", *restore, timeout=timeout)
    script.unlink()


def dumped(
    clusters: Workshop[Cluster], cluster: Cluster, tools: Install, dbname: str, *, user: str, timeout: float
) -> tuple[str, str]:
    """Return the roles of a running server, and one of its databases, as scripts that pg_dumpall and pg_dump write.

    Parameters:
        user: the role that reads the database. A superuser would evaluate the expressions in keys of partitions.
        tools: an install with both programs; if it has none, a still newer install's programs are used.

    Raises:
        PgFeaturesError: there is no such program, or it fails.
        WaitTimeoutError: it did not end in time.
    """
    if not tools.has("pg_dump", "pg_dumpall"):
        tools = clusters.resolver.client("pg_dump", tools.version)
    scripts = []
    for tool, reader, arguments in (
        ("pg_dumpall", cluster.user, ("--globals-only",)),
        ("pg_dump", user, ("--encoding=UTF8", dbname)),
    ):
        script = clusters.directory("dump") / f"{tool}.sql"
        _run(clusters, cluster, tools, tool, "--file", script, *arguments, user=reader, timeout=timeout)
        scripts.append(read_file(script, clusters.account).decode("utf-8", "surrogateescape"))
        script.unlink()
    return scripts[0], scripts[1]


def dumped_schema(
    clusters: Workshop[Cluster], cluster: Cluster, dbname: str, *, user: str, timeout: float
) -> str:
    """Return the output of pg_dump --schema-only for a database of a running server.

    Parameters:
        user: the role that pg_dump connects as.

    Raises:
        PgFeaturesError: no install has a pg_dump for this server, or it fails.
        WaitTimeoutError: it did not end in time.
    """
    tools = clusters.resolver.client("pg_dump", cluster.version)
    arguments = ("--schema-only", "--no-owner", "--encoding=UTF8", dbname)
    return _run(clusters, cluster, tools, "pg_dump", *arguments, user=user, timeout=timeout)


def _run(
    clusters: Workshop[Cluster],
    cluster: Cluster,
    tools: Install,
    tool: str,
    *arguments: str | Path,
    user: str | None = None,
    timeout: float,
) -> str:
    connection = cluster.connection_environment() | ({"PGUSER": user} if user else {})
    ended = clusters.run(
        [tools.program(tool), *arguments],
        environment=program_environment(tools) | connection,
        timeout=timeout,
    )
    if ended.status != 0:
        raise ServerError(
            f"{tool} of {tools.version} on {cluster.name} (PostgreSQL {cluster.version}) "
            f"ended with status {ended.status}",
            details=tuple(ended.output.splitlines()[-20:]),
            remedy="see what it printed, and the server's log",
        )
    return ended.output


def _leave_out_superuser(script: Path, name: str, account: Account | None) -> None:
    """Comment out the lines that create the restoring role and set its password: initdb created it, and psql
    connects again for each database."""
    quoted = name if name.isidentifier() and name.islower() else '"' + name.replace('"', '""') + '"'
    dumped = read_file(script, account)
    for line in (f"\nCREATE ROLE {quoted};\n", f"\nALTER ROLE {quoted} WITH "):
        dumped = dumped.replace(line.encode(), b"\n--" + line[1:].encode(), 1)
    write_file(script, dumped, account)
