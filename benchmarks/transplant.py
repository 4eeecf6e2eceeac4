"""Count the queries with the same plan on a transplant and on the server its statistics come from; time both.

``python -m benchmarks.transplant [--megabytes 300] [--versions 14,16,18]``: data in the form of TPC-H's of about
that size with 22 queries, pgbench's schema of half of it, fifty tables with 100 queries, indexes on expressions of
every access method with more than 112; then 1,000 relations. ``--only methods`` takes one of them.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import methods, warehouse
from pytest_pgfeatures.plan import explain
from pytest_pgfeatures.statistics.document import read_statistics, write_statistics
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.statistics.transplant import DBNAME, transplant
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster, Clusters
    from pytest_pgfeatures.statistics.model import Statistics
    from pytest_pgfeatures.version import PgVersion

    Made = Callable[[PgVersion], tuple[str, Sequence[str]]]

TIE = 0.01
_ORDERS_PER_MEGABYTE = 1250
"""The bytes of an order, with its lines and indexes."""
_ROWS_PER_SCALE = 15
"""The megabytes of a pgbench database of scale 1."""


@dataclass
class Outcome:
    """The result for one schema on one version."""

    queries: int
    alike: int
    tied: int
    megabytes: float
    disk: float
    seconds: float


def fill(cluster: Cluster, script: str) -> None:
    """Load a schema with its data, and run ANALYZE."""
    cluster.sql("CREATE DATABASE filled")
    with cluster.connect("filled") as connection:
        connection.execute(script.encode())
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")  # the export reads the first pages of indexes in their files


def compare(clusters: Clusters, install: Install, script: str, queries: Sequence[str]) -> Outcome:
    """Fill a server, transplant its statistics to another one, and compare the plans."""
    filled, other = clusters.create(install), clusters.create(install)
    fill(filled, script)
    before = _on_disk(other.datadir)
    begun = time.perf_counter()
    statistics = _through_a_file(filled)
    made = transplant(other, statistics)
    seconds = time.perf_counter() - begun
    if made.problems:
        print("\n".join(made.problems))
    alike = tied = 0
    with filled.connect("filled") as one, other.connect(DBNAME) as two:
        for query in queries:
            real, planned = explain(one, query), explain(two, query)
            same = real.shape() == planned.shape()
            cost, estimated = real.root["Total Cost"], planned.root["Total Cost"]
            ties = abs(cost - estimated) <= TIE * cost
            alike += same
            tied += same and ties
            if not (same and ties):
                print(f"{install.version}: {cost:.2f}, {estimated:.2f} for {query}\n{real}\n{planned}")
    disk = (_on_disk(other.datadir) - before) / 1e6
    for cluster in (filled, other):
        clusters.remove(cluster)
    return Outcome(len(queries), alike, tied, made.size / 1e6, disk, seconds)


def _through_a_file(cluster: Cluster, dbname: str = "filled") -> Statistics:
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "statistics.json"
        write_statistics(export(cluster.dsn(dbname)), file)
        return read_statistics(file)


def _on_disk(directory: Path) -> int:
    """Return the bytes that the files of relations take."""
    return sum(path.stat().st_blocks * 512 for path in (directory / "base").rglob("*") if path.is_file())


def _seconds() -> tuple[float, float]:
    """Return the clock's seconds, and the processors' in this process and its programs, without the servers."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), time.process_time() + ended.ru_utime + ended.ru_stime


def thousand(clusters: Clusters, install: Install) -> str:
    """Return the seconds to export 500 tables with an index each, and to transplant them."""
    filled, other = clusters.create(install), clusters.create(install)
    columns = ", ".join(f"{name} int, {name}_text text" for name in "abc")
    script = "".join(
        f"CREATE TABLE t{n} (id int PRIMARY KEY, {columns});"
        f"INSERT INTO t{n} SELECT i, i, 'x' || i, i % 9, 'y' || i % 7, i / 3, 'z' FROM generate_series(1, 1000) i;"
        for n in range(500)
    )
    fill(filled, script)
    begun = _seconds()
    statistics = _through_a_file(filled)
    exported = _seconds()
    made = transplant(other, statistics)
    assert made.relations == 1000
    ended = _seconds()
    for cluster in (filled, other):
        clusters.remove(cluster)
    phases = {"export": (begun, exported), "transplant": (exported, ended)}
    return ", ".join(
        f"{name} {after[0] - before[0]:.1f} s ({after[1] - before[1]:.1f} s of our processes)"
        for name, (before, after) in phases.items()
    )


def main() -> None:
    """Measure, and print the rows of a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--versions", default="14,16,18")
    parser.add_argument("--only", choices=("warehouse", "bank", "fifty", "methods", "thousand"))
    arguments = parser.parse_args()
    orders = arguments.megabytes * _ORDERS_PER_MEGABYTE
    sizes = {
        "orders": orders,
        "customers": max(100, orders // 10),
        "parts": max(200, orders // 8),
        "suppliers": max(20, orders // 150),
    }
    scale = max(1, arguments.megabytes // 2 // _ROWS_PER_SCALE)
    schemas: dict[str, tuple[str, Made]] = {
        "warehouse": ("TPC-H-like", lambda _: (warehouse.WAREHOUSE.format(**sizes), warehouse.QUESTIONS)),
        "bank": ("pgbench's", lambda _: (warehouse.BANK.format(scale=scale), warehouse.BANKING)),
        "fifty": ("fifty tables", lambda _: (warehouse.fifty(), warehouse.hundred())),
        "methods": (
            "every access method",
            lambda version: (methods.schema(version), methods.queries(version)),
        ),
    }
    rows = []
    with Workbench() as workbench:
        clusters, resolver = workbench.clusters, workbench.resolver
        for version in arguments.versions.split(","):
            install = resolver.resolve(resolver.cell(version).request)
            for key, (name, made) in schemas.items():
                if arguments.only not in (None, key):
                    continue
                found = compare(clusters, install, *made(install.version))
                rows.append(
                    f"| {install.version} | {name} | {found.megabytes:.0f} MB | {found.disk:.1f} MB |"
                    f" {found.queries} | {found.alike} | {found.tied} | {found.seconds:.1f} s |"
                )
                print(rows[-1], flush=True)
            if arguments.only in (None, "thousand"):
                rows.append(f"{install.version}: 1,000 relations: {thousand(clusters, install)}")
                print(rows[-1], flush=True)
    print("\n".join(["", *rows]))


if __name__ == "__main__":
    main()
