"""The variables of a PL/pgSQL routine: their types, and statements with parameters in their place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.grammar import as_arguments, read, type_name
from pytest_pgfeatures.readiness.statements.reading import StatementReading, qualified
from pytest_pgfeatures.readiness.statements.trees import Tree

IMPLICIT = {
    "found": "boolean", "sqlstate": "text", "sqlerrm": "text", "new": "", "old": "", "tg_op": "text",
    "tg_name": "name", "tg_when": "text", "tg_level": "text", "tg_relid": "oid", "tg_table_name": "name",
    "tg_relname": "name", "tg_table_schema": "name", "tg_nargs": "integer", "tg_argv": "text[]",
    "tg_event": "text", "tg_tag": "text",
}  # fmt: skip
"""The variables that PL/pgSQL itself declares, with their types."""
_PLAIN = re.compile(r"[a-z_][a-z0-9_$]*+")
_PLACEHOLDER = re.compile(r"%(?:(\d+)\$)?-?\d*([sIL%])")
_UNKNOWN = re.compile(r'(?:column|missing FROM-clause entry for table) "(?P<name>[^"]+)"')
_FIELD = re.compile(r"column (?P<name>\w+)\.\w+ does not exist")


def declared(text: str) -> dict[str, str]:
    """The names and types of arguments, or of a declaration in PL/pgSQL."""
    created = read(as_arguments(text)) or {"stmt": {"CreateFunctionStmt": {}}}
    given = [
        each["FunctionParameter"] for each in created["stmt"]["CreateFunctionStmt"].get("parameters", ())
    ]
    return {each["name"]: type_name(each["argType"]) for each in given if "name" in each}


def rows_read(query: Query) -> dict[str, str]:
    """The records that a query, maybe one of a loop, fills from one relation, as variables of its row type."""
    reading = StatementReading(query)
    source, into = ([at + 1 for at in reading.outside(word)] for word in ("from", "into"))
    if reading.keyword(0) != "select" or not source or (relation := qualified(reading, source[0])[0]) is None:
        return {}
    filled = (at + (reading.keyword(at) == "strict") for at in into if reading.keyword(at + 1) != ",")
    names = (*(name for name, _ in query.variables), *map(reading.name, filled))
    return {name: relation for name in names if name is not None}


def unknown_variable(message: str, variables: Iterable[str]) -> str | None:
    """The variable that a server does not know, according to its error."""
    match = _UNKNOWN.search(message) or _FIELD.search(message)
    return match["name"] if match and match["name"] in variables else None


class Substituted(NamedTuple):
    """A statement with parameters in place of variables."""

    sql: str
    types: tuple[str, ...]  # of each parameter, as format_type() writes it; empty if unknown
    origins: Sequence[int]  # by index in the text, and at its end, the index in the original

    def original(self, position: int) -> int:
        """The index in the original text that corresponds to an index in this one."""
        return self.origins[min(position, len(self.origins) - 1)]


def substituted(query: Query, names: Collection[str]) -> Substituted:
    """Replace the variables of these names, in lower case, by parameters: ``x``, and ``x.field`` as one."""
    tree, types, sql = Tree(StatementReading(query)), dict(query.variables), query.sql
    reading = tree.reading
    used = (int(token.text[1:]) for token in reading.tokens if token.kind == "parameter")
    given = [""] * max(used, default=0)
    numbers: dict[str, int] = {}
    parts: list[str] = []
    origins: list[int] = []
    done = 0
    for last, column in sorted(tree.columns.items()):
        first = last if column.qualifier is None else last - 2
        if (column.qualifier or column.name) not in names or reading.keyword(first - 1) == ".":
            continue
        whole = f"{column.qualifier or ''}.{column.name}"
        if whole not in numbers:
            given.append(types.get(column.name, "") if column.qualifier is None else "")
            numbers[whole] = len(given)
        begin = reading.tokens[first].start
        parts += (sql[done:begin], f"${numbers[whole]}")
        origins += (*range(done, begin), *[begin] * len(parts[-1]))
        done = reading.tokens[last].end
    return Substituted("".join((*parts, sql[done:])), tuple(given), (*origins, *range(done, len(sql) + 1)))


def with_constants(text: str, values: list[str | None]) -> str:
    """The text of format() with its constants filled in. Other placeholders become text of the same length."""
    number = 0

    def filled(match: re.Match[str]) -> str:
        nonlocal number
        if match[2] == "%":
            return "% "
        number = int(match[1]) if match[1] else number + 1
        value = values[number - 1] if 0 < number <= len(values) else None
        if value is None or "\n" in value:
            width = len(match[0])
            return ("''" if match[2] == "L" else "x_").ljust(width)[:width]
        if match[2] == "I" and not _PLAIN.fullmatch(value):
            return f'"{value}"'
        return f"'{value}'" if match[2] == "L" else value

    return _PLACEHOLDER.sub(filled, text)
