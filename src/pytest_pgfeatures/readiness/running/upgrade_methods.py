"""The methods of upgrading from one major to the next, each run on temporary servers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import CapabilityMissingError, ServerError, WaitTimeoutError
from pytest_pgfeatures.readiness.running.afterwards import amcheck, run_all, script_of, statements_after
from pytest_pgfeatures.readiness.running.contents import refresh
from pytest_pgfeatures.readiness.running.obstacles import Dropped, drop_named
from pytest_pgfeatures.readiness.running.refusals import REMEDY, listed, refusals
from pytest_pgfeatures.readiness.running.restored import restored
from pytest_pgfeatures.readiness.running.snapshot import Snapshot
from pytest_pgfeatures.readiness.servers.configured import startable, with_libraries
from pytest_pgfeatures.readiness.servers.loading import LOST
from pytest_pgfeatures.readiness.servers.side import DBNAME, Side, load_into
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.server.guarded import GUARDED
from pytest_pgfeatures.server.maintenance import maintain_database, remedy
from pytest_pgfeatures.server.upgrade import MODES
from pytest_pgfeatures.server.watchdog import within
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import psycopg

    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.server import Cluster

CHECK = "pg_upgrade --check"
DUMP = "dump and restore"
_HAS_PARTITIONS = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
_EVALUATED = """
SELECT DISTINCT c.oid::pg_catalog.regclass::text
FROM pg_catalog.pg_class c
WHERE EXISTS ( -- expressions of the key are simplified whenever a table is opened
        SELECT 1 FROM pg_catalog.pg_depend d WHERE c.relkind = 'p' AND d.classid = 'pg_catalog.pg_class'::regclass
        AND d.objid = c.oid AND d.refclassid IN ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass)
        AND d.refobjid >= 16384)
    OR EXISTS ( -- bounds of a domain are checked when a partition is attached
        SELECT 1 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        WHERE c.relkind = 'p' AND a.attrelid = c.oid AND t.typtype <> 'b' AND t.typtype <> 'e' AND t.oid >= 16384)
    OR EXISTS ( -- and its constraints are simplified then; others only where a function takes the table's rows
        SELECT 1 FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_depend d ON d.objid = k.oid
            AND d.classid = 'pg_catalog.pg_constraint'::regclass AND d.refobjid >= 16384
        WHERE k.conrelid = c.oid AND k.contype = 'c' AND CASE
            WHEN c.relispartition THEN d.refclassid IN ('pg_catalog.pg_proc'::regclass,
                'pg_catalog.pg_operator'::regclass, 'pg_catalog.pg_type'::regclass)
            ELSE d.refclassid = 'pg_catalog.pg_proc'::regclass AND EXISTS (
                SELECT 1 FROM pg_catalog.pg_depend e JOIN pg_catalog.pg_type t ON t.oid = e.refobjid
                WHERE e.classid = 'pg_catalog.pg_proc'::regclass AND e.objid = d.refobjid
                AND e.refclassid = 'pg_catalog.pg_type'::regclass AND t.typtype = 'c') END)
ORDER BY 1
"""
"""Tables for which restoring the schema evaluates parts of it as the restoring role."""
_SECONDS = 600.0
"""The shortest time limit of a program, in seconds."""
_MOST_CHECKS = 20
"""The last lines of a file that a check shows, and the number of objects that it names."""


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
    """An upgrade method, or a check of it, that could not be run, with the reason."""

    way: str
    why: str


class Passed(NamedTuple):
    """An upgrade method that ended with a running server.

    Parameters:
        tables: how many tables were compared.
        script: what has to be run afterwards.
    """

    way: str
    tables: int
    script: str


Outcome = Fault | Lacking | Passed


def upgrade_by_all(trial: Trial) -> Iterator[Outcome]:
    """Upgrade by each method that the new version has.

    Yields:
        the results, as they come.
    """
    modes = [mode for mode in MODES if trial.pair.new in mode.versions]
    old = filled(trial)
    try:
        before = _before(Side(trial.installs[0], trial.requests[0], old))
        trial.progress("upgrade", 0, len(modes) + 2)
        stopped, named = _evaluated(trial, old), list[str]()
        if stopped:
            yield Lacking(CHECK, stopped)
        else:
            stopped, named = yield from _check(trial, old)
        yield from _arrive(trial, old, before, DUMP, None)
        dropped: list[Dropped] = []
        if named:
            stopped, dropped = yield from _cleaned(trial, old, named)
        if dropped:
            before = _before(Side(trial.installs[0], trial.requests[0], old))
        for number, mode in enumerate(modes, 2):
            trial.progress("upgrade", number, len(modes) + 2)
            way = " ".join(("pg_upgrade", *(mode.options or ("--copy",))))
            if stopped:
                yield Lacking(way, stopped)
                continue
            if mode.name == "swap":  # --link has used up the old server
                trial.clusters.remove(old)
                old = filled(trial)
                side = Side(trial.installs[0], trial.requests[0], old)
                with side.superuser() as connection:
                    for each in dropped:
                        connection.execute(each.sql.encode())
                before = _before(side)
            stopped = yield from _arrive(trial, old, before, way, mode.name)
    finally:
        trial.clusters.remove(old)


def filled(trial: Trial) -> Cluster:
    """Start a new server of the old version, with the schema, data, roles and settings.

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
    cluster = trial.clusters.create(
        install,
        name=f"upgraded-{install.version.major}",
        access=GUARDED["access"],
        settings=chosen | GUARDED["settings"],
    )
    try:
        side = Side(install, trial.requests[0], cluster, trusted=trial.trusted)
        cluster.sql(f"CREATE DATABASE {DBNAME} TEMPLATE template0")
        side.hand_over(trial.clusters)
        ended = {
            number: refusal
            for number, refusal in enumerate(trial.loaded[0].refusals)
            if refusal is not None and (refusal.sqlstate == LOST or refusal.timed_out)
        }
        load_into(side, trial.inputs.loaded, timeout=trial.timeout, lost=ended)
        trial.fill(side)
    except BaseException:
        trial.clusters.remove(cluster)
        raise
    return cluster


def _before(side: Side) -> Snapshot:
    """The contents of the old server, with its materialized views refreshed, as a restore does. One whose
    contents change with each refresh is left out."""
    with side.connect() as connection, within(connection, _SECONDS):
        views = refresh(connection)
        first = _snapshot(side)
        if not views:
            return first
        refresh(connection)
        second = _snapshot(side)
    same = {name: found for name, found in second.contents.items() if first.contents.get(name) == found}
    return replace(second, contents=same)


def _snapshot(side: Side) -> Snapshot:
    with side.connect() as connection, side.superuser() as superuser, within(connection, _SECONDS):
        return Snapshot.of(connection, superuser)


def _evaluated(trial: Trial, old: Cluster) -> str:
    """Why pg_upgrade, which runs as superuser, would run code of the schema; empty if it would not."""
    if trial.trusted or old.version not in _HAS_PARTITIONS:
        return ""
    with Side(trial.installs[0], trial.requests[0], old).superuser() as connection:
        names = [name for (name,) in connection.execute(_EVALUATED.encode())]
    if not names:
        return ""
    return f"as superuser it would run code of the schema for {', '.join(names)}; --trust lets it"


def _check(trial: Trial, old: Cluster) -> Generator[Outcome, None, tuple[str, list[str]]]:
    """Run ``pg_upgrade --check``.

    Returns:
        why no mode can go on, or an empty text; and the objects that it names.
    """
    try:
        old.upgrade_to(trial.requests[1], check_only=True, timeout=max(trial.timeout, _SECONDS))
    except CapabilityMissingError as error:
        yield Lacking(CHECK, error.problem)
        return error.problem, []
    except (ServerError, WaitTimeoutError) as error:
        yield from _faults(CHECK, error)
        return f"{CHECK} found a problem", listed(error.details)
    return "", []


def _cleaned(
    trial: Trial, old: Cluster, named: list[str]
) -> Generator[Outcome, None, tuple[str, list[Dropped]]]:
    """Drop the objects that the check named, because they hide the next ones, until a check passes or names
    nothing new.

    Returns:
        why no mode of pg_upgrade can go on, or an empty text; and the dropped objects.  Returns: why no mode
        of pg_upgrade can go on, or an empty text; and what was dropped.
    """
    stopped, dropped = f"{CHECK} found a problem", list[Dropped]()
    for _ in range(_MOST_CHECKS):
        with Side(trial.installs[0], trial.requests[0], old).superuser() as connection:
            now = drop_named(connection, named)
        if not now:
            break
        dropped += now
        stopped, named = yield from _check(trial, old)
        if not stopped:
            break
    if dropped and not stopped:
        names = ", ".join(each.name for each in dropped)
        yield Lacking(f"objects that {CHECK} names", f"pg_upgrade is run without it: {names}")
    return stopped, dropped


def _arrive(
    trial: Trial, old: Cluster, before: Snapshot, way: str, mode: str | None
) -> Generator[Outcome, None, str]:
    """Upgrade by one method, and examine the resulting server.

    Returns:
        why the other methods can't go on, or an empty text.
    """
    timeout = max(trial.timeout, _SECONDS)
    try:
        if mode is None:
            _check_programs(trial)
            new = restored(trial, old, timeout=timeout)
        else:
            new = old.upgrade_to(trial.requests[1], mode, timeout=timeout)
    except CapabilityMissingError as error:
        yield Lacking(way, error.problem)
        return error.problem
    except (ServerError, WaitTimeoutError) as error:
        yield from _faults(way, error)
        return f"{way} failed, and this method begins with the same steps"
    try:
        side = Side(trial.installs[1], trial.requests[1], new)
        yield from _looked_at(side, before, way, f"{old.version} to {new.version}")
    finally:
        new.remove()
        if new in old.successors:
            old.successors.remove(new)
    return ""


def _check_programs(trial: Trial) -> None:
    """Check that there is a pg_dump of the new major: a newer one writes statements that this major refuses.

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


def _looked_at(side: Side, before: Snapshot, way: str, versions: str) -> Iterator[Outcome]:
    for name, difference in before.lost(_snapshot(side)):
        yield Fault(way, name, difference, "see what the release notes say of its type, and the server's log")
    with (
        side.superuser() as superuser,
        side.connect() as connection,
        within(superuser, _SECONDS),
        within(connection, _SECONDS),
    ):
        yield from _run_afterwards(superuser, connection, before, way, versions)


def _run_afterwards(
    superuser: psycopg.Connection, connection: psycopg.Connection, before: Snapshot, way: str, versions: str
) -> Iterator[Outcome]:
    statements = statements_after(superuser)
    for sql, error in run_all(superuser, statements):
        yield _refused(connection, way, sql, error.sqlstate or "", error.diag.message_primary or str(error))
    for sql, failure in maintain_database(connection):
        if failure is not None and failure[0] != NOT_ALLOWED:  # an extension's tables belong to a superuser
            yield _refused(connection, way, sql, *failure)
    corrupt = amcheck(superuser)
    if corrupt is None:
        yield Lacking(f"amcheck after {way}", "the new install has no amcheck")
    for name, problem in corrupt or ():
        yield Fault(way, name, f"amcheck: {problem}", "REINDEX the index; if a table is corrupt, restore it")
    yield Passed(way, len(before.contents), script_of(statements, DBNAME, versions))


def _refused(connection: psycopg.Connection, way: str, sql: str, sqlstate: str, message: str) -> Fault:
    from pytest_pgfeatures.version import PgVersion

    version = PgVersion.from_num(connection.info.server_version)
    difference = f"{sql} fails: {SqlState(sqlstate)}: {' '.join(message.split())}"
    return Fault(way, sql.rpartition(" ")[2], difference, remedy({sqlstate}, version), sqlstate)


def _faults(way: str, error: ServerError | WaitTimeoutError) -> Iterator[Fault]:
    """The faults in the output and logs of a program that failed."""
    said = refusals(error.details)
    for each in said:
        yield Fault(way, "", f"{error.problem}: {each.message}", each.remedy)
    if not said:
        yield Fault(way, "", error.problem, error.remedy or REMEDY)
