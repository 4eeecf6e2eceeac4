"""One pair of versions: a server of each, with the application's schema loaded."""

from __future__ import annotations

import contextlib
import functools
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install import Cell, Install
from pytest_pgfeatures.libpq import without_libpq
from pytest_pgfeatures.readiness.application import Application
from pytest_pgfeatures.readiness.evidence.find import Answers, Incompatibilities, find
from pytest_pgfeatures.readiness.guards import Guards
from pytest_pgfeatures.readiness.inputs.source_code import literals_in_routines
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.model import STAGES, Query, StageName, StageReport, VersionPair
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.servers import questions
from pytest_pgfeatures.readiness.servers.analyzed import Servers
from pytest_pgfeatures.readiness.servers.loading import Loaded, Refusal, undone, without_comments
from pytest_pgfeatures.readiness.servers.parsing import Parsed, analyses, parse_all, rows_after, rows_of
from pytest_pgfeatures.readiness.servers.side import DBNAME, QUIET, Side, load_into
from pytest_pgfeatures.readiness.statements.embedded import embedded
from pytest_pgfeatures.readiness.suite.feeding import takes_rows, with_suite
from pytest_pgfeatures.readiness.suite.running import SuiteRuns, run_on_both
from pytest_pgfeatures.scripts import icu
from pytest_pgfeatures.scripts.privileges import LOADER, hand_over
from pytest_pgfeatures.server import Cluster, Clusters
from pytest_pgfeatures.server.dump import dumped_schema
from pytest_pgfeatures.server.guarded import GUARDED
from pytest_pgfeatures.server.watchdog import Watchdog
from pytest_pgfeatures.statistics.locales import create_database
from pytest_pgfeatures.threads import Pool, in_order, once

Progress = Callable[[str, int, int], object]

T = TypeVar("T")
Item = TypeVar("Item")
_DECLARING = re.compile(r"\s*+declare\b", re.IGNORECASE)
_DUMP = "--setup"  # the file of what commands created, in findings; the lines are those of the dump
_MOST_CRASHES = 10


@dataclass(eq=False)
class Trial:
    """Two servers, and what the stages need from them. Everything is created on first use."""

    cells: tuple[Cell, Cell]
    read: Application
    clusters: Clusters
    options: ReadinessOptions
    progress: Progress  # called with a description, the number of finished items, and the total
    begun: dict[Install, Cluster]  # servers whose start has begun. Those that it takes are removed from there

    def __post_init__(self) -> None:
        old, new = self.cells
        self.name = "-".join(each.id.removeprefix("pg") for each in self.cells)  # such as 14-18
        self.requests = str(old.request), str(new.request)
        self.installs = self._install(old), self._install(new)
        self.pair = VersionPair(*(install.version for install in self.installs))
        self.files = (*self.read.queries, *self.read.literals)
        self.timeout = self.options.timeout  # the seconds that each statement may run
        self.long = max(self.timeout, 600.0)  # for a program, a user's command, and whatever reads all rows
        self.versions = ",".join(self.requests)  # as --pg takes them
        self.trusted = self.options.trust  # whether the schema is loaded, and all is run, as superuser
        self.guards = Guards(self.pair.old, self.pair.new, self.files)
        self.problems: list[str] = []  # problems that belong to no stage
        self._interrupted = False
        self._reports: dict[StageName, StageReport] = {}
        self._looking: dict[StageName, RLock] = {stage: RLock() for stage in STAGES}

    def _install(self, cell: Cell) -> Install:
        """The install of a cell: one with ICU, if there is one and the database or a collation needs it."""
        texts = (without_comments(query.sql) for query in self.read.queries if "icu" in query.sql.lower())
        statistics = self.read.statistics
        wanted = (statistics and statistics.provider == "icu") or icu.uses_icu(texts)
        return icu.resolve(self.clusters.resolver, cell.request, icu=wanted)

    @once
    def suite(self) -> SuiteRuns | PgFeaturesError | None:
        """The runs of the application's own tests; the reason why there are none; None if they aren't given."""
        if not self.options.run:
            return None
        try:
            return run_on_both(
                self.options.run, self.installs, self.clusters,
                lambda done: self.progress("suite", done, len(self.installs)), rows=takes_rows(self.read),
            )  # fmt: skip
        except PgFeaturesError as error:
            return error

    @once
    def inputs(self) -> Application:
        """The application's files, with what its own tests send."""
        if self.suite is None or isinstance(self.suite, PgFeaturesError):
            return self.read
        return with_suite(self.read, self.suite.old, lambda: self.clusters.resolver)

    @once
    def sides(self) -> tuple[Side, Side]:
        """The two servers, each with an empty database for the application."""
        with Pool(2) as pool:
            old, new = in_order(pool, self._start, self.installs)
        return old, new

    def _start(self, install: Install) -> Side:
        with self.new_server(install, begun=self.begun.pop(install, None)) as side:
            return side

    @contextlib.contextmanager
    def new_server(self, install: Install, **options: Any) -> Iterator[Side]:
        """Start a server with an empty database for the application. It is removed if the ``with`` block fails."""
        cluster = self.clusters.create(install, **{**GUARDED, **options})
        try:
            if self.inputs.statistics is not None:
                create_database(cluster, self.inputs.statistics, DBNAME)
            else:
                cluster.sql(f"CREATE DATABASE {DBNAME} TEMPLATE template0")
            side = Side(install, cluster, self.inputs.search_path, self.trusted)
            with side.superuser() as connection:
                hand_over(connection, trusted=self.trusted)
            if unlimited := side.limit_memory(self.clusters):
                said = f"the memory of sessions of {install.version} has no limit: {unlimited}"
                self.problems += [said] if said not in self.problems else []
            yield side
        except BaseException:
            self.clusters.remove(cluster)
            raise

    @once
    def loaded(self) -> tuple[Loaded, Loaded]:
        """The results of loading the schema, then the data, on each server. If a statement crashes a server, a new
        one loads everything else."""
        statements = self.inputs.loaded

        def one(side: Side) -> Loaded:
            lost: dict[int, Refusal] = {}
            report = self.progress_of(side, "schema", len(statements))
            while True:
                known = len(lost)
                try:
                    return load_into(side, statements, timeout=self.timeout, progress=report, lost=lost)
                except psycopg.OperationalError:
                    if self._interrupted or not known < len(lost) <= _MOST_CRASHES:
                        raise
                self.clusters.remove(side.cluster)
                side.cluster = self._start(side.install).cluster

        return self.both(one)

    @once
    def application(self) -> Application:
        """The application, with the definitions that the commands have created, and with those string literals of
        its code that a server accepts as statements."""
        _ = self.set_up
        inputs, definitions = self.inputs, self._definitions()
        inputs = inputs.with_queries((*definitions, *inputs.queries), definitions)
        literals = (*inputs.literals, *literals_in_routines(definitions, []))
        one, other = self.sides
        with one.connect(setting=QUIET) as old, other.connect(setting=QUIET) as new:
            found = questions.statements_among(old, new, literals, "schema" in inputs.given, self.timeout)
            queries = questions.in_their_schemas(old, inputs.queries)
        return inputs.with_queries((*queries, *found), found)

    def _definitions(self) -> tuple[Query, ...]:
        """The definitions that the commands have created on the old server, if no file has the schema."""
        if self.inputs.schema or not self.inputs.commands:
            return ()
        try:
            text = dumped_schema(self.clusters, self.sides[0].cluster, DBNAME, user=LOADER, timeout=self.long)
        except PgFeaturesError as error:
            self.problems.append(f"what the commands created can't be read: {error.problem}")
            return ()
        reader = SqlReader("schema", lambda: self.clusters.resolver)
        return tuple(sent.query for sent in reader.text(text, _DUMP, Path.cwd()))

    @once
    def statements(self) -> tuple[Query, ...]:
        """The statements that both servers parse: those of the application, except for the schema's, which were
        loaded; and those inside functions, DO blocks, triggers and EXECUTE."""
        found: list[Query] = []
        for query in self.application.queries:
            found += [query] if query.kind not in ("schema", "data") else []
            found += (inner for inner in embedded(query) if not _DECLARING.match(inner.sql))
        return tuple(found)

    @once
    def answers(self) -> tuple[list[Parsed], list[Parsed]]:
        """The answers of both servers to the statements."""
        return self.parsed(self.statements)

    def parsed(self, queries: Sequence[Query]) -> tuple[list[Parsed], list[Parsed]]:
        """The answers of both servers to statements, with the schema loaded; see :func:`parse_all`."""

        def ask(side: Side) -> list[Parsed]:
            done = self.progress_of(side, "queries", len(queries))
            with side.connect(setting=QUIET) as connection, side.definer() as definer:
                return parse_all(connection, queries, timeout=self.timeout, definer=definer, progress=done)

        return self.both(ask)

    def progress_of(self, side: Side, stage: StageName | None, total: int) -> Callable[[int], object]:
        """Report how many items of a stage a server has finished. Only the old one's count is shown."""
        return lambda done: self.progress(stage, done, total) if stage and side is self.sides[0] else None

    def each(
        self,
        items: Sequence[Item],
        ask: Callable[[psycopg.Connection, Item], T],
        *,
        dbname: str = DBNAME,
        stage: StageName | None = None,
    ) -> tuple[list[T | Refusal], list[T | Refusal]]:
        """The answers of both servers about each item, or why one refuses; a transaction is rolled back."""

        def asked(side: Side) -> list[T | Refusal]:
            found: list[T | Refusal] = []
            report = self.progress_of(side, stage, len(items))
            with side.connect(dbname) as connection, Watchdog(connection, self.timeout) as watchdog:
                for number, item in enumerate(items, 1):
                    found.append(undone(watchdog, ask, item))
                    report(number)
            return found

        return self.both(asked)

    @once
    def set_up(self) -> tuple[str | None, str | None]:
        """The failures of the commands of ``--setup`` and ``--data``, which run after the schema is loaded."""
        _ = self.loaded
        return self.both(self.fill)

    def fill(self, side: Side) -> str | None:
        """Run these commands by the role that loads. Return the output of the one that failed."""
        cluster, url = side.cluster, side.cluster.url(DBNAME, user=LOADER)
        variables = {"PGDATABASE": DBNAME, "PGUSER": LOADER, "DATABASE_URL": url}
        for command in self.inputs.commands:
            try:
                ended = subprocess.run(
                    ["/bin/sh", "-c", command],
                    env=without_libpq() | cluster.connection_environment() | variables,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    timeout=self.long, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return f"{command!r} was still running after {self.long:.0f} s"
            if ended.returncode:
                lines = ended.stdout.decode(errors="replace").splitlines()[-15:]
                return "\n".join((f"{command!r} ended with status {ended.returncode}", *lines))
        return None

    def report(self, stage: StageName, look: Callable[[Trial, StageName], StageReport]) -> StageReport:
        """The findings of a stage. The stage runs only once."""
        with self._looking[stage]:
            if stage not in self._reports:
                self._reports[stage] = look(self, stage)
            return self._reports[stage]

    @once
    def shown(self) -> Incompatibilities:
        """The changes between the versions that the application's inputs and the old server's catalogs show."""
        application = self.application
        has_schema = "schema" in self.inputs.given
        sent = [each.query for each in self.inputs.loaded]
        run = list(zip(sent, *(each.refusals for each in self.loaded), strict=True))
        answered: list[dict[Query, Parsed]] = [{}, {}]
        with contextlib.suppress(psycopg.Error):  # the stage queries reports it
            answered = [dict(zip(self.statements, each, strict=True)) for each in self.answers]
        run += [(each, one.refusal, answered[1][each].refusal) for each, one in answered[0].items()]
        with contextlib.ExitStack() as stack:

            def watched(side: Side) -> Watchdog:
                connection = stack.enter_context(side.connect(setting=QUIET))
                return stack.enter_context(Watchdog(connection, self.timeout))

            old, new = map(watched, self.sides)
            answers = Answers(
                Servers(*map(analyses, answered, map(watched, self.sides))),
                questions.refused_before(run), functools.partial(rows_after, old, application.queries),
                questions.same_values(old, new),
            )  # fmt: skip
            found = find(
                application, self.pair, functools.partial(rows_of, old.connection) if has_schema else None,
                self.inputs.behaviors, answers, functools.partial(self.progress, "incompatibilities"),
            )  # fmt: skip
        return found.uncertain(questions.without_objects(run)).changed(self.guards.marked)

    def both(self, ask: Callable[[Side], T]) -> tuple[T, T]:
        """Run a function for both servers in parallel. An interrupt stops both; an error does not."""
        with Pool(2) as pool:
            try:
                old, new = in_order(pool, ask, self.sides)
            except (KeyboardInterrupt, SystemExit):
                self.interrupt()
                raise
        return old, new

    def interrupt(self) -> None:
        """Stop both servers, so that everything that waits for them ends."""
        self._interrupted = True
        for side in self.__dict__.get("sides", ()):
            with contextlib.suppress(PgFeaturesError, OSError):
                side.cluster.stop("immediate")

    def close(self) -> None:
        """Remove both servers."""
        for side in self.__dict__.get("sides", ()):
            self.clusters.remove(side.cluster)
