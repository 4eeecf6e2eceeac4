"""For how many queries a transplant plans as the server that its statistics come from, and what it takes.

``python -m benchmarks.transplant [--megabytes 300] [--versions 14,16,18]``: data in the form of TPC-H's of about
that size with 22 queries, pgbench's schema of half of it, fifty tables with 100 queries; then 1,000 relations.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import warehouse
from pytest_pgfeatures.install import Store
from pytest_pgfeatures.install.resolve import Resolver
from pytest_pgfeatures.plan import explain
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.statistics.document import read_statistics, write_statistics
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.statistics.transplant import DBNAME, transplant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.statistics.model import Statistics

TIE = 0.01
_ORDERS_PER_MEGABYTE = 1250
"""With their lines and indexes."""
_ROWS_PER_SCALE = 15
"""The megabytes of pgbench's scale 1."""


@dataclass
class Outcome:
    """What came of one schema on one version."""

    queries: int
    alike: int
    tied: int
    megabytes: float
    disk: float
    seconds: float


def fill(cluster: Cluster, script: str) -> None:
    """Load a schema with its data, and have it analyzed."""
    cluster.sql("CREATE DATABASE filled")
    with cluster.connect("filled") as connection:
        connection.execute(script.encode())
        connection.execute("VACUUM ANALYZE")


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
    """The bytes that the files of relations take."""
    return sum(path.stat().st_blocks * 512 for path in (directory / "base").rglob("*") if path.is_file())


def thousand(clusters: Clusters, install: Install) -> tuple[float, float]:
    """The seconds to export 500 tables with an index each, and to transplant them."""
    filled, other = clusters.create(install), clusters.create(install)
    columns = ", ".join(f"{name} int, {name}_text text" for name in "abc")
    script = "".join(
        f"CREATE TABLE t{n} (id int PRIMARY KEY, {columns});"
        f"INSERT INTO t{n} SELECT i, i, 'x' || i, i % 9, 'y' || i % 7, i / 3, 'z' FROM generate_series(1, 1000) i;"
        for n in range(500)
    )
    fill(filled, script)
    begun = time.perf_counter()
    statistics = _through_a_file(filled)
    exported = time.perf_counter()
    made = transplant(other, statistics)
    assert made.relations == 1000
    ended = time.perf_counter()
    for cluster in (filled, other):
        clusters.remove(cluster)
    return exported - begun, ended - exported


def main() -> None:
    """Measure, and print the rows of a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--versions", default="14,16,18")
    arguments = parser.parse_args()
    orders = arguments.megabytes * _ORDERS_PER_MEGABYTE
    sizes = {
        "orders": orders,
        "customers": max(100, orders // 10),
        "parts": max(200, orders // 8),
        "suppliers": max(20, orders // 150),
    }
    scale = max(1, arguments.megabytes // 2 // _ROWS_PER_SCALE)
    schemas = (
        ("TPC-H-like", warehouse.WAREHOUSE.format(**sizes), warehouse.QUESTIONS),
        ("pgbench's", warehouse.BANK.format(scale=scale), warehouse.BANKING),
        ("fifty tables", warehouse.fifty(), warehouse.hundred()),
    )
    store = Store.open()
    resolver = Resolver(store)
    rows = []
    with Clusters(store, resolver=resolver) as clusters:
        for version in arguments.versions.split(","):
            install = resolver.resolve(resolver.cell(version).request)
            for name, script, queries in schemas:
                found = compare(clusters, install, script, queries)
                rows.append(
                    f"| {install.version} | {name} | {found.megabytes:.0f} MB | {found.disk:.1f} MB |"
                    f" {found.queries} | {found.alike} | {found.tied} | {found.seconds:.1f} s |"
                )
                print(rows[-1], flush=True)
            exported, transplanted = thousand(clusters, install)
            rows.append(f"{install.version}: 1,000 relations: {exported:.1f} s + {transplanted:.1f} s")
            print(rows[-1], flush=True)
    print("\n".join(["", *rows]))


if __name__ == "__main__":
    main()
