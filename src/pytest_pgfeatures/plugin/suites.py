"""Runs suites written for pytest-postgresql on every version of the matrix, without changes to their code.

With ``--pg``, the process fixtures of pytest-postgresql get their server from us instead of starting one with
pg_ctl. This works for any major, and also as root. The fixtures' code, loading and the client fixtures remain those
of pytest-postgresql. Its janitor gets databases that were created in advance. Without ``--pg`` nothing changes.

In pytest-postgresql a process fixture lasts for a session; here it lasts for a cell of the matrix.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.plugin.matrix import specs_of
from pytest_pgfeatures.plugin.process_fixtures import FACTORIES, SERVED
from pytest_pgfeatures.plugin.session import session_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytest_pgfeatures.plugin.marker import ServerSpec
    from pytest_pgfeatures.plugin.session import PgSession
    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.server.configuration import Access


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: Any) -> Generator[None, object, object]:
    """End a process fixture, and fixtures that request one by name, with the cell of the matrix."""
    module = getattr(inspect.unwrap(fixturedef.func), "__module__", "")
    if not module.startswith(FACTORIES) or fixturedef.scope != "session":
        return (yield)
    session = session_of(request.config)
    if not session.workbench.requests:
        return (yield)
    spec = session.spec_in_use
    if module == SERVED and not specs_of(request._pyfuncitem):
        raise PgFeaturesError(
            f"{fixturedef.argname} is requested by a name that is not known before the test runs, so that the test"
            " can't be run once for each version",
            remedy=f'let the test ask for it: @pytest.mark.usefixtures("{fixturedef.argname}")',
        )
    if spec is None:
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        if module == SERVED:
            _serve(patch, session, spec)
        try:
            return (yield)
        finally:
            # Registered only now, so that the fixtures it requested end after it. Also registered after a failure,
            # which pytest would otherwise show again for the next version.
            session.at_end_of_cell(functools.partial(fixturedef.finish, request))


def _serve(patch: pytest.MonkeyPatch, session: PgSession, spec: ServerSpec) -> None:
    """Give pytest-postgresql's process fixtures a cluster of the session instead of starting a server."""
    from pytest_postgresql.factories import process

    from pytest_pgfeatures.suites.executor import another_if_taken, executor_class

    install = session.install(spec)

    def create(access: Access, **options: Any) -> Cluster:
        access = replace(access, pg_hba=spec.pg_hba)
        cluster = session.create_for_cell(install, spec, access=access, **options)
        _serve_janitors(session, cluster)
        if access.tcp and access.password:
            session.password_file.add(cluster.port, access.user, access.password)
            session.at_end_of_cell(session.password_file.close)
        return cluster

    namespace: dict[str, Any] = vars(process)  # the executor's module differs between major releases
    executor = executor_class(namespace["PostgreSQLExecutor"], install, create)
    patch.setitem(namespace, "PostgreSQLExecutor", executor)
    patch.setattr(process, "_pg_exe", lambda *_: "")
    patch.setattr(process, "_pg_port", another_if_taken(process._pg_port))


def _serve_janitors(session: PgSession, cluster: Cluster) -> None:
    """Give pytest-postgresql's janitors our databases until the current cell ends."""
    from pytest_postgresql import janitor

    from pytest_pgfeatures.suites.databases import JanitorDatabases
    from pytest_pgfeatures.suites.janitor import methods

    databases = JanitorDatabases(cluster)
    session.at_end_of_cell(databases.close)
    patch = pytest.MonkeyPatch()
    session.at_end_of_cell(patch.undo)
    for name in ("DatabaseJanitor", "AsyncDatabaseJanitor"):  # the second came with release 8
        if (kind := getattr(janitor, name, None)) is not None:
            for method, instead in methods(kind, cluster, databases).items():
                patch.setattr(kind, method, instead)
