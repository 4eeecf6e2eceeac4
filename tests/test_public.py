"""The public names are those that docs/public.toml lists, and the reference has each of them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pytest_pgfeatures

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(pytest_pgfeatures.__file__).parent
DOCS = Path(__file__).parents[1] / "docs"
TABLE = tomllib.loads((DOCS / "public.toml").read_text(encoding="utf-8"))
EXPERIMENTAL = {name for names in TABLE.pop("experimental").values() for name in names}
OLD_FIXTURES = {"lab", "create_pg", "create_pgs", "plan_snapshot"}


def listed() -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for modules in TABLE.values():
        for module, names in modules.items():
            found[module].update(names)
    return found


def fixtures() -> Iterator[str]:
    """The names of the plugin's fixtures that don't begin with an underscore."""
    for path in (SOURCES / "plugin").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(
                ast.unparse(each).startswith(("pytest.fixture", "pytest_asyncio.fixture"))
                for each in node.decorator_list
            ):
                yield node.name


def test_the_fixtures_are_those_listed_and_new_ones_begin_with_pg():
    found = {name for name in fixtures() if not name.startswith("_")}
    assert found == listed()["fixtures"]
    assert {name for name in found if not name.startswith("pg_")} == OLD_FIXTURES


@pytest.mark.parametrize("module", ["pytest_pgfeatures", "pytest_pgfeatures.literals"])
def test_the_names_of_a_module_are_those_listed(module):
    there = import_module(module)
    assert set(there.__all__) == listed()[module]
    assert all(hasattr(there, name) for name in there.__all__)


def test_the_errors_are_those_listed():
    tree = ast.parse((SOURCES / "errors.py").read_text(encoding="utf-8"))
    found = {node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"}
    assert found == listed()["pytest_pgfeatures.errors"]


def test_the_reference_has_each_name_and_each_name_in_it_has_a_release():
    """Modules as a whole have all of their names, but for those that another page has."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    own = {name.rpartition(".")[2] for name in re.findall(r"auto(?!module)\w+:: ([\w.]+)", pages)}
    whole = set(re.findall(r"automodule:: ([\w.]+)", pages))
    lists = re.findall(r":exclude-members:(.*?)(?:\n\n|```)", pages, re.DOTALL)
    excluded = set(re.findall(r"\w+", " ".join(lists)))
    public = listed()
    apart = {
        name for module, names in public.items() for name in names if module not in whole or name in excluded
    }
    assert own <= set().union(*public.values())
    assert apart - public["pytest_pgfeatures.errors"] <= own


def test_what_is_experimental_is_public():
    assert EXPERIMENTAL
    assert set().union(*listed().values()) >= EXPERIMENTAL
