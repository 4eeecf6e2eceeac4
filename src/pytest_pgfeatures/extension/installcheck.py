"""Plan ``make installcheck``: the tests that the Makefile names; and count the tests that have run
(https://www.postgresql.org/docs/current/extend-pgxs.html: ``REGRESS``, ``ISOLATION``, ``TAP_TESTS``,
``NO_INSTALLCHECK``)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.source import makefile_of
from pytest_pgfeatures.results.model import Counted
from pytest_pgfeatures.server.account_files import read_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.extension.trial import Trial

NO_TAP = "TAP_TESTS="
"""Keeps ``make installcheck`` from running TAP tests, which have a stage of their own."""
OWN = "own"
"""The kind of tests that neither pg_regress nor prove runs."""
_TELL = """
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
_TOLD = re.compile(r"^pgfeatures:(\w+)=(.*)$", re.MULTILINE)
_SCHEDULE = re.compile(r"--schedule[= ](\S+)")
_RUNS = re.compile(r"pg_(?:isolation_)?regress\b")
_OF_MAKE = re.compile(r"^\S*make(?:\[\d+\])?: ")
_NO_TARGET = re.compile(r"No rule to make target [`']installcheck'")
_RAN = re.compile(
    r"^(?:test +| +)(?P<old>\S+) +\.\.\. (?:ok|FAILED|failed)\b|^(?:not )?ok \d+ +[-+] (?P<new>\S+) +\d+ ms",
    re.MULTILINE,
)
"""The line for each test of pg_regress: before 16, and since."""
_FAILED = re.compile(
    r"^not ok (?!.*# (?:TODO|SKIP|\(?ignored)).*$|^.*\.\.\. +FAILED.*$|^test .* FAILED.*$|^FAILED\b.*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Installcheck:
    """The tests that a Makefile names on one major.

    Parameters:
        commands: the commands that ``make installcheck`` would run, without those for TAP tests.
        variables: the Makefile's variables that name tests, as make expands them.
    """

    commands: str
    variables: dict[str, str]

    @property
    def by_pg_regress(self) -> bool:
        """Whether pg_regress or pg_isolation_regress would run."""
        return bool(_RUNS.search(self.commands))

    @property
    def no_installcheck(self) -> bool:
        """Whether the Makefile has tests, but no ``installcheck`` to run them."""
        return not self.commands and bool(self.variables.get("NO_INSTALLCHECK"))

    def names(self, tree: Path, trial: Trial) -> dict[str, list[str]]:
        """The tests for pg_regress and pg_isolation_regress, by kind, with those of schedules. The tests
        themselves may create a schedule, so that it is complete only after they have run."""
        return {
            kind: [*_listed(self.variables, name), *_scheduled(self.variables, name, tree, trial)]
            for kind, name in (("regress", "REGRESS"), ("isolation", "ISOLATION"))
        }

    def tap_tests(self, directory: Path) -> list[str]:
        """The files of TAP tests, relative to the sources."""
        if not self.variables.get("TAP_TESTS"):
            return []
        patterns = self.variables.get("PROVE_TESTS", "").split() or ["t/*.pl"]
        found = itertools.chain.from_iterable(directory.glob(pattern) for pattern in patterns)
        return sorted(str(path.relative_to(directory)) for path in found)


def plan(trial: Trial) -> Installcheck:
    """Ask make which tests ``make installcheck`` would run."""
    assert trial.tree is not None
    asking = trial.home / ".installcheck.mk"
    asking.write_text(_TELL.format(names=" ".join(_NAMES)), encoding="ascii")
    asking.chmod(0o644)
    told = trial.make("-f", makefile_of(trial.tree).name, "-f", str(asking), "pgfeatures-tests")
    variables = {match[1]: match[2].strip() for match in _TOLD.finditer(told.output)}
    dry = trial.make("installcheck", "--dry-run", NO_TAP)
    commands = [line for line in dry.output.splitlines() if not _OF_MAKE.match(line)]
    if dry.status != 0:  # then make itself will say what is wrong, unless there is nothing to make
        commands = [] if _NO_TARGET.search(dry.output) else dry.output.splitlines()
    return Installcheck("\n".join(commands), variables)


def failures(output: str) -> list[str]:
    """The lines by which tests say that they failed, whatever the exit status is."""
    return [match[0].strip() for match in _FAILED.finditer(output)]


def counted(planned: Installcheck, names: dict[str, list[str]], output: str) -> tuple[Counted, ...]:
    """Count the tests that exist and those that have run, by kind.

    Parameters:
        names: the tests that the Makefile names.
        output: the output of ``make installcheck``.
    """
    ran = [match["old"] or match["new"] for match in _RAN.finditer(output)]
    if not planned.by_pg_regress:
        count = max(1, len(ran))  # the target itself is a test
        return (Counted(OWN, count, count),)
    open = {kind: Counter(each) for kind, each in names.items()}
    run: Counter[str] = Counter()
    for name in ran:
        kind = next((kind for kind, each in open.items() if each[name]), "regress")
        open[kind][name] -= 1
        run[kind] += 1
    found = {kind: max(len(each), run[kind]) for kind, each in names.items()}
    return tuple(Counted(kind, count, run[kind]) for kind, count in found.items() if count)


def _listed(variables: dict[str, str], name: str) -> list[str]:
    words = _SCHEDULE.sub("", variables.get(name, "")).split()
    return [word for word in words if not word.startswith("-")]


def _scheduled(variables: dict[str, str], name: str, tree: Path, trial: Trial) -> list[str]:
    found = []
    for path in _SCHEDULE.findall(f"{variables.get(name, '')} {variables.get(f'{name}_OPTS', '')}"):
        try:
            text = read_text(tree / path, trial.clusters.account)
        except OSError:
            continue  # pg_regress says so
        for line in text.splitlines():
            if line.startswith("test:"):
                found += line.removeprefix("test:").split()
    return found
