"""Servers that run untrusted SQL: how they are created, and the resources that their sessions may take."""

from __future__ import annotations

import resource
import shutil
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.server.configuration import Access

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.server.cluster import Cluster
    from pytest_pgfeatures.server.clusters import Clusters

SUPERUSER = "pgfeatures"
"""The superuser of such a server. No dump names it: the role that dumps call ``postgres`` is no superuser."""
GUARDED: Mapping[str, Any] = MappingProxyType(
    {"access": Access(user=SUPERUSER), "settings": {"autovacuum": "off"}}
)
"""Options of :meth:`Clusters.create`. Autovacuum runs functions of indexes in a superuser's process."""
_SECONDS = 600.0


def limit_memory(cluster: Cluster, clusters: Clusters, megabytes: int) -> str | None:
    """Limit the memory of each process that a server starts from now on.

    Limiting a process of another user needs CAP_SYS_RESOURCE, which containers lack.

    Parameters:
        clusters: runs the program ``prlimit`` if the servers' user is another one.

    Returns:
        why it can't be limited; None if it can be.
    """
    pid, most = cluster.pid, megabytes << 20
    if pid is None or not hasattr(resource, "prlimit"):
        return "only Linux can limit a running server's"
    try:
        resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))
    except PermissionError:
        program = shutil.which("prlimit")
        if program is None:
            return "there is neither CAP_SYS_RESOURCE nor the program prlimit, of util-linux"
        try:
            ended = clusters.run([program, f"--pid={pid}", f"--data={most}:{most}"], timeout=_SECONDS)
        except ServerError as error:
            return error.problem
        return f"prlimit ended with status {ended.status}" if ended.status else None
    return None
