"""Entries of the release notes in what applications have: realistic uses, and what nearly looks like them.

The cases are in ``cases/*.txt``. Each begins with a line ``=== ENTRY LINES``: the lines that are to be found, or
``-`` for none, and ``from=13`` where the entry was there before the last minor of the major before. Lines
``--- KIND`` begin its files: ``schema``, ``queries``, ``config``, ``hba``, ``ident``, ``script NAME``.

Where nothing is to be found, a reader that sees nothing would be right, too. Each file of such a case is therefore
read again with a canary at its end: a file of the same kind from a case that is found, of the same entry if there
is one. Its lines have to be found there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
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
    """A case. Its files are pairs of a kind, with the name of a script, and a text."""

    entry: str
    lines: tuple[int, ...]
    files: tuple[tuple[str, str], ...]
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
FOUND = [case for case in ALL if case.lines and len(case.files) == 1]


def lines_found(case: Case, directory: Path, entry: str) -> list[int]:
    """The lines in which an entry is found."""
    directory.mkdir(exist_ok=True)
    found = find(application(case, directory), case.pair, None).findings
    return sorted({one.place.line if one.place else 0 for one in found if entry in one.items})


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.entry}-{case.place}")
def test_an_entry_is_found_where_it_is(case, tmp_path):
    assert lines_found(case, tmp_path, case.entry) == sorted(case.lines), case.files
    if not case.lines:
        for place in range(len(case.files)):
            assert sees_a_canary(case, place, tmp_path), (
                f"the end of this is not read:\n{case.files[place][1]}"
            )


def sees_a_canary(case: Case, place: int, directory: Path) -> bool:
    """Whether the lines of another case are found at the end of one of the case's files."""
    kind, text = case.files[place]
    text = text if text.endswith("\n") else f"{text}\n"
    for number, canary in enumerate(canaries(kind, case)):
        files = list(case.files)
        files[place] = (kind, text + canary.files[0][1])
        moved = {line + text.count("\n") for line in canary.lines}
        both = replace(case, files=tuple(files))
        if moved <= set(lines_found(both, directory / f"{place}-{number}", canary.entry)):
            return True
    return False


def canaries(kind: str, case: Case) -> list[Case]:
    """The cases with a file of a kind that are found between the same versions, those of the same entry first."""
    form = Path(kind.partition(" ")[2])
    alike = [
        other
        for other in FOUND
        for other_kind, _ in other.files
        if other.pair == case.pair and other_kind.split()[0] == kind.split()[0]
        if (Path(other_kind.partition(" ")[2]).suffix or other_kind) == (form.suffix or kind)
    ]
    return sorted(alike, key=lambda other: other.entry != case.entry)
