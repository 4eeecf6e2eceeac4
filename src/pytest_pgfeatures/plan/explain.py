"""EXPLAIN a query on a server and read its plan."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanOptionError
from pytest_pgfeatures.plan.from_json import plan_from_json
from pytest_pgfeatures.settings import name_for
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import psycopg

    from pytest_pgfeatures.plan.plan import Plan


NEVER = VersionSet("none")


@dataclass(frozen=True, slots=True)
class Option:
    """One of EXPLAIN's options, and the servers that have it."""

    name: str
    versions: VersionSet
    needs_analyze: VersionSet = NEVER
    """The servers on which it is an error without ANALYZE."""


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
"""EXPLAIN's options. ``format`` is not one: a plan is always asked for as JSON."""


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
    settings: Mapping[str, str] | None = None,
    commit: bool = False,
) -> Plan:
    """The plan that the server chooses for ``query``.

    An option that is None is left out, so that the server's default applies. See
    https://www.postgresql.org/docs/current/sql-explain.html for what each one does.

    Parameters:
        connection: where to ask; a transaction that it is in goes on as before.
        query: one statement.
        params: values for its placeholders, as ``connection.execute`` takes them.
        analyze: run the statement, and show what happened. What it wrote is rolled back, unless ``commit``.
        wal, summary, memory, serialize, io, generic_plan, show_settings: since 13, 10, 17, 17, 19, 16
            and 12. ``show_settings`` is EXPLAIN's SETTINGS; ``serialize`` is ``"text"``, ``"binary"``,
            ``"none"`` or True.
        settings: settings for this statement alone, under their newest names.
        commit: keep what the statement wrote under ``analyze``.

    Raises:
        PlanOptionError: the server is too old for an option, or the option needs ``analyze``.
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
    statement = f"EXPLAIN ({options_text(asked, version)}) {query}"
    with (
        _undone(connection, undo=analyze and not commit),
        _with_settings(connection, settings or {}, version),
    ):
        return plan_from_json(_value(connection, statement, params), version.major)


def options_text(asked: Mapping[str, bool | str | None], version: PgVersion) -> str:
    """The options as EXPLAIN takes them between parentheses, FORMAT JSON included.

    Raises:
        PlanOptionError: a server of this version does not have one of them, or not without ANALYZE.
    """
    words = []
    for name, value in asked.items():
        if value is None:
            continue
        option = OPTIONS[name]
        if version not in option.versions:
            raise PlanOptionError(
                f"EXPLAIN has the option {name.upper()} in PostgreSQL {option.versions}; this is {version}",
                remedy="leave it out, or mark the test for the versions that have it",
            )
        if value and version in option.needs_analyze and not asked.get("analyze"):
            raise PlanOptionError(
                f"EXPLAIN's option {name.upper()} needs ANALYZE in PostgreSQL {version}",
                remedy="pass analyze=True",
            )
        words.append(f"{name.upper()} {value if isinstance(value, str) else 'ON' if value else 'OFF'}")
    return ", ".join([*words, "FORMAT JSON"])


def _value(connection: psycopg.Connection[Any], statement: str, params: Any = None) -> Any:
    """The only column of the only row, whatever rows the connection usually makes."""
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
    """What the block writes is rolled back at its end, if ``undo``."""
    if not undo:
        yield
        return
    from psycopg import Rollback

    with connection.transaction() as block:
        yield
        raise Rollback(block)


@contextlib.contextmanager
def _with_settings(
    connection: psycopg.Connection[Any], settings: Mapping[str, str], version: PgVersion
) -> Iterator[None]:
    """The settings hold within the block, and have their old values after it, however it ends."""
    if not settings:
        yield
        return
    with connection.transaction():
        before = {}
        for newest, value in settings.items():
            name = name_for(newest, version)
            before[name] = _value(connection, "SELECT current_setting(%s)", (name,))
            _value(connection, "SELECT set_config(%s, %s, true)", (name, str(value)))
        yield
        for name, value in before.items():
            _value(connection, "SELECT set_config(%s, %s, true)", (name, value))
