"""Dump an application's database and restore it into a new server, as the role that loads the application.

psql would restore it as superuser, who would then run the database's code: its checks, its generated columns.
"""

from __future__ import annotations

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
    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.server import Cluster

_EXISTS = "42710"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_SHOWN = 20


def restored(trial: Trial, old: Cluster, *, timeout: float) -> Cluster:
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
    name = f"restored-{install.version.major}"
    new = trial.clusters.create(install, name=name, access=GUARDED["access"], settings=old.settings)
    try:
        side = Side(install, trial.requests[1], new, trusted=trial.trusted)
        new.sql(f"CREATE DATABASE {DBNAME} TEMPLATE template0")
        side.hand_over(trial.clusters)
        reader = SqlReader("data", lambda: trial.clusters.resolver)
        statements = [each for text in (roles, database) for each in reader.text(text, "dump", Path.cwd())]
        refusals = load_into(side, statements, timeout=timeout).refusals
    except BaseException:
        trial.clusters.remove(new)
        raise
    said = [
        f"ERROR:  {SqlState(refusal.sqlstate)}: {refusal.message}"
        for each, refusal in zip(statements, refusals, strict=True)
        if refusal is not None and not _is_expected(each.query.sql, refusal.sqlstate)
    ]
    if said:
        trial.clusters.remove(new)
        count = "1 statement" if len(said) == 1 else f"{len(said)} statements"
        raise ServerError(
            f"PostgreSQL {new.version} refuses {count} of the dump of {old.version}",
            details=tuple(said[:_SHOWN]),
            remedy="correct what the server refuses",
        )
    return new


def _is_expected(sql: str, sqlstate: str) -> bool:
    """Whether an error is expected: the role exists already, or its grants on the objects of extensions do."""
    return sqlstate == _EXISTS or (sqlstate == NOT_ALLOWED and sql.lower().startswith(("grant", "revoke")))
