"""The stage ``upgrade``: really upgrade a server of the old version, by each method that there is."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pytest_pgfeatures.errors import CapabilityMissingError, ServerError
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.model import Afterwards, Finding, Found, NotLookedAt
from pytest_pgfeatures.readiness.running.contents import Contents, Snapshot, lost, snapshot_of
from pytest_pgfeatures.readiness.servers.loading import LOST
from pytest_pgfeatures.readiness.servers.settings import ask_settings, startable
from pytest_pgfeatures.readiness.servers.side import DBNAME, Side, load_into
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.plans import maintained
from pytest_pgfeatures.scripts.privileges import LOADER, NOT_ALLOWED
from pytest_pgfeatures.server import Cluster, maintenance
from pytest_pgfeatures.server.dump import dumped
from pytest_pgfeatures.server.guarded import GUARDED
from pytest_pgfeatures.server.upgrade import MODES
from pytest_pgfeatures.server.upgrade_failure import REMEDY, drop_named, reasons
from pytest_pgfeatures.server.watchdog import within
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

CHECK = "pg_upgrade --check"
DUMP = "dump and restore"
_HAS_PARTITIONS = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
_EVALUATED = """
SELECT DISTINCT c.oid::regclass::text FROM pg_class c
WHERE EXISTS ( -- expressions of the key are simplified whenever a table is opened
        SELECT 1 FROM pg_depend d WHERE c.relkind = 'p' AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) AND d.refobjid >= 16384)
    OR EXISTS ( -- bounds of a domain are checked when a partition is attached
        SELECT 1 FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE c.relkind = 'p' AND a.attrelid = c.oid AND t.typtype NOT IN ('b', 'e') AND t.oid >= 16384)
    OR EXISTS ( -- and its constraints are simplified then; others only where a function takes the table's rows
        SELECT 1 FROM pg_constraint k JOIN pg_depend d ON d.objid = k.oid AND d.classid = 'pg_constraint'::regclass
        WHERE k.conrelid = c.oid AND k.contype = 'c' AND d.refobjid >= 16384 AND CASE WHEN c.relispartition
            THEN d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass)
            ELSE d.refclassid = 'pg_proc'::regclass AND EXISTS (
                SELECT 1 FROM pg_depend e JOIN pg_type t ON t.oid = e.refobjid WHERE e.classid = 'pg_proc'::regclass
                AND e.objid = d.refobjid AND e.refclassid = 'pg_type'::regclass AND t.typtype = 'c') END)
ORDER BY 1
"""
"""Tables for which restoring the schema evaluates parts of it as the restoring role."""
_MOST_CHECKS = 20
_EXISTS = "42710"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_SHOWN = 4
_fault = functools.partial(Finding, "upgrade", "error", "affects")
"""Something that does not survive some ways to upgrade; without an object, the upgrade as a whole."""


def look(trial: Trial) -> Iterator[Found]:
    """Upgrade a server with the application's schema and data by each method, and examine the results."""
    modes = [mode for mode in MODES if trial.pair.new in mode.versions]
    done = _Upgrades(trial)
    try:
        trial.progress("upgrade", 0, len(modes) + 2)
        done.arrive(DUMP, None)
        done.check()
        for number, mode in enumerate(modes, 2):
            trial.progress("upgrade", number, len(modes) + 2)
            way = " ".join(("pg_upgrade", *(mode.options or ("--copy",))))
            if done.stopped:
                done.missed.append(NotLookedAt(way, done.stopped))
                continue
            if mode.name == "swap":  # --link has used up the old server
                trial.clusters.remove(done.side.cluster)
                done.fill()
            done.arrive(way, mode.name)
    finally:
        trial.clusters.remove(done.side.cluster)
    old, new = trial.requests
    proof = replace(trial.options, old=old, new=new, baseline="", fail_on="never").command("upgrade")
    for fault, ways in done.ways.items():
        by = ", ".join(ways)
        message = f"after {by}: {fault.message}" if fault.object else fault.message
        of = fault.object or (by if by == CHECK else f"upgrade by {by}")
        yield replace(fault, message=message, object=of, proof=proof)
    yield "methods that succeeded", len(done.scripts)
    yield "tables compared", done.tables
    yield from done.missed
    yield from map(Afterwards, done.scripts[-1:])


class _Upgrades:
    """A server of the old version, which is upgraded by several methods."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._dropped: dict[str, str] = {}
        self.ways: defaultdict[Finding, list[str]] = defaultdict(list)  # that show it: ``pg_upgrade --link``
        self.missed: list[NotLookedAt] = []
        self.scripts: list[str] = []  # to run after each method that ended with a running server
        self.tables = 0
        self.stopped = ""  # why no further mode of pg_upgrade can go on
        uses = [use for use in trial.inputs.settings if use.kind == "file"]
        answers = zip(uses, *trial.both(lambda side: ask_settings(side, uses)), strict=True)
        refused = {use.name.lower() for use, *said in answers if any(said)}
        chosen, _ = startable(trial.installs[0], uses, refused)
        self._settings = {**chosen, **GUARDED["settings"]}
        self.fill()

    def fill(self) -> None:
        """Start a server of the old version, with the schema, data, roles and settings."""
        trial, loaded = self._trial, enumerate(self._trial.loaded[0].refusals)
        ended = {at: each for at, each in loaded if each and (each.sqlstate == LOST or each.timed_out)}
        name = f"upgraded-{trial.pair.old.major}"
        with trial.new_server(trial.installs[0], name=name, settings=self._settings) as self.side:
            load_into(self.side, trial.inputs.loaded, timeout=trial.timeout, lost=ended)
            trial.fill(self.side)
            with self.side.superuser() as connection:
                for sql in self._dropped.values():
                    connection.execute(sql.encode())
            self._before = _before(self.side, trial.long)

    def check(self) -> None:
        """Run ``pg_upgrade --check``, each time without the objects that it has named, because they hide the next
        ones, until it passes or names nothing new."""
        trial, old = self._trial, self.side.cluster
        if not trial.trusted and old.version in _HAS_PARTITIONS:
            with self.side.superuser() as connection:
                names = ", ".join(name for (name,) in connection.execute(_EVALUATED.encode()))
            if names:
                self.stopped = f"as superuser it would run code of the schema for {names}; --trust lets it"
                self.missed.append(NotLookedAt(CHECK, self.stopped))
                return
        for _ in range(_MOST_CHECKS):
            try:
                old.upgrade_to(trial.requests[1], check_only=True, timeout=trial.long)
                self.stopped = ""
                break
            except (CapabilityMissingError, ServerError) as error:
                self._failed(CHECK, error, f"{CHECK} found a problem")
                with self.side.superuser() as connection:
                    dropped = drop_named(connection, error.details)
            if not dropped:
                break
            self._dropped |= dropped
        if self._dropped and not self.stopped:
            why = f"pg_upgrade is run without it: {', '.join(self._dropped)}"
            self.missed.append(NotLookedAt(f"objects that {CHECK} names", why))
            self._before = _before(self.side, trial.long)

    def arrive(self, way: str, mode: str | None) -> None:
        """Upgrade by one method, and examine the resulting server."""
        trial, old = self._trial, self.side.cluster
        try:
            if mode is None:
                side = _restored(trial, old)
            else:
                side = Side(trial.installs[1], old.upgrade_to(trial.requests[1], mode, timeout=trial.long))
        except (CapabilityMissingError, ServerError) as error:
            self._failed(way, error, f"{way} failed, and this method begins with the same steps")
            return
        try:
            self._examine(side, way)
        finally:
            side.cluster.remove()

    def _failed(self, way: str, error: CapabilityMissingError | ServerError, stopped: str) -> None:
        """Note why a way is not open, or the faults in the output and logs of a program that failed."""
        if isinstance(error, CapabilityMissingError):
            self.stopped = error.problem
            self.missed.append(NotLookedAt(way, error.problem))
            return
        self.stopped = stopped
        known = reasons(error.details)
        head = error.problem.partition(": ")[0] if known else error.problem
        for said, advice in known or [("", error.remedy or REMEDY)]:
            self.ways[_fault(f"{head}: {said}" if said else head, advice)].append(way)

    def _examine(self, side: Side, way: str) -> None:
        for name, difference in lost(self._before, _snapshot(side, self._trial.long)):
            advice = "see what the release notes say of its type, and the server's log"
            self.ways[_fault(difference, advice, object=name)].append(way)
        with side.superuser() as superuser, within(superuser, self._trial.long):
            statements = maintenance.statements_after(superuser)
            ran = {sql: maintenance.refusal(superuser, sql) for sql, _ in statements}
            ran |= maintained(side, maintenance.MAINTENANCE, self._trial.long)
            corrupt = maintenance.amcheck(superuser)
        for sql, failure in ran.items():
            if failure and failure[0] != NOT_ALLOWED:  # an extension's tables belong to a superuser
                message = f"{sql} fails: {SqlState(failure[0])}: {' '.join(failure[1].split())}"
                advice = maintenance.remedy({failure[0]}, side.install.version)
                fault = _fault(message, advice, object=sql.rpartition(" ")[2], sqlstate=failure[0])
                self.ways[fault].append(way)
        if corrupt is None:
            self.missed.append(NotLookedAt(f"amcheck after {way}", "the new install has no amcheck"))
        for name, problem in corrupt or ():
            advice = "REINDEX the index; if a table is corrupt, restore it"
            self.ways[_fault(f"amcheck: {problem}", advice, object=name)].append(way)
        self.tables = max(self.tables, sum(isinstance(each, Contents) for each in self._before.values()))
        versions = f"{self.side.cluster.version} to {side.cluster.version}"
        self.scripts.append(maintenance.script_of(statements, DBNAME, versions))


def _restored(trial: Trial, old: Cluster) -> Side:
    """Dump the application's database and restore it into a new server, as the role that loads the application: as
    superuser, psql would run the database's code, such as its checks and generated columns."""
    tools = install = trial.installs[1]
    major = install.version.major
    if not install.has("pg_dump", "pg_dumpall"):
        tools = trial.clusters.resolver.client("pg_dump", install.version)
        if (other := tools.version.major) != major:
            why = f"no install of PostgreSQL {major} has pg_dump, and that of {other} writes what {major} refuses"
            raise CapabilityMissingError(why, capability="pg_dump")
    texts = dumped(trial.clusters, old, tools, DBNAME, user=LOADER, timeout=trial.long)
    with trial.new_server(install, name=f"restored-{major}", settings=old.settings) as side:
        reader = SqlReader("data", lambda: trial.clusters.resolver)
        statements = [each for text in texts for each in reader.text(text, "dump", Path.cwd())]
        refused = load_into(side, statements, timeout=trial.long).refusals
        said = [
            refusal.said
            for each, refusal in zip(statements, refused, strict=True)
            # the role exists already; so do its grants on the objects of extensions
            if refusal is not None
            and refusal.sqlstate != _EXISTS
            and not (refusal.sqlstate == NOT_ALLOWED and each.query.sql[:6].lower() in ("grant ", "revoke"))
        ]
        if said:
            count = "1 statement" if len(said) == 1 else f"{len(said)} statements"
            of_dump = f"PostgreSQL {side.cluster.version} refuses {count} of the dump of {old.version}"
            raise ServerError(f"{of_dump}: {'; '.join([*dict.fromkeys(said)][:_SHOWN])}", remedy=REMEDY)
        return side


def _before(side: Side, seconds: float) -> Snapshot:
    """The contents of the old server, as a restore refreshes its materialized views, without those that change."""
    # the restore will report what the server refuses
    refreshed = maintained(side, maintenance.REFRESH, seconds)
    first = _snapshot(side, seconds)
    if not refreshed:
        return first
    maintained(side, maintenance.REFRESH, seconds)
    return {name: found for name, found in _snapshot(side, seconds).items() if first.get(name) == found}


def _snapshot(side: Side, seconds: float) -> Snapshot:
    with side.connect() as connection, side.superuser() as superuser, within(connection, seconds):
        return snapshot_of(connection, superuser)
