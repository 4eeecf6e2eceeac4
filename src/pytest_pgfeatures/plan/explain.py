"""Explain a query on a server and read its plan."""

from __future__ import annotations

import contextlib
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanOptionError
from pytest_pgfeatures.keywords import suggesting
from pytest_pgfeatures.plan.from_json import plan_from_json
from pytest_pgfeatures.plan.transplanted import check_executes
from pytest_pgfeatures.settings import as_setting, name_for
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import psycopg

    from pytest_pgfeatures.plan.plan import Plan


NEVER = VersionSet("none")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of EXPLAIN, and the servers that have it."""

    name: str
    versions: VersionSet
    needs_analyze: VersionSet = NEVER
    """The servers that refuse it without ANALYZE."""


# https://www.postgresql.org/docs/current/sql-explain.html and the same page of each older major
OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option("analyze", VersionSet("all")),
        Option("verbose", VersionSet("all")),
        Option("costs", VersionSet("all")),
        Option("settings", VersionSet(">=12")),
        Option("generic_plan", VersionSet(">=16")),
        Option("buffers", VersionSet("all"), needs_analyze=VersionSet("<13")),
        Option("serialize", VersionSet(">=17"), needs_analyze=VersionSet("all")),
        Option("wal", VersionSet(">=13"), needs_analyze=VersionSet("all")),
        Option("timing", VersionSet("all"), needs_analyze=VersionSet("all")),
        Option("summary", VersionSet(">=10")),
        Option("memory", VersionSet(">=17")),
        Option("io", VersionSet(">=19"), needs_analyze=VersionSet("all")),
    )
}
"""EXPLAIN's options except ``format``, which is always JSON."""


@suggesting
def explain(
    connection: psycopg.Connection[Any],
    query: str,
    params: Sequence[Any] | Mapping[str, Any] | None = None,
    *,
    analyze: bool = False,
    verbose: bool | None = None,
    costs: bool | None = None,
    buffers: bool | None = None,
    timing: bool | None = None,
    summary: bool | None = None,
    wal: bool | None = None,
    memory: bool | None = None,
    io: bool | None = None,
    serialize: str | bool | None = None,
    generic_plan: bool | None = None,
    show_settings: bool | None = None,
    settings: Mapping[str, object] | None = None,
    commit: bool = False,
) -> Plan:
    """Return the plan that the server chooses for ``query``.

    An option that is None is not passed, so that the server's default applies. See
    https://www.postgresql.org/docs/current/sql-explain.html.

    Parameters:
        connection: the connection to use. A transaction that is open on it stays open.
        query: one statement.
        params: the values for its placeholders, as ``connection.execute`` takes them.
        analyze: execute the statement, and show actual figures. Its effects are rolled back, unless ``commit``.
        verbose: show the output columns of each node and the schemas of relations.
        costs: show estimates; the server's default is on.
        buffers: show buffer usage; before 13 it needs ``analyze``, since 18 ANALYZE turns it on.
        timing: show the actual time of each node; needs ``analyze``.
        summary: show planning time, and execution time with ``analyze``; since 10.
        wal: show WAL usage; since 13, needs ``analyze``.
        memory: show the memory that planning used; since 17.
        io: show the I/O of scans; since 19, needs ``analyze``.
        serialize: ``"text"``, ``"binary"``, ``"none"`` or True: show the cost of serializing the rows; since 17,
            needs ``analyze``.
        generic_plan: plan for any values of parameters such as ``$1``; since 16.
        show_settings: EXPLAIN's option SETTINGS: show settings that differ from their defaults; since 12.
        settings: settings for this statement only, under their newest names: ``{"enable_seqscan": False}``.
        commit: keep the effects of the statement under ``analyze``.

    Raises:
        PlanOptionError: the server does not have an option, or has it only with ``analyze``; or ``analyze`` on a
            transplant, which has no data.
        TypeError: there is no such option; the message has the nearest.
        psycopg.Error: the server refused the query.
    """
    version = PgVersion.from_num(connection.info.server_version)
    asked = {
        "analyze": analyze or None,
        "verbose": verbose,
        "costs": costs,
        "buffers": buffers,
        "timing": timing,
        "summary": summary,
        "wal": wal,
        "memory": memory,
        "io": io,
        "serialize": serialize,
        "generic_plan": generic_plan,
        "settings": show_settings,
    }
    if analyze:
        check_executes(connection)
    statement = f"EXPLAIN ({options_text(asked, version)}) {query}"
    with (
        _undone(connection, undo=analyze and not commit),
        _with_settings(connection, settings or {}, version),
    ):
        plan = plan_from_json(_value(connection, statement, params), version.major)
    plan.explained_on = weakref.ref(connection)
    return plan


def options_text(asked: Mapping[str, bool | str | None], version: PgVersion) -> str:
    """Return the options as EXPLAIN takes them between parentheses, FORMAT JSON included.

    Raises:
        PlanOptionError: a server of this version does not have an option, or has it only with ANALYZE.
    """
    words = []
    for name, value in asked.items():
        if value is None:
            continue
        option = OPTIONS[name]
        if version not in option.versions:
            raise PlanOptionError(
                f"EXPLAIN has the option {name.upper()} in PostgreSQL {option.versions}; this is {version}",
                remedy="remove it, or mark the test for the versions that have it",
            )
        if value and version in option.needs_analyze and not asked.get("analyze"):
            raise PlanOptionError(
                f"EXPLAIN's option {name.upper()} needs ANALYZE in PostgreSQL {version}",
                remedy="pass analyze=True",
            )
        words.append(f"{name.upper()} {value if isinstance(value, str) else 'ON' if value else 'OFF'}")
    return ", ".join([*words, "FORMAT JSON"])


def _value(connection: psycopg.Connection[Any], statement: str, params: Any = None) -> Any:
    """The only column of the only row, whatever row factory the connection has."""
    from psycopg.rows import tuple_row
    from psycopg.types.string import TextLoader

    with connection.cursor(row_factory=tuple_row) as cursor:
        cursor.adapters.register_loader(
            "json", TextLoader
        )  # the server's JSON is not always JSON: see decode.py
        row = cursor.execute(statement, params).fetchone()
    assert row is not None, statement
    return row[0]


@contextlib.contextmanager
def _undone(connection: psycopg.Connection[Any], *, undo: bool) -> Iterator[None]:
    """Roll back the effects of the block at its end, if ``undo``."""
    if not undo:
        yield
        return
    from psycopg import Rollback

    with connection.transaction() as block:
        yield
        raise Rollback(block)


@contextlib.contextmanager
def _with_settings(
    connection: psycopg.Connection[Any], settings: Mapping[str, object], version: PgVersion
) -> Iterator[None]:
    """Set the settings for the block, and restore their values, however it ends."""
    if not settings:
        yield
        return
    with connection.transaction():
        before = {}
        for newest, value in settings.items():
            name = name_for(newest, version)
            before[name] = _value(connection, "SELECT current_setting(%s)", (name,))
            _value(connection, "SELECT set_config(%s, %s, true)", (name, as_setting(value)))
        yield
        for name, value in before.items():
            _value(connection, "SELECT set_config(%s, %s, true)", (name, value))
