"""Docstrings begin with a verb or a noun; names, comments and messages say what a thing is."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest_pgfeatures

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(pytest_pgfeatures.__file__).parent
NOT_FIRST = {"What", "Who", "Whoever", "Whose", "Which", "Of", "How"}


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """The strings that stand alone: docstrings of modules, classes and functions, and those below attributes."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value


def test_none_begins_with_a_word_that_hides_its_subject():
    found = [
        f"{path.relative_to(SOURCES)}:{each.lineno}: {each.value.splitlines()[0]}"
        for path in sorted(SOURCES.rglob("*.py"))
        for each in docstrings(ast.parse(path.read_text(encoding="utf-8")))
        if each.value.strip() and each.value.split()[0].strip(",:") in NOT_FIRST
    ]
    assert not found, "begin with a verb or a noun: " + "; ".join(found)


def test_names_comments_and_messages_say_what_a_thing_is():
    """``told`` hides who reports what: it is a message, a progress, a cause."""
    found = [
        f"{path.relative_to(SOURCES)}:{number}"
        for path in sorted(SOURCES.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"(?<![a-z])told(?![a-z])", line, re.IGNORECASE)
    ]
    assert not found, "write a noun, or report, show, distinguish: " + "; ".join(found)
