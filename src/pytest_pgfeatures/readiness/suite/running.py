"""Run a suite on both servers of a pair, which log everything that the suite sends; read its tests' results, and
the rows that it leaves in the largest database."""

from __future__ import annotations

import contextlib
import graphlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, STDOUT
from typing import NamedTuple
from xml.etree import ElementTree

import psycopg
from psycopg.sql import quote

from pytest_pgfeatures.commands.environment import borrowed_tools, command_environment, substituted
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.install import Install
from pytest_pgfeatures.readiness.running.contents import sequences
from pytest_pgfeatures.readiness.suite.recorded import Recorded, read_recorded
from pytest_pgfeatures.server import Cluster, Clusters
from pytest_pgfeatures.server.configuration import Access
from pytest_pgfeatures.version import VersionSet

SECONDS = 6 * 3600.0  # the time limit of a suite, in seconds
JUNIT = "{junit}"  # in a command, the placeholder of the file into which the suite writes its results
_LINES_SHOWN = 15
_DIRECTORY = "suite"
_RECORDING = {
    "logging_collector": "on",
    "log_destination": "csvlog",
    "log_directory": _DIRECTORY,
    "log_filename": "suite.log",
    "log_rotation_age": "0",
    "log_rotation_size": "0",
    "log_statement": "all",
    "log_disconnections": "on",
    "log_min_error_statement": "warning",
    "autovacuum": "off",  # autovacuum would analyze tables at different moments on the two servers
}
_PLANS = {
    "shared_preload_libraries": "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_settings": "on",  # since 12; older ones have it as an unknown setting
    "auto_explain.log_parameter_max_length": "0",  # since 16; log_statement=all has logged them
}
_MOST = 32 << 20  # the number of characters of rows that are kept
_UNSEEN = (
    "-c log_statement=none -c log_min_messages=panic -c auto_explain.log_min_duration=-1 -c lock_timeout=5s"
    " -c statement_timeout=60s"
)
"""Keeps our own statements out of the suite's log."""
_LARGEST_DATABASE = """
SELECT datname FROM pg_catalog.pg_database WHERE datallowconn AND datname NOT IN ('template0', 'template1')
ORDER BY pg_catalog.pg_database_size(oid) DESC, datname LIMIT 1
"""
_TABLES = """
SELECT c.oid::bigint, relname::text, pg_catalog.format('%I.%I', nspname, relname),
       pg_catalog.string_agg(pg_catalog.quote_ident(attname), ', ' ORDER BY attnum)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
  JOIN pg_catalog.pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
   AND coalesce(pg_catalog.row_to_json(pg_attribute)->>'attgenerated', '') = '' -- before 12 it has no such column
 WHERE relkind = 'r' AND relpersistence <> 't' AND c.oid >= 16384 AND nspname !~ '^pg_'
   AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend WHERE classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                   AND objid = c.oid AND deptype = 'e')
 GROUP BY c.oid, relname, nspname ORDER BY pg_catalog.pg_relation_size(c.oid), c.oid
"""
_REFERENCES = "SELECT conrelid::bigint, confrelid::bigint FROM pg_catalog.pg_constraint WHERE contype = 'f'"


@dataclass(frozen=True, slots=True)
class Rows:
    """The tables with rows; COPY statements that load those taken along, with their data, then statements that put
    sequences where they stood; and what is missing, a line each."""

    tables: frozenset[str] = frozenset()
    loads: tuple[tuple[str, str | None], ...] = field(default=(), repr=False)
    problems: tuple[str, ...] = ()


class SuiteTest(NamedTuple):
    """A test of the suite: how it failed, empty if it passed; and where it is, if the file says so."""

    said: str
    file: str = ""
    line: int = 0


class SuiteRun(NamedTuple):
    """The run of a suite on one server."""

    status: int
    output: tuple[str, ...]  # the last lines of what it printed
    recorded: Recorded
    tests: dict[str, SuiteTest]  # by class and name, without skipped ones
    unread: list[str]  # the files that are no JUnit, a line each
    rows: Rows

    @property
    def failed(self) -> set[str]:
        """The tests that failed."""
        return {name for name, test in self.tests.items() if test.said}


class SuiteRuns(NamedTuple):
    """The runs of a suite; repeated on another new server if tests failed on the new one alone."""

    old: SuiteRun
    new: SuiteRun
    repeated: SuiteRun | None = None

    @property
    def broken(self) -> list[str]:
        """The tests that passed on the old server and failed on the new one."""
        failed = self.new.failed & self.old.tests.keys() - self.old.failed
        return [name for name in self.new.tests if name in failed]


def run_on_both(
    command: str,
    installs: tuple[Install, Install],
    clusters: Clusters,
    progress: Callable[[int], object],
    rows: bool,
) -> SuiteRuns:
    """Run a suite on a server of each version, one after the other: they may share files. The rows that it
    leaves on the old server may be read."""
    runs = []
    for number, install in enumerate(installs):
        progress(number)
        run = run_suite(command, install, clusters, rows=rows and not number)
        if not run.recorded.executions:
            refused = next((" ".join(each) for each in run.recorded.refused), "")
            why = f"; the server refused its connections: {refused}" if refused else ""
            raise PgFeaturesError(
                f"the suite {command!r} sent no statement to the server of {install.version} (it ended with"
                f" status {run.status}){why}",
                details=run.output,
                remedy="a suite that starts a server of its own (Docker, testcontainers), or has an address in its"
                " configuration, has to take PGHOST, PGPORT, PGUSER, PGPASSWORD or DATABASE_URL from its"
                " environment instead; {dsn} in the command is replaced, too",
            )
        runs.append(run)
    if SuiteRuns(*runs).broken:
        runs.append(run_suite(command, installs[1], clusters, recorded=False))
    return SuiteRuns(*runs)


def run_suite(
    command: str, install: Install, clusters: Clusters, *, recorded: bool = True, rows: bool = False
) -> SuiteRun:
    """Run a suite, a command for a shell, on a new server. The suite is the server's superuser, as with
    ``pgfeatures run``, and connects as it likes."""
    settings = {"max_connections": "200"}
    if recorded:
        settings |= _RECORDING | (_PLANS if install.has("contrib:auto_explain") else {})
    name = f"suite-{install.version.major}"
    cluster = clusters.create(install, name=name, settings=settings, access=Access.by_tcp())
    directory = Path(tempfile.mkdtemp(prefix="pgfeatures-suite-"))
    try:
        tools, _ = borrowed_tools(install, clusters.resolver, cluster)
        environment = command_environment(cluster, tools)
        if JUNIT not in command:  # pytest takes the option from here, and other programs don't look
            option = f"--junitxml={directory / 'pytest.xml'}"
            environment["PYTEST_ADDOPTS"] = f"{environment.get('PYTEST_ADDOPTS', '')} {option}".strip()
        command = substituted(command.replace(JUNIT, str(directory / "junit.xml")), cluster)
        status, output = _run(command, environment, directory / "output")
        left = _rows_left(cluster) if rows else Rows()
        cluster.stop("fast")
        log = cluster.datadir / _DIRECTORY / "suite.csv"
        paths = install.version in VersionSet(">=12")
        found = read_recorded(log, paths=paths) if log.is_file() else Recorded()
        return SuiteRun(status, output, found, *_results(directory), left)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        clusters.remove(cluster)


def _run(command: str, env: dict[str, str], output: Path) -> tuple[int, tuple[str, ...]]:
    with output.open("w+b") as file:
        try:
            ended = subprocess.run(
                command, shell=True, env=env, stdin=DEVNULL, stdout=file, stderr=STDOUT, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            said = f"the suite {command!r} was still running after {SECONDS:.0f} s"
            raise PgFeaturesError(said, remedy="name a part of it") from None
        file.seek(max(output.stat().st_size - 65536, 0))
        lines = [line for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    return ended.returncode, tuple(lines[-_LINES_SHOWN:])


def _results(directory: Path) -> tuple[dict[str, SuiteTest], list[str]]:
    """The tests in the files that end with ``.xml``, as JUnit has them; and others, a line each."""
    tests: dict[str, SuiteTest] = {}
    unread = []
    for path in sorted(directory.glob("*.xml")):
        try:
            document = ElementTree.fromstring(read_regular(path))
        except (SyntaxError, LookupError, OSError, ValueError) as error:
            unread.append(f"{path.name} is no JUnit file: {error}")
            continue
        for case in document.iterfind(".//{*}testcase"):
            said = ""
            for each in (*case.iterfind("{*}failure"), *case.iterfind("{*}error")):
                said = " ".join(each.get("message", "").split()) or each.tag.rpartition("}")[2]
            name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
            # A test that occurs several times, such as by its teardown, failed if one of them did.
            if case.find("{*}skipped") is None and (said or name not in tests):
                line = case.get("line", "")
                tests[name] = SuiteTest(said, case.get("file", ""), int(line) if line.isdecimal() else 0)
    return tests, unread


def _rows_left(cluster: Cluster) -> Rows:
    """The rows in the largest database of a running server, as far as they are not too many."""
    try:
        with cluster.connect(options=_UNSEEN) as connection:
            ((dbname,),) = connection.execute(_LARGEST_DATABASE).fetchall()
        with cluster.connect(dbname, options=_UNSEEN) as connection:
            return _rows_in(connection)
    except psycopg.Error as error:
        return Rows(problems=(f"the rows that the suite left can't be read: {str(error).splitlines()[0]}",))


def _rows_in(connection: psycopg.Connection) -> Rows:
    found: dict[int, tuple[str, str | None]] = {}
    filled, problems = set(), []
    left = _MOST
    for oid, name, table, columns in connection.execute(_TABLES).fetchall():
        size = f"SELECT pg_catalog.sum(pg_catalog.octet_length(whole_row::text)) FROM ONLY {table} whole_row"
        ((characters,),) = connection.execute(size.encode()).fetchall()
        if characters is None:
            continue
        filled.add(name)
        if characters > left:
            problems.append(
                f"the rows of {table} in {connection.info.dbname} are not taken along: with those of smaller tables"
                f" they are more than {_MOST >> 20} MB; name --data"
            )
        else:
            with connection.cursor().copy(f"COPY {table} ({columns}) TO STDOUT".encode()) as rows:
                data = b"".join(rows).decode("utf-8", "surrogateescape")
            found[oid] = f"COPY {table} ({columns}) FROM stdin", data
            left -= len(data)
    order = graphlib.TopologicalSorter[int](dict.fromkeys(found, ()))
    for table, referenced in connection.execute(_REFERENCES):
        if table != referenced and {table, referenced} <= found.keys():
            order.add(table, referenced)
    with contextlib.suppress(graphlib.CycleError):
        found = {oid: found[oid] for oid in order.static_order()}
    values = sequences(connection).items() if found else ()
    moved = (f"SELECT pg_catalog.setval({quote(name)}, {last}, {called})" for name, (last, called) in values)
    return Rows(frozenset(filled), (*found.values(), *((each, None) for each in moved)), tuple(problems))
