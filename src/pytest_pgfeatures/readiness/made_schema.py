"""The schema that the commands of ``--setup`` have made, as statements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.server import Cluster, Clusters

FILE = "--setup"
"""What findings name in place of a file. Lines are those of the dump."""


def made_schema(clusters: Clusters, cluster: Cluster, dbname: str, *, timeout: float) -> tuple[Query, ...]:
    """Return the definitions in a database, as pg_dump writes them.

    Parameters:
        timeout: of pg_dump, in seconds.

    Raises:
        PgFeaturesError: no install has a pg_dump for this server, or it fails.
        WaitTimeoutError: it did not end in time.
    """
    tools = clusters.resolver.client("pg_dump", cluster.version)
    arguments = ("--schema-only", "--no-owner", "--encoding=UTF8", dbname)
    ended = clusters.run(
        [tools.program("pg_dump"), *arguments],
        environment=program_environment(tools) | cluster.connection_environment(),
        timeout=timeout,
    )
    if ended.status != 0:
        raise ServerError(
            f"pg_dump of {tools.version} ended with status {ended.status}",
            details=tuple(ended.output.splitlines()[-20:]),
            remedy="see what it printed",
        )
    reader = SqlReader("schema", lambda: clusters.resolver)
    return tuple(sent.query for sent in reader.text(ended.output, FILE, Path.cwd()))
