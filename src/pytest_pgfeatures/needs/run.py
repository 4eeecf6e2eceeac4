"""Ask servers of several majors about a script's statements, in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.catalog.snapshot import catalog_of
from pytest_pgfeatures.needs.ask import Verdict, ask
from pytest_pgfeatures.needs.reasons import reason
from pytest_pgfeatures.server.guarded import GUARDED, limit_memory
from pytest_pgfeatures.server.watchdog import session_mb
from pytest_pgfeatures.sql import Statement, statements
from pytest_pgfeatures.threads import in_order, pool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster, Clusters
    from pytest_pgfeatures.version import PgMajor


@dataclass(frozen=True, slots=True)
class StatementNeeds:
    """One statement, and the response of each version.

    Parameters:
        file: the script's name, as it was given.
        statement: the statement, with its position in the script.
        verdicts: the response of each version.
        why: the reason for a rejection, from the catalogs.
    """

    file: str
    statement: Statement
    verdicts: tuple[Verdict, ...]
    why: str | None

    @property
    def refused(self) -> bool:
        """Whether any version rejects it."""
        return any(verdict.sqlstate for verdict in self.verdicts)

    @property
    def unknown(self) -> str:
        """Why the newest of the undecided versions can't answer; empty if all can."""
        return next((verdict.unknown for verdict in reversed(self.verdicts) if verdict.unknown), "")

    @property
    def message(self) -> str:
        """The error message of the newest version that rejects it."""
        return next((verdict.message for verdict in reversed(self.verdicts) if verdict.sqlstate), "")


@dataclass(frozen=True, slots=True)
class Needs:
    """All statements of all scripts.

    Parameters:
        problems: deviations from the documented procedure, one line each.
    """

    installs: tuple[Install, ...]
    rows: tuple[StatementNeeds, ...]
    problems: tuple[str, ...] = ()

    @property
    def majors(self) -> tuple[PgMajor, ...]:
        """The majors that were asked, oldest first."""
        return tuple(install.version.major for install in self.installs)


def ask_all(
    scripts: Mapping[str, str],
    installs: Sequence[Install],
    clusters: Clusters,
    *,
    at_once: int = 4,
    trusted: bool = False,
) -> Needs:
    """Ask a server of each install about each statement of the scripts.

    Parameters:
        scripts: the scripts' texts, by name. Each script has its own scratch database.
        installs: the installs, oldest first.
        at_once: the number of servers that are asked in parallel.
        trusted: whether definitions are run as superuser.

    Raises:
        ServerError: a server did not start, or has stopped.
        ScriptError: a statement did not end when it was canceled, or ended the connection.
    """
    asked = {name: statements(text) for name, text in scripts.items()}

    problems: list[str] = []

    def ask_one(install: Install) -> dict[str, list[Verdict]]:
        cluster: Cluster = clusters.create(install, **GUARDED)
        try:
            if unlimited := limit_memory(cluster, clusters, session_mb()):
                problems.append(f"the memory of sessions of {install.version} has no limit: {unlimited}")
            return {name: ask(cluster, name, found, trusted=trusted) for name, found in asked.items()}
        finally:
            cluster.remove()

    with pool(at_once, clusters.close) as threads:
        verdicts = list(in_order(threads, ask_one, installs))
    refused = any(verdict.sqlstate for by_name in verdicts for each in by_name.values() for verdict in each)
    catalogs = [catalog_of(install, clusters) for install in installs] if refused else []
    rows = []
    for name, found in asked.items():
        for number, statement in enumerate(found):
            said = tuple(by_name[name][number] for by_name in verdicts)
            why = next(filter(None, (reason(statement.sql, verdict, catalogs) for verdict in said)), None)
            rows.append(StatementNeeds(name, statement, said, why))
    return Needs(tuple(installs), tuple(rows), tuple(sorted(problems)))
