"""Ask servers whether they accept the values of settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import sql

from pytest_pgfeatures.readiness.servers.loading import NO_OBJECT, refused
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import SettingUse
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.side import Side

_HAS_ALTER_SYSTEM = VersionSet(">=9.4")  # https://www.postgresql.org/docs/release/9.4.0/
_FIXED = "55P02"
"""The setting can't be changed by ALTER SYSTEM; https://www.postgresql.org/docs/current/errcodes-appendix.html"""


def ask_settings(
    side: Side, uses: Sequence[SettingUse], progress: Callable[[int], object] = lambda _: None
) -> list[Refusal | None]:
    """Ask a server whether it accepts each value. ALTER SYSTEM checks the value, and writes a file that no server
    reads.

    Parameters:
        progress: called with the number of finished settings.

    Returns:
        the server's errors, in the order of the settings; None for each that it accepts.
    """
    answers = []
    with side.superuser() as connection:
        if side.install.version not in _HAS_ALTER_SYSTEM:
            said = (refused(connection, _set, connection, use) if use.is_known else None for use in uses)
            return [None if each and each.sqlstate == _FIXED else each for each in said]
        for number, use in enumerate(uses, start=1):
            answers.append(_answer(connection, use))
            progress(number)
        connection.execute("ALTER SYSTEM RESET ALL")
    return answers


def _answer(connection: psycopg.Connection, use: SettingUse) -> Refusal | None:
    name = sql.SQL(".").join(map(sql.Identifier, use.name.split(".")))
    value = sql.Literal(use.value) if use.is_known else sql.SQL("DEFAULT")
    statement = sql.SQL("ALTER SYSTEM SET {} = {}").format(name, value)
    refusal = refused(connection, connection.execute, statement)
    if (
        refusal is None
        or refusal.sqlstate == _FIXED  # not a setting for files: its value can't be checked
        or (use.kind == "statement" and refusal.sqlstate == NOT_ALLOWED)
        or ("." in use.name and refusal.sqlstate == NO_OBJECT)  # of an extension that is not loaded
    ):
        return None
    if use.kind == "file" or refusal.sqlstate == NO_OBJECT:
        return refusal
    in_session = refused(connection, _set, connection, use)
    return refusal if in_session and in_session.sqlstate == _FIXED else in_session


def _set(connection: psycopg.Connection, use: SettingUse) -> None:
    """Set a value for a transaction. The server refuses some settings there, whatever the value."""
    with connection.transaction(force_rollback=True):
        connection.execute("SELECT set_config(%s, %s, true)", [use.name, use.value])
