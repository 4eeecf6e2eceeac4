"""libpq environment variables that point to another server: our connections and programs ignore them.

They point to a decoy server on 127.0.0.1, port 5432, which is free in our own network namespace. Its log records
every connection attempt.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import unittest.mock
from typing import TYPE_CHECKING

import psycopg
from psycopg import pq

from pytest_pgfeatures.install import Store
from pytest_pgfeatures.libpq import NOT_OPTIONS, during_test, inherited
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.configuration import Access
from torture import namespaces
from torture.installs import install
from torture.model import Check
from torture.place import Place, place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.server import Cluster

PORT = 5432
VERSIONS = ("9.6", "14", "18")
VARIABLES = tuple(
    sorted(
        {option.envvar.decode() for option in pq.Conninfo.get_defaults() if option.envvar}
        | NOT_OPTIONS
        | {f"PG{option.keyword.decode().upper()}" for option in pq.Conninfo.get_defaults()}
    )
)
"""Variables that libpq lists, that it reads without listing them, and that a newer libpq may have."""
LEADING = {
    "PGHOST": ("127.0.0.1", "localhost", "/tmp", "127.0.0.1,127.0.0.1"),
    "PGHOSTADDR": ("127.0.0.1", "::1"),
    "PGPORT": (str(PORT), "1"),
    "PGSERVICE": ("hostile", "missing"),
    "PGSERVICEFILE": ("services", "/nowhere"),
    "PGSYSCONFDIR": (".", "/nowhere"),
    "PGPASSFILE": ("passwords", "/nowhere"),
    "PGDATABASE": ("decoy", "postgres"),
    "PGUSER": ("decoy", "postgres"),
    "PGOPTIONS": ("-c search_path=hostile", "-c default_transaction_read_only=on", "--nonsense"),
    "PGTARGETSESSIONATTRS": ("standby", "read-only"),
    "PGREQUIREAUTH": ("scram-sha-256", "none"),
    "PGSSLMODE": ("verify-full", "require", "disable"),
    "PGTZ": ("Europe/Vienna", "hostile"),
    "PGDATESTYLE": ("German", "hostile"),
    "PGCLIENTENCODING": ("LATIN1", "hostile"),
}
ANYTHING = ("hostile", "", "0", "1", "-1", "x" * 5_000, "a=b c=d", "'", "%00", "ä", "\\", "require", "prefer")
FILES = {
    "services": f"[hostile]\nhostaddr=127.0.0.1\nport={PORT}\nuser=decoy\n",
    "pg_service.conf": f"[hostile]\nhostaddr=127.0.0.1\nport={PORT}\n",
    ".pg_service.conf": f"[hostile]\nhostaddr=127.0.0.1\nport={PORT}\n",
    "passwords": "*:*:*:*:decoy\n",
    ".pgpass": "*:*:*:*:decoy\n",
    ".psqlrc": "\\echo hostile\n",
    ".postgresql/root.crt": "hostile\n",
    ".postgresql/postgresql.crt": "hostile\n",
    ".postgresql/postgresql.key": "hostile\n",
}
"""Files in the home directory, and in the working directory."""
TESTS = """
import os, subprocess
import psycopg

DIRECTORY = "SHOW data_directory"

def test_connection(pg_connection, pg_cluster):
    assert pg_connection.execute(DIRECTORY).fetchone() == (str(pg_cluster.datadir),)
    assert pg_connection.execute("SHOW timezone").fetchone() == ("UTC",)

def test_dsn(pg_database, pg_cluster):
    with psycopg.connect(pg_database.dsn) as connection:
        assert connection.execute(DIRECTORY).fetchone() == (str(pg_cluster.datadir),)

def test_own(create_pg):
    cluster = create_pg(tcp=True)
    with psycopg.connect(cluster.dsn()) as connection:
        assert connection.execute(DIRECTORY).fetchone() == (str(cluster.datadir),)

def test_program(pg_database, pg_cluster):
    if pg_cluster.install.has("psql"):
        argv = [pg_cluster.install.program("psql"), "-XAtc", DIRECTORY, pg_database.dsn]
        assert subprocess.check_output(argv, text=True) == str(pg_cluster.datadir) + chr(10)
"""


def hostile_variables(count: int) -> dict[str, str]:
    """Return ``count`` random libpq environment variables with values that point to the decoy, or nowhere."""
    names = random.sample(VARIABLES, min(count, len(VARIABLES)))
    return {
        name: random.choice(LEADING.get(name, ()) if random.random() < 0.5 and name in LEADING else ANYTHING)
        for name in names
    }


@contextlib.contextmanager
def _decoy(where: Place, clusters: Clusters) -> Iterator[Cluster]:
    """Start the decoy, in a directory with files that point to it."""
    for name, content in FILES.items():
        path = where.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        path.chmod(0o600)
    yield clusters.create(
        install("14"),
        name="decoy",
        settings={"log_connections": "on"},
        access=Access.by_tcp(password="not known", port=PORT),
    )


def _visits(decoy: Cluster, since: int) -> list[str]:
    return [line for line in decoy.log.text(since).splitlines() if "connection received" in line]


def _connections(count: int) -> list[str]:
    """Try connections and programs in a running test process in which a few variables are set."""
    failures = []
    with (
        place() as where,
        unittest.mock.patch.dict(os.environ, where.environment | {"HOME": str(where.path)}),
    ):
        with Clusters(Store.open()) as clusters, _decoy(where, clusters) as decoy:
            servers = [clusters.create(install(version)) for version in VERSIONS]
            for _ in range(count):
                cluster, since = random.choice(servers), decoy.log.position()
                variables = hostile_variables(random.choice((1, 1, 1, 2, 5, len(VARIABLES))))
                with unittest.mock.patch.dict(os.environ, variables):
                    problems = _connected(cluster) + _visits(decoy, since)
                if problems:
                    failures.append(f"{cluster.name}, {variables}: {'; '.join(problems)}"[:1_000])
        failures += where.left()
    return failures


def _connected(cluster: Cluster) -> list[str]:
    wanted = str(cluster.datadir)
    problems = []
    try:
        if (found := cluster.sql("SHOW data_directory")[0][0]) != wanted:
            problems.append(f"sql() was led to {found}")
        with cluster.connect() as connection:
            if (found := connection.execute("SHOW timezone").fetchone()) != ("UTC",):
                problems.append(f"time zone {found}")
        with during_test(inherited(os.environ)), psycopg.connect(cluster.dsn()) as connection:
            if (found := connection.execute("SHOW data_directory").fetchone()) != (wanted,):
                problems.append(f"dsn() was led to {found}")
        if cluster.install.has("psql"):
            argv, environment = cluster.program("psql", "-At", "-c", "SHOW data_directory", "postgres")
            ended = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
            if (ended.stdout, ended.stderr) != (f"{wanted}\n", ""):
                problems.append(f"psql told {ended.stdout!r} {ended.stderr!r}")
    except Exception as error:
        problems.append(f"{type(error).__name__}: {error}")
    return problems


def _sessions(count: int) -> list[str]:
    """Try complete runs that inherit variables."""
    failures = []
    with (
        place() as where,
        unittest.mock.patch.dict(os.environ, where.environment | {"HOME": str(where.path)}),
    ):
        with Clusters(Store.open()) as clusters, _decoy(where, clusters) as decoy:
            where.write(TESTS)
            before = where.environment
            for _ in range(count):
                since = decoy.log.position()
                variables = hostile_variables(random.choice((1, 3, 10, len(VARIABLES))))
                where.environment = before | variables | {"HOME": str(where.path)}
                try:
                    if status := where.start(f"--pg={random.choice(VERSIONS)}").wait():
                        failures.append(f"{variables}: status {status}: {where.output[-500:]}")
                except TimeoutError as error:
                    failures.append(f"{variables}: {error}")
                if visits := _visits(decoy, since):
                    failures.append(f"{variables}: {visits}")
        failures += where.left()
    return failures


CHECKS = (
    Check("libpq: variables of a connection", 400, _connections, unit=100, missing=namespaces.missing),
    Check("libpq: variables of a session", 60, _sessions, unit=20, missing=namespaces.missing),
)
