"""The possible effects of a statement: it only reads, it changes rows, or it acts outside of its transaction.

The first word of a statement tells its kind. The server tells the functions and relations that it names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.running.reading import nodes_in
from pytest_pgfeatures.readiness.statements.nodes import constant_text
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.servers.parsing import Parsed
    from pytest_pgfeatures.readiness.servers.signatures import Signature
    from pytest_pgfeatures.readiness.statements.nodes import Node

READING = frozenset({"select", "values", "with", "table"})
"""The first words of statements that only read. Their WITH clauses and functions may still write."""
PLANNED = READING | {"insert", "update", "delete", "merge"}
"""The first words of statements for which the server makes a plan: queries, and those that change rows."""
EXECUTED = PLANNED | {"call"}
"""The first words of statements whose results are compared."""
_OUTSIDE = frozenset({
    "pg_terminate_backend", "pg_cancel_backend", "pg_sleep", "pg_sleep_for", "pg_sleep_until",
    "pg_create_logical_replication_slot", "pg_create_physical_replication_slot",
})  # fmt: skip
"""Functions that every role may call, and that have effects outside of their transaction, or only wait."""
_CONNECTING = frozenset({"dblink"})
"""Extensions whose functions have effects in other sessions."""
_OF_SERVER = re.compile(
    r"pg_stat(?:io)?_\w+|pg_locks|pg_database_size|pg_(?:settings|file_settings|config|hba_file_rules|timezone_names"
    r"|timezone_abbrevs|available_extension\w+)"
)
"""Functions and views whose results differ between servers or installs of any version."""
_VERSIONS = frozenset({"server_version", "server_version_num"})
"""Settings that have the server's version."""


def begins_with(first_words: frozenset[str], sql: str) -> bool:
    """Whether the first word of a statement, after comments and parentheses, is one of these."""
    first = next((each for each in tokens(sql) if each.significant and each.text != "("), None)
    return first is not None and first.keyword in first_words


def acts_outside(parsed: Parsed) -> str:
    """The function of a statement that has effects outside of its transaction, or only waits; else empty."""
    return next((each.bare_name for each in parsed.names.called.values() if _is_outside(each)), "")


def _is_outside(called: Signature) -> bool:
    if called.volatility == "v" and (called.is_restricted or called.extension in _CONNECTING):
        return True
    return not called.is_own and called.bare_name in _OUTSIDE


def differs_by_server(parsed: Parsed, tree: Node | None) -> str:
    """The function, view or setting of a statement that differs from server to server; empty if none does.

    Parameters:
        tree: see :func:`~.reading.read`.
    """
    functions = [each.bare_name for each in parsed.names.called.values() if not each.is_own]
    names = [*functions, *(name.rpartition(".")[2] for name in parsed.names.relations)]
    constants = [constant_text(node) for name, node, _ in nodes_in(tree or {}) if name == "A_Const"]
    found = [name for name in names if _OF_SERVER.fullmatch(name)]
    found += {"version"}.intersection(functions)
    return min([*found, *_VERSIONS.intersection(constants)], default="")
