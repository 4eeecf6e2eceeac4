"""Count the plans of PostgreSQL's regression queries that are read and rendered exactly, in both formats.

    python -m benchmarks.plan_corpus --pg 13..18
    python -m benchmarks.plan_corpus --pg 16 --source ~/postgresql-16.9 --suite regress

Each statement of the regression tests that EXPLAIN takes is explained in FORMAT JSON and in FORMAT TEXT before it
is run, with varying options and settings, and

- ``render(parse_plan(json))`` must equal the text, character for character, whether or not the server's version is
  known;
- ``parse_plan(json)`` must equal ``parse_plan(text)``;
- ``render(parse_plan(text))`` must equal the text, too.

Two runs of one statement have different figures. If the options include times, buffers or WAL, the first two checks
ignore numbers. A difference counts if several consecutive runs have it.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus

from benchmarks.plan_pairs import Pair, problems, without_numbers
from benchmarks.regression import Suite, fetch, statements, suites
from pytest_pgfeatures.version import PgMajor, PgVersion, VersionSet
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg.pq.abc import PGresult

    from pytest_pgfeatures.server import Cluster

PARALLEL = {
    "parallel_setup_cost": "0",
    "parallel_tuple_cost": "0",
    "min_parallel_table_scan_size": "0",
    "min_parallel_index_scan_size": "0",
    "max_parallel_workers_per_gather": "3",
}
EVERY = VersionSet("all")
TRIES = 4
RECOVERY = 60
RUN = "analyze, timing off, summary off, buffers off"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to explain a statement."""

    options: str
    settings: dict[str, str] = field(default_factory=dict)
    versions: VersionSet = EVERY
    exact: bool = True
    """Whether two runs show the same figures."""


VARIANTS = (
    Variant(""),
    Variant("costs off"),
    Variant("verbose"),
    Variant("verbose, costs off"),
    Variant(f"{RUN}, costs off"),
    Variant(RUN),
    Variant(f"{RUN}, verbose"),
    Variant("settings", {"work_mem": "'1MB'", "random_page_cost": "1.1"}, VersionSet(">=12")),
    Variant("costs off", PARALLEL, VersionSet(">=10")),
    Variant("verbose, costs off", PARALLEL, VersionSet(">=10")),
    Variant(f"{RUN}, costs off", PARALLEL, VersionSet(">=10"), exact=False),
    Variant(f"{RUN}, verbose", PARALLEL | {"work_mem": "'64kB'"}, VersionSet(">=10"), exact=False),
    Variant("", {"enable_hashjoin": "off", "enable_seqscan": "off", "enable_hashagg": "off"}),
    Variant(f"{RUN}, verbose", {"enable_mergejoin": "off", "enable_sort": "off", "enable_nestloop": "off"}),
    Variant("costs off", {"enable_hashjoin": "off", "enable_nestloop": "off", "enable_indexscan": "off"}),
    Variant("verbose", {"compute_query_id": "on"}, VersionSet(">=14")),
    Variant("analyze, buffers, verbose", {"track_io_timing": "on"}, exact=False),
    Variant("analyze, buffers, wal, costs off", versions=VersionSet(">=13"), exact=False),
    Variant("buffers, summary", versions=VersionSet(">=13"), exact=False),
    Variant("analyze, memory, serialize text, settings", versions=VersionSet(">=17"), exact=False),
    Variant("analyze, timing off, serialize binary", versions=VersionSet(">=17"), exact=False),
    Variant("memory, costs off", versions=VersionSet(">=17"), exact=False),
    Variant("generic_plan", versions=VersionSet(">=16")),
    Variant("generic_plan, verbose, costs off", PARALLEL, VersionSet(">=16")),
    Variant("analyze, io, buffers", versions=VersionSet(">=19"), exact=False),
    Variant(RUN, {"work_mem": "'64kB'", "enable_sort": "off"}),
    Variant("analyze, timing off", {"jit": "on", "jit_above_cost": "0"}, VersionSet(">=11"), exact=False),
    Variant("verbose", {"jit": "on", "jit_above_cost": "0"}, VersionSet(">=11")),
    Variant("verbose, costs off", {"plan_cache_mode": "force_generic_plan"}, VersionSet(">=12")),
    Variant(f"{RUN}, costs off", {"debug_parallel_query": "on"}, VersionSet(">=16"), exact=False),
)

SERVER = {
    "max_prepared_transactions": "2",
    "wal_level": "logical",
    "statement_timeout": "20s",
    "lock_timeout": "3s",
    "autovacuum": "off",
}
SESSION = "-c timezone=PST8PDT -c datestyle=Postgres,MDY -c intervalstyle=postgres_verbose"
LEFT_OUT = frozenset(
    ("tablespace", "psql_crosstab", "largeobject", "dblink", "basebackup_to_shell", "sepgsql")
)
"""Test files that need more than a server, or have nothing to explain."""
EXPLAINABLE = re.compile(
    r"\s*\(*\s*(select|insert|update|delete|merge|values|with|table|execute|declare"
    r"|create\s+(?:(?:temp|temporary|unlogged|global|local)\s+)*(?:table|materialized\s+view)\b.*?\sas\b)\b",
    re.IGNORECASE | re.DOTALL,
).match
_EXPLAIN = re.compile(r"\s*explain\s*(?:\([^)]*\)|(?:(?:analyze|analyse|verbose)\s+)*)", re.IGNORECASE).match


class Session:
    """A connection that runs a script as psql would."""

    def __init__(self, cluster: Cluster, dbname: str, suite: Suite) -> None:
        self.cluster = cluster
        self.dbname = dbname
        self.suite = suite
        self.variables = {
            "PG_ABS_SRCDIR": str(suite.root),
            "abs_srcdir": str(suite.root),
            "abs_builddir": str(suite.root),
            "PG_LIBDIR": "/nonexistent",
            "libdir": "/nonexistent",
            "PG_DLSUFFIX": ".so",
        }
        self.rotation = itertools.cycle(VARIANTS)
        self.connect()

    def connect(self) -> None:
        """Connect; a statement may have crashed a server of an older major, which must recover first."""
        deadline = time.monotonic() + RECOVERY
        while True:
            try:
                self.connection = self.cluster.connect(dbname=self.dbname, options=SESSION, autocommit=True)
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                self.pq = self.connection.pgconn
                return

    def run(self, statement: str, data: str = "") -> PGresult | None:
        """Return the last result; None if it has no rows, or if the server rejects the statement or crashes."""
        last = None
        try:
            self.pq.send_query(statement.encode(errors="replace"))
            while result := self.pq.get_result():
                if result.status == ExecStatus.COPY_IN:
                    self.pq.put_copy_data(data.encode())
                    self.pq.put_copy_end()
                elif result.status == ExecStatus.COPY_OUT:
                    while self.pq.get_copy_data(0)[0] > 0:
                        pass
                last = result
        except psycopg.OperationalError:
            return None
        return last if last is not None and last.status == ExecStatus.TUPLES_OK else None

    def script(self, path: Path, variants: int) -> Iterator[Pair]:
        """Run a file's statements, and yield pairs for those that can be explained."""
        text = path.read_text(errors="replace")
        text = re.sub(r"@(abs_srcdir|abs_builddir|libdir)@", lambda found: self.variables[found[1]], text)
        text = text.replace("port '$$||", f"host '{self.cluster.host}', port '$$||")
        text = text.replace("@DLSUFFIX@", ".so")
        for statement in statements(text, self.variables):
            if statement.text.startswith("\\"):
                self.command(statement.text)
                continue
            query = statement.text.strip()
            explained = _EXPLAIN(query)
            query = query[explained.end() :] if explained else query
            if not statement.data and not statement.several and EXPLAINABLE(query):
                yield from self.explained(query, variants)
            if not explained:
                self.run(statement.text, statement.data)
            if self.connection.closed or self.pq.status != 0:
                self.connect()

    def command(self, command: str) -> None:
        """Execute the psql commands that affect later statements."""
        words = command.split()
        if words[0] in (r"\c", r"\connect"):
            self.connection.close()
            self.connect()
            if len(words) > 2 and words[2] != "-":
                self.run(f"SET SESSION AUTHORIZATION {words[2]}")
        elif words[0] == r"\copy" and (
            found := re.match(r"\\copy (.*) from '?([^'\s]+)'?(.*)", command, re.I)
        ):
            path = Path(found[2])
            if path.exists():
                self.run(f"COPY {found[1]} FROM stdin {found[3]}", path.read_text())

    def explained(self, query: str, count: int) -> Iterator[Pair]:
        """Yield pairs of one statement, with the variants whose turn it is."""
        if self.pq.transaction_status == TransactionStatus.INERROR:
            return
        done = 0
        for variant in itertools.islice(self.rotation, len(VARIANTS)):
            if self.cluster.version not in variant.versions:
                continue
            pair = self.pair(query, variant)
            if pair is not None:
                yield pair
            elif not done:
                return  # EXPLAIN takes it with no options
            done += 1
            if done == count:
                return

    def pair(self, query: str, variant: Variant) -> Pair | None:
        """Return the plan in both formats; if they differ, explain again until two runs show the same difference.

        None if the statement can't be explained, or if its plan changes each time.
        """
        before: Pair | None = None
        for _ in range(TRIES):
            in_json, in_text = (self.explain(query, variant, form) for form in ("json", "text"))
            if not in_json or not in_text:
                return None  # rejected, or a CREATE TABLE AS for which TEXT prints nothing
            exact = variant.exact and (before is None or before.text == in_text)
            pair = Pair(
                str(self.cluster.version.major),
                self.suite.name,
                query,
                variant.options,
                exact,
                in_json,
                in_text,
            )
            if not any(problems(pair)):
                return pair
            if before is not None and before.exact and (before.json, before.text) == (in_json, in_text):
                return pair
            if before is not None and without_numbers(before.text) != without_numbers(in_text):
                return None
            before = pair
        return before

    def explain(self, query: str, variant: Variant, form: str) -> str | None:
        within = self.pq.transaction_status == TransactionStatus.INTRANS
        self.run("SAVEPOINT explained" if within else "BEGIN")
        for name, value in (variant.settings | {"statement_timeout": "'3s'"}).items():
            self.run(f"SET LOCAL {name} = {value}")
        options = ", ".join(filter(None, (variant.options, f"format {form}")))
        result = self.run(f"EXPLAIN ({options}) {query}")
        text = None
        if result is not None:
            rows = [
                (result.get_value(row, 0) or b"").decode(errors="replace") for row in range(result.ntuples)
            ]
            text = "\n".join(rows)
        self.run("ROLLBACK TO explained; RELEASE explained" if within else "ROLLBACK")
        return text


def collect(cluster: Cluster, source: Path, only: str | None, variants: int) -> Iterator[Pair]:
    """Yield the pairs of all suites in ``source``."""
    for suite in suites(source):
        if only is not None and suite.name != only:
            continue
        cluster.sql(f'CREATE DATABASE "{suite.name}"')
        started, count = time.monotonic(), 0
        session = Session(cluster, suite.name, suite)
        if suite.name != "regress":
            session.run(f'CREATE EXTENSION IF NOT EXISTS "{suite.name}"')
        for path in suite.files:
            if path.stem in LEFT_OUT:
                continue
            for pair in session.script(path, variants):
                count += 1
                yield pair
        session.connection.close()
        seconds = time.monotonic() - started
        print(
            f"{cluster.version.major} {suite.name}: {count} pairs, {seconds:.0f} s",
            file=sys.stderr,
            flush=True,
        )


def nearest(sources: list[Path], version: PgVersion) -> Path:
    """Return the source of the newest major that is not newer than the server, otherwise the oldest source."""

    def major(source: Path) -> int:
        found = re.search(r"-(\d+)", source.name)
        return int(found[1]) if found else 0

    older = [source for source in sources if PgMajor(major(source) or 18) <= version.major]
    return max(older, key=major) if older else min(sources, key=major)


def main() -> int:
    """Collect and compare."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plan_corpus", description=__doc__)
    parser.add_argument("--pg", default="13..18", help="versions (default: %(default)s)")
    parser.add_argument("--source", type=Path, action="append", help="PostgreSQL's unpacked sources")
    parser.add_argument("--suite", help="only this suite: regress, postgres_fdw, ...")
    parser.add_argument(
        "--variants", type=int, default=2, help="explains of a statement (default: %(default)s)"
    )
    parser.add_argument("--save", type=Path, help="keep the pairs in this directory")
    parser.add_argument("--saved", type=Path, help="compare the pairs that were kept there, without servers")
    parser.add_argument("--differences", type=Path, help="write the differences to this file")
    arguments = parser.parse_args()
    report = Report(arguments.differences)
    if arguments.saved:
        for path in sorted(arguments.saved.glob("*.jsonl.gz")):
            with gzip.open(path, "rt") as lines:
                for line in lines:
                    report.take(Pair(**json.loads(line)))
        report.print()
        return report.worst
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)  # the server reads the tests' data
        sources = arguments.source or fetch(Path(place))
        with Workbench(arguments.pg) as workbench:
            for cell in workbench.cells:
                cluster = workbench.cluster(cell, settings=SERVER)
                found = collect(
                    cluster, nearest(sources, cluster.version), arguments.suite, arguments.variants
                )
                report.take_all(
                    found, arguments.save and arguments.save / f"{cluster.version.major}.jsonl.gz"
                )
                cluster.remove()
    report.print()
    return report.worst


class Report:
    """The counts by major."""

    def __init__(self, differences: Path | None) -> None:
        self.pairs: Counter[str] = Counter()
        self.seen: Counter[tuple[str, str]] = Counter()
        self.file = differences.open("w") if differences else None

    def take_all(self, pairs: Iterator[Pair], save: Path | None) -> None:
        """Count the pairs as they come, and keep them in a file."""
        if save is None:
            for pair in pairs:
                self.take(pair)
            return
        save.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(save, "wt", compresslevel=3) as kept:
            for pair in pairs:
                self.take(pair)
                fields = {name: getattr(pair, name) for name in Pair.__slots__}
                kept.write(json.dumps(fields) + "\n")

    def take(self, pair: Pair) -> None:
        """Count one pair."""
        self.pairs[pair.major] += 1
        for kind, expected, found in problems(pair):
            self.seen[pair.major, kind] += 1
            if self.file:
                entry = f"=== {pair.major} {kind}: {pair.suite} ({pair.options})\n{pair.statement}\n"
                self.file.write(f"{entry}--- expected\n{expected}\n--- found\n{found}\n")
                self.file.flush()

    @property
    def worst(self) -> int:
        """Return an exit status: 0 if nothing differs."""
        return 1 if self.seen else 0

    def print(self) -> None:
        """A line for each major."""
        for major, count in sorted(self.pairs.items(), key=lambda item: PgMajor(item[0])):
            kinds = {kind: number for (of, kind), number in self.seen.items() if of == major}
            said = ", ".join(f"{kind}: {number}" for kind, number in sorted(kinds.items())) or "no difference"
            print(f"{major}: {count} pairs; {said}")


if __name__ == "__main__":
    sys.exit(main())
