"""The stage ``regress``: the extension's own tests, by ``make installcheck``
(https://www.postgresql.org/docs/current/extend-pgxs.html: ``REGRESS``, ``REGRESS_OPTS``, ``ISOLATION``)."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.builtins import beyond_databases
from pytest_pgfeatures.extension.installcheck import NO_TAP, cases, counted, failures, plan
from pytest_pgfeatures.extension.left_out import beginning, regress_tests, unrun
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, Object, StageError
from pytest_pgfeatures.extension.objects import cut
from pytest_pgfeatures.extension.source import makefile_of
from pytest_pgfeatures.extension.suites import suite_commands
from pytest_pgfeatures.results.model import Counted
from pytest_pgfeatures.server.account_files import read_text
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pgfeatures.extension.installcheck import Installcheck
    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.install import Account, Install
    from pytest_pgfeatures.results.model import TestCase
    from pytest_pgfeatures.server import Cluster

_COUNT = re.compile(r"(\d+) of (\d+) tests? (?:failed|passed)")
_TEMP_CONFIG = re.compile(r"--temp-config[= ](\S+)")
_IN_CONTRIB = re.compile(r"^.*/contrib/[^/]+/")
_NUMBER = re.compile(r"(?<![\d.])(?:9\.[3-6]|[1-9]\d)(?![\d.]*\d)")
"""A major in a path."""
_NOT_BUILT = re.compile(
    r"^\+.*(?:ERROR|FATAL|DETAIL): .*?(?:\b(\w+) (?:is|are) not supported (?:in|by) this build"
    r"|requires the server to be built with (?:--with-)?(\w+) support|\bcollation \"\S+-x-(icu)\")"
)
"""The words in which PostgreSQL reports that it was built without a library."""
_NO_TESTS = "the Makefile names no REGRESS or ISOLATION tests that installcheck runs"
_NO_INSTALLCHECK = (
    "the Makefile sets NO_INSTALLCHECK, because its tests need a server with their own settings;"
    " what to do: --make NO_INSTALLCHECK= runs them on this server, with --preload-library and --setting"
)


def regress(workspace: Workspace) -> Done:
    """Run the regression and isolation tests on the server."""
    directory = workspace.source.directory
    if workspace.tree is None or directory is None:
        raise NothingToDoError("an installed extension comes without its tests")
    planned = plan(workspace)
    if planned.no_installcheck:
        names = planned.names(workspace.tree, workspace)
        return Done(
            not_run=tuple(
                Object(f"test:{name}", _NO_INSTALLCHECK) for each in names.values() for name in each
            ),
            tests=tuple(Counted(kind, len(each), 0) for kind, each in names.items() if each),
        )
    done = Done()
    if planned.commands:
        cluster = workspace.cluster
        before = beyond_databases(lambda dbname: workspace.connect(dbname, cluster))
        workspace.spoiled = True
        try:
            done = run_tests(workspace, cluster, workspace.tree)
        finally:
            _reset_settings(cluster)
            with contextlib.suppress(psycopg.Error):  # the server crashed
                workspace.spoiled = (
                    beyond_databases(lambda dbname: workspace.connect(dbname, cluster)) != before
                )
    left_out = unrun(_left_out(workspace, directory, planned, done.said), "make installcheck does not run it")
    if not planned.commands and not left_out:
        raise NothingToDoError(_NO_TESTS)
    return replace(done, not_run=(*done.not_run, *left_out), tests=_with(left_out, done.tests))


def _left_out(workspace: Workspace, directory: Path, planned: Installcheck, said: str) -> list[str]:
    """The tests that nothing runs on any major that their paths name."""
    others = suite_commands(workspace)
    makefile = beginning(makefile_of(directory))
    if planned.commands and not planned.by_pg_regress:
        # a test runner of the extension's own, which may ignore REGRESS, and whose output need not name its tests
        others.append(planned.commands)
        makefile = ""
    commands = planned.commands
    found = regress_tests(directory, commands, makefile, said, others)
    for major in sorted({number for path in found for number in _NUMBER.findall(path)}):
        commands += f"\n{plan(workspace, major).commands}"
    return regress_tests(directory, commands, makefile, said, others) if found else []


def _with(left_out: tuple[Object, ...], tests: tuple[Counted, ...]) -> tuple[Counted, ...]:
    """Add the tests that ``make installcheck`` leaves out to those found."""
    found = Counter("isolation" if each.id.endswith(".spec") else "regress" for each in left_out)
    run = {each.kind: each for each in tests}
    kinds = dict.fromkeys((*run, *found))
    before = {kind: run.get(kind, Counted(kind, 0, 0)) for kind in kinds}
    return tuple(replace(each, found=each.found + found[each.kind]) for each in before.values())


def run_tests(workspace: Workspace, cluster: Cluster, tree: Path) -> Done:
    """Run the tests in a copy of the sources on a server, and count them.

    Raises:
        NothingToDoError: there are none.
        LackingError: the install lacks a program that runs them.
        StageError: some failed, or hung.
    """
    planned = plan(workspace)
    if not planned.commands:
        raise NothingToDoError(_NO_TESTS)
    install = workspace.install_copy
    if not install.has("psql"):
        raise LackingError("psql", f"PostgreSQL {install.version} from {install.source} has no psql")
    warnings = _configure(workspace, cluster, planned.commands)
    since = cluster.log.position()
    with _tablespaces(workspace, cluster):
        ended = workspace.make("installcheck", NO_TAP, tree=tree, cluster=cluster)
    failed = failures(ended.output)
    tests = counted(planned, planned.names(tree, workspace), ended.output)
    if ended.status == 0 and not failed:
        if not any(each.run for each in tests):
            unrun = Object("test:installcheck", _none_ran(ended.output))
            return Done(not_run=(unrun,), tests=tests, warnings=warnings)
        summary = ", ".join(_said(each) for each in tests)
        return Done(summary, tests=tests, warnings=warnings, said=ended.output, cases=cases(ended.output))
    lines = ended.output.splitlines()
    if missing := re.search(
        r"(\S*pg_(?:isolation_)?regress): (?:No such file|not found|command not found)", ended.output
    ):
        raise LackingError(
            "pg_regress",
            f"PostgreSQL {install.version} from {install.source} has no {missing[1].rpartition('/')[2]}",
            tuple(lines[-10:]),
        )
    account = workspace.clusters.account
    diffs = [line for path in sorted(tree.glob("**/regression.diffs")) for line in _lines(path, account)]
    crashed = [line for line in cluster.log.text(since).splitlines() if "was terminated by signal" in line]
    ran = cases(ended.output, "\n".join(diffs))
    _check_libraries(install, ran, tests)
    if crashed:
        wait_until(lambda: takes_connections(cluster), f"{cluster.name} to recover from the crash")
    count = next((match[0] for match in _COUNT.finditer(ended.output)), "")
    bail = re.search(r"^# (.*)\nBail out!|^pg_regress: (.*)$", ended.output, re.MULTILINE)
    gave_up = next(filter(None, bail.groups()), "") if bail else ""
    summaries = (
        *crashed[:1],
        count,
        "; ".join(failed),
        gave_up,
        f"make installcheck ended with status {ended.status}",
    )
    summary = next(filter(None, summaries))
    details = (*warnings, *([*failed, *cut(diffs), *crashed] or lines[-30:]))
    raise StageError(summary, details, tests=tests, cases=ran)


def _check_libraries(install: Install, ran: tuple[TestCase, ...], tests: tuple[Counted, ...]) -> None:
    """Raise LackingError if each test that failed needs a library that the server was built without."""
    failed = [each for each in ran if not each.passed]
    found = [next(filter(None, map(_NOT_BUILT.match, each.details)), None) for each in failed]
    without = [match for match in found if match]
    if not without or len(without) < len(failed):
        return
    libraries = " and ".join(dict.fromkeys(str(match[match.lastindex or 0]).upper() for match in without))
    names = ", ".join(each.name for each in failed)
    raise LackingError(
        libraries,
        f"PostgreSQL {install.version} from {install.source} was built without {libraries};"
        f" tests that use it: {names}",
        (
            *(match[0] for match in without),
            f"what to do: use a server built with {libraries}, with --pg path:DIRECTORY",
        ),
        tests,
        ran,
    )


def _said(tests: Counted) -> str:
    kind = "" if tests.kind == "regress" else f"{tests.kind} "
    count = str(tests.run) if tests.run == tests.found else f"{tests.run} of {tests.found}"
    return f"{count} {kind}test{'s' if tests.found != 1 else ''}"


def _none_ran(output: str) -> str:
    """Report in make's last words that no test ran."""
    last = (output.splitlines() or [""])[-1].strip()
    return "make installcheck succeeded, but ran no test" + (f": {last}" if last else "")


def _configure(workspace: Workspace, cluster: Cluster, planned: str) -> tuple[str, ...]:
    """Apply the configuration file that ``REGRESS_OPTS`` names with ``--temp-config`` to the server.

    A file that isn't there is only a warning: in ``make installcheck``, pg_regress doesn't read it either.
    ``$(top_srcdir)/contrib/NAME/FILE`` is the file beside the Makefile, if this is not PostgreSQL's tree.
    """
    found = _TEMP_CONFIG.search(planned)
    if found is None or "--temp-instance" in planned or workspace.source.directory is None:
        return ()
    named = found[1].strip("'\"")
    for name in (named, _IN_CONTRIB.sub("", named)):
        with contextlib.suppress(OSError):
            cluster.append_conf((workspace.source.directory / name).read_text(encoding="utf-8"))
            cluster.restart()
            return ()
    return (f"{found[0]} can't be read, so the server runs without it",)


@contextlib.contextmanager
def _tablespaces(workspace: Workspace, cluster: Cluster) -> Iterator[None]:
    """Provide the tablespaces that the tests need. Afterwards, move the objects in them to ``pg_default``, because
    dumps and upgrades would need the same locations again."""
    names = [sql.Identifier(name) for name in workspace.options.tablespaces]
    with workspace.connect("postgres", cluster) as connection:
        for name, plain in zip(names, workspace.options.tablespaces, strict=True):
            place = sql.Literal(str(workspace.clusters.directory(f"{cluster.name}-{plain}")))
            connection.execute(sql.SQL("CREATE TABLESPACE {} LOCATION {}").format(name, place))
    yield
    if not names:
        return
    wait_until(lambda: takes_connections(cluster), f"{cluster.name} to take connections")
    for (dbname,) in cluster.sql("SELECT datname FROM pg_database WHERE datallowconn"):
        with workspace.connect(dbname, cluster) as connection:
            for kind, name in itertools.product(("TABLE", "INDEX", "MATERIALIZED VIEW"), names):
                moved = sql.SQL("ALTER {} ALL IN TABLESPACE {} SET TABLESPACE pg_default")
                connection.execute(moved.format(sql.SQL(kind), name))
    with workspace.connect("postgres", cluster) as connection:
        for name in names:
            connection.execute(sql.SQL("DROP TABLESPACE {}").format(name))


def _reset_settings(cluster: Cluster) -> None:
    """Undo ``ALTER SYSTEM``: with the tests' settings, the server may not start again for the later stages."""
    with contextlib.suppress(psycopg.Error):
        cluster.sql("ALTER SYSTEM RESET ALL")
        cluster.reload()


def takes_connections(cluster: Cluster) -> bool:
    """Whether a server that runs takes connections: after a crash, it first recovers."""
    try:
        cluster.connect().close()
    except psycopg.OperationalError:
        return False
    return True


def _lines(path: Path, account: Account | None) -> list[str]:
    try:
        return read_text(path, account).splitlines()
    except OSError as error:
        return [f"{path}: {error.strerror}"]
