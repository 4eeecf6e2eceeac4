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
    Cast,
    Column,
    Constant,
    Operator,
    Relation,
    Sql,
    TypeName,
)


@dataclass(frozen=True)
class CatalogQuery:
    """A query on the catalogs of the old server, after the application's schema is loaded.

    Parameters:
        query: the query, which must run on all older majors. The first column names an object, such as
            ``index public.orders_code``. The other columns are words to locate it in the schema files: its place
            is the first statement with the first word and one of the others.
        may: see this module.
    """

    query: str
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class RefusedWith:
    """A statement that only the new server rejects, as another stage found.

    Parameters:
        sqlstate: the error code.
        message: a regular expression to search for in the message.
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
    Sql
    | Call
    | Column
    | Relation
    | TypeName
    | Body
    | Operator
    | Constant
    | Cast
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
