"""How a behavior shows in an application: what ``affects=`` of :func:`pytest_pgfeatures.behavior` takes.

>>> from pytest_pgfeatures.affects import Call, Column, SettingUsed, Sql
>>> affects = [Sql("GRANT|REVOKE ... {RULE} ... ON"), Call("pg_switch_xlog", args=0)]

These are declarations only; :mod:`pytest_pgfeatures.readiness` looks for them.
"""

from pytest_pgfeatures.affects.kinds import (
    AccessRule,
    Body,
    Call,
    CatalogQuery,
    Column,
    Default,
    Evidence,
    Identity,
    Operator,
    ProgramCall,
    RefusedWith,
    Relation,
    ScriptText,
    SettingUsed,
    Sql,
    TypeName,
    Unseen,
)

__all__ = [
    "AccessRule",
    "Body",
    "Call",
    "CatalogQuery",
    "Column",
    "Default",
    "Evidence",
    "Identity",
    "Operator",
    "ProgramCall",
    "RefusedWith",
    "Relation",
    "ScriptText",
    "SettingUsed",
    "Sql",
    "TypeName",
    "Unseen",
]
