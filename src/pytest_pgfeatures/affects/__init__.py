"""How a behavior shows in an application: what ``affects=`` of :func:`pytest_pgfeatures.behavior` takes.

>>> from pytest_pgfeatures.affects import Call, Column, Setting, Sql
>>> affects = [Sql("GRANT|REVOKE ... {RULE} ... ON"), Call("pg_switch_xlog", args=0)]

These are declarations only; :mod:`pytest_pgfeatures.readiness` looks for them.
"""

from pytest_pgfeatures.affects.kinds import (
    Access,
    Body,
    Call,
    Catalog,
    Column,
    Default,
    Evidence,
    Identity,
    Operator,
    Program,
    Refusal,
    Relation,
    ScriptText,
    Setting,
    Sql,
    TypeName,
    Unseen,
)

__all__ = [
    "Access",
    "Body",
    "Call",
    "Catalog",
    "Column",
    "Default",
    "Evidence",
    "Identity",
    "Operator",
    "Program",
    "Refusal",
    "Relation",
    "ScriptText",
    "Setting",
    "Sql",
    "TypeName",
    "Unseen",
]
