"""Runs tests once per version of the matrix."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.plugin.capabilities import suite_capabilities
from pytest_pgfeatures.plugin.marker import NAME, Requirements, requirements
from pytest_pgfeatures.plugin.options import asked_versions
from pytest_pgfeatures.plugin.process_fixtures import uses_process_fixture
from pytest_pgfeatures.plugin.properties import ALONE, CELL, WITHOUT_TESTCASE
from pytest_pgfeatures.plugin.session import session_of

if TYPE_CHECKING:
    from pytest_pgfeatures.plugin.marker import ServerSpec


_USE_SERVERS = {"pg_cell", "pg_pair", "create_pgs"}
"""The fixtures on which all other server fixtures depend."""
_NO_MATRIX: pytest.StashKey[PgFeaturesError] = pytest.StashKey()
"""The reason why there are no cells to distribute tests over."""
_ONCE: pytest.StashKey[tuple[ServerSpec, ...]] = pytest.StashKey()
"""The cell of a test that pytest can't parametrize."""


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
    worker, and each test with a cluster of its own on any worker."""
    if (error := config.stash.get(_NO_MATRIX, None)) is not None:
        raise pytest.UsageError(str(error))
    kept, excluded = [], []
    for item in items:
        specs = specs_of(item) or _once(item)
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


def _once(item: pytest.Item) -> tuple[ServerSpec, ...]:
    """The newest cell, for a method of a ``unittest.TestCase`` that uses a server by a fixture: pytest can't
    parametrize it, so that it runs once, and is reported at the end of the run."""
    import unittest

    kind = getattr(item, "cls", None)
    if (
        kind is None
        or not issubclass(kind, unittest.TestCase)
        or "pg_cell" not in getattr(item, "fixturenames", ())
    ):
        return ()
    session = session_of(item.config)
    try:
        cells = session.cells
        wanted = requirements(item)
    except PgFeaturesError as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from None
    newest = cells[-1]
    if not wanted.versions & newest.request.versions:
        raise pytest.UsageError(
            f"{item.nodeid} can only run on {newest.id.removeprefix('pg')}, which its marker excludes: pytest can't"
            f" parametrize a unittest.TestCase\nwhat to do: {WITHOUT_TESTCASE}"
        )
    if len(cells) > 1:
        item.user_properties.append((ALONE, newest.id))
    item.stash[_ONCE] = (
        session.server_spec(newest, Requirements(needs=suite_capabilities(item.config)), ""),
    )
    return item.stash[_ONCE]


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
        metafunc.config.stash[_NO_MATRIX] = error  # so that it is reported once
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
        return item.stash.get(_ONCE, ())
    if "pg_pair" in callspec.params:
        pair: tuple[ServerSpec, ...] = callspec.params["pg_pair"]
        return pair
    return (callspec.params["pg_cell"],) if "pg_cell" in callspec.params else ()
