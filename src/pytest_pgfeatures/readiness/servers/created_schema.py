"""The schema that the commands of ``--setup`` have created, as statements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.scripts.privileges import LOADER
from pytest_pgfeatures.server.dump import dumped_schema

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.server import Cluster, Clusters

FILE = "--setup"
"""The name that findings show in place of a file. Lines are those of the dump."""


def created_schema(clusters: Clusters, cluster: Cluster, dbname: str, *, timeout: float) -> tuple[Query, ...]:
    """Return the definitions in a database, as pg_dump writes them.

    Parameters:
        timeout: of pg_dump, in seconds.

    Raises:
        PgFeaturesError: as :func:`~pytest_pgfeatures.server.dump.dumped_schema`.
    """
    text = dumped_schema(clusters, cluster, dbname, user=LOADER, timeout=timeout)
    reader = SqlReader("schema", lambda: clusters.resolver)
    return tuple(sent.query for sent in reader.text(text, FILE, Path.cwd()))
