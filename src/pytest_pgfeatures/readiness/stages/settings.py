"""The stage ``settings``: ask both servers about each setting that the application sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import psycopg

from pytest_pgfeatures.catalog.comparison import compare
from pytest_pgfeatures.catalog.snapshot import catalog_of
from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, Place, StageReport
from pytest_pgfeatures.readiness.proofs import proof_of_sql
from pytest_pgfeatures.readiness.servers.configured import start_with
from pytest_pgfeatures.readiness.stages.access import look_at_access
from pytest_pgfeatures.settings import RENAMED
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.catalog.snapshot import Catalog
    from pytest_pgfeatures.readiness.model import SettingUse
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial

_HAS_ALTER_SYSTEM = VersionSet(">=9.4")  # https://www.postgresql.org/docs/release/9.4.0/
_FIXED = "55P02"
"""The setting can't be changed by ALTER SYSTEM; https://www.postgresql.org/docs/current/errcodes-appendix.html"""
_OF_INITDB = frozenset({"shared_buffers", "max_connections", "min_wal_size", "max_wal_size"})
"""initdb writes these into postgresql.conf (https://www.postgresql.org/docs/current/app-initdb.html)."""
_NAMELESS = "42704"


class Said(NamedTuple):
    """A server's answer about a setting and its value: the SQLSTATE and message of the error, if there is one."""

    sqlstate: str = ""
    message: str = ""

    @property
    def knows(self) -> bool:
        """Whether there is a setting of that name."""
        return self.sqlstate != _NAMELESS


def look(trial: Trial) -> StageReport:
    """Ask both servers about each setting, and start both with the configuration."""
    application = trial.application
    uses = application.settings
    old_said, new_said = trial.both(lambda side: _ask(side, uses))
    catalogs = tuple(catalog_of(install, trial.clusters) for install in trial.installs)
    findings: list[Finding] = []
    not_looked_at: list[NotLookedAt] = []
    for use, before, after in zip(uses, old_said, new_said, strict=True):
        if before.sqlstate and after.sqlstate:
            place = f"{use.place.file}:{use.place.line}"
            not_looked_at.append(NotLookedAt(place, f"both refuse {use.name}: {after.message}"))
        found = _judged(trial, use, before, after, catalogs)
        if found is not None:
            findings.append(found)
    refused = {
        use.name.lower()
        for use, *said in zip(uses, old_said, new_said, strict=True)
        if any(each.sqlstate for each in said)
    }
    problems: list[str] = []
    started = 0
    if "config" in application.given:
        findings += _defaults(trial, catalogs)
        report = start_with(trial, [use for use in uses if use.kind == "file"], refused)
        findings += report.findings
        problems += report.problems
        started = 1
    access = look_at_access(trial)
    findings += access.findings
    problems += access.problems
    not_looked_at += access.not_looked_at
    counts = (
        ("settings", len(uses)),
        ("servers started with the configuration", 2 * started),
        ("lines of pg_hba.conf", len(application.hba)),
        ("lines of pg_ident.conf", len(application.ident)),
    )
    return StageReport("settings", tuple(findings), counts, tuple(problems), tuple(not_looked_at))


def _ask(side: Side, uses: Sequence[SettingUse]) -> list[Said]:
    """Ask a server whether it accepts each value. ALTER SYSTEM checks the value, and writes a file that no server
    reads."""
    answers = []
    with side.superuser() as connection:
        if side.install.version not in _HAS_ALTER_SYSTEM:
            said = (_said_of_session(connection, use) for use in uses)
            return [Said() if each.sqlstate == _FIXED else each for each in said]
        for use in uses:
            name = psycopg.sql.SQL(".").join(map(psycopg.sql.Identifier, use.name.split(".")))
            value = psycopg.sql.Literal(use.value)
            try:
                connection.execute(psycopg.sql.SQL("ALTER SYSTEM SET {} = {}").format(name, value))
            except psycopg.Error as error:
                if connection.closed:
                    raise
                answers.append(_said(connection, use, error))
            else:
                answers.append(Said())
        connection.execute("ALTER SYSTEM RESET ALL")
    return answers


def _said(connection: psycopg.Connection, use: SettingUse, error: psycopg.Error) -> Said:
    said = Said(error.sqlstate or "", error.diag.message_primary or str(error))
    if said.sqlstate in (_FIXED, "0A000") or (use.kind == "statement" and said.sqlstate == "42501"):
        return Said()  # not a setting for files: ALTER SYSTEM can't check its value
    if "." in use.name and said.sqlstate == _NAMELESS:
        return Said()  # belongs to an extension that is not loaded
    if use.kind != "file" and said.sqlstate != _NAMELESS:
        in_session = _said_of_session(connection, use)
        return said if in_session.sqlstate == _FIXED else in_session
    return said


def _said_of_session(connection: psycopg.Connection, use: SettingUse) -> Said:
    """The answer to a value for this transaction. The server refuses some settings there, whatever the value."""
    try:
        with connection.transaction(force_rollback=True):
            connection.execute("SELECT set_config(%s, %s, true)", [use.name, use.value])
    except psycopg.Error as error:
        return Said(error.sqlstate or "", error.diag.message_primary or str(error))
    return Said()


def _judged(
    trial: Trial, use: SettingUse, before: Said, after: Said, catalogs: Sequence[Catalog]
) -> Finding | None:
    old, new = trial.pair.old.major, trial.pair.new.major
    name = use.name.lower()
    known, now = (catalog.objects["setting"].get(name) for catalog in catalogs)
    if before.sqlstate:
        return None if after.sqlstate else _finding(
            trial, use, "note", "may affect", f"{new} accepts what {old} refuses: {before.message}",
            "nothing, unless something relies on the error",
        )  # fmt: skip
    if after.sqlstate and not after.knows:
        renamed = next((each.name for each in RENAMED if each.older_name == name), None)
        remedy = (
            f"write {renamed}"
            if renamed
            else "take it out; the release notes of the new version say what replaced it"
        )
        return _finding(
            trial, use, "error", "affects", f"{new} has no setting {use.name}: {after.message}", remedy
        )
    if after.sqlstate:
        allowed = _range(now)
        return _finding(
            trial, use, "error", "affects", f"{new} refuses the value: {after.message}",
            f"give it a value that {new} takes{f': {allowed}' if allowed else ''}",
        )  # fmt: skip
    if known is not None and now is None:
        renamed = next((each.name for each in RENAMED if each.older_name == name), None)
        return _finding(
            trial, use, "warning", "may affect",
            f"{new} has no setting {use.name} in pg_settings, but accepts it as an old name"
            + (f" of {renamed}" if renamed else ""),
            f"write {renamed}" if renamed else "see the release notes for its new name",
        )  # fmt: skip
    if known is not None and now is not None:
        for property_, what in (("unit", "another unit"), ("type", "another type")):
            if known.get(property_) != now.get(property_) and not (
                property_ == "unit" and not use.value[-1:].isdigit()
            ):
                return _finding(
                    trial, use, "warning", "affects" if property_ == "unit" else "may affect",
                    f"{use.name} has {what} on {new}: {known.get(property_, '-')} -> {now.get(property_, '-')}",
                    "see the setting's page in the manual, and write the unit with the value",
                )  # fmt: skip
    return None


def _range(properties: Mapping[str, str] | None) -> str:
    if not properties:
        return ""
    if properties.get("values"):
        return properties["values"]
    if properties.get("minimum"):
        return f"{properties['minimum']} to {properties.get('maximum', '?')} {properties.get('unit', '')}".strip()
    return ""


def _finding(
    trial: Trial, use: SettingUse, severity: str, certainty: str, message: str, remedy: str
) -> Finding:
    name = ".".join(f'"{part}"' for part in use.name.split("."))
    value = use.value.replace("'", "''")
    return Finding(
        "settings",
        severity,  # type: ignore[arg-type]
        certainty,  # type: ignore[arg-type]
        message,
        remedy,
        place=use.place,
        object=f"setting {use.name}",
        excerpt=use.text,
        proof=proof_of_sql(trial, f"ALTER SYSTEM SET {name} = '{value}'"),
    )


def _defaults(trial: Trial, catalogs: Sequence[Catalog]) -> list[Finding]:
    """The settings whose default changed, and that the configuration does not set."""
    application = trial.application
    given = {use.name.lower() for use in application.settings if use.kind == "file"}
    file = next(use.place.file for use in application.settings if use.kind == "file") if given else None
    findings = []
    for difference in compare(*catalogs).differences:
        if difference.kind != "setting" or difference.what != "changed":
            continue
        if difference.name in given or difference.name in _OF_INITDB:
            continue
        before, after = (each.get("default") for each in (difference.before, difference.after))
        if before is None or after is None:
            continue
        unit = catalogs[1].objects["setting"][difference.name].get("unit", "")
        unit = f" (in {unit})" if unit else ""
        findings.append(
            Finding(
                "settings", "note", "may affect",
                f"the default of {difference.name} is {after} on {trial.pair.new.major}, and was {before}{unit};"
                " the configuration does not set it",
                f"set {difference.name} if the application relies on the old default",
                place=Place(file, 1) if file else None,
                object=f"setting {difference.name}",
                proof=proof_of_sql(trial, f"SHOW {difference.name}"),
            )
        )  # fmt: skip
    return findings
