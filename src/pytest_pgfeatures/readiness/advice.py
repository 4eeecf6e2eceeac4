"""Remedies for findings, and the commands that prove them."""

from __future__ import annotations

import contextlib
import functools
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier, quote

from pytest_pgfeatures.readiness.causes import missing_objects
from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
from pytest_pgfeatures.readiness.model import Certainty, Severity
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.server import Cluster
from pytest_pgfeatures.server.watchdog import MEMORY

Verdict = tuple[Severity, Certainty, str, str]  # the severity, certainty, message and remedy of a finding

_REMEDIES: dict[str, str] = {
    "42601": "use syntax that both versions support; quote a name that has become a keyword",
    "42883": "the function or operator has gone or takes other types: cast the arguments, or use what replaced it",
    "42P01": "the relation has gone: see what replaced it in the release notes",
    "42703": "the column has gone or has another name: see the catalog's page in the manual",
    "42704": "the object or setting has gone: take it out, or use what replaced it",
    "42P13": "change the function's definition, or drop and create it",
    "42804": "cast to the required type",
    "42725": "cast the arguments, so that only one function fits",
    "0A000": "the feature is not supported any more: see what replaced it in the release notes",
    "42501": "grant the privilege, or run it as a role that has it",
    "428C9": "don't write to a generated column",
    "22023": "correct the value",
    "22P02": "correct the literal",
    "58P01": "install the extension, or take it out",
}
"""https://www.postgresql.org/docs/current/errcodes-appendix.html"""

_LACKING = re.compile(
    r'could not open extension control file "(?:[^"]*/)?(?P<file>[^"/]+)\.control"'
    r'|extension "(?P<name>[^"]+)" is not available'
    r"|(?P<part>\w+) is not supported (?:in|by) this build|compression method (?P<method>\w+) not supported"
    r'|could not (?:load library|access file) "(?:[^"]*/)?(?P<library>[^"/]+?)(?:\.so|\.dylib|\.dll)?"'
)
_GONE = re.compile(
    r"(?:adminpack|old_snapshot|timetravel|chkpass|tsearch2|plpython2?u)(?:\.control|\")"
)  # extensions of PostgreSQL itself that a later major dropped


def lacking(refusal: Refusal) -> str | None:
    """The extension or library that only the server's install lacks, and that PostgreSQL itself did not drop."""
    found = None if _GONE.search(refusal.message) else _LACKING.match(refusal.message)
    return found and next(filter(None, found.groups()))


_EXTENSIONS = "SELECT name FROM pg_available_extensions WHERE installed_version IS NULL ORDER BY name"
_MEMBERS = """
    SELECT o.name FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid JOIN (
           SELECT oid, relname FROM pg_class UNION ALL SELECT oid, proname FROM pg_proc
           UNION ALL SELECT oid, typname FROM pg_type) AS o (oid, name) ON o.oid = d.objid
     WHERE d.deptype = 'e' AND e.extname = %s
"""


@functools.lru_cache(maxsize=2)
def _members_of_extensions(cluster: Cluster) -> Mapping[str, str]:
    """The relations, functions and types of each extension that an install has. Each extension is created in
    the database ``postgres``, which has nothing of the application, and rolled back."""
    found: dict[str, str] = {}
    with cluster.connect("postgres", prepare_threshold=None) as connection:
        for (extension,) in connection.execute(_EXTENSIONS).fetchall():
            with contextlib.suppress(psycopg.Error), connection.transaction(force_rollback=True):
                connection.execute(SQL("CREATE EXTENSION {} CASCADE").format(Identifier(extension)))
                for (member,) in connection.execute(_MEMBERS, [extension]).fetchall():
                    found.setdefault(member, extension)
    return found


def extension_with(trial: Trial, refusal: Refusal) -> str | None:
    """The extension of the old server's install that has the object that a message calls missing."""
    missing = [each.partition(" ")[2] for each in missing_objects(refusal.message)]
    return _members_of_extensions(trial.sides[0].cluster).get(missing[0]) if missing else None


def remedy_of(refusal: Refusal) -> str:
    """The remedy for an error's SQLSTATE; otherwise, the server's hint."""
    if (name := lacking(refusal)) is not None:
        return f"name an install that has {name}, such as path:DIR: this one lacks it, whatever its version"
    known = _REMEDIES.get(refusal.sqlstate)
    return known or refusal.hint or "see the release notes of the new version for what replaced it"


def judged(trial: Trial, old: Refusal | None, new: Refusal | None) -> Verdict:
    """The verdict on what one of the servers refuses."""
    refusal = new or old
    assert refusal is not None
    other, refusing = trial.pair if new else reversed(trial.pair)
    if refusal.timed_out:
        said = f"{refusing} had not finished after {trial.timeout:.0f} s; {other} had"
        advice = "see whether the statement waits for something, or raise --timeout"
        return "warning", "may affect", said, advice
    if refusal.is_limit:
        said = f"{refusing} ends it: {refusal.said}; {other} took less"
        return "warning", "may affect", said, f"raise {MEMORY} to see whether it runs"
    if new is None:
        said = f"{other} accepts what {refusing} refuses: {refusal.said}"
        return "note", "may affect", said, "nothing, unless something relies on the error"
    lacks = {lacking(each) for each in trial.loaded[1].refusals if each} - {None}
    if lacks and (extension := extension_with(trial, refusal)) in lacks:
        said = f'extension "{extension}" does not exist in the install of {refusing}: {refusal.said}'
        return "error", "may affect", said, f"name an install that has {extension}, such as path:DIR"
    certainty: Certainty = "affects" if lacking(refusal) is None else "may affect"
    return "error", certainty, f"{refusing} refuses it: {refusal.said}", remedy_of(refusal)


_LONGEST = 2000
_SETTING = re.compile(r"^\s*(?:set|reset)\b|\bset_config\b", re.IGNORECASE)
"""Settings that a file leaves for the rest of its session, as a dump does with search_path."""
_REPLACED = re.compile(r"\{(?:version|major|dsn)\}")
_EXPANDED = re.compile(r'["$`\\!]')  # characters that a shell expands in double quotes, or that end these


def quoted(word: str) -> str:
    """A word for a shell, in double quotes if that is all that its apostrophes need."""
    return f'"{word}"' if "'" in word and not _EXPANDED.search(word) else shlex.quote(word)


def proof_of_sql(trial: Trial, sql: str) -> str:
    """A command that runs a statement on both versions, without the schema."""
    return f"pgfeatures bisect --pg {trial.versions} {quoted(sql)}"


def proof_of_commands(trial: Trial) -> str:
    """A command that runs the commands of ``--setup`` and ``--data`` up to the failing one; empty if files
    are loaded before, or if one contains text that ``pgfeatures run`` replaces."""
    commands = trial.inputs.commands
    if trial.inputs.loaded or any(map(_REPLACED.search, commands)):
        return ""
    script = " && ".join(f"sh -c {quoted(each)}" if len(commands) > 1 else each for each in commands)
    return f"pgfeatures run --pg {trial.versions} -- sh -c {quoted(script)}"


def proof_of(trial: Trial, statement: str, loaded: Sequence[Loadable] = (), only: str = "last") -> str:
    """A command that runs files and a statement, if there is one, on both versions, and compares the answers to one
    of these. There is none if a file of statistics or a live database has the schema, or if commands create it."""
    files = list(dict.fromkeys(each.query.file for each in loaded))
    if trial.inputs.commands or not all(Path(file).exists() for file in files):
        return ""
    roles = sorted({role for side in trial.loaded for role in side.roles})  # that loading the files created
    setup = [*(f'CREATE ROLE "{role}"' for role in roles), *files]
    if statement:
        if any(_SETTING.search(each.query.sql) for each in loaded):
            setup.append("RESET ALL; RESET ROLE")
        if path := trial.inputs.search_path:
            setup.append(f"SELECT set_config('search_path', {quote(path)}, false)")
        setup.append(statement)
    text = " ".join(map(quoted, [*setup, "--only", only]))
    return f"pgfeatures bisect --pg {trial.versions} {text}" if len(text) <= _LONGEST else ""
