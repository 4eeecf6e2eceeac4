"""The sources of the models' rules: each rule names its source."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

MODULES = ("oracle", "numbers", "scanner", "keywords", "inputs", "jsonpath")
"""The modules of the models, which have rules that depend on the version."""
SOURCES = ("https://www.postgresql.org/docs/", "easured", "RFC ")


def source_of(module: str) -> str:
    return Path(importlib.import_module(f"pytest_pgfeatures.literals.{module}").__file__ or "").read_text()


def version_tables(module: str) -> list[tuple[str, str]]:
    """The module's constants that are a set of versions, with what is written below each."""
    body = ast.parse(source_of(module)).body
    found = []
    for statement, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.Assign) and ast.unparse(statement.value).startswith("VersionSet("):
            (name,) = statement.targets
            text = following.value if isinstance(following, ast.Expr) else None
            found.append((ast.unparse(name), text.value if isinstance(text, ast.Constant) else ""))
    return [(name, text) for name, text in found if name != "_ALL"]


@pytest.mark.parametrize("module", MODULES)
def test_each_module_of_the_models_names_its_sources(module: str) -> None:
    assert "https://www.postgresql.org/docs/" in (ast.get_docstring(ast.parse(source_of(module))) or "")


@pytest.mark.parametrize(
    ("name", "text"),
    [(f"{module}.{name}", text) for module in MODULES for name, text in version_tables(module)],
)
def test_each_boundary_between_versions_names_its_source(name: str, text: str) -> None:
    assert any(source in text for source in SOURCES), f"{name} does not say where it comes from"


def test_each_input_function_names_its_source() -> None:
    functions = {
        node.name: ast.get_docstring(node) or ""
        for module in ("inputs", "jsonpath")
        for node in ast.parse(source_of(module)).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_read_")
    }
    assert len(functions) >= 6
    for name, text in functions.items():
        assert any(source in text for source in SOURCES), name
