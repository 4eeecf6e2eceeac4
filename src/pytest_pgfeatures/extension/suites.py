"""The stage ``test``: run the configured suites, each with its own server and database."""

from __future__ import annotations

import shlex
import shutil
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.extension.create import create_extension
from pytest_pgfeatures.extension.left_out import pgtap_tests, unrun, without_run
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, Object, StageError
from pytest_pgfeatures.extension.objects import cut
from pytest_pgfeatures.extension.refusals import details_of, first_line
from pytest_pgfeatures.extension.workspace import DBNAME
from pytest_pgfeatures.results.model import Counted

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.model import NamedTests
    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.results.program import Finished

_PSQL = "psql --no-psqlrc --no-align --quiet --tuples-only --pset pager=off --set ON_ERROR_STOP=1 --file"
"""The psql options with which pg_prove runs a test (https://pgtap.org/pg_prove.html)."""


def test(workspace: Workspace) -> Done:
    """Run the suites, each on a new server."""
    directory = workspace.source.directory
    if not workspace.options.test:
        found = pgtap_tests(directory) if directory else []
        if not found:
            raise NothingToDoError("the configuration names no tests")
        why = 'pgTAP tests run only if the configuration names them: test = [{ name = "pgtap", pg_prove = [...] }]'
        return Done(not_run=unrun(found, why), tests=(Counted("own", len(found), 0),))
    failed = []
    said = []
    for suite in workspace.options.test:
        workspace.discard_scratch()
        try:
            output, summary = _run(workspace, suite)
            said.append(output)
            if summary:
                failed.append(Object(f"test:{suite.name}", summary, cut(output.splitlines()[-120:])))
        except StageError as error:  # it did not start, or hung
            failed.append(Object(f"test:{suite.name}", error.summary, error.details))
    count = len(workspace.options.test)
    left = pgtap_tests(directory) if directory else []
    if directory and left:
        left = without_run(left, directory, suite_commands(workspace), "\n".join(said))
    not_run = unrun(left, "no suite runs it")
    tests = Counted("own", count + len(not_run), count)
    return Done(f"{count} suite{'s' if count > 1 else ''}", tuple(failed), not_run, tests=(tests,))


def suite_commands(workspace: Workspace) -> list[str]:
    """The commands of the configured suites."""
    return [
        workspace.make(each.make, "--dry-run").output
        if each.make
        else each.command or " ".join(each.pg_prove)
        for each in workspace.options.test
    ]


def _run(workspace: Workspace, suite: NamedTests) -> tuple[str, str]:
    """Run a suite; return its output, and why it failed."""
    with workspace.fresh_database() as connection:
        try:
            if suite.sql:
                connection.execute(suite.sql.encode())
            else:
                for name in workspace.names:
                    create_extension(connection, name, if_not_exists=True)
        except psycopg.Error as error:
            raise StageError(f"{suite.name}: sql: {first_line(error)}", details_of(error)) from None
    ended = _ended(workspace, suite)
    if ended.status == 0:
        return ended.output, ""
    lines = ended.output.splitlines()
    said = next((line for line in lines if line.startswith(("not ok", "# Failed", "FAILED", "ERROR"))), "")
    return ended.output, f"{suite.name} ended with status {ended.status}" + (f": {said}" if said else "")


def _ended(workspace: Workspace, suite: NamedTests) -> Finished:
    more = {"PGDATABASE": DBNAME}
    if suite.make:
        return workspace.make(suite.make, cluster=workspace.scratch, more=more)
    if suite.command:
        return workspace.shell(suite.command, cluster=workspace.scratch, more=more)
    if shutil.which("prove") is None:
        raise LackingError("prove", "there is no prove on PATH, which runs pgTAP tests; install Perl")
    patterns = " ".join(suite.pg_prove)  # the shell expands the patterns
    return workspace.shell(
        f"prove --exec {shlex.quote(_PSQL)} {patterns}", cluster=workspace.scratch, more=more
    )
