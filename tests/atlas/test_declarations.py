"""Rules for every behavior of the atlas; no server is needed."""

import ast
import itertools
import sys
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_pgfeatures.behaviors.registry import atlas, atlas_files
from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.version import PgMajor

BEHAVIORS = list(atlas().values())


def broken(holds, behaviors=BEHAVIORS):
    """The ids of all behaviors for which something does not hold."""
    assert len(behaviors) > 100, "the atlas was not read"
    return [found.id for found in behaviors if not holds(found)]


def says_what_reports_need(found):
    """A document with a section: its number or its heading; a page of the manual; a title that fits its column."""
    document, _, section = found.source.rpartition(", ")
    title = 0 < len(found.title) <= 90 and not found.title.endswith(".")
    return bool(document and section and found.manual and title)


def begins_with_a_major(found):
    prefix = found.id.partition("/")[0]
    try:
        return str(PgMajor(prefix)) == prefix
    except VersionError:
        return False


def says_since_when(found):
    return found.since is not None or len(found.expected) == 1


def differs_on_both_sides(found):
    values = [row.value for row in found.expected]
    return all(before != after for before, after in itertools.pairwise(values))


HOLDS = (says_what_reports_need, begins_with_a_major, says_since_when, differs_on_both_sides)


@pytest.mark.parametrize("holds", HOLDS, ids=lambda holds: holds.__name__)
def test_each_behavior(holds):
    assert broken(holds) == []


def test_each_incompatibility_is_looked_for_in_applications():
    """By itself, or by another one of the same entry, as one piece of evidence may show all that an entry tells."""
    entries = {key for found in BEHAVIORS if found.affects for key in found.release_note}
    changes = [found for found in BEHAVIORS if found.kind == "incompatibility"]
    assert broken(lambda found: found.affects or not entries.isdisjoint(found.release_note), changes) == []


MISSING = {"42601", "42703", "42704", "42883", "42P01", "58P01"}
"""A server's errors for syntax, columns, settings, functions, relations and extensions that it doesn't have."""


def marks_what_older_servers_lack(found):
    older = found.expected[: found.expected.index(found.before_change())] if found.since else ()
    return all(row.not_yet for row in older if str(row.value) in MISSING)


def test_what_older_servers_do_not_have_yet_is_marked():
    """Else a server that is older still would be told of an incompatibility that it does not have."""
    changes = [found for found in BEHAVIORS if found.kind != "feature"]
    assert broken(marks_what_older_servers_lack, changes) == []


DECLARED = next(
    found for found in BEHAVIORS if found.since and found.kind != "feature" and len(found.expected) == 2
)
OLDER, NEWER = DECLARED.expected


@pytest.mark.parametrize(
    ("holds", "spoiled"),
    [
        (says_what_reports_need, {"source": "PostgreSQL 16 release notes"}),
        (says_what_reports_need, {"manual": ""}),
        (says_what_reports_need, {"title": "t" * 91}),
        (says_what_reports_need, {"title": "It ends as a sentence."}),
        (begins_with_a_major, {"id": "16.2/a-release"}),
        (says_since_when, {"since": None}),
        (differs_on_both_sides, {"expected": (OLDER, replace(NEWER, value=OLDER.value))}),
    ],
)
def test_what_is_declared_badly_is_named(holds, spoiled):
    bad = SimpleNamespace(**{each.name: getattr(DECLARED, each.name) for each in fields(DECLARED)} | spoiled)
    assert holds(DECLARED)
    assert not holds(bad)


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
