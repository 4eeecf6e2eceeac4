"""Entries of the release notes in what applications have: realistic uses, and what nearly looks like them.

The cases are in ``cases/*.txt``. Each begins with a line ``=== ENTRY LINES``: the lines that are to be found, or ``-``
for none. Lines ``--- KIND`` begin its files: ``schema``, ``queries``, ``config``, ``hba``, ``ident``, ``script NAME``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_pgfeatures.readiness.incompatibilities import find
from pytest_pgfeatures.readiness.model import AccessLine, Application, VersionPair, Place, Query, SettingUse
from pytest_pgfeatures.sql import Statement, split
from pytest_pgfeatures.version import MAJORS, PgMajor, as_release

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """A case."""

    entry: str
    lines: tuple[int, ...]
    files: tuple[tuple[str, str, int], ...]
    place: str

    @property
    def pair(self) -> VersionPair:
        """The major that brought the entry, and the one before."""
        new = PgMajor(self.entry.partition(".")[0])
        return VersionPair(as_release(MAJORS[MAJORS.index(new) - 1]), as_release(new))


def cases():
    for path in sorted(CASES.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        starts = [*re.finditer(r"^=== (\S+) (.+)\n", text, re.MULTILINE)]
        for head, following in zip(starts, [*starts[1:], None], strict=True):
            body = text[head.end() : following.start() if following else len(text)]
            parts = re.split(r"^--- (.+)\n", body, flags=re.MULTILINE)
            files = [("queries", parts[0])] if parts[0].strip() else []
            files += [*zip(parts[1::2], parts[2::2], strict=True)]
            lines = () if head[2].strip() == "-" else tuple(int(line) for line in head[2].split())
            number = text.count("\n", 0, head.start()) + 1
            yield Case(head[1], lines, tuple(files), f"{path.name}:{number}")


def application(case: Case) -> Application:
    queries, settings, hba, ident, calls, texts = [], [], [], [], [], []
    given = set()
    for name, text in case.files:
        kind, _, file = name.partition(" ")
        given.add("scripts" if kind == "script" else kind)
        if kind in ("schema", "queries"):
            for piece in split(text):
                if isinstance(piece, Statement):
                    count = piece.sql.count("\n") + 1
                    first = piece.begins
                    queries.append(
                        Query(
                            piece.sql,
                            "schema" if kind == "schema" else "query",
                            kind,
                            tuple(range(first[0], first[0] + count)),
                            (first[1], *[1] * (count - 1)),
                        )
                    )
        elif kind == "config":
            for number, line in enumerate(text.splitlines(), start=1):
                code = line.partition("#")[0]
                if found := re.fullmatch(r"\s*([\w.-]+)\s*[= ]\s*'?(.*?)'?\s*", code):
                    settings.append(SettingUse(found[1], found[2], "file", Place(kind, number), line))
        elif kind in ("hba", "ident"):
            for number, line in enumerate(text.splitlines(), start=1):
                fields = tuple(line.partition("#")[0].split())
                if fields:
                    quoted = tuple(field.startswith('"') for field in fields)
                    plain = tuple(field.strip('"') for field in fields)
                    (hba if kind == "hba" else ident).append(AccessLine(plain, quoted, Place(kind, number), line))
    return Application(frozenset(given), tuple(queries), tuple(settings), tuple(hba), tuple(ident), tuple(calls), tuple(texts))


ALL = list(cases())


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.entry}-{case.place}")
def test_an_entry_is_found_where_it_is(case):
    found = find(application(case), case.pair, None).findings
    lines = sorted({one.place.line if one.place else 0 for one in found if case.entry in one.items})
    assert lines == sorted(case.lines), case.files
