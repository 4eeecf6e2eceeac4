"""The command that started a run, and the commands that repeat its items."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.plugin.options import asked_versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMAND = pytest.StashKey[str]()
"""The command of this session, if it is not pytest's own."""
COMMAND_LINE = pytest.StashKey[str]()
"""The command with its arguments."""

_SELECT = ("-k", "-m", "-n", "--numprocesses", "--dist", "--pg", "--lfnf", "--last-failed-no-failures")
_WRITE = ("--basetemp", "--pg-json", "--pg-html", "--pg-benchmark-json", "--junitxml", "--junit-xml")
_WITH_VALUE = (*_SELECT, *_WRITE)
"""Options with a value that a repetition of one item omits: those that select tests, and those that write files."""
_LAST = ("--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first")
_STEPS = ("--sw", "--stepwise", "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset")
_FLAGS = (*_LAST, *_STEPS)
"""Options without a value that select tests by earlier runs."""


def command_line(config: pytest.Config) -> str:
    """Return the command that started a run, quoted for a shell."""
    if (known := config.stash.get(COMMAND_LINE, None)) is not None:
        return known
    return shlex.join(["pytest", *map(str, config.invocation_params.args)])


def rerun_of_test(config: pytest.Config, nodeid: str, versions: str | None = None) -> str:
    """Return the command that repeats a test, in the directory in which the run was started.

    Parameters:
        nodeid: the test's id.
        versions: the value of ``--pg`` for its cell; None for that of the run.
    """
    versions = asked_versions(config) if versions is None else versions
    pg = ["--pg", versions] if versions else []
    return shlex.join(["pytest", *pg, config.cwd_relative_nodeid(nodeid), *_kept(config)])


def rerun_of_behavior(config: pytest.Config, id: str, nodeid: str, versions: Sequence[str]) -> str:
    """Return the command that repeats a behavior in its cell.

    Parameters:
        id: the behavior's id.
        nodeid: the id of its test.
        versions: the value of ``--pg`` for its cell, alone and beside the other cells of its major.
    """
    if COMMAND not in config.stash:
        return rerun_of_test(config, nodeid, versions[1])
    from pytest_pgfeatures.behaviors.registry import atlas

    alone = sum(id in other for other in atlas()) == 1
    return f"pgfeatures verify --pg {shlex.quote(versions[0])} -k {shlex.quote(id if alone else f'[{id}]')}"


def _kept(config: pytest.Config) -> Iterator[str]:
    """Yield the options of the command line that concern a test by itself."""
    places = set(map(str, getattr(config.option, "file_or_dir", ())))
    words = iter(map(str, config.invocation_params.args))
    for word in words:
        name = word.partition("=")[0]
        if word in _WITH_VALUE:
            next(words, None)
        elif name in _WITH_VALUE or word in _FLAGS or word in places:
            continue
        elif not (word.startswith(("-k", "-m", "-n")) and not word.startswith("--")):
            yield word
