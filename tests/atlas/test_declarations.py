"""What holds for every behavior of the atlas; no server is needed."""

import ast
import itertools
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures.behaviors.registry import atlas, atlas_files
from pytest_pgfeatures.version import PgMajor

BEHAVIORS = list(atlas().values())


@pytest.mark.parametrize("found", BEHAVIORS, ids=lambda found: found.id)
def test_it_says_what_reports_need(found):
    document, _, section = found.source.rpartition(", ")
    assert document
    assert section, "the source ends in a section: its number, or its heading"
    assert found.manual, "a page of PostgreSQL's manual"
    assert 0 < len(found.title) <= 90
    assert not found.title.endswith(".")


@pytest.mark.parametrize("found", BEHAVIORS, ids=lambda found: found.id)
def test_its_id_begins_with_a_major(found):
    prefix = found.id.partition("/")[0]
    assert str(PgMajor(prefix)) == prefix


@pytest.mark.parametrize("found", BEHAVIORS, ids=lambda found: found.id)
def test_what_changes_says_since_when(found):
    assert found.since is not None or len(found.expected) == 1


@pytest.mark.parametrize("found", BEHAVIORS, ids=lambda found: found.id)
def test_what_changes_is_expected_to_differ_on_both_sides(found):
    values = [row.value for row in found.expected]
    assert all(before != after for before, after in itertools.pairwise(values))


MISSING = {"42601", "42703", "42704", "42883", "42P01", "58P01"}
"""What a server says of syntax, columns, settings, functions, relations and extensions that it doesn't have."""


@pytest.mark.parametrize(
    "found", [found for found in BEHAVIORS if found.kind != "feature"], ids=lambda found: found.id
)
def test_what_older_servers_do_not_have_yet_is_marked(found):
    """Else a server that is older still would be told of an incompatibility that it does not have."""
    older = found.expected[: found.expected.index(found.before_change())] if found.since else ()
    assert [row for row in older if str(row.value) in MISSING and not row.not_yet] == []


@pytest.mark.parametrize("path", atlas_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_module_imports_what_a_user_could(path: Path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert all(alias.name.partition(".")[0] in sys.stdlib_module_names for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            top = str(node.module).partition(".")[0]
            # What several modules share is in a module beside them, as it would be in a user's own tests.
            shared = str(node.module).startswith("pytest_pgfeatures.atlas.")
            public = node.module in ("pytest_pgfeatures", "pytest_pgfeatures.affects")
            assert public or shared or top in sys.stdlib_module_names


@pytest.mark.parametrize("path", atlas_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_observing_function_judges_nothing(path: Path):
    kinds = (ast.Assert, ast.Try, ast.Raise)
    assert not [
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds)
    ]
