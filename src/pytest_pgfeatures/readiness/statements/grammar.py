"""PostgreSQL's own grammar: libpg_query's (https://github.com/pganalyze/libpg_query), in the wheels of postgast."""

from __future__ import annotations

import functools
import importlib
import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.readiness.statements.nodes import Node

DECLARED = "CREATE FUNCTION f("
_NO_TYPE = re.compile(r"\b(?:constant|not\s+null)\b|%\s*rowtype\b", re.IGNORECASE)
_ASSIGNED = re.compile(r":=")
_TOO_DEEP = (b"memory exhausted", b"stack depth limit exceeded")
"""The beginnings of the grammar's messages about a statement that is nested too deeply."""


def as_arguments(text: str) -> str:
    """A statement that has a declaration of PL/pgSQL, or arguments, at a place that the grammar knows."""
    bare = _NO_TYPE.sub(lambda found: " " * len(found[0]), text)
    return f"{DECLARED}{_ASSIGNED.sub(' =', bare)}) RETURNS int LANGUAGE sql AS ''"


def parse(sql: str, names: Mapping[str, str] = MappingProxyType({})) -> tuple[list[Node], int | None]:
    """The trees of statements, and the index at which the grammar refuses them, if it does.

    Parameters:
        names: names that stand for others in the text; the trees contain the original names.

    Raises:
        RecursionError: the operands are nested more deeply than the grammar, or Python's reader of its tree, goes.
    """
    library = _library()
    result = library.pg_query_parse(sql.encode("utf-8", "surrogateescape"))
    try:
        if result.error:
            if result.error.contents.message.startswith(_TOO_DEEP):
                raise RecursionError
            return [], max(result.error.contents.cursorpos - 1, 0)
        text = result.parse_tree.decode("utf-8", "surrogateescape")
        for name, other in names.items():
            text = text.replace(json.dumps(name), json.dumps(other))
        return json.loads(text)["stmts"], None
    finally:
        library.pg_query_free_parse_result(result)


def refused_at(sql: str) -> int | None:
    """The index at which the grammar refuses statements; None if it accepts them, or they are too deep for it.

    Raises:
        ExtraMissingError: the grammar is not installed.
    """
    result = _library().pg_query_parse(sql.encode("utf-8", "surrogateescape"))
    try:
        error = result.error and result.error.contents
        return max(error.cursorpos - 1, 0) if error and not error.message.startswith(_TOO_DEEP) else None
    finally:
        _library().pg_query_free_parse_result(result)


@functools.cache
def _library() -> Any:
    try:
        # its parse() fails where operands are nested 40 deep
        return importlib.import_module("postgast.native").lib
    except ImportError:
        raise ExtraMissingError("reading statements", "postgast", "readiness") from None
