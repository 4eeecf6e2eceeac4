"""A shell in the live server after a stage failed."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.extension.create import create_extension
from pytest_pgfeatures.extension.model import LackingError, StageError
from pytest_pgfeatures.extension.refusals import first_line
from pytest_pgfeatures.extension.regress import takes_connections
from pytest_pgfeatures.extension.workspace import DBNAME
from pytest_pgfeatures.server import linux
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.server import Cluster

_WITH_TESTS = ("regress", "dump", "upgrade")
"""The stages that use the server on which the tests ran. The servers of other stages are gone."""


def open_shell(workspace: Workspace, stage: str, say: Callable[[str], object]) -> None:
    """Open a shell, and wait for its end. It runs as the user who runs the servers, in the copy of the sources.
    Its environment names the server, and the database ``extension`` in which the extension is created.

    Parameters:
        stage: the stage that failed.
        say: prints a line.

    Raises:
        PgFeaturesError: the server or the shell can't be started.
    """
    cluster = workspace.cluster if stage in _WITH_TESTS else workspace.scratch
    shell = os.environ.get("SHELL") or "/bin/sh"
    wait_until(lambda: takes_connections(cluster), f"{cluster.name} to take connections")
    say(f"{shell} in the server of {workspace.cell}, after {stage} failed; it ends with the shell")
    for line in _prepared(workspace, cluster):
        say(line)
    account = workspace.clusters.account
    become: dict[str, Any] = {}
    if account is not None:
        become = {"user": account.uid, "group": account.gid, "extra_groups": account.groups}
    prctl = linux.prctl()
    environment = workspace.environment(cluster=cluster) | {"PGDATABASE": DBNAME}
    # Ctrl-C is for programs in the shell, which would inherit SIG_IGN.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        subprocess.run(
            [shell],
            cwd=workspace.tree or workspace.home,
            env=environment,
            check=False,
            preexec_fn=lambda: prctl(
                linux.PR_SET_PDEATHSIG, signal.SIGHUP
            ),  # the server ends with this process
            **become,
        )
    except OSError as error:
        raise PgFeaturesError(
            f"can't run {shell}: {error.strerror}", remedy="name another shell with the variable SHELL"
        ) from None
    finally:
        signal.signal(signal.SIGINT, before)


def _prepared(workspace: Workspace, cluster: Cluster) -> list[str]:
    """Create the database, unless it exists; report the server's databases."""
    said = []
    databases = "SELECT datname FROM pg_database WHERE datallowconn AND datname <> 'template1' ORDER BY 1"
    if (DBNAME,) not in cluster.sql(databases):
        with workspace.fresh_database(cluster) as connection:
            try:
                for name in workspace.names:
                    create_extension(connection, name, if_not_exists=True)
            except (StageError, LackingError) as error:
                said.append(error.summary)
            except psycopg.Error as error:
                said.append(first_line(error))
    names = ", ".join(name for (name,) in cluster.sql(databases))
    said.append(f"psql connects to {DBNAME}; databases: {names}")
    if workspace.options.tcp:
        said.append(f"TCP: host=127.0.0.1 port={cluster.port}, with the password in PGPASSWORD")
    return said
