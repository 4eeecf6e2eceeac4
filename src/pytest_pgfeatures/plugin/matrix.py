"""Runs tests once per version of the matrix."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.plugin.marker import NAME, requirements
from pytest_pgfeatures.plugin.process_fixtures import uses_process_fixture
from pytest_pgfeatures.plugin.properties import CELL
from pytest_pgfeatures.plugin.session import asked_versions, session_of

if TYPE_CHECKING:
    from pytest_pgfeatures.plugin.server_spec import ServerSpec


_USE_SERVERS = {"pg_cell", "pg_pair", "create_pgs"}
"""The fixtures on which all other server fixtures depend."""
_NO_MATRIX: pytest.StashKey[PgFeaturesError] = pytest.StashKey()
"""Why there are no cells to spread tests over."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist starts its workers
def pytest_sessionstart(session: pytest.Session) -> None:
    """With pytest-xdist, check the matrix before workers start: they can't end the run with one error."""
    if session.config.pluginmanager.hasplugin("dsession") and asked_versions(session.config):
        try:
            _ = session_of(session.config).cells
        except PgFeaturesError as error:
            raise pytest.UsageError(str(error)) from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize tests that use a server with the matrix."""
    uses_server = not _USE_SERVERS.isdisjoint(metafunc.fixturenames)
    if uses_server or metafunc.definition.get_closest_marker(NAME) or uses_process_fixture(metafunc):
        parametrize(metafunc)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests on excluded versions. With xdist's loadgroup, run the tests of a cell's shared servers on one
    worker, and each test that has a cluster of its own wherever there is time for it."""
    if (error := config.stash.get(_NO_MATRIX, None)) is not None:
        raise pytest.UsageError(str(error))
    kept, excluded = [], []
    for item in items:
        specs = specs_of(item)
        if not specs:
            kept.append(item)
            continue
        versions = requirements(item).versions
        if all(versions & spec.cell.request.versions for spec in specs):
            kept.append(item)
            name = "-".join(spec.cell.id for spec in specs)
            item.user_properties.append((CELL, name))
            if config.pluginmanager.hasplugin("xdist") and not all(spec.only_for for spec in specs):
                item.add_marker(pytest.mark.xdist_group(name))
            names: list[str] = getattr(item, "fixturenames", [])
            if "pg_cell" not in names:  # the test requests a server only by name at run time
                names.insert(0, "pg_cell")
        else:
            excluded.append(item)
    if excluded:
        config.hook.pytest_deselected(items=excluded)
        items[:] = kept


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each cell of the matrix, or for each pair of neighbors if it uses ``pg_pair``.

    With ``matrix=False`` the test runs in the newest cell that its versions allow, or in none if it doesn't use the
    cell's server.
    """
    # Import the server modules here, so that the first test that uses a server does not wait for the import.
    import pytest_pgfeatures.server  # noqa: F401

    session = session_of(metafunc.config)
    try:
        _ = session.cells
    except PgFeaturesError as error:
        if hasattr(metafunc.config, "workerinput"):
            raise pytest.Collector.CollectError(str(error)) from None
        metafunc.config.stash[_NO_MATRIX] = error  # to be reported once
        return
    try:
        item = metafunc.definition
        specs = [
            session.server_spec(cell, requirements(item, cell.major), item.nodeid) for cell in session.cells
        ]
        wanted = requirements(item)
    except PgFeaturesError as error:
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: {error}") from None
    if not wanted.matrix:
        if "pg_pair" in metafunc.fixturenames:
            raise pytest.Collector.CollectError(
                f"{item.nodeid}: matrix=False and pg_pair, which gives pairs of the matrix, exclude each other\n"
                "what to do: make the servers with create_pg"
            )
        if "pg_cell" not in metafunc.fixturenames and not uses_process_fixture(metafunc):
            return
        allowed = [spec for spec in specs if spec.cell.request.versions & wanted.versions]
        specs = (allowed or specs)[-1:]
    if "pg_pair" in metafunc.fixturenames:
        pairs = list(itertools.pairwise(specs))
        ids = [f"{old.cell.id}-{new.cell.id}" for old, new in pairs]
        if pairs:
            metafunc.parametrize("pg_pair", pairs, indirect=True, ids=ids, scope="session")
        return
    if "pg_cell" not in metafunc.fixturenames:
        metafunc.fixturenames.append("pg_cell")
    metafunc.parametrize(
        "pg_cell", specs, indirect=True, ids=[spec.cell.id for spec in specs], scope="session"
    )


def specs_of(item: pytest.Item) -> tuple[ServerSpec, ...]:
    """Return the test's server specs: one, two for a pair, none if the test uses no server."""
    callspec = getattr(item, "callspec", None)
    if callspec is None:
        return ()
    if "pg_pair" in callspec.params:
        pair: tuple[ServerSpec, ...] = callspec.params["pg_pair"]
        return pair
    return (callspec.params["pg_cell"],) if "pg_cell" in callspec.params else ()
