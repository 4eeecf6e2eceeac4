"""The possible effects of a statement: only read, change rows, or have effects that a rollback does not undo."""

from __future__ import annotations

import re

from pytest_pgfeatures.readiness.servers.loading import without_comments

_READING = re.compile(r"\(*\s*(?:select|values|with|table)\b", re.IGNORECASE)
_PLANNED = re.compile(r"\(*\s*(?:select|insert|update|delete|merge|values|with|table)\b", re.IGNORECASE)
OUTSIDE = re.compile(
    r"\b(?:pg_terminate_backend|pg_cancel_backend|pg_reload_conf|pg_switch_wal|pg_switch_xlog|pg_promote|pg_sleep\w*"
    r"|pg_start_backup|pg_backup_start|lo_export|dblink\w*|pg_create_\w*slot|pg_rotate_logfile)\s*\(",
    re.IGNORECASE,
)
"""Calls of functions that have effects outside of their transaction, or that only wait."""


def begins_as_query(sql: str) -> bool:
    """Whether a statement begins as those do that only read. Its WITH clause and its functions may still write."""
    return _READING.match(without_comments(sql)) is not None


def is_planned(sql: str) -> bool:
    """Whether it is a query or a statement that changes rows, for which the server makes a plan."""
    return _PLANNED.match(without_comments(sql)) is not None
