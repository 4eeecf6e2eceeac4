"""Find tests in the sources that no stage runs."""

from __future__ import annotations

import fnmatch
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.model import Object
from pytest_pgfeatures.extension.source import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DEPTH = 3
"""The depth to which the sources are searched for directories of tests."""
_PERL = re.compile(r"^\s*use\s+(?:PostgreSQL::Test::|PostgresNode\b|TestLib\b)", re.MULTILINE)
_PGTAP = re.compile(r"\b(?:no_plan|plan)\s*\(", re.IGNORECASE)
_SCHEDULE = re.compile(r"--schedule[= ](\S+)")
_WORD = re.compile(r"[^\s'\"`;&|<>()=,]+")
_BYTES = 1 << 18


def regress_tests(
    directory: Path, planned: str, makefile: str, said: str, commands: Iterable[str]
) -> list[str]:
    """The files of tests for pg_regress and pg_isolation_regress that nothing runs, relative to the sources.

    This does not include tests that the Makefile or a schedule names, but does not run on this major: the author
    left them out on purpose.

    Parameters:
        directory: the sources.
        planned: the commands that ``make installcheck`` would run.
        makefile: the Makefile's text; empty if ``make installcheck`` doesn't run what the Makefile names.
        said: the output of ``make installcheck``; an extension's own test runner names its tests there.
        commands: other commands that run tests, such as those of configured suites.
    """
    text = "\n".join(
        [
            planned,
            makefile,
            said,
            *(beginning(directory / name) for name in _SCHEDULE.findall(planned)),
        ]
    )
    named = set(re.findall(r"[\w.+-]+", text))
    found = []
    for place in directories(directory):
        for folder, ending in (("sql", ".sql"), ("specs", ".spec")):
            for path in sorted((place / folder).glob(f"*{ending}")):
                if path.stem not in named and (place / "expected" / f"{path.stem}.out").is_file():
                    found.append(str(path.relative_to(directory)))
    return without_run(found, directory, commands)


def without_run(tests: Iterable[str], directory: Path, commands: Iterable[str], said: str = "") -> list[str]:
    """The tests that no command runs, as far as its words show.

    A command runs a test if it, a script that it names, or its output names the test's file or directory, or a
    pattern that matches.

    Parameters:
        tests: files, relative to the sources.
        directory: the sources.
        commands: shell commands.
        said: their output.
    """
    words = {word for command in commands for word in _WORD.findall(command)}
    words |= {word for name in words for word in _WORD.findall(beginning(directory / name))}
    words = {word.removeprefix("./").rstrip("/") for word in (*words, *_WORD.findall(said))} - {"", ".", "*"}
    patterns = [word for word in words if "*" in word or "?" in word]

    def runs(test: str) -> bool:
        path = Path(test)
        if words.intersection((test, path.name, path.stem, *map(str, path.parents))):
            return True
        return any(fnmatch.fnmatchcase(test, pattern) for pattern in patterns)

    return [test for test in tests if not runs(test)]


def perl_tests(directory: Path) -> list[str]:
    """The files of TAP tests in Perl, relative to the sources."""
    return [
        str(path.relative_to(directory))
        for place in directories(directory)
        for path in sorted((place / "t").glob("*.pl"))
        if _PERL.search(beginning(path))
    ]


def pgtap_tests(directory: Path) -> list[str]:
    """The files of SQL tests that call pgTAP, relative to the sources."""
    found = []
    for place in directories(directory):
        for name in ("t", "test", "tests"):
            for path in sorted((place / name).rglob("*")):
                if (
                    path.suffix not in (".sql", ".pg", ".tap")
                    or (path.parent.parent / "expected" / f"{path.stem}.out").is_file()
                ):
                    continue
                if _PGTAP.search(beginning(path)):
                    found.append(str(path.relative_to(directory)))
    return list(dict.fromkeys(found))


def unrun(paths: list[str], why: str) -> tuple[Object, ...]:
    """Tests that were not run."""
    return tuple(Object(f"test:{path}", why) for path in paths)


def directories(top: Path) -> Iterator[Path]:
    for place, names, _ in os.walk(top):
        here = Path(place)
        depth = len(here.relative_to(top).parts)
        names[:] = sorted(name for name in names if name not in LEFT_OUT) if depth < _DEPTH else []
        yield here


def beginning(path: Path) -> str:
    try:
        with path.open(errors="replace") as file:
            return file.read(_BYTES)
    except OSError:
        return ""
