"""Judge what a server refuses: the severity, and the remedy by SQLSTATE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.server.watchdog import MEMORY

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Certainty, Severity
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.trial import Trial

REMEDIES: dict[str, str] = {
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
    r'could not open extension control file "[^"]*?(?P<file>[^"/]+)\.control"'
    r'|extension "(?P<name>[^"]+)" is not available'
    r'|could not (?:load library|access file) "(?:[^"]*/)?(?P<library>[^"/]+?)(?:\.so|\.dylib|\.dll)?"'
)
_GONE = re.compile(
    r"(?:adminpack|old_snapshot|timetravel|chkpass|tsearch2|(?:\w+_)?plpython2?u)(?:\.control|\")"
)
"""Extensions of PostgreSQL itself that a later major dropped."""


def lacking(refusal: Refusal) -> str | None:
    """The extension or library that only the server's install lacks; None if the error is another one.

    An extension that PostgreSQL itself dropped is not lacking.
    """
    found = _LACKING.match(refusal.message)
    if found is None or _GONE.search(refusal.message):
        return None
    return found["file"] or found["name"] or found["library"]


def remedy_of(refusal: Refusal) -> str:
    """Find what to do about an error: the remedy for its SQLSTATE; otherwise, the server's hint."""
    if (name := lacking(refusal)) is not None:
        return f"name an install that has {name}, such as path:DIR: this one lacks it, whatever its version"
    known = REMEDIES.get(refusal.sqlstate)
    return known or refusal.hint or "see the release notes of the new version for what replaced it"


def judged(trial: Trial, old: Refusal | None, new: Refusal | None) -> tuple[Severity, Certainty, str, str]:
    """The severity, certainty, message and remedy for what one of the servers refuses."""
    refusal = new or old
    assert refusal is not None
    versions = (trial.pair.old, trial.pair.new)
    refusing, other = reversed(versions) if new else versions
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
    certainty: Certainty = "affects" if lacking(refusal) is None else "may affect"
    return "error", certainty, f"{refusing} refuses it: {refusal.said}", remedy_of(refusal)
