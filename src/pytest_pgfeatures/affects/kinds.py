"""The kinds of evidence that a behavior affects an application.

All kinds have ``may``: None if the evidence is certain; otherwise the reason why a person has to check.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_pgfeatures.affects.files import (
    AccessRule,
    Default,
    Identity,
    ProgramCall,
    ScriptText,
    SettingUsed,
)
from pytest_pgfeatures.affects.statements import (
    Body,
    Call,
    Column,
    Constant,
    ParseNode,
)


@dataclass(frozen=True)
class CatalogQuery:
    """A query on the catalogs of the old server, after the application's schema is loaded, and after each
    definition in its queries.

    Parameters:
        query: the query. A major that lacks a catalog or column of it has no such objects. The first column names
            an object, such as ``index public.orders_code``. The other columns are names in the statement that
            creates it: it is the one of the schema files that has the first name, and most of the others.
        at: words of that statement. The place of the object is the first one that it has; else its last name.
        may: see this module.
    """

    query: str
    at: tuple[str, ...] = field(default=(), kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class RefusedWith:
    """A statement that only the new server rejects, as another stage found.

    Parameters:
        sqlstate: the error code.
        message: a regular expression to search for in the message, or in the message and the line of the statement
            after it.
    """

    sqlstate: str
    message: str


@dataclass(frozen=True)
class Unseen:
    """No input shows whether the behavior affects the application.

    Parameters:
        reason: why not, and how to find out.
    """

    reason: str


Evidence = (
    ParseNode
    | Call
    | Column
    | Body
    | Constant
    | SettingUsed
    | Default
    | AccessRule
    | Identity
    | ProgramCall
    | ScriptText
    | CatalogQuery
    | RefusedWith
    | Unseen
)
"""Any kind of evidence."""
