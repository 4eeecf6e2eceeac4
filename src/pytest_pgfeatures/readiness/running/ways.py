"""The ways from one major to the next, each run on servers that are thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import CapabilityMissingError, ServerError, WaitTimeoutError
from pytest_pgfeatures.readiness.running.afterwards import amcheck, run_all, script_of, statements_after
from pytest_pgfeatures.readiness.running.refusals import REMEDY, refusals
from pytest_pgfeatures.readiness.running.snapshot import Snapshot
from pytest_pgfeatures.readiness.trial.loading import load
from pytest_pgfeatures.readiness.trial.started import startable, with_libraries
from pytest_pgfeatures.readiness.trial.trial import DBNAME, Side
from pytest_pgfeatures.server.maintenance import maintain_database, remedy
from pytest_pgfeatures.server.upgrade import MODES
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import psycopg

    from pytest_pgfeatures.readiness.trial.trial import PairTrial
    from pytest_pgfeatures.server import Cluster

CHECK = "pg_upgrade --check"
DUMP = "dump and restore"
_SECONDS = 600.0
"""How long a program may run, at least."""


class Fault(NamedTuple):
    """Something that does not survive an upgrade.

    Parameters:
        way: as in ``pg_upgrade --link``.
        object: what it is in the database; empty for the upgrade as a whole.
        sqlstate: of a refusal.
    """

    way: str
    object: str
    message: str
    remedy: str
    sqlstate: str | None = None


class Lacking(NamedTuple):
    """A way, or a check of it, that could not be run, with the reason."""

    way: str
    why: str


class Passed(NamedTuple):
    """A way that led to a running server.

    Parameters:
        tables: how many tables were compared.
        script: what has to be run afterwards.
    """

    way: str
    tables: int
    script: str


Outcome = Fault | Lacking | Passed


def upgrade_by_all(trial: PairTrial) -> Iterator[Outcome]:
    """Upgrade by all ways that the new version has: what came out, as it comes."""
    modes = [mode for mode in MODES if trial.pair.new in mode.versions]
    old = filled(trial)
    try:
        before = _snapshot(old)
        trial.told("upgrade", 0, len(modes) + 2)
        stopped = yield from _check(trial, old)
        yield from _arrive(trial, old, before, DUMP, None)
        for number, mode in enumerate(modes, 2):
            trial.told("upgrade", number, len(modes) + 2)
            way = " ".join(("pg_upgrade", *(mode.options or ("--copy",))))
            if stopped:
                yield Lacking(way, stopped)
                continue
            if mode.name == "swap":  # --link has used up the old server
                trial.clusters.remove(old)
                old = filled(trial)
                before = _snapshot(old)
            stopped = yield from _arrive(trial, old, before, way, mode.name)
    finally:
        trial.clusters.remove(old)


def filled(trial: PairTrial) -> Cluster:
    """A new server of the old version with the schema, data, roles and settings.

    Raises:
        ServerError: it does not start.
    """
    install = trial.installs[0]
    uses = [use for use in trial.inputs.application.settings if use.kind == "file"]
    settings, _ = startable(uses, set())
    if settings:
        known = [
            {name for (name,) in side.cluster.sql("SELECT name FROM pg_settings")} for side in trial.sides
        ]
        settings = {name: value for name, value in settings.items() if all(name in each for each in known)}
    chosen, _ = with_libraries(install, settings)
    cluster = trial.clusters.create(install, name=f"upgraded-{install.version.major}", settings=chosen)
    try:
        cluster.sql(f"CREATE DATABASE {DBNAME} TEMPLATE template0")
        with cluster.connect(DBNAME, prepare_threshold=None) as connection:
            connection.add_notice_handler(lambda _: None)
            load(connection, trial.inputs.loaded, timeout=trial.timeout)
        trial.fill(Side(install, trial.requests[0], cluster))
    except BaseException:
        trial.clusters.remove(cluster)
        raise
    return cluster


def _snapshot(cluster: Cluster) -> Snapshot:
    with cluster.connect(DBNAME) as connection:
        return Snapshot.of(connection)


def _check(trial: PairTrial, old: Cluster) -> Generator[Outcome, None, str]:
    """Run ``pg_upgrade --check``: returns why no mode of pg_upgrade can go on, or an empty text."""
    try:
        old.upgrade_to(trial.requests[1], check_only=True, timeout=max(trial.timeout, _SECONDS))
    except CapabilityMissingError as error:
        yield Lacking(CHECK, error.problem)
        return error.problem
    except (ServerError, WaitTimeoutError) as error:
        yield from _faults(CHECK, error)
        return f"{CHECK} found a problem"
    return ""


def _arrive(
    trial: PairTrial, old: Cluster, before: Snapshot, way: str, mode: str | None
) -> Generator[Outcome, None, str]:
    """Go one way, and look at the server at its end: returns why others can't go on, or an empty text."""
    timeout = max(trial.timeout, _SECONDS)
    try:
        if mode is None:
            _check_programs(trial)
            new = old.dump_to(trial.installs[1], timeout=timeout)
        else:
            new = old.upgrade_to(trial.requests[1], mode, timeout=timeout)
    except CapabilityMissingError as error:
        yield Lacking(way, error.problem)
        return error.problem
    except (ServerError, WaitTimeoutError) as error:
        yield from _faults(way, error)
        return f"{way} failed, and this way begins as that one does"
    try:
        with new.connect(DBNAME) as connection:
            yield from _looked_at(connection, before, way, f"{old.version} to {new.version}")
    finally:
        new.remove()
        old.successors.remove(new)
    return ""


def _check_programs(trial: PairTrial) -> None:
    """Check that there is a pg_dump of the new major: a newer one writes what that major refuses.

    Raises:
        CapabilityMissingError: there is none.
    """
    new = trial.installs[1]
    if not new.has("pg_dump", "pg_dumpall", "psql"):
        found = trial.clusters.resolver.client("pg_dump", new.version)
        if found.version.major != new.version.major:
            raise CapabilityMissingError(
                f"no install of PostgreSQL {new.version.major} has pg_dump, and that of {found.version.major}"
                f" writes what {new.version.major} refuses",
                capability="pg_dump",
            )


def _looked_at(
    connection: psycopg.Connection, before: Snapshot, way: str, versions: str
) -> Iterator[Outcome]:
    after = Snapshot.of(connection)
    for name, told in before.lost(after):
        yield Fault(way, name, told, "see what the release notes say of its type, and the server's log")
    statements = statements_after(connection)
    for sql, error in run_all(connection, statements):
        yield _refused(connection, way, sql, error.sqlstate or "", error.diag.message_primary or str(error))
    for sql, failure in maintain_database(connection):
        if failure is not None:
            yield _refused(connection, way, sql, *failure)
    corrupt = amcheck(connection)
    if corrupt is None:
        yield Lacking(f"amcheck after {way}", "the new install has no amcheck")
    for name, told in corrupt or ():
        yield Fault(way, name, f"amcheck: {told}", "REINDEX the index; if a table is corrupt, restore it")
    yield Passed(way, len(before.contents), script_of(statements, DBNAME, versions))


def _refused(connection: psycopg.Connection, way: str, sql: str, sqlstate: str, told: str) -> Fault:
    from pytest_pgfeatures.version import PgVersion

    version = PgVersion.from_num(connection.info.server_version)
    message = f"{sql} fails: {SqlState(sqlstate)}: {' '.join(told.split())}"
    return Fault(way, sql.rpartition(" ")[2], message, remedy({sqlstate}, version), sqlstate)


def _faults(way: str, error: ServerError | WaitTimeoutError) -> Iterator[Fault]:
    """What a program that failed says, by its output and logs."""
    said = refusals(error.details)
    for each in said:
        yield Fault(way, "", f"{error.problem}: {each.told}", each.remedy)
    if not said:
        yield Fault(way, "", error.problem, error.remedy or REMEDY)
