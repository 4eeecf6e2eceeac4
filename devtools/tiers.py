"""Sorts the tests into tiers, by what they use: a plugin of pytest that only this project's own tests load.

``make quick`` runs ``-m quick``, ``make test`` runs ``-m "not thorough"``, and ``make test-all`` runs everything.

A test is *quick* if it starts no process: it asks for no fixture of :data:`SERVERS`, and no module that starts
processes is named in its code, in its fixtures' code, or in functions of our modules that these call by name.
A test that starts a process in another way is marked ``processes``: a quick test that starts a process fails.

A test is *thorough* if it is marked so, if it belongs to a page that is not in :data:`PAGES`, or if its
version is not the oldest, the middle one or the newest of the versions that the test runs on. A test of a
feature of 16 thus runs on 16, not only on the newest. All versions that ``--pg`` names on the command line are run.
"""

from __future__ import annotations

import dis
import sys
from collections import defaultdict
from functools import cache
from importlib import import_module
from inspect import unwrap
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plugin.matrix import specs_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

SERVERS = {"_pg_session", "pytester", "shared", "browser"}
"""Fixtures that start servers, a pytest that may start them, programs of installs, or a browser."""
STARTERS = {"subprocess", "multiprocessing", "Popen", "fork", "forkpty", "posix_spawn"}
"""Names in the code of tests that start processes."""
OURS = ("tests.", "devtools.", "torture.", "benchmarks.", "pytest_pgfeatures.")
"""The modules whose functions are examined."""
EVENTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
"""Python's audit events for starting processes."""
PAGES = {"README.md", "CONTRIBUTING.md", "tutorial.md"}
"""The pages that a newcomer tries; ``make test`` runs their blocks. ``make test-all`` runs the other pages, too."""

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
    """Whether a test starts no process, judging by its code."""
    if not isinstance(item, pytest.Function) or item.get_closest_marker("processes"):
        return False
    if item.get_closest_marker("thorough") or not SERVERS.isdisjoint(item.fixturenames):
        return False
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    used = [item.function, *(each.func for found in fixtures for each in found)]
    functions = [one for function in used if isinstance(one := unwrap(function), FunctionType)]
    return not any(map(starts_processes, functions))


@cache
def starts_processes(function: FunctionType) -> bool:
    """Whether a function, or a function of our modules that it calls, names something that starts processes."""
    functions, seen = [function], {function}
    for found in functions:
        starts, used = _look_into(found)
        if starts:
            return True
        functions += [one for one in used if one not in seen]
        seen.update(used)
    return False


@cache
def _look_into(function: FunctionType) -> tuple[bool, list[FunctionType]]:
    """Return whether a function itself names something that starts processes, and the functions it names."""
    names = set(_names_in(function.__code__))
    if not STARTERS.isdisjoint(names):
        return True, []
    used: dict[FunctionType, None] = {}
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    for value in (*values, *_imported_in(function.__code__)):
        if str(getattr(value, "__module__", "")).startswith(OURS):
            named = vars(value).values() if isinstance(value, type) else [unwrap(value)]
            used.update((one, None) for one in named if isinstance(one, FunctionType))
    return False, list(used)


def _imported_in(code: CodeType) -> Iterator[object]:
    """Return the imports from our modules that a function makes when it runs."""
    module = None
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            module = import_module(step.argval) if step.argval.startswith(OURS) else None
        elif step.opname == "IMPORT_FROM" and module is not None:
            yield getattr(module, step.argval, None)


def _names_in(code: CodeType) -> Iterator[str]:
    """Return the names of globals and attributes in a function's code, and in the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _between(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Return the tests on versions other than the oldest, middle and newest of their test's versions."""
    versions = defaultdict(list)
    for item in items:
        if specs := specs_of(item):
            # xdist has added the group, which is the version, to the node id
            versions[item.nodeid.replace("-".join(spec.cell.id for spec in specs), "")].append((specs, item))
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
