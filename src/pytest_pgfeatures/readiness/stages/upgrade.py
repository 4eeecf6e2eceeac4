"""The stage ``upgrade``: really upgrade a server of the old version, by each method that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import CapabilityMissingError, ServerError, WaitTimeoutError
from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.running.afterwards import amcheck, script_of, statements_after
from pytest_pgfeatures.readiness.running.contents import Contents, lost, snapshot_of
from pytest_pgfeatures.readiness.running.refusals import REMEDY, drop_named, listed, refusals
from pytest_pgfeatures.readiness.running.restored import new_server, restored
from pytest_pgfeatures.readiness.servers.loading import LOST
from pytest_pgfeatures.readiness.servers.settings import ask_settings, startable, with_libraries
from pytest_pgfeatures.readiness.servers.side import DBNAME, Side, load_into
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.server.guarded import GUARDED
from pytest_pgfeatures.server.maintenance import REFRESH, maintain_database, refusal, remedy
from pytest_pgfeatures.server.upgrade import MODES
from pytest_pgfeatures.server.watchdog import within
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.running.contents import Snapshot
    from pytest_pgfeatures.readiness.servers.trial import Trial

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


class Passed(NamedTuple):
    """An upgrade method that ended with a running server.

    Parameters:
        tables: how many tables were compared.
        script: what has to be run afterwards.
    """

    way: str
    tables: int
    script: str


Outcome = Fault | NotLookedAt | Passed


def upgrade_by_all(trial: Trial) -> Iterator[Outcome]:
    """Upgrade by each method that the new version has.

    Yields:
        the results, as they come; a method, or a check of it, that could not be run.
    """
    modes = [mode for mode in MODES if trial.pair.new in mode.versions]
    upgrades = _Upgrades(trial)
    try:
        trial.progress("upgrade", 0, len(modes) + 2)
        yield from upgrades.arrive(DUMP, None)
        yield from upgrades.check()
        for number, mode in enumerate(modes, 2):
            trial.progress("upgrade", number, len(modes) + 2)
            way = " ".join(("pg_upgrade", *(mode.options or ("--copy",))))
            if upgrades.stopped:
                yield NotLookedAt(way, upgrades.stopped)
                continue
            if mode.name == "swap":  # --link has used up the old server
                upgrades.close()
                upgrades.fill()
            yield from upgrades.arrive(way, mode.name)
    finally:
        upgrades.close()


class _Upgrades:
    """A server of the old version, which is upgraded by several methods.

    Parameters:
        trial: the pair of versions.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._timeout = max(trial.timeout, _SECONDS)
        self._dropped: dict[str, str] = {}
        self.stopped = ""
        """Why no further mode of pg_upgrade can go on; empty if one can."""
        self.fill()

    def fill(self) -> None:
        """Start a server of the old version, with the schema, data, roles and settings.

        Raises:
            ServerError: it does not start.
        """
        trial = self._trial
        ended = {
            number: refusal
            for number, refusal in enumerate(trial.loaded[0].refusals)
            if refusal is not None and (refusal.sqlstate == LOST or refusal.timed_out)
        }
        with new_server(trial, 0, "upgraded", _settings(trial)) as self._side:
            self._old = self._side.cluster
            load_into(self._side, trial.inputs.loaded, timeout=trial.timeout, lost=ended)
            trial.fill(self._side)
            with self._side.superuser() as connection:
                for sql in self._dropped.values():
                    connection.execute(sql.encode())
            self._before = _before(self._side)

    def close(self) -> None:
        """Remove the old server."""
        self._trial.clusters.remove(self._old)

    def check(self) -> Iterator[Outcome]:
        """Run ``pg_upgrade --check``, each time without the objects that it has named, because they hide the next
        ones, until it passes or names nothing new."""
        if evaluated := self._evaluated():
            self.stopped = f"as superuser it would run code of the schema for {evaluated}; --trust lets it"
            yield NotLookedAt(CHECK, self.stopped)
            return
        for _ in range(_MOST_CHECKS):
            try:
                self._old.upgrade_to(self._trial.requests[1], check_only=True, timeout=self._timeout)
                self.stopped = ""
                break
            except CapabilityMissingError as error:
                self.stopped = error.problem
                yield NotLookedAt(CHECK, error.problem)
                break
            except (ServerError, WaitTimeoutError) as error:
                self.stopped = f"{CHECK} found a problem"
                yield from _faults(CHECK, error)
                named = listed(error.details)
            with self._side.superuser() as connection:
                dropped = drop_named(connection, named)
            if not dropped:
                break
            self._dropped |= dropped
        if self._dropped and not self.stopped:
            why = f"pg_upgrade is run without it: {', '.join(self._dropped)}"
            yield NotLookedAt(f"objects that {CHECK} names", why)
            self._before = _before(self._side)

    def _evaluated(self) -> str:
        """The tables for which pg_upgrade, which runs as superuser, would run code of the schema."""
        if self._trial.trusted or self._old.version not in _HAS_PARTITIONS:
            return ""
        with self._side.superuser() as connection:
            return ", ".join(name for (name,) in connection.execute(_EVALUATED.encode()))

    def arrive(self, way: str, mode: str | None) -> Iterator[Outcome]:
        """Upgrade by one method, and examine the resulting server."""
        trial, old = self._trial, self._old
        try:
            if mode is None:
                side = restored(trial, old, timeout=self._timeout)
            else:
                new = old.upgrade_to(trial.requests[1], mode, timeout=self._timeout)
                side = Side(trial.installs[1], new)
        except CapabilityMissingError as error:
            self.stopped = error.problem
            yield NotLookedAt(way, error.problem)
            return
        except (ServerError, WaitTimeoutError) as error:
            self.stopped = f"{way} failed, and this method begins with the same steps"
            yield from _faults(way, error)
            return
        try:
            yield from _examined(side, self._before, way, f"{old.version} to {side.cluster.version}")
        finally:
            side.cluster.remove()
            if side.cluster in old.successors:
                old.successors.remove(side.cluster)


def _settings(trial: Trial) -> dict[str, str]:
    """The settings of the application that the old server can start with."""
    uses = [use for use in trial.inputs.application.settings if use.kind == "file"]
    refused = {
        use.name.lower()
        for side in trial.sides
        for use, said in zip(uses, ask_settings(side, uses), strict=True)
        if said
    }
    settings, _ = startable(uses, refused)
    chosen, _ = with_libraries(trial.installs[0], settings)
    return {**chosen, **GUARDED["settings"]}


def _before(side: Side) -> Snapshot:
    """The contents of the old server, with its materialized views refreshed, as a restore does. One whose
    contents change with each refresh is left out."""
    with side.connect() as connection, within(connection, _SECONDS):
        # The restore will report what the server refuses.
        refreshed = list(maintain_database(connection, REFRESH))
        first = _snapshot(side)
        if not refreshed:
            return first
        list(maintain_database(connection, REFRESH))
        second = _snapshot(side)
    return {name: found for name, found in second.items() if first.get(name) == found}


def _snapshot(side: Side) -> Snapshot:
    with side.connect() as connection, side.superuser() as superuser, within(connection, _SECONDS):
        return snapshot_of(connection, superuser)


def _examined(side: Side, before: Snapshot, way: str, versions: str) -> Iterator[Outcome]:
    for name, difference in lost(before, _snapshot(side)):
        yield Fault(way, name, difference, "see what the release notes say of its type, and the server's log")
    with (
        side.superuser() as superuser,
        side.connect() as connection,
        within(superuser, _SECONDS),
        within(connection, _SECONDS),
    ):
        statements = statements_after(superuser)
        ran = ((sql, refusal(superuser, sql)) for sql, _ in statements)
        # An extension's tables belong to a superuser.
        maintained = (
            each for each in maintain_database(connection) if not each[1] or each[1][0] != NOT_ALLOWED
        )
        for sql, failure in (*ran, *maintained):
            if failure is not None:
                message = f"{sql} fails: {SqlState(failure[0])}: {' '.join(failure[1].split())}"
                advice = remedy({failure[0]}, side.install.version)
                yield Fault(way, sql.rpartition(" ")[2], message, advice, failure[0])
        corrupt = amcheck(superuser)
        if corrupt is None:
            yield NotLookedAt(f"amcheck after {way}", "the new install has no amcheck")
        for name, problem in corrupt or ():
            yield Fault(
                way, name, f"amcheck: {problem}", "REINDEX the index; if a table is corrupt, restore it"
            )
    yield Passed(
        way,
        sum(isinstance(each, Contents) for each in before.values()),
        script_of(statements, DBNAME, versions),
    )


def _faults(way: str, error: ServerError | WaitTimeoutError) -> Iterator[Fault]:
    """The faults in the output and logs of a program that failed."""
    for message, advice in refusals(error.details) or [("", error.remedy or REMEDY)]:
        yield Fault(way, "", ": ".join(filter(None, (error.problem, message))), advice)


def look(trial: Trial) -> StageReport:
    """Upgrade a server with the application's schema and data, and examine the results."""
    outcomes = list(upgrade_by_all(trial))
    passed = sorted(
        (each for each in outcomes if isinstance(each, Passed)), key=lambda each: each.way == DUMP
    )
    counts = (
        ("methods that succeeded", len(passed)),
        ("tables compared", max((each.tables for each in passed), default=0)),
    )
    lacking = tuple(each for each in outcomes if isinstance(each, NotLookedAt))
    script = next((each.script for each in passed), "")
    faults: dict[tuple[str, str], list[Fault]] = {}
    for each in outcomes:
        if isinstance(each, Fault):
            faults.setdefault((each.object, each.message), []).append(each)
    findings = tuple(_finding(trial, *fault, found) for fault, found in faults.items())
    return StageReport("upgrade", findings, counts, not_looked_at=lacking, afterwards=script)


def _finding(trial: Trial, name: str, message: str, found: Sequence[Fault]) -> Finding:
    """The finding about a fault that some methods show."""
    by = ", ".join(fault.way for fault in found)
    proof = f"pgfeatures readiness --from {trial.requests[0]} --to {trial.requests[1]} --stage upgrade"
    proof += "".join(f" --schema {file}" for file in dict.fromkeys(s.query.file for s in trial.inputs.schema))
    proof += "".join(f" --data {file}" for file in dict.fromkeys(s.query.file for s in trial.inputs.data))
    return Finding(
        "upgrade", "error", "affects",
        f"after {by}: {message}" if name else message, found[0].remedy, proof=proof,
        object=name or (by if by == CHECK else f"upgrade by {by}"), sqlstate=found[0].sqlstate,
    )  # fmt: skip
