"""Remedies for a server's errors, by SQLSTATE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.servers.loading import Refusal

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
