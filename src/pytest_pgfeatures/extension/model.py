"""The stages of an extension, and the exceptions that end a stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.results.model import Counted, TestCase


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage.

    Parameters:
        name: the name in options and reports.
        after: the stage that must pass before this one.
        meaning: the condition to pass.
        objects_apart: whether the stage can pass although an object of it fails, so that later stages still run.
    """

    name: str
    after: str | None
    meaning: str
    objects_apart: bool = False


STAGES: tuple[Stage, ...] = (
    Stage("build", None, "make builds it with the server's headers"),
    Stage("install", "build", "make install puts its files into the private install"),
    Stage(
        "create",
        "install",
        "CREATE EXTENSION at the default version; each other version is an object of its own",
        objects_apart=True,
    ),
    Stage("update", "create", "every update path leads to the objects of a fresh install of that version"),
    Stage("regress", "create", "its own regression tests, by pg_regress and pg_isolation_regress"),
    Stage("tap", "create", "its own TAP tests in Perl"),
    Stage("test", "create", "the suites that the configuration names"),
    Stage("dump", "create", "dumped and restored into the same and the next major"),
    Stage("upgrade", "create", "pg_upgrade to each later major, then its regression tests again"),
    Stage("drop", "create", "DROP EXTENSION leaves nothing behind"),
)
STAGE_NAMES = tuple(stage.name for stage in STAGES)
KINDS = (
    "version",
    "trusted",
    "relocatable",
    "script",
    "path",
    "table",
    "sequence",
    "type",
    "test",
    "release",
)
"""The kinds of objects that can fail on their own within a stage."""


@dataclass(frozen=True, slots=True)
class Object:
    """One object of a stage that failed or was not run.

    Parameters:
        id: the kind and name, such as ``table:public.cache`` or ``version:1.0``, as in ``known_failures``.
        summary: the reason, in one line.
        details: the evidence.
    """

    id: str
    summary: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """The work that a stage has done.

    Parameters:
        summary: a summary in one line; empty if the stage could do nothing.
        failed: the objects that failed.
        not_run: the objects that exist but were not run, each with the reason.
        excluded: the objects that were not run, because the project excludes them.
        warnings: problems that do not fail the stage.
        compiled: the compiler's warnings.
        tests: how many tests exist, and how many were run. If some were not run, the stage doesn't pass.
        said: the output of the program that ran the tests.
        cases: the single tests that were run.
    """

    summary: str = ""
    failed: tuple[Object, ...] = ()
    not_run: tuple[Object, ...] = ()
    excluded: tuple[Object, ...] = ()
    warnings: tuple[str, ...] = ()
    compiled: tuple[str, ...] = ()
    tests: tuple[Counted, ...] = ()
    said: str = ""
    cases: tuple[TestCase, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedTests:
    """Tests of an extension. One of ``command``, ``make`` and ``pg_prove`` says how to run them.

    Parameters:
        name: the name; reports show it as ``test:NAME``.
        command: a shell command. It runs in the copy of the sources; its environment names the server and the
            database.
        make: a target of the Makefile.
        pg_prove: files with pgTAP tests, or patterns of their names.
        sql: SQL to run first in the new database; by default CREATE EXTENSION for the tested extensions.
    """

    name: str
    command: str = ""
    make: str = ""
    pg_prove: tuple[str, ...] = ()
    sql: str = ""


@dataclass
class StageError(Exception):
    """A stage did not pass.

    Parameters:
        summary: the reason, in one line.
        details: the evidence.
        file: the file of a compiler's error, relative to the sources.
        line: the line in that file.
        tests: how many tests exist, and how many were run.
        cases: the single tests that were run.
    """

    summary: str
    details: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None
    tests: tuple[Counted, ...] = ()
    cases: tuple[TestCase, ...] = ()


@dataclass
class LackingError(Exception):
    """A stage can't run, because the install or the machine lacks something.

    Parameters:
        capability: the capability that is lacking.
        summary: the reason, in one line.
        tests: how many tests exist, and how many were run.
        cases: the single tests that were run.
    """

    capability: str
    summary: str
    details: tuple[str, ...] = field(default=())
    tests: tuple[Counted, ...] = ()
    cases: tuple[TestCase, ...] = ()


class NothingToDoError(Exception):
    """A stage has nothing to do; the message says why."""
