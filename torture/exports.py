"""Databases whose owner attacks the superuser who exports their statistics: no code of the owner's runs."""

from __future__ import annotations

import contextlib
import functools
import itertools
import threading
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install import Store
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.version import VersionSet
from torture import processes
from torture.attacks import ATTACKER, OWNED, OWNED_SINCE_14, RACES, REPLACED
from torture.forked import Forked
from torture.installs import install
from torture.model import Check
from torture.place import place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.server import Cluster

MAJORS = ("9.6", "14", "18")
_SINCE_14 = VersionSet(">=14")
_SECONDS = 300.0
_EXPORTS = 5
"""The attempts per server: winning a race is a matter of chance."""


def occupy(cluster: Cluster, dbname: str) -> None:
    """Give a database to the attacker, with everything that an export could run by mistake."""
    cluster.sql(f"CREATE ROLE {ATTACKER} LOGIN")
    cluster.sql(f"ALTER DATABASE {dbname} OWNER TO {ATTACKER}")
    with cluster.connect(dbname) as connection:
        connection.execute(f"GRANT ALL ON SCHEMA public TO {ATTACKER}".encode())
    with cluster.connect(dbname, user=ATTACKER) as connection:
        connection.execute(OWNED)
        if cluster.version in _SINCE_14:
            connection.execute(OWNED_SINCE_14)


def take_back(cluster: Cluster, dbname: str) -> None:
    """Give tables and database to the superuser; the functions that they use stay the attacker's."""
    tables = ["bait", "constant", "partial", "plain"]
    if cluster.version in _SINCE_14:
        tables.append("counted")
    with cluster.connect(dbname) as connection:
        for table in tables:
            connection.execute(f"ALTER TABLE {table} OWNER TO CURRENT_USER".encode())
        connection.execute(f"ALTER DATABASE {dbname} OWNER TO CURRENT_USER".encode())
        connection.execute(f"GRANT ALL ON SCHEMA public TO {ATTACKER}".encode())


def _exports(major: str, count: int) -> list[str]:
    failures = []
    turns = itertools.product((False, True), (False, True))
    for taken_back, busy in itertools.islice(itertools.cycle(turns), -(-count // _EXPORTS)):
        with place() as where:
            run = functools.partial(_attacked, major, taken_back=taken_back, busy=busy)
            try:
                status = Forked(run, where.path, where.environment, where.path / "output").wait(_SECONDS)
                problems = [f"status {status}: {where.output[-2000:]}"] if status else []
            except TimeoutError as error:
                problems = [str(error)]
            problems += where.left()
        if problems:
            told = f"{'superuser' if taken_back else 'attacker'}'s{', busy' if busy else ''}"
            failures.append(f"{told}: {'; '.join(problems)}")
    return failures


def _attacked(major: str, *, taken_back: bool, busy: bool) -> int:
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(install(major), settings={"autovacuum": "off"})
        cluster.sql("CREATE DATABASE shop")
        occupy(cluster, "shop")
        if taken_back:
            take_back(cluster, "shop")
        with cluster.connect("shop", user=ATTACKER) as connection:
            connection.execute(REPLACED)
        since = cluster.log.position()
        for number in range(_EXPORTS):
            with _busy(cluster) if busy else contextlib.nullcontext():
                try:
                    export(cluster.dsn("shop"), schema=number == 0)
                except PgFeaturesError as error:
                    print(error)
                    if not busy:
                        return 1
        ran = [line for line in cluster.log.text(since).splitlines() if "RAN" in line]
        print(*ran, sep="\n")
        return 1 if ran else 0


@contextlib.contextmanager
def _busy(cluster: Cluster) -> Iterator[None]:
    """Let the attacker repeatedly replace the objects that an export reads."""
    done = threading.Event()

    def exchange() -> None:
        with cluster.connect("shop", user=ATTACKER) as connection:
            while not done.is_set():
                for statement in RACES:
                    with contextlib.suppress(psycopg.Error):
                        connection.execute(statement.encode())

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


CHECKS = tuple(
    Check(
        f"exports: hostile owners on {major}",
        8 * _EXPORTS,
        functools.partial(_exports, major),
        unit=4 * _EXPORTS,
        missing=processes.missing,
    )
    for major in MAJORS
)
