"""The time that running servers take to check which of 1,000 statements they accept.

``python -m benchmarks.needs [COUNT]``: a schema of 100 tables, and queries of five forms on them; five majors.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING

from pytest_pgfeatures.needs.ask import ask
from pytest_pgfeatures.sql import statements
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from pytest_pgfeatures.server import Cluster

VERSIONS = "14..18"
TABLES = 100
FORMS = (
    "SELECT a.id, b.name FROM t{n} a JOIN t{m} b USING (id) WHERE a.name LIKE 'x%' ORDER BY b.created LIMIT 10;",
    "INSERT INTO t{n} (id, name) SELECT id, upper(name) FROM t{m} ON CONFLICT (id) DO UPDATE SET name = 'y';",
    "WITH w AS (SELECT id, count(*) OVER () AS n FROM t{n}) SELECT max(w.n) FROM w JOIN t{m} USING (id);",
    "UPDATE t{n} SET name = t{m}.name FROM t{m} WHERE t{m}.id = t{n}.id AND t{n}.created < now();",
    "MERGE INTO t{n} USING t{m} ON t{m}.id = t{n}.id WHEN MATCHED THEN DELETE;",
)


def script(count: int) -> str:
    """Return a script of ``count`` statements."""
    tables = [
        f"CREATE TABLE t{n} (id int PRIMARY KEY, name text, created timestamptz DEFAULT now());"
        for n in range(min(TABLES, count // 2))
    ]
    queries = [
        FORMS[n % len(FORMS)].format(n=n % len(tables), m=(n + 1) % len(tables))
        for n in range(count - len(tables))
    ]
    return "\n".join(chain(tables, queries))


def main(count: int = 1000) -> None:
    """Print the time to split the script, and the time to ask the servers."""
    with Workbench(VERSIONS) as workbench:
        servers: list[Cluster] = [workbench.cluster(cell) for cell in workbench.cells]
        begun = time.perf_counter()
        found = statements(script(count))
        split = time.perf_counter()
        with ThreadPoolExecutor(len(servers)) as pool:
            answers = list(pool.map(lambda server: ask(server, "script", found), servers))
        ended = time.perf_counter()
    refused = [sum(answer.sqlstate is not None for answer in each) for each in answers]
    print(f"{len(found)} statements, {len(servers)} majors ({VERSIONS}); refused: {refused}")
    print(f"split {split - begun:.2f} s, asked {ended - split:.2f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
