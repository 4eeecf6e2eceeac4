"""The role as which psql goes on after ``\\connect - role``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESET = "RESET SESSION AUTHORIZATION"
_CREATED = r"\bcreate\s+(?:role|user)\s+(?:if\s+not\s+exists\s+)?\"?{name}\b"
_OWNING = r"\bdatabase\b[^;]*\bowner\b(?:\s+to\b|\s*=)?\s*\"?{name}\b"


def as_role(arguments: Sequence[str], script: str) -> str | None:
    """The statement that does for a session what ``\\connect`` does with the role: None if the role stays.

    Only a role that the script creates is taken, and none that owns a database. All others may be superusers, or
    may do what they like in their own database, so that what follows is run as a superuser.

    Parameters:
        arguments: those of the meta-command.
        script: the text that it is in.
    """
    if len(arguments) < 2 or arguments[1] == "-":
        return None
    name = re.escape(arguments[1])
    created = re.search(_CREATED.format(name=name), script, re.IGNORECASE)
    if created is None or re.search(_OWNING.format(name=name), script, re.IGNORECASE):
        return RESET
    quoted = arguments[1].replace('"', '""')
    return f'SET SESSION AUTHORIZATION "{quoted}"'
