"""A statement as sqlglot parses it. Its parameters are placeholders named ``p1``, ``p2``, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from sqlglot import exp

MISSING = (
    "sqlglot is not installed, so neither parameters are found from columns nor orders judged:"
    " pip install 'pytest-pgfeatures[readiness]'"
)


def available() -> bool:
    """Whether sqlglot is installed."""
    import importlib.util

    return importlib.util.find_spec("sqlglot") is not None


def read(sql: str) -> exp.Expression | None:
    """The statement's tree; None if sqlglot is not installed, or can't parse it."""
    if not available():
        return None
    import sqlglot
    from sqlglot.errors import SqlglotError

    # sqlglot takes "$1, $" for the beginning of a string.
    text = "".join(
        f":p{token.text[1:]}" if token.kind == "parameter" else token.text
        for token in tokens(sql, psql=False)
    )
    try:
        found: list[Any] = sqlglot.parse(text, read="postgres")
    except (SqlglotError, RecursionError):
        return None
    tree: exp.Expression | None = found[0] if len(found) == 1 else None
    return tree


def name_of(identifier: exp.Expression | None) -> str | None:
    """A name as the server stores it: lower case unless it is quoted."""
    from sqlglot import exp

    if not isinstance(identifier, exp.Identifier):
        return None
    name = str(identifier.this)
    return name if identifier.args.get("quoted") else name.lower()


def relations_in(scope: exp.Expression) -> list[tuple[str | None, str, str]]:
    """The relations that a query itself names, without those of its subqueries: schema, name, alias or name."""
    from sqlglot import exp

    found = []
    for table in scope.find_all(exp.Table):
        if table.find_ancestor(exp.Select, exp.Update, exp.Delete, exp.Insert, exp.Merge) is not scope:
            continue
        name = name_of(table.this)
        if name is not None:
            alias = table.args.get("alias")
            shown = (name_of(alias.this) if alias is not None else None) or name
            found.append((name_of(table.args.get("db")), name, shown))
    return found
