"""Plan ``make installcheck``: the tests that the Makefile names; and count the tests that have run
(https://www.postgresql.org/docs/current/extend-pgxs.html: ``REGRESS``, ``ISOLATION``, ``TAP_TESTS``,
``NO_INSTALLCHECK``)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.source import makefile_of
from pytest_pgfeatures.results.model import Counted, TestCase
from pytest_pgfeatures.server.account_files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.extension.workspace import Workspace

NO_TAP = "TAP_TESTS="
"""Keeps ``make installcheck`` from running TAP tests, which have a stage of their own."""
OWN = "own"
"""The kind of tests that neither pg_regress nor prove runs."""
_ASKING = """
$(foreach name,{names},$(info pgfeatures:$(name)=$($(name))))
pgfeatures-tests: ;
"""
_NAMES = (
    "REGRESS",
    "REGRESS_OPTS",
    "ISOLATION",
    "ISOLATION_OPTS",
    "TAP_TESTS",
    "PROVE_TESTS",
    "NO_INSTALLCHECK",
)
_VARIABLE = re.compile(r"^pgfeatures:(\w+)=(.*)$", re.MULTILINE)
_SCHEDULE = re.compile(r"--schedule[= ](\S+)")
_RUNS = re.compile(r"pg_(?:isolation_)?regress\b")
_RUN = re.compile(r"pg_(?P<isolation>isolation_)?regress['\"]?\s(?P<arguments>[^;&|>]*)")
_FLAGS = frozenset({"--debug", "--use-existing", "--no-locale", "--version", "--help"})
"""The options of pg_regress without a value."""
_ENTERING = re.compile(r"^\S*make(?:\[\d+\])?: (?P<way>Entering|Leaving) directory [`'](?P<place>.*)'$")
_OF_MAKE = re.compile(r"^\S*make(?:\[\d+\])?: ")
_NO_TARGET = re.compile(r"No rule to make target [`']installcheck'")
_RAN = re.compile(
    r"^(?:test +| +)(?P<old>\S+) +\.\.\. (?P<said>ok|FAILED|failed)\b(?:.*?(?P<old_ms>\d+) ms)?"
    r"|^(?P<failed>not )?ok \d+ +[-+] (?P<new>\S+) +(?P<new_ms>\d+) ms",
    re.MULTILINE,
)
"""The line for each test of pg_regress: before 16, and since."""
_DIFF = re.compile(r"^diff .*? (?P<file>\S+)\n(?:(?!diff ).*\n?)*", re.MULTILINE)
"""The differences of one test."""
_FAILED = re.compile(
    r"^not ok (?!.*# (?:TODO|SKIP|\(?ignored)).*$|^.*\.\.\. +FAILED.*$|^test .* FAILED.*$|^FAILED\b.*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Installcheck:
    """The tests that a Makefile names on one major.

    Parameters:
        lines: the lines of the commands that ``make installcheck`` would run, without those for TAP tests, each
            with the directory where it would run.
        variables: the Makefile's variables that name tests, as make expands them.
    """

    lines: tuple[tuple[Path, str], ...]
    variables: dict[str, str]

    @property
    def commands(self) -> str:
        """The commands that ``make installcheck`` would run."""
        return "\n".join(line for _, line in self.lines)

    @property
    def by_pg_regress(self) -> bool:
        """Whether pg_regress or pg_isolation_regress would run."""
        return bool(_RUNS.search(self.commands))

    @property
    def no_installcheck(self) -> bool:
        """Whether the Makefile has tests, but no ``installcheck`` to run them."""
        return not self.commands and bool(self.variables.get("NO_INSTALLCHECK"))

    def names(self, tree: Path, workspace: Workspace) -> dict[str, list[str]]:
        """The tests for pg_regress and pg_isolation_regress, by kind, with those of schedules, and those that
        Makefiles in other directories run. The tests themselves may create a schedule, so that it is complete only
        after they have run."""
        found = {}
        for kind, name in (("regress", "REGRESS"), ("isolation", "ISOLATION")):
            text = f"{self.variables.get(name, '')} {self.variables.get(f'{name}_OPTS', '')}"
            named = [*_listed(self.variables.get(name, "")), *_scheduled(text, tree, workspace)]
            found[kind] = max(named, self._in_commands(kind, tree, workspace), key=len)
        return found

    def _in_commands(self, kind: str, tree: Path, workspace: Workspace) -> list[str]:
        found = []
        for place, line in self.lines:
            for match in _RUN.finditer(line):
                if (kind == "isolation") == bool(match["isolation"]):
                    here = (
                        tree / place.relative_to(workspace.tree or tree) if place != workspace.tree else tree
                    )
                    found += [*_listed(match["arguments"]), *_scheduled(match["arguments"], here, workspace)]
        return found

    def tap_tests(self, directory: Path) -> list[str]:
        """The files of TAP tests, relative to the sources."""
        if not self.variables.get("TAP_TESTS"):
            return []
        patterns = self.variables.get("PROVE_TESTS", "").split() or ["t/*.pl"]
        found = itertools.chain.from_iterable(directory.glob(pattern) for pattern in patterns)
        return sorted(str(path.relative_to(directory)) for path in found)


def plan(workspace: Workspace, major: str = "") -> Installcheck:
    """Ask make which tests ``make installcheck`` would run.

    Parameters:
        major: another major, as ``$(MAJORVERSION)``.
    """
    assert workspace.tree is not None
    asking = workspace.home / ".installcheck.mk"
    asking.write_text(_ASKING.format(names=" ".join(_NAMES)), encoding="ascii")
    asking.chmod(0o644)
    printed = workspace.make("-f", makefile_of(workspace.tree).name, "-f", str(asking), "pgfeatures-tests")
    variables = {match[1]: match[2].strip() for match in _VARIABLE.finditer(printed.output)}
    other = (f"MAJORVERSION={major}",) if major else ()
    dry = workspace.make("installcheck", "--dry-run", NO_TAP, *other)
    lines = tuple(_located(dry.output, workspace.tree))
    if dry.status != 0:  # then make itself reports the error, unless it has nothing to do
        lines = (
            ()
            if _NO_TARGET.search(dry.output)
            else tuple((workspace.tree, line) for line in dry.output.splitlines())
        )
    return Installcheck(lines, variables)


def _located(output: str, tree: Path) -> Iterator[tuple[Path, str]]:
    """The lines of commands that make would run, each with the directory."""
    places = [tree]
    for line in output.replace("\\\n", " ").splitlines():
        if match := _ENTERING.match(line):
            if match["way"] == "Entering":
                places.append(Path(match["place"]))
            elif len(places) > 1:
                places.pop()
        elif not _OF_MAKE.match(line):
            yield places[-1], line


def failures(output: str) -> list[str]:
    """The lines in which tests report that they failed, regardless of the exit status."""
    return [match[0].strip() for match in _FAILED.finditer(output)]


def cases(output: str, diffs: str = "") -> tuple[TestCase, ...]:
    """The tests of pg_regress and pg_isolation_regress that ran, in their order.

    Parameters:
        output: the output of ``make installcheck``.
        diffs: the differences that they found, from ``regression.diffs``.
    """
    by_test = {Path(match["file"]).stem: match[0] for match in _DIFF.finditer(diffs)}
    found = []
    for match in _RAN.finditer(output):
        name = match["old"] or match["new"]
        passed = match["said"] == "ok" if match["said"] else not match["failed"]
        seconds = int(match["old_ms"] or match["new_ms"] or 0) / 1000
        details = () if passed else tuple(by_test.get(name, "").splitlines())
        found.append(TestCase(name, passed, seconds, details))
    return tuple(found)


def counted(planned: Installcheck, names: dict[str, list[str]], output: str) -> tuple[Counted, ...]:
    """Count the tests that exist and those that have run, by kind.

    Parameters:
        names: the tests that the Makefile names.
        output: the output of ``make installcheck``.
    """
    ran = [match["old"] or match["new"] for match in _RAN.finditer(output)]
    if not planned.by_pg_regress:
        count = max(1, len(ran))  # the target itself counts as a test
        return (Counted(OWN, count, count),)
    open = {kind: Counter(each) for kind, each in names.items()}
    run: Counter[str] = Counter()
    for name in ran:
        kind = next((kind for kind, each in open.items() if each[name]), "regress")
        open[kind][name] -= 1
        run[kind] += 1
    found = {kind: max(len(each), run[kind]) for kind, each in names.items()}
    return tuple(Counted(kind, count, run[kind]) for kind, count in found.items() if count)


def _listed(arguments: str) -> list[str]:
    """The names of tests among pg_regress' arguments."""
    found = []
    before = ""
    for word in arguments.split():
        is_value = before.startswith("--") and "=" not in before and before not in _FLAGS
        if not (word.startswith("-") or is_value):
            found.append(word)
        before = word
    return found


def _scheduled(arguments: str, tree: Path, workspace: Workspace) -> list[str]:
    found = []
    for path in _SCHEDULE.findall(arguments):
        try:
            text = read_text(tree / path, workspace.clusters.account)
        except OSError:
            continue  # pg_regress reports this
        for line in text.splitlines():
            if line.startswith("test:"):
                found += line.removeprefix("test:").split()
    return found
