"""Sorts the tests into tiers, by what they use: a plugin of pytest that only this project's own tests load.

``make quick`` runs ``-m quick``, ``make test`` runs ``-m "not thorough"``, and ``make test-all`` runs everything.

A test is *quick* if it starts no process: it asks for no server and no ``pytester``, and neither its code nor that
of its fixtures and helpers names a module that starts processes. A test that starts one through the code it tests
is marked ``processes``. A quick test that starts a process fails, so that none is forgotten.

A test is *thorough* if it is marked so, if it is a page's that is not in :data:`PAGES`, or if it runs on a version
that is neither the oldest, nor the middle one, nor the newest of those that it runs on. A test of what 16 brought
thus runs on 16, not only on the newest. Versions that ``--pg`` names on the command line are all run.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from inspect import unwrap
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plugin.matrix import specs_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

SERVERS = {"_pg_session", "pytester"}
"""Fixtures of tests that start servers, or a pytest that may."""
STARTERS = {"subprocess", "multiprocessing", "Popen", "fork", "forkpty", "posix_spawn"}
"""Names in the code of tests that start processes."""
EVENTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
"""Python's audit events of processes that start."""
PAGES = {"README.md", "CONTRIBUTING.md", "tutorial.md"}
"""The pages that a newcomer tries; ``make test`` runs their blocks. The other pages are in ``make test-all``."""

_started: list[str] = []
"""The programs that the current test has started."""


def pytest_configure() -> None:
    """Note each process that starts; Python can't remove an audit hook again."""
    sys.addaudithook(_note)


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event in EVENTS:
        _started.append(str(arguments[0]) if arguments else event)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests with their tiers."""
    for item in items:
        if item.path.suffix == ".md":
            if item.path.name not in PAGES:
                item.add_marker("thorough")
        elif is_quick(item):
            item.add_marker("quick")
    if not config.getoption("pg"):
        for item in _between(items):
            item.add_marker("thorough")


def is_quick(item: pytest.Item) -> bool:
    """Whether a test starts no process, as far as its code tells."""
    if not isinstance(item, pytest.Function) or item.get_closest_marker("processes"):
        return False
    if item.get_closest_marker("thorough") or not SERVERS.isdisjoint(item.fixturenames):
        return False
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    return not _names_starter([item.function, *(each.func for found in fixtures for each in found)])


def _names_starter(functions: list[Any]) -> bool:
    """Whether one of the functions, or what it calls in modules of tests, names what starts processes."""
    seen: set[Any] = set()
    while functions:
        function = unwrap(functions.pop())
        if not isinstance(function, FunctionType) or function in seen:
            continue
        seen.add(function)
        names = set(_names_in(function.__code__))
        if not STARTERS.isdisjoint(names):
            return True
        values = [function.__globals__[name] for name in names if name in function.__globals__]
        for value in values:
            if isinstance(value, ModuleType) and value.__name__ in STARTERS:
                return True
            if str(getattr(value, "__module__", "")).startswith("tests."):
                functions += vars(value).values() if isinstance(value, type) else [value]
    return False


def _names_in(code: CodeType) -> Iterator[str]:
    """The names of globals and attributes in a function's code, and in the functions inside of it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _between(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The tests on versions that are neither the oldest, nor the middle one, nor the newest of their test's."""
    versions = defaultdict(list)
    for item in items:
        if specs := specs_of(item):
            versions[item.nodeid.replace("-".join(spec.cell.id for spec in specs), "", 1)].append(
                (specs, item)
            )
    for found in versions.values():
        found.sort(key=lambda one: [spec.cell.major for spec in one[0]])
        kept = {0, len(found) // 2, len(found) - 1}
        yield from (item for place, (_, item) in enumerate(found) if place not in kept)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a quick test that started a process."""
    result = yield
    if item.get_closest_marker("quick") and _started:
        pytest.fail(f"a quick test started {_started[0]}: mark it with @pytest.mark.processes", pytrace=False)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart() -> None:
    """Forget what earlier tests started."""
    _started.clear()
