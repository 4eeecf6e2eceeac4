"""Have both servers load pg_hba.conf and pg_ident.conf."""

from __future__ import annotations

import functools
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.server.account_files import write_file
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import AccessLine
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial


class Kind(NamedTuple):
    """One of the two files.

    Parameters:
        file: the name in the data directory.
        view: the view that shows how the server parses the file. Each query on it reads the file again.
        first: a column of the view that is null if the server refuses the line.
        versions: the versions that have the view.
    """

    file: str
    view: str
    first: str
    versions: VersionSet


HBA = Kind("pg_hba.conf", "pg_hba_file_rules", "type", VersionSet(">=10"))
IDENT = Kind("pg_ident.conf", "pg_ident_file_mappings", "map_name", VersionSet(">=15"))
_ENCRYPTED = ("hostssl", "hostgssenc")
_UNMATCHED = (
    "the servers that read them have no SSL or Kerberos: the lines are checked, not whether they match"
)
_OF_BUILD = "not supported by this build"
"""The message of a server whose build lacks a library."""
_LINE = re.compile(r"\bline (\d+) of configuration file")


def look_at_access(trial: Trial) -> StageReport:
    """Have both servers read the files. The running configuration does not change."""
    findings: list[Finding] = []
    problems: list[str] = []
    not_looked_at: list[NotLookedAt] = []
    for kind, lines in ((HBA, trial.application.hba), (IDENT, trial.application.ident)):
        if not lines:
            continue
        old, new = trial.both(functools.partial(_read, trial, kind, lines))
        if new is None:
            not_looked_at.append(NotLookedAt(kind.file, f"{trial.pair.new.major} has no {kind.view}"))
        for number, said in sorted((new or {}).items()):
            line, before = lines[number - 1], old.get(number, "") if old is not None else _OF_BUILD
            if _OF_BUILD in said:
                why = f"the build of {trial.pair.new} that read it: {said}"
                not_looked_at.append(NotLookedAt(line.place.where, why))
            elif before and _OF_BUILD not in before:
                problems.append(f"{line.place.where}: {trial.pair.old} refuses it, too: {before}")
            else:
                asked = f" ({trial.pair.old.major} can't be asked)" if before else ""
                findings.append(
                    Finding(
                        "settings", "error", "may affect" if asked else "affects",
                        f"{trial.pair.new} refuses the line: {said}{asked}",
                        "correct the line; one such line keeps the server from loading the file",
                        place=line.place, excerpt=line.text, object=kind.file, proof=_proof(trial, kind, line),
                    )
                )  # fmt: skip
        if encrypted := [line.place.where for line in lines if line.fields[0] in _ENCRYPTED]:
            not_looked_at.append(NotLookedAt(f"connections of {', '.join(encrypted)}", _UNMATCHED))
    hba, ident = len(trial.application.hba), len(trial.application.ident)
    counts = (("lines of pg_hba.conf", hba), ("lines of pg_ident.conf", ident))
    return StageReport("settings", tuple(findings), counts, tuple(problems), tuple(not_looked_at))


def _proof(trial: Trial, kind: Kind, line: AccessLine) -> str:
    """A command that has the new server read the file."""
    setting = kind.file.removeprefix("pg_").removesuffix(".conf") + "_file"
    query = f"SELECT error FROM {kind.view} WHERE {kind.first} IS NULL AND line_number = {line.place.line}"
    file = shlex.quote(line.place.file)
    script = f'cp {file} "$(psql -Atc "SHOW {setting}")" && psql -c "{query}"'
    return f"pgfeatures run --pg {trial.requests[1]} -- sh -c {shlex.quote(script)}"


def _read(trial: Trial, kind: Kind, lines: Sequence[AccessLine], side: Side) -> dict[int, str] | None:
    """The lines that the server refuses, by number, with its messages; None if the version has no view that shows
    them.

    A line that the view shows with an error is not refused if it shows its fields, too: it only never
    matches. The view lacks some errors; the server logs all of them at the level debug3.
    """
    if side.install.version not in kind.versions:
        return None
    text = "".join(_written(line) + "\n" for line in lines)
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
            rows = connection.execute(
                f"SELECT line_number, error FROM {kind.view} WHERE {kind.first} IS NULL".encode()
            ).fetchall()
    finally:
        write_file(path, before, trial.clusters.account)
    return {number: messages.get(number) or error or "" for number, error in rows}


def _written(line: AccessLine) -> str:
    """The line, with the contents of the files that it names."""
    fields = zip(line.fields, line.quoted, strict=True)
    split = ((field.split(","), quoted) for field, quoted in fields)
    return " ".join(
        ",".join(f'"{word}"' if quoted or " " in word or "#" in word else word for word in words)
        for words, quoted in split
    )
