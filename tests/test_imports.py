"""The imports that modules may make: docs/design.md has the table, and there is no circle.

Imports inside of functions and under ``if TYPE_CHECKING:`` count: they say as much about who knows whom.
"""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pytest_pgfeatures

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = "pytest_pgfeatures"
SOURCES = Path(pytest_pgfeatures.__file__).parent
DESIGN = Path(__file__).parents[1] / "docs" / "design.md"

pytestmark = pytest.mark.xdist_group("imports")  # they read all modules, once
KNOW_PYTEST = {"pytest", "_pytest", "pytest_asyncio", "pytest_postgresql", "syrupy"}
MAY_KNOW_PYTEST = re.compile(r"plugin(\..*)?|pytest_entry|cli\.runner")


def modules() -> dict[str, Path]:
    """The modules' files, by their names below the package; ``__init__`` is the package itself."""
    names = {}
    for path in SOURCES.rglob("*.py"):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        names[".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)] = path
    return names


def imports(tree: ast.Module) -> Iterator[str]:
    """The full names of what a module imports: modules, and names in modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports would not be seen here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(name: str) -> str | None:
    """The module of ours that a full name leads to."""
    if name != PACKAGE and not name.startswith(f"{PACKAGE}."):
        return None
    below = name.removeprefix(PACKAGE).removeprefix(".")
    for candidate in (below, below.rpartition(".")[0]):
        if candidate in MODULES:
            return candidate
    return "__init__"


MODULES = modules()


@cache
def trees() -> dict[str, ast.Module]:
    """The modules, parsed: only where a test needs them, not wherever this file is collected."""
    return {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in MODULES.items()}


@cache
def arrows() -> set[tuple[str, str]]:
    """Return the imports of each module."""
    return {
        (module, found)
        for module, tree in trees().items()
        for name in imports(tree)
        if (found := ours(name)) is not None and found != module
    }


def place(module: str) -> str:
    """A module's row in the table: its package, or its own name at the top."""
    return module.partition(".")[0]


def table() -> dict[str, set[str]]:
    """docs/design.md's: what each row may import, the lowest row first."""
    rows: dict[str, set[str]] = {}
    text = DESIGN.read_text(encoding="utf-8")
    for where, allowed in re.findall(r"^\| `(\w+)(?:\.py|/)` \|.*\| ([^|]*) \|$", text, re.MULTILINE):
        rows[where] = set(rows) if allowed == "all above" else set(re.findall(r"`(\w+)`", allowed))
    return rows


def test_there_is_no_circle() -> None:
    graph = defaultdict(set)
    for importing, imported in arrows():
        graph[importing].add(imported)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_each_package_has_a_row_below_those_that_import_it() -> None:
    rows = table()
    assert {place(module) for module in MODULES} == set(rows)
    known: set[str] = set()
    for where, allowed in rows.items():
        assert allowed <= known, f"{where} may import {allowed - known}, which the table has further down"
        known.add(where)


def test_no_arrow_runs_against_the_table() -> None:
    rows = table()
    wrong = [
        f"{importing} imports {imported}"
        for importing, imported in sorted(arrows())
        if place(importing) != place(imported) and place(imported) not in rows[place(importing)]
    ]
    assert wrong == []


def test_every_row_imports_what_the_table_says_it_does() -> None:
    used = defaultdict(set)
    for importing, imported in arrows():
        used[place(importing)].add(place(imported))
    unused = {
        where: allowed - used[where]
        for where, allowed in table().items()
        if where not in ("plugin", "cli") and allowed - used[where]
    }
    assert unused == {}


def test_only_the_plugin_and_what_runs_it_know_pytest() -> None:
    knowing = {
        module
        for module, tree in trees().items()
        if KNOW_PYTEST & {name.partition(".")[0] for name in imports(tree)}
    }
    assert [module for module in sorted(knowing) if not MAY_KNOW_PYTEST.fullmatch(module)] == []


def test_all_else_works_where_there_is_no_pytest() -> None:
    names = [
        f"{PACKAGE}.{module}".removesuffix(".__init__")
        for module in MODULES
        if not MAY_KNOW_PYTEST.fullmatch(module)
        and not module.startswith("server.")  # which has programs that run by themselves
    ]
    code = (
        "import importlib, sys\n"
        "sys.modules['pytest'] = sys.modules['_pytest'] = None\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_there_is_one_hook_that_makes_reports() -> None:
    hooks = [
        module
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "pytest_runtest_makereport"
    ]
    assert hooks == ["plugin"]


def test_no_two_public_classes_share_a_name() -> None:
    homes = defaultdict(list)
    for module, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    twice = {name: where for name, where in homes.items() if len(where) > 1}
    assert twice == {}


def test_a_package_that_lists_its_modules_lists_all_and_no_others() -> None:
    listing = 0
    for path in SOURCES.rglob("__init__.py"):
        listed = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        if not re.search(r"^\| (module|stage) \|", listed, re.MULTILINE):
            continue
        listing += 1
        names = {each.stem for each in path.parent.glob("*.py")} - {"__init__"}
        assert names <= set(re.findall(r"``(\w+)``", listed)), path
        if "| module |" in listed:
            first = " ".join(re.findall(r"^\|([^|]*)\|", listed, re.MULTILINE))
            assert set(re.findall(r"``(\w+)``", first)) <= names | {"__init__"}, path
    assert listing > 3


def test_readiness_says_that_it_begins_before_its_stages_are_loaded():
    """Its first line would come a third of a second later."""
    script = (
        "import sys, pytest_pgfeatures.cli.readiness, pytest_pgfeatures.readiness.options\n"
        "import pytest_pgfeatures.readiness.written_tests, pytest_pgfeatures.readiness.pairs\n"
        "print([each for each in sys.modules if '.readiness.evidence' in each or '.readiness.servers' in each])"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "[]\n"
