"""The stage ``tap``: tests in Perl that start servers themselves
(https://www.postgresql.org/docs/current/extend-pgxs.html: ``TAP_TESTS``)."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.installcheck import failures, plan
from pytest_pgfeatures.extension.left_out import perl_tests, unrun, without_run
from pytest_pgfeatures.extension.model import Done, NothingToDoError, Object, StageError
from pytest_pgfeatures.extension.objects import cut
from pytest_pgfeatures.extension.suites import suite_commands
from pytest_pgfeatures.results.model import Counted

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.workspace import Workspace

_MODULES = ("PostgreSQL/Test/Cluster.pm", "PostgresNode.pm")
"""The server's Perl modules: since 15, and before (https://www.postgresql.org/docs/current/regress-tap.html)."""
_IPC_RUN = "IPC::Run (Debian: libipc-run-perl, Fedora: perl-IPC-Run, Alpine: perl-ipc-run)"
_FAILED = re.compile(r"^(?P<file>\S+\.pl) +\(Wstat: (?P<why>.*)\)$", re.MULTILINE)
_SKIPPED = re.compile(r"^(?P<file>\S+\.pl) \.+ skipped: (?P<why>.*)$", re.MULTILINE)
_ONLY_TAP = (
    *("REGRESS=", "ISOLATION=", "TAP_TESTS=1", "enable_tap_tests=yes", "PROVE=prove"),
    "NO_INSTALLCHECK=",  # this says that tests need a server other than a running one; TAP tests start their own
)
_COUNT = re.compile(r"^Files=(\d+), Tests=(\d+)", re.MULTILINE)


def tap(workspace: Workspace) -> Done:
    """Run the TAP tests, if the install has the Perl modules that they use."""
    if workspace.tree is None or workspace.source.directory is None:
        raise NothingToDoError("an installed extension comes without its tests")
    directory = workspace.source.directory
    planned = plan(workspace).tap_tests(directory)
    by_module = perl_tests(directory)
    ours = sorted({*planned, *(test for test in by_module if test.startswith("t/"))})
    others = [test for test in by_module if test not in ours]
    others = without_run(others, directory, suite_commands(workspace))
    tests = [*ours, *others]
    if not tests:
        raise NothingToDoError("there are no TAP tests in Perl")
    if lacking := _lacking(workspace):
        return _done(tests, not_run=unrun(tests, lacking))
    elsewhere = unrun(others, "make installcheck runs t/*.pl beside the Makefile")
    if not ours:
        return _done(tests, not_run=elsewhere)
    ended = workspace.make("installcheck", *_ONLY_TAP)
    failed = tuple(
        Object(
            f"test:{match['file']}",
            f"{match['file']}: {match['why']}",
            cut(_of_test(ended.output, match["file"])),
        )
        for match in _FAILED.finditer(ended.output)
    )
    count = _COUNT.search(ended.output)
    if (ended.status != 0 or failures(ended.output)) and not failed:
        raise StageError(
            f"make installcheck ended with status {ended.status}",
            cut(ended.output.splitlines()[-40:]),
            tests=(Counted("TAP", len(tests), 0),),
        )
    if count is None:
        return _done(
            tests, not_run=(*unrun(ours, "the Makefile's installcheck does not run prove"), *elsewhere)
        )
    skipped = tuple(
        Object(f"test:{match['file']}", f"it skips all its tests: {match['why']}")
        for match in _SKIPPED.finditer(ended.output)
    )
    summary = f"{count[2]} tests in {count[1]} files"
    return _done(tests, int(count[1]) - len(skipped), summary, failed, (*skipped, *elsewhere))


def _done(
    tests: list[str],
    run: int = 0,
    summary: str = "",
    failed: tuple[Object, ...] = (),
    not_run: tuple[Object, ...] = (),
) -> Done:
    return Done(summary, failed, not_run, tests=(Counted("TAP", max(len(tests), run), run),))


def _lacking(workspace: Workspace) -> str:
    """The programs and modules that TAP tests need and that are missing."""
    perl = workspace.pgxs / "src" / "test" / "perl"
    if not any((perl / name).is_file() for name in _MODULES):
        return f"the install from {workspace.install.source} has no Perl module PostgreSQL::Test::Cluster"
    if shutil.which("prove") is None:
        return "there is no prove on PATH; install Perl"
    perl_program = shutil.which("perl") or "perl"
    if workspace.run([perl_program, "-MIPC::Run", "-e", "1"]).status != 0:
        return f"Perl has no module {_IPC_RUN}"
    return ""


def _of_test(output: str, name: str) -> list[str]:
    """The lines of one test in prove's output; the last lines if there are none."""
    lines = output.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"{name} .")), None)
    if start is None:
        return lines[-40:]
    end = next(
        (i for i in range(start + 1, len(lines)) if re.match(r"\S+\.pl \.|Test Summary", lines[i])), None
    )
    found = lines[start:end]
    before = lines[max(0, start - 40) : start]
    return [*[line for line in before if line.startswith("#")], *found]
