"""Gives pytest-postgresql's janitors databases that were created in advance."""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.suites.databases import JanitorDatabases


def methods(janitor: Any, cluster: Cluster, databases: JanitorDatabases) -> dict[str, Callable[..., Any]]:
    """Return replacements for a janitor's ``init`` and ``drop`` that use our databases on a cluster.

    The janitor's own methods still handle other servers and roles, templates, and derived classes, which may
    override parts of them.

    Parameters:
        janitor: pytest-postgresql's janitor class.
        cluster: the cluster with the databases.
        databases: creates and drops them.
    """

    def is_on_cluster(one: Any) -> bool:
        hosts = (cluster.host, "localhost") if cluster.access.tcp else (cluster.host,)
        return type(one) is janitor and one.host in hosts and str(one.port) == str(cluster.port)

    def is_ours(one: Any) -> bool:
        return (
            is_on_cluster(one)
            and (one.user, one.password or None) == (cluster.user, cluster.password)
            and getattr(one, "maintenance_dbname", "postgres") == "postgres"
            and not one.is_template()
        )

    def create(one: Any) -> bool:
        return is_ours(one) and one.template_dbname and databases.create(one.dbname, one.template_dbname)

    def drop(one: Any) -> bool:
        if is_ours(one):
            return databases.drop(one.dbname)
        return is_on_cluster(one) and databases.server_has_ended()

    return {"init": _instead(janitor.init, create), "drop": _instead(janitor.drop, drop)}


def _instead(own: Callable[..., Any], ours: Callable[[Any], bool]) -> Callable[..., Any]:
    """Return a method that first tries our implementation, and otherwise calls the janitor's own method."""
    if inspect.iscoroutinefunction(own):

        @functools.wraps(own)
        async def asynchronous(self: Any) -> None:
            if not await asyncio.to_thread(ours, self):
                await own(self)

        return asynchronous

    @functools.wraps(own)
    def method(self: Any) -> None:
        if not ours(self):
            own(self)

    return method
