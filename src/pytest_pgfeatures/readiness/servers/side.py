"""One server of a pair, and the connections to the application's database on it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from pytest_pgfeatures.install import Install
from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.servers.loading import Loaded, load
from pytest_pgfeatures.scripts.privileges import CLEAN_SESSION, LOADER, Definer
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server import Cluster, Clusters
from pytest_pgfeatures.server.guarded import limit_memory
from pytest_pgfeatures.server.watchdog import session_mb

DBNAME = "application"
QUIET = ("log_min_messages", "panic")  # keeps messages that a session requests out of the server's log
AS_REPLICA = ("session_replication_role", "replica")  # no triggers and no foreign keys


@dataclass
class Side:
    """One of the two servers."""

    install: Install
    cluster: Cluster = field(repr=False)
    search_path: str = ""
    trusted: bool = False  # whether the role that loads the schema is a superuser

    def connect(self, dbname: str = DBNAME, *, setting: tuple[str, str] | None = None) -> psycopg.Connection:
        """Connect to the application's database, or to a copy of it, with the application's search path, and with a
        setting that only a superuser may make. The role is the one that loaded the schema: whatever may evaluate
        code of the application runs here."""
        with contextlib.ExitStack() as stack:
            if setting is not None:
                superuser = stack.enter_context(self.superuser(dbname))
                superuser.execute(f"ALTER ROLE {LOADER} SET {setting[0]} = {setting[1]}".encode())
                stack.callback(superuser.execute, f"ALTER ROLE {LOADER} RESET {setting[0]}".encode())
            connection = self.cluster.connect(dbname, user=LOADER, prepare_threshold=None)
        connection.execute("SET client_min_messages = warning")
        if self.search_path:
            connection.execute("SELECT set_config('search_path', %s, false)", [self.search_path])
        return connection

    def superuser(self, dbname: str = DBNAME) -> psycopg.Connection:
        """Connect as superuser, for work that evaluates no code of the application."""
        return self.cluster.connect(dbname, prepare_threshold=None, options=CLEAN_SESSION)

    @contextlib.contextmanager
    def definer(self) -> Iterator[Definer | None]:
        """Run statements that need a superuser, inside the ``with`` block; None if the schema is trusted."""
        with contextlib.nullcontext() if self.trusted else self.superuser() as connection:
            yield Definer(connection) if connection else None

    def limit_memory(self, clusters: Clusters) -> str | None:
        """Limit the memory of each process that the server starts from now on. Return why it can't be limited."""
        return limit_memory(self.cluster, clusters, session_mb())


def load_into(side: Side, statements: Sequence[Loadable], **options: Any) -> Loaded:
    """Load statements into the application's database, by its role; see :func:`load`."""
    connected = side.cluster.connect(DBNAME, user=LOADER, prepare_threshold=None)
    with connected as connection, side.definer() as definer:
        return load(connection, statements, definer=definer, **options)


def as_in_session(connection: psycopg.Connection, query: Query) -> None:
    """Within a transaction, set a statement's settings and define the temporary objects of its session. If the
    server refuses one of them, the statement's own error names what is missing."""
    for name, value in query.settings:
        connection.execute("SELECT set_config(%s, %s, true)", [name, value])
    for definition in query.temporary or ():
        with contextlib.suppress(psycopg.Error), connection.transaction():
            connection.execute(encoded(definition), prepare=False)
