"""Values for ``affects=`` of :func:`pytest_pgfeatures.behavior`: how a behavior shows in an application.

>>> from pytest_pgfeatures.affects import Call, Column, ParseNode, SettingUsed
>>> affects = [ParseNode("AccessPriv", within=("GrantStmt",), priv_name="^rule$"), Call("pg_switch_xlog", args=0)]

These are only declarations; :mod:`pytest_pgfeatures.readiness` searches applications for them.
"""

from pytest_pgfeatures.affects.files import (
    AccessRule,
    Default,
    Identity,
    ProgramCall,
    ScriptText,
    SettingUsed,
)
from pytest_pgfeatures.affects.kinds import CatalogQuery, Evidence, RefusedWith, Unseen
from pytest_pgfeatures.affects.statements import (
    Body,
    Call,
    Column,
    Constant,
    ParseNode,
)

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
