"""Have both servers load pg_hba.conf and pg_ident.conf."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.model import Finding, NotLookedAt
from pytest_pgfeatures.server.account_files import write_file
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.readiness.model import AccessLine
    from pytest_pgfeatures.readiness.trial import PairTrial, Side


class Kind(NamedTuple):
    """One of the two files.

    Parameters:
        file: the name in the data directory.
        view: the view that shows how the server parses the file. Each query on it reads the file again.
        versions: the versions that have the view.
    """

    file: str
    view: str
    versions: VersionSet


HBA = Kind("pg_hba.conf", "pg_hba_file_rules", VersionSet(">=10"))
IDENT = Kind("pg_ident.conf", "pg_ident_file_mappings", VersionSet(">=15"))


class AccessAnswers(NamedTuple):
    """The servers' answers about both files."""

    findings: tuple[Finding, ...]
    problems: tuple[str, ...]
    not_looked_at: tuple[NotLookedAt, ...]


def look_at_access(trial: PairTrial) -> AccessAnswers:
    """Have both servers read the files. The running configuration does not change."""
    findings: list[Finding] = []
    problems: list[str] = []
    not_looked_at: list[NotLookedAt] = []
    for kind, lines in ((HBA, trial.application.hba), (IDENT, trial.application.ident)):
        if not lines:
            continue
        old, new = trial.both(lambda side, kind=kind, lines=lines: _read(trial, side, kind, lines))  # type: ignore[misc]
        if new is None:
            not_looked_at.append(NotLookedAt(kind.file, f"{trial.pair.new.major} has no {kind.view}"))
            continue
        for number, said in sorted(new.items()):
            line = lines[number - 1]
            if old is not None and number in old:
                problems.append(
                    f"{line.place.file}:{line.place.line}: {trial.pair.old} refuses it, too: {said}"
                )
                continue
            asked = "" if old is not None else f" ({trial.pair.old.major} can't be asked)"
            findings.append(
                Finding(
                    "settings", "error", "may affect" if asked else "affects",
                    f"{trial.pair.new} refuses the line: {said}{asked}",
                    "correct the line; one such line keeps the server from loading the file",
                    place=line.place, excerpt=line.text, object=kind.file, proof=_proof(trial, kind, line),
                )
            )  # fmt: skip
    return AccessAnswers(tuple(findings), tuple(problems), tuple(not_looked_at))


def _proof(trial: PairTrial, kind: Kind, line: AccessLine) -> str:
    """A command that has the new server read the file."""
    setting = kind.file.removeprefix("pg_").removesuffix(".conf") + "_file"
    query = f"SELECT line_number, error FROM {kind.view} WHERE error IS NOT NULL"
    file = shlex.quote(line.place.file)
    script = f'cp {file} "$(psql -Atc "SHOW {setting}")" && psql -c "{query}"'
    return f"pgfeatures run --pg {trial.requests[1]} -- sh -c {shlex.quote(script)}"


def _read(trial: PairTrial, side: Side, kind: Kind, lines: Sequence[AccessLine]) -> dict[int, str] | None:
    """The errors by line number; None if the version has no view that shows them."""
    if side.install.version not in kind.versions:
        return None
    text = "".join(_written(line) + "\n" for line in lines)
    path = side.cluster.datadir / kind.file
    before = path.read_bytes()
    write_file(path, text.encode("utf-8", "surrogateescape"), trial.clusters.account)
    try:
        with side.connect() as connection:
            rows = connection.execute(
                f"SELECT line_number, error FROM {kind.view} WHERE error IS NOT NULL".encode()
            ).fetchall()
    finally:
        write_file(path, before, trial.clusters.account)
    return dict(rows)


def _written(line: AccessLine) -> str:
    """The line, with the contents of the files that it names."""
    written = []
    for field, quoted in zip(line.fields, line.quoted, strict=True):
        words = [f'"{word}"' if quoted or " " in word or "#" in word else word for word in field.split(",")]
        written.append(",".join(words))
    return " ".join(written)
