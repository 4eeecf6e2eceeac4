"""The stage ``settings``: ask both servers about each setting that the application sets, and have them load
pg_hba.conf and pg_ident.conf."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import psycopg
from psycopg.sql import quote

from pytest_pgfeatures.affects import Default
from pytest_pgfeatures.catalog.comparison import compare
from pytest_pgfeatures.catalog.snapshot import Catalog, catalog_of
from pytest_pgfeatures.readiness.advice import Verdict, judged, proof_of_sql
from pytest_pgfeatures.readiness.model import Finding, Found, NotLookedAt, Place, SettingUse
from pytest_pgfeatures.readiness.servers.loading import NO_OBJECT, Refusal
from pytest_pgfeatures.readiness.servers.settings import ask_settings, start_with
from pytest_pgfeatures.readiness.servers.side import Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.server.account_files import write_file
from pytest_pgfeatures.settings import RENAMED
from pytest_pgfeatures.version import VersionSet


class Kind(NamedTuple):
    """One of the two files, and the view of its lines, which each query reads again."""

    file: str
    view: str
    first: str  # a column of the view that is null if the server refuses the line
    versions: VersionSet  # that have the view


HBA = Kind("pg_hba.conf", "pg_hba_file_rules", "type", VersionSet(">=10"))
IDENT = Kind("pg_ident.conf", "pg_ident_file_mappings", "map_name", VersionSet(">=15"))
_ENCRYPTED = ("hostssl", "hostgssenc")
_NO_SSL = "the servers that read them have no SSL or Kerberos: the lines are checked, not whether they match"
_OF_BUILD = "not supported by this build"  # of a server whose build lacks a library
_LINE = re.compile(r"\bline (\d+) of configuration file")


def _look_at_access(trial: Trial) -> Iterator[Found]:
    """Have both servers read the files. The running configuration does not change."""
    for kind, lines in (HBA, trial.application.hba), (IDENT, trial.application.ident):
        yield f"lines of {kind.file}", len(lines)
        if not lines:
            continue
        text = "".join(f"{' '.join(line.fields)}\n" for line in lines)
        old, new = trial.both(functools.partial(_read, trial, kind, text))
        if new is None:
            yield NotLookedAt(kind.file, f"{trial.pair.new.major} has no {kind.view}")
        for number, said in sorted((new or {}).items()):
            line, before = lines[number - 1], old.get(number, "") if old is not None else _OF_BUILD
            if _OF_BUILD in said:
                yield NotLookedAt(line.place.where, f"the build of {trial.pair.new} that read it: {said}")
            elif before and _OF_BUILD not in before:
                yield f"{line.place.where}: {trial.pair.old} refuses it, too: {before}"
            else:
                asked = f" ({trial.pair.old.major} can't be asked)" if before else ""
                yield Finding(
                    "settings", "error", "may affect" if asked else "affects",
                    f"{trial.pair.new} refuses the line: {said}{asked}",
                    "correct the line; one such line keeps the server from loading the file",
                    place=line.place, excerpt=line.text, object=kind.file, proof=_proof(trial, kind, line.place),
                )  # fmt: skip
        if encrypted := [line.place.where for line in lines if line.fields[0] in _ENCRYPTED]:
            yield NotLookedAt(f"connections of {', '.join(encrypted)}", _NO_SSL)


def _proof(trial: Trial, kind: Kind, place: Place) -> str:
    """A command that has the new server read the file."""
    setting = kind.file.removeprefix("pg_").removesuffix(".conf") + "_file"
    query = f"SELECT error FROM {kind.view} WHERE {kind.first} IS NULL AND line_number = {place.line}"
    script = f'cp {shlex.quote(place.file)} "$(psql -Atc "SHOW {setting}")" && psql -c "{query}"'
    return f"pgfeatures run --pg {trial.requests[1]} -- sh -c {shlex.quote(script)}"


def _read(trial: Trial, kind: Kind, text: str, side: Side) -> dict[int, str] | None:
    """The messages about the lines that the server refuses, by number; None if the version has no such view. A line
    with an error and its fields only never matches. The server logs the errors that the view lacks, too."""
    if side.install.version not in kind.versions:
        return None
    path = side.cluster.datadir / kind.file
    before = path.read_bytes()
    messages: dict[int, str] = {}

    def note(said: psycopg.errors.Diagnostic) -> None:
        if match := _LINE.search(said.context or ""):
            messages[int(match[1])] = said.message_primary or ""

    write_file(path, text.encode("utf-8", "surrogateescape"), trial.clusters.account)
    try:
        with side.superuser() as connection:
            connection.add_notice_handler(note)
            connection.execute("SET client_min_messages = debug3")
            query = f"SELECT line_number, error FROM {kind.view} WHERE {kind.first} IS NULL"
            rows = connection.execute(query.encode()).fetchall()
    finally:
        write_file(path, before, trial.clusters.account)
    return {number: messages.get(number) or error or "" for number, error in rows}


_NOT_COMPARED = frozenset({
    "shared_buffers", "max_connections", "min_wal_size", "max_wal_size",
    "transaction_isolation", "transaction_read_only", "transaction_deferrable",
})  # fmt: skip
"""initdb writes the first ones into postgresql.conf (https://www.postgresql.org/docs/current/app-initdb.html).
No configuration can set the others."""


def look(trial: Trial) -> Iterator[Found]:
    """Ask both servers about each setting, and start both with the configuration."""
    uses = trial.application.settings
    yield "settings", len(uses)
    both = trial.both(lambda side: ask_settings(side, uses, trial.progress_of(side, "settings", len(uses))))
    answers = list(zip(uses, *both, strict=True))
    catalogs = [catalog_of(install, trial.clusters) for install in trial.installs]
    for use, before, after in answers:
        if before and after:
            yield NotLookedAt(use.place.where, f"both refuse {use.name}: {after.message}")
        elif verdict := _judged(trial, use, before, after, catalogs):
            name = ".".join(f'"{part}"' for part in use.name.split("."))
            value = quote(use.value) if use.is_known else "DEFAULT"
            yield Finding(
                "settings", *verdict, place=use.place, object=f"setting {use.name}", excerpt=use.text,
                proof=proof_of_sql(trial, f"ALTER SYSTEM SET {name} = {value}"),
            )  # fmt: skip
    if has_config := "config" in trial.application.given:
        yield from _defaults(trial, catalogs)
        refused_names = {use.name.lower() for use, *said in answers if any(said)}
        yield from start_with(trial, [use for use in uses if use.kind == "file"], refused_names)
    yield "servers started with the configuration", 2 * has_config
    yield from _look_at_access(trial)


def _judged(
    trial: Trial, use: SettingUse, before: Refusal | None, after: Refusal | None, catalogs: Sequence[Catalog]
) -> Verdict | None:
    """The severity, certainty, message and remedy; None if nothing changes."""
    known, now = (catalog.objects["setting"].get(use.name.lower(), {}) for catalog in catalogs)
    new = trial.pair.new.major
    current = next((each.name for each in RENAMED if each.older_name == use.name.lower()), "")
    if before is not None:
        return judged(trial, before, None)
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
    if was and is_ and was != is_ and use.value[-1:].isdigit():
        said = f"{use.name} has another unit on {new}: {was} -> {is_}"
        advice = "see the setting's page in the manual, and write the unit with the value"
        return "warning", "affects", said, advice
    return None


def _defaults(trial: Trial, catalogs: Sequence[Catalog]) -> Iterator[Finding]:
    """The settings that the configuration does not set, and whose default changed; of new ones, those whose default
    changes something."""
    uses = trial.application.settings
    given = {use.name.lower() for use in uses if use.kind == "file" or use.text.startswith("ALTER SYSTEM ")}
    file = next((use.place.file for use in uses if use.kind == "file"), None)
    meant = {kind.name for each in trial.shown.subjects for kind in each.affects if isinstance(kind, Default)}
    for each in compare(*catalogs).differences:
        name, before, after = each.name, each.before.get("default"), each.after.get("default")
        is_known = None not in (before, after) or (before is None and name in meant)
        if each.kind != "setting" or not is_known or name in given or name in _NOT_COMPARED:
            continue
        unit = catalogs[1].objects["setting"][name].get("unit")
        yield Finding(
            "settings", "note", "may affect",
            f"the default of {name} is {after} on {trial.pair.new.major}, and was {before or 'unknown'}"
            f"{f' (in {unit})' if unit else ''}; the configuration does not set it",
            f"set {name} if the application relies on the old default",
            place=Place(file, 1) if file else None, object=f"setting {name}",
            proof=proof_of_sql(trial, f"SHOW {name}"),
        )  # fmt: skip
