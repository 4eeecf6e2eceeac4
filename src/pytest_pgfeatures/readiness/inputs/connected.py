"""The role with which psql continues after ``\\connect - role``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESET = "RESET SESSION AUTHORIZATION"
_CREATED = r"\bcreate\s+(?:role|user)\s+(?:if\s+not\s+exists\s+)?\"?{name}\b"
_OWNING = r"\bdatabase\b[^;]*\bowner\b(?:\s+to\b|\s*=)?\s*\"?{name}\b"


def as_role(arguments: Sequence[str], script: str) -> str | None:
    """The statement that changes a session's role as ``\\connect`` does; None if the role stays.

    Only a role that the script creates is taken, and only if it owns no database. Any other one may be a
    superuser, or may do anything in its own database, so that the rest is run as a superuser.

    Parameters:
        arguments: the meta-command's arguments.
        script: the text that contains it.
    """
    if len(arguments) < 2 or arguments[1] == "-":
        return None
    name = re.escape(arguments[1])
    created = re.search(_CREATED.format(name=name), script, re.IGNORECASE)
    if created is None or re.search(_OWNING.format(name=name), script, re.IGNORECASE):
        return RESET
    quoted = arguments[1].replace('"', '""')
    return f'SET SESSION AUTHORIZATION "{quoted}"'
