"""Values for ``affects=`` of :func:`pytest_pgfeatures.behavior`: how a behavior shows in an application.

>>> from pytest_pgfeatures.affects import Call, Column, ParseNode, SettingUsed
>>> affects = [ParseNode("AccessPriv", within=("GrantStmt",), priv_name="^rule$"), Call("pg_switch_xlog", args=0)]

These are only declarations; :mod:`pytest_pgfeatures.readiness` searches applications for them. Almost all have
``may``: None if the evidence is certain; otherwise the reason why a person has to check.
"""

from pytest_pgfeatures.affects.files import (
    AccessRule,
    CatalogQuery,
    Default,
    Identity,
    ProgramCall,
    RefusedWith,
    ScriptText,
    SettingUsed,
    Unseen,
)
from pytest_pgfeatures.affects.statements import (
    Body,
    Call,
    Column,
    Constant,
    ParseNode,
)

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

__all__ = [
    "AccessRule",
    "Body",
    "Call",
    "CatalogQuery",
    "Column",
    "Constant",
    "Default",
    "Evidence",
    "Identity",
    "ParseNode",
    "ProgramCall",
    "RefusedWith",
    "ScriptText",
    "SettingUsed",
    "Unseen",
]
