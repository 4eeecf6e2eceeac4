"""Entries of the release notes in what applications have: realistic uses, and what nearly looks like them.

The cases are in ``cases/*.txt``. Each begins with a line ``=== ENTRY LINES``, with an entry of the release notes or
a behavior: the lines that are to be found, or ``-`` for none, and ``from=13`` where the entry was there before the
last minor of the major before. Lines ``--- KIND`` begin its files: ``schema``, ``queries``, ``config``, ``hba``,
``ident``, ``script NAME``.

Where nothing is to be found, a reader that sees nothing would be right, too. Each file of such a case is therefore
read again with a canary at its end: a file of the same kind from a case that is found, of the same entry if there
is one. Its lines have to be found there.

Entries that the servers show, by refusals or in their catalogs, are looked for with servers, by the whole command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.affects import CatalogQuery, Default, RefusedWith
from pytest_pgfeatures.readiness.application import Application, read_inputs
from pytest_pgfeatures.readiness.evidence.find import Answers, find
from pytest_pgfeatures.readiness.evidence.subjects import subjects_between
from pytest_pgfeatures.readiness.model import VersionPair
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.pairs import Trials
from pytest_pgfeatures.readiness.run import look_for
from pytest_pgfeatures.readiness.servers.parsing import rows_after, rows_of
from pytest_pgfeatures.server.watchdog import Watchdog
from pytest_pgfeatures.version import MAJORS, PgMajor, as_release

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.servers.trial import Trial

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
        new = PgMajor(re.split(r"[./]", self.entry)[0])
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


def options(case: Case, directory: Path, **given: object) -> ReadinessOptions:
    """The inputs, written to files."""
    inputs: dict[str, tuple[str, ...]] = {}
    for number, (name, text) in enumerate(case.files):
        kind, _, file = name.partition(" ")
        path = directory / (
            file or f"{kind}{number}.{'conf' if kind in ('config', 'hba', 'ident') else 'sql'}"
        )
        path.write_text(text, encoding="utf-8")
        option = "scripts" if kind == "script" else kind
        inputs[option] = (*inputs.get(option, ()), str(path))
    return ReadinessOptions(**{**inputs, **given})  # type: ignore[arg-type]


def application(case: Case, directory: Path) -> Application:
    """The inputs, read from files."""
    read = read_inputs(options(case, directory, old="14", new="18"), resolver)
    assert read.problems == ()
    return read.with_queries((*read.queries, *read.literals), read.literals)


def resolver():
    raise AssertionError("no case needs an install")


def is_to_come(pair: VersionPair) -> bool:
    """Whether the new version has no release yet, so that only the old server can be asked."""
    return pair.new.major == MAJORS[-1]


@cache
def shown_by_servers(pair: VersionPair) -> frozenset[str]:
    """The entries that servers show, by refusals or in their catalogs."""
    kinds = (CatalogQuery,) if is_to_come(pair) else (CatalogQuery, Default, RefusedWith)
    return frozenset(
        item
        for subject in subjects_between(pair)
        if any(isinstance(kind, kinds) for kind in subject.affects)
        for item in (*subject.items, subject.id)
    )


EVERY = list(cases())
ON_SERVERS = [case for case in EVERY if case.entry in shown_by_servers(case.pair)]
ALL = [case for case in EVERY if case not in ON_SERVERS]
FOUND = [case for case in ALL if case.lines and len(case.files) == 1]


def lines_found(case: Case, directory: Path, entry: str) -> list[int]:
    """The lines in which an entry is found."""
    directory.mkdir(exist_ok=True)
    found = find(application(case, directory), case.pair, None).findings
    return sorted(
        {one.place.line if one.place else 0 for one in found if entry in (*one.items, one.behavior)}
    )


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.entry}-{case.place}")
def test_an_entry_is_found_where_it_is(case, tmp_path):
    assert lines_found(case, tmp_path, case.entry) == sorted(case.lines), case.files
    if not case.lines:
        for place in range(len(case.files)):
            assert sees_a_canary(case, place, tmp_path), (
                f"the end of this is not read:\n{case.files[place][1]}"
            )


@pytest.mark.pg(matrix=False)
@pytest.mark.parametrize("case", ON_SERVERS, ids=lambda case: f"{case.entry}-{case.place}")
def test_servers_show_an_entry_where_it_is(case, tmp_path, workbench):
    trials = Trials(workbench.clusters)
    if is_to_come(case.pair):
        findings = found_on_old_server(case, trials.of(options(case, tmp_path, old="17", new="18"))[0])
    else:
        versions = {"old": str(case.pair.old.major), "new": str(case.pair.new.major)}
        findings = look_for(options(case, tmp_path, **versions), trials).findings
    shown = {
        one.place.line if one.place else 0 for one in findings if case.entry in (*one.items, one.behavior)
    }
    assert sorted(shown) == sorted(case.lines), (case.files, findings)


def found_on_old_server(case: Case, trial: Trial) -> tuple[Finding, ...]:
    """The findings that the newer server of a pair shows, as the old one of the case."""
    try:
        assert all(loaded.refusals is not None for loaded in trial.loaded)
        with trial.sides[1].connect() as connection, Watchdog(connection, 60) as watchdog:
            return find(
                trial.application,
                case.pair,
                lambda sql: rows_of(connection, sql),
                servers=Answers(tried=lambda asked: rows_after(watchdog, trial.application.queries, asked)),
            ).findings
    finally:
        trial.close()


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
