"""The imports among plan/'s modules: one way only, imports for type checkers and in functions included."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest_pgfeatures.plan

PACKAGE = "pytest_pgfeatures.plan"


def imported(path: Path) -> set[str]:
    """The modules of the package that a module's source imports, anywhere in it."""
    found = set()
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            found.add(statement.module)
            found.update(f"{statement.module}.{name.name}" for name in statement.names)
        elif isinstance(statement, ast.Import):
            found.update(name.name for name in statement.names)
    return {name.removeprefix(f"{PACKAGE}.") for name in found if name.startswith(f"{PACKAGE}.")}


def test_imports_make_no_circle():
    modules = {
        path.stem: path
        for path in Path(pytest_pgfeatures.plan.__file__).parent.glob("*.py")
        if path.stem != "__init__"
    }
    graph = {name: imported(path) & modules.keys() for name, path in modules.items()}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle
    assert set(order) == set(modules)
    assert order.index("tree") < order.index("node") < order.index("plan") < order.index("parse")
