"""Finds the tests that use a process fixture of pytest-postgresql, and so a server."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plugin.options import asked_versions

if TYPE_CHECKING:
    import pytest

FACTORIES = "pytest_postgresql.factories"
SERVED = f"{FACTORIES}.process"
"""The module whose fixtures get our clusters."""
_ASKS = {f"{FACTORIES}.client": "process_fixture_name", f"{FACTORIES}.noprocess": "depends_on"}
"""Modules whose fixtures request another fixture by name at run time, and the variable with that name."""


def uses_process_fixture(metafunc: pytest.Metafunc) -> bool:
    """Return whether a test uses a process fixture of pytest-postgresql, directly or through other fixtures."""
    if not asked_versions(metafunc.config):
        return False
    seen: set[str] = set()
    names = [*metafunc.fixturenames, *_requested_at_run_time(metafunc.function)]
    return any(_leads_to_process(name, metafunc.definition, seen) for name in names)


def _leads_to_process(name: str, item: pytest.Item, seen: set[str]) -> bool:
    if name == "pg_cluster":
        return True
    if name in seen:
        return False
    seen.add(name)
    manager: Any = item.session._fixturemanager  # pytest has no public way to look up a fixture by its name
    for definition in manager.getfixturedefs(name, item) or ():
        module, asks_for = _origin(definition)
        if module == SERVED:
            return True
        requested = [*definition.argnames, *_requested_at_run_time(definition.func)]
        if any(_leads_to_process(each, item, seen) for each in [*requested, *filter(None, [asks_for])]):
            return True
    return False


def _requested_at_run_time(function: Any) -> list[str]:
    """Return the texts in a function that calls ``request.getfixturevalue``; some of them are names of fixtures."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or "getfixturevalue" not in code.co_names:
        return []
    return [constant for constant in code.co_consts if isinstance(constant, str)]


def _origin(definition: pytest.FixtureDef[Any]) -> tuple[str, str | None]:
    """Return the factory module of a fixture, and the fixture that it requests by name at run time."""
    function = inspect.unwrap(definition.func)
    module = getattr(function, "__module__", "")
    if module not in _ASKS or not inspect.isfunction(function):
        return module, None
    return module, inspect.getclosurevars(function).nonlocals.get(_ASKS[module])
