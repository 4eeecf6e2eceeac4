"""pytest-postgresql's janitors, with databases that were made ahead."""

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
    """What is to stand for a janitor's ``init`` and ``drop``, so that they take a cluster's databases from us.

    Anything else is left to the janitor's own: other servers and roles, templates, and classes derived from it,
    which may do things in their own way.

    Parameters:
        janitor: pytest-postgresql's class.
        cluster: whose databases these are.
        databases: makes and drops them.
    """

    def is_ours(one: Any) -> bool:
        hosts = (cluster.host, "localhost") if cluster.access.tcp else (cluster.host,)
        return (
            type(one) is janitor
            and (one.host in hosts and str(one.port) == str(cluster.port))
            and (one.user, one.password or None) == (cluster.user, cluster.password)
            and getattr(one, "maintenance_dbname", "postgres") == "postgres"
            and not one.is_template()
        )

    def create(one: Any) -> bool:
        return is_ours(one) and one.template_dbname and databases.create(one.dbname, one.template_dbname)

    def drop(one: Any) -> bool:
        return is_ours(one) and databases.drop(one.dbname)

    return {"init": _instead(janitor.init, create), "drop": _instead(janitor.drop, drop)}


def _instead(own: Callable[..., Any], ours: Callable[[Any], bool]) -> Callable[..., Any]:
    """A method that does it our way, or else as the janitor's own."""
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
