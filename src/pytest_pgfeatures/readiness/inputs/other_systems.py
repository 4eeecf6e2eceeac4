"""Parts of inputs for other database systems: their programs, and what names them."""

from __future__ import annotations

import re

from pytest_pgfeatures.readiness.inputs.texts import blanked

PROGRAMS_OF_OTHERS = re.compile(
    r"(?:mysql|mariadb|mongo|redis|valkey|sqlite)[\w-]*|sqlcmd|bcp|sqlplus|clickhouse(?:-client)?|cqlsh|influx",
    re.IGNORECASE,
)
"""Programs of other database systems."""
_OURS = re.compile("postgres|pgsql|edb|cockroach|yugabyte|redshift", re.IGNORECASE)
_OTHERS = re.compile(
    r"mysql|mariadb|sqlserver|mssql|oracle|sqlite|hsqldb|derby|db2|sybase|firebird|\bh2\b", re.IGNORECASE
)
_CHANGESET = re.compile(r"^--[ \t]*changeset\b([^\n]*)$", re.MULTILINE | re.IGNORECASE)
_DBMS = re.compile(r"\bdbms:([^\s\"']++|\"[^\"]*+\"|'[^']*+')")


def are_others(said: str) -> bool:
    """Whether a list of database systems, such as Liquibase's ``dbms``, has others, and not PostgreSQL."""
    names = [each.strip("\"' ") for each in said.split(",")]
    denied = [each[1:] for each in names if each.startswith("!")]
    if denied:
        return any(map(_OURS.search, denied))
    return any(map(_OTHERS.search, names)) and not any(map(_OURS.search, names))


def without_changesets_of_others(script: str) -> str:
    """A changelog in SQL, with spaces in place of the change sets for other database systems."""
    heads = [*_CHANGESET.finditer(script)]
    ends = [*(each.start() for each in heads[1:]), len(script)]
    for head, end in zip(heads, ends, strict=False):
        named = _DBMS.search(head[1])
        if named is not None and are_others(named[1]):
            script = blanked(script, head.end(), end)
    return script
