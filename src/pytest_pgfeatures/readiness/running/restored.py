"""Dump an application's database and restore it into a new server, as the role that loads the application.

psql would restore it as superuser, who would then run the database's code: its checks, its generated columns.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import CapabilityMissingError, ServerError
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.servers.side import DBNAME, Side, load_into
from pytest_pgfeatures.scripts.privileges import LOADER, NOT_ALLOWED
from pytest_pgfeatures.server.dump import dumped
from pytest_pgfeatures.server.guarded import GUARDED
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.server import Cluster

_EXISTS = "42710"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_SHOWN = 20


@contextlib.contextmanager
def new_server(trial: Trial, number: int, name: str, settings: Mapping[str, str]) -> Iterator[Side]:
    """Start a server with an empty database for the application. It is removed if the ``with`` block fails.

    Parameters:
        number: of the version: 0 for the old one, 1 for the new one.

    Raises:
        ServerError: it does not start.
    """
    install = trial.installs[number]
    name = f"{name}-{install.version.major}"
    cluster = trial.clusters.create(install, name=name, access=GUARDED["access"], settings=settings)
    try:
        side = Side(install, cluster, trusted=trial.trusted)
        cluster.sql(f"CREATE DATABASE {DBNAME} TEMPLATE template0")
        side.hand_over(trial.clusters)
        yield side
    except BaseException:
        trial.clusters.remove(cluster)
        raise


def restored(trial: Trial, old: Cluster, *, timeout: float) -> Side:
    """Dump the application's database and restore it into a new server.

    Parameters:
        timeout: the time limit of each program, in seconds.

    Raises:
        PgFeaturesError: there is no pg_dump of the new major, or it fails.
        ServerError: the new server does not start, or refuses statements; the details have its messages.
        WaitTimeoutError: a program did not end in time.
    """
    install = trial.installs[1]
    tools = install
    if not install.has("pg_dump", "pg_dumpall"):  # a newer one writes statements that this major refuses
        tools = trial.clusters.resolver.client("pg_dump", install.version)
        if tools.version.major != install.version.major:
            raise CapabilityMissingError(
                f"no install of PostgreSQL {install.version.major} has pg_dump, and that of {tools.version.major}"
                f" writes what {install.version.major} refuses",
                capability="pg_dump",
            )
    roles, database = dumped(trial.clusters, old, tools, DBNAME, user=LOADER, timeout=timeout)
    with new_server(trial, 1, "restored", old.settings) as side:
        reader = SqlReader("data", lambda: trial.clusters.resolver)
        statements = [each for text in (roles, database) for each in reader.text(text, "dump", Path.cwd())]
        refusals = load_into(side, statements, timeout=timeout).refusals
        said = [
            f"ERROR:  {SqlState(refusal.sqlstate)}: {refusal.message}"
            for each, refusal in zip(statements, refusals, strict=True)
            if refusal is not None and not _is_expected(each.query.sql, refusal.sqlstate)
        ]
        if said:
            count = "1 statement" if len(said) == 1 else f"{len(said)} statements"
            raise ServerError(
                f"PostgreSQL {side.cluster.version} refuses {count} of the dump of {old.version}",
                details=tuple(said[:_SHOWN]),
                remedy="correct what the server refuses",
            )
        return side


def _is_expected(sql: str, sqlstate: str) -> bool:
    """Whether an error is expected: the role exists already, or its grants on the objects of extensions do."""
    return sqlstate == _EXISTS or (sqlstate == NOT_ALLOWED and sql.lower().startswith(("grant", "revoke")))
