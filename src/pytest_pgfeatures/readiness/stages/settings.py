"""The stage ``settings``: ask both servers about each setting that the application sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.catalog.comparison import compare
from pytest_pgfeatures.catalog.snapshot import catalog_of
from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, Place, StageReport
from pytest_pgfeatures.readiness.proofs import proof_of_sql
from pytest_pgfeatures.readiness.servers.configured import start_with
from pytest_pgfeatures.readiness.servers.loading import NO_OBJECT
from pytest_pgfeatures.readiness.servers.settings import ask_settings
from pytest_pgfeatures.readiness.stages.access import look_at_access
from pytest_pgfeatures.settings import RENAMED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.catalog.snapshot import Catalog
    from pytest_pgfeatures.readiness.model import Certainty, SettingUse, Severity
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial

    Properties = Mapping[str, str] | None

_OF_INITDB = frozenset({"shared_buffers", "max_connections", "min_wal_size", "max_wal_size"})
"""initdb writes these into postgresql.conf (https://www.postgresql.org/docs/current/app-initdb.html)."""
_OF_TRANSACTIONS = frozenset({"transaction_isolation", "transaction_read_only", "transaction_deferrable"})
"""No configuration can set these."""


def look(trial: Trial) -> StageReport:
    """Ask both servers about each setting, and start both with the configuration."""
    application = trial.application
    uses = application.settings

    def ask(side: Side) -> list[Refusal | None]:
        return ask_settings(side, uses, trial.progress_of(side, "settings", len(uses)))

    answers = list(zip(uses, *trial.both(ask), strict=True))
    catalogs = [catalog_of(install, trial.clusters) for install in trial.installs]
    report = StageReport(
        "settings",
        tuple(filter(None, (_finding(trial, *answer, catalogs) for answer in answers))),
        (("settings", len(uses)),),
        not_looked_at=tuple(
            NotLookedAt(use.place.where, f"both refuse {use.name}: {after.message}")
            for use, before, after in answers
            if before and after
        ),
    )
    started = ("servers started with the configuration", 2 * ("config" in application.given))
    if "config" in application.given:
        refused_names = {use.name.lower() for use, *said in answers if any(said)}
        report += StageReport("settings", tuple(_defaults(trial, catalogs)))
        report += start_with(trial, [use for use in uses if use.kind == "file"], refused_names)
    return report + StageReport("settings", counts=(started,)) + look_at_access(trial)


def _finding(
    trial: Trial,
    use: SettingUse,
    before: Refusal | None,
    after: Refusal | None,
    catalogs: Sequence[Catalog],
) -> Finding | None:
    known, now = (catalog.objects["setting"].get(use.name.lower()) for catalog in catalogs)
    judged = _judged(trial, use, before, after, known, now)
    if judged is None:
        return None
    name = ".".join(f'"{part}"' for part in use.name.split("."))
    value = "'{}'".format(use.value.replace("'", "''")) if use.is_known else "DEFAULT"
    return Finding(
        "settings", *judged, place=use.place, object=f"setting {use.name}", excerpt=use.text,
        proof=proof_of_sql(trial, f"ALTER SYSTEM SET {name} = {value}"),
    )  # fmt: skip


def _judged(
    trial: Trial,
    use: SettingUse,
    before: Refusal | None,
    after: Refusal | None,
    known: Properties,
    now: Properties,
) -> tuple[Severity, Certainty, str, str] | None:
    """The severity, certainty, message and remedy; None if nothing changes."""
    old, new = trial.pair.old.major, trial.pair.new.major
    renamed = next((f"write {each.name}" for each in RENAMED if each.older_name == use.name.lower()), "")
    if before is not None:
        said = f"{new} accepts what {old} refuses: {before.message}"
        return (
            None if after else ("note", "may affect", said, "nothing, unless something relies on the error")
        )
    if after is not None and after.sqlstate == NO_OBJECT:
        said = f"{new} has no setting {use.name}: {after.message}"
        advice = renamed or "take it out; the release notes of the new version say what replaced it"
        return "error", "affects", said, advice
    if after is not None:
        advice = f"give it a value that {new} takes{_range(now)}"
        return "error", "affects", f"{new} refuses the value: {after.message}", advice
    if known is not None and now is None and renamed:
        said = f"{new} has no setting {use.name}, but accepts it as an old name{renamed.replace('write', ' of', 1)}"
        return "warning", "may affect", said, renamed
    if known is not None and now is not None:
        was, is_ = known.get("unit"), now.get("unit")
        if was != is_ and use.value[-1:].isdigit():
            said = f"{use.name} has another unit on {new}: {was or '-'} -> {is_ or '-'}"
            advice = "see the setting's page in the manual, and write the unit with the value"
            return "warning", "affects", said, advice
    return None


def _range(properties: Properties) -> str:
    """The values that a setting takes."""
    if properties and properties.get("values"):
        return f": {properties['values']}"
    if properties and properties.get("minimum"):
        unit = properties.get("unit", "")
        return f": {properties['minimum']} to {properties.get('maximum', '?')} {unit}".rstrip()
    return ""


def _defaults(trial: Trial, catalogs: Sequence[Catalog]) -> Iterator[Finding]:
    """The settings whose default changed, and that the configuration does not set."""
    given = {use.name.lower(): use for use in trial.application.settings if use.kind == "file"}
    file = next((use.place.file for use in given.values()), None)
    for difference in compare(*catalogs).differences:
        name = difference.name
        if (
            (difference.kind, difference.what) != ("setting", "changed")
            or name in given
            or name in _OF_INITDB | _OF_TRANSACTIONS
        ):
            continue
        before, after = (each.get("default") for each in (difference.before, difference.after))
        if before is None or after is None:
            continue
        unit = catalogs[1].objects["setting"][name].get("unit")
        yield Finding(
            "settings", "note", "may affect",
            f"the default of {name} is {after} on {trial.pair.new.major}, and was {before}"
            f"{f' (in {unit})' if unit else ''}; the configuration does not set it",
            f"set {name} if the application relies on the old default",
            place=Place(file, 1) if file else None, object=f"setting {name}",
            proof=proof_of_sql(trial, f"SHOW {name}"),
        )  # fmt: skip
