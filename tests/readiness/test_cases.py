"""Entries of the release notes in what applications have: realistic uses, and what nearly looks like them.

The cases are in ``cases/*.txt``. Each begins with a line ``=== ENTRY LINES``: the lines that are to be found, or
``-`` for none, and ``from=13`` where the entry was there before the last minor of the major before. Lines
``--- KIND`` begin its files: ``schema``, ``queries``, ``config``, ``hba``, ``ident``, ``script NAME``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_pgfeatures.readiness.application import read_inputs
from pytest_pgfeatures.readiness.evidence.find import find
from pytest_pgfeatures.readiness.model import Application, VersionPair
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.version import MAJORS, PgMajor, as_release

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """A case."""

    entry: str
    lines: tuple[int, ...]
    files: tuple[tuple[str, str, int], ...]
    old: str
    place: str

    @property
    def pair(self) -> VersionPair:
        """The major that brought the entry, and the one before."""
        new = PgMajor(self.entry.partition(".")[0])
        return VersionPair(
            as_release(PgMajor(self.old) if self.old else MAJORS[MAJORS.index(new) - 1]), as_release(new)
        )


def cases():
    for path in sorted(CASES.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        starts = [*re.finditer(r"^=== (\S+) (.+)\n", text, re.MULTILINE)]
        for head, following in zip(starts, [*starts[1:], None], strict=True):
            body = text[head.end() : following.start() if following else len(text)]
            parts = re.split(r"^--- (.+)\n", body, flags=re.MULTILINE)
            files = [("queries", parts[0])] if parts[0].strip() else []
            files += [*zip(parts[1::2], parts[2::2], strict=True)]
            lines = tuple(int(line) for line in head[2].split() if line.isdigit())
            old = head[2].partition("from=")[2]
            number = text.count("\n", 0, head.start()) + 1
            yield Case(head[1], lines, tuple(files), old, f"{path.name}:{number}")


def application(case: Case, directory: Path) -> Application:
    """The inputs, read from files."""
    inputs: dict[str, tuple[str, ...]] = {}
    for number, (name, text) in enumerate(case.files):
        kind, _, file = name.partition(" ")
        path = directory / (
            file or f"{kind}{number}.{'conf' if kind in ('config', 'hba', 'ident') else 'sql'}"
        )
        path.write_text(text, encoding="utf-8")
        option = "scripts" if kind == "script" else kind
        inputs[option] = (*inputs.get(option, ()), str(path))
    read = read_inputs(ReadinessOptions(old="14", new="18", **inputs), resolver)
    assert read.problems == ()
    return read.with_literals(read.literals)


def resolver():
    raise AssertionError("no case needs an install")


ALL = list(cases())


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.entry}-{case.place}")
def test_an_entry_is_found_where_it_is(case, tmp_path):
    found = find(application(case, tmp_path), case.pair, None).findings
    lines = sorted({one.place.line if one.place else 0 for one in found if case.entry in one.items})
    assert lines == sorted(case.lines), case.files
