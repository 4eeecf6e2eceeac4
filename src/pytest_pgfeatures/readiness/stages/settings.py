"""The stage ``settings``: ask both servers about each setting that the application sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg.sql import quote

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
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.catalog.snapshot import Catalog
    from pytest_pgfeatures.readiness.model import Certainty, SettingUse, Severity
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial

_NOT_COMPARED = frozenset({
    "shared_buffers", "max_connections", "min_wal_size", "max_wal_size",
    "transaction_isolation", "transaction_read_only", "transaction_deferrable",
})  # fmt: skip
"""initdb writes the first ones into postgresql.conf (https://www.postgresql.org/docs/current/app-initdb.html).
No configuration can set the others."""


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
        tuple(_findings(trial, answers, catalogs)),
        (("settings", len(uses)),),
        not_looked_at=tuple(
            NotLookedAt(use.place.where, f"both refuse {use.name}: {after.message}")
            for use, before, after in answers
            if before and after
        ),
    )
    has_config = "config" in application.given
    if has_config:
        refused_names = {use.name.lower() for use, *said in answers if any(said)}
        report += StageReport("settings", tuple(_defaults(trial, catalogs)))
        report += start_with(trial, [use for use in uses if use.kind == "file"], refused_names)
    started = (("servers started with the configuration", 2 * has_config),)
    return report + StageReport("settings", counts=started) + look_at_access(trial)


def _findings(
    trial: Trial,
    answers: Iterable[tuple[SettingUse, Refusal | None, Refusal | None]],
    catalogs: Sequence[Catalog],
) -> Iterator[Finding]:
    for use, before, after in answers:
        known, now = (catalog.objects["setting"].get(use.name.lower(), {}) for catalog in catalogs)
        judged = _judged(trial, use, before, after, known, now)
        if judged is not None:
            name = ".".join(f'"{part}"' for part in use.name.split("."))
            value = quote(use.value) if use.is_known else "DEFAULT"
            yield Finding(
                "settings", *judged, place=use.place, object=f"setting {use.name}", excerpt=use.text,
                proof=proof_of_sql(trial, f"ALTER SYSTEM SET {name} = {value}"),
            )  # fmt: skip


def _judged(
    trial: Trial,
    use: SettingUse,
    before: Refusal | None,
    after: Refusal | None,
    known: Mapping[str, str],
    now: Mapping[str, str],
) -> tuple[Severity, Certainty, str, str] | None:
    """The severity, certainty, message and remedy; None if nothing changes.

    Parameters:
        known, now: the properties of the setting on both servers; empty if one has no such setting.
    """
    old, new = trial.pair.old.major, trial.pair.new.major
    current = next((each.name for each in RENAMED if each.older_name == use.name.lower()), "")
    if before is not None:
        said = f"{new} accepts what {old} refuses: {before.message}"
        advice = "nothing, unless something relies on the error"
        return None if after else ("note", "may affect", said, advice)
    if after is not None and after.sqlstate == NO_OBJECT:
        said = f"{new} has no setting {use.name}: {after.message}"
        advice = "take it out; the release notes of the new version say what replaced it"
        return "error", "affects", said, f"write {current}" if current else advice
    if after is not None:
        values = now.get("values", "")
        if now.get("minimum") and not values:
            values = f"{now['minimum']} to {now.get('maximum', '?')} {now.get('unit', '')}".rstrip()
        advice = f"give it a value that {new} takes{': ' if values else ''}{values}"
        return "error", "affects", f"{new} refuses the value: {after.message}", advice
    if known and not now and current:
        said = f"{new} has no setting {use.name}, but accepts it as an old name of {current}"
        return "warning", "may affect", said, f"write {current}"
    was, is_ = known.get("unit"), now.get("unit")
    if known and now and was != is_ and use.value[-1:].isdigit():
        said = f"{use.name} has another unit on {new}: {was or '-'} -> {is_ or '-'}"
        advice = "see the setting's page in the manual, and write the unit with the value"
        return "warning", "affects", said, advice
    return None


def _defaults(trial: Trial, catalogs: Sequence[Catalog]) -> Iterator[Finding]:
    """The settings whose default changed, and that the configuration does not set."""
    given = {use.name.lower(): use for use in trial.application.settings if use.kind == "file"}
    file = next((use.place.file for use in given.values()), None)
    for difference in compare(*catalogs).differences:
        name = difference.name
        before, after = (each.get("default") for each in (difference.before, difference.after))
        is_changed = (difference.kind, difference.what) == ("setting", "changed") and before is not None
        if not is_changed or after is None or name in given or name in _NOT_COMPARED:
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
