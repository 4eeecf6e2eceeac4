"""A server's functions, operators and relations by OID, which its parse trees have.

PostgreSQL's own have no schema, so that they differ from the application's of the same name. The server's types
regprocedure and regoperator would write the same, but look up thousands of names, of which trees have a few.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    import psycopg

_SCHEMA = "CASE n.nspname WHEN 'pg_catalog' THEN '' ELSE quote_ident(n.nspname) || '.' END"
_EXTENSIONS = """
      LEFT JOIN (pg_depend AS d JOIN pg_extension AS e ON d.deptype = 'e' AND e.oid = d.refobjid)
             ON d.classid = '{0}'::regclass AND d.objid = {1}.oid
"""
_CALLED = f"""
    SELECT false, p.oid::bigint, {_SCHEMA} || quote_ident(p.proname), p.proargtypes::text, p.provolatile::text,
           e.extname::text, a.aggfnoid IS NOT NULL, n.nspname = 'pg_catalog' AND p.proacl::text !~ '[{{,]='
      FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
      LEFT JOIN pg_aggregate AS a ON a.aggfnoid = p.oid {_EXTENSIONS.format("pg_proc", "p")}
     UNION ALL
    SELECT true, o.oid::bigint, {_SCHEMA} || o.oprname, o.oprleft || ' ' || o.oprright, p.provolatile::text,
           e.extname::text, false, false
      FROM pg_operator AS o JOIN pg_namespace AS n ON n.oid = o.oprnamespace
      LEFT JOIN pg_proc AS p ON p.oid = o.oprcode {_EXTENSIONS.format("pg_operator", "o")}
"""
_TYPES = "SELECT oid::bigint, format_type(oid, NULL) FROM pg_type"
_RELATIONS = "SELECT oid::bigint, oid::regclass::text FROM pg_class"
_QUOTED = re.compile(r'"([a-z_][a-z0-9_]*+)"(?=[.(])')
"""A name in quotes that it needs only if it is a key word; servers differ in these."""


class Signature(NamedTuple):
    """A function or operator.

    Parameters:
        name: with its schema, unless that is pg_catalog, in the quotes that they need.
        arguments: the OIDs of its arguments' types.
        volatility: ``i``, ``s`` or ``v``, as pg_proc has it.
        extension: the extension that it belongs to.
        is_aggregate: whether it is an aggregate.
        is_restricted: whether it is PostgreSQL's, and PUBLIC may not call it.
        signature: such as ``lower(text)`` and ``public.total(integer)``.
    """

    name: str
    arguments: str
    volatility: str | None
    extension: str | None = None
    is_aggregate: bool = False
    is_restricted: bool | None = False
    signature: str = ""

    @property
    def is_own(self) -> bool:
        """Whether it is neither PostgreSQL's nor an extension's."""
        return "." in self.name and self.extension is None

    @property
    def bare_name(self) -> str:
        """The name without the schema."""
        return self.name.rpartition(".")[2].strip('"')


@dataclass(frozen=True, slots=True)
class ServerNames:
    """A server's objects by OID. Those in pg_catalog have no schema in their names.

    Parameters:
        relations: such as ``public.orders``.
        types: such as ``timestamp with time zone``.
    """

    functions: Mapping[int, Signature]
    operators: Mapping[int, Signature]
    relations: Mapping[int, str]
    types: Mapping[int, str]


def names_on(connection: psycopg.Connection) -> ServerNames:
    """The names that a server knows. Types have no schema if it is in the connection's search path."""
    found: tuple[dict[int, Signature], dict[int, Signature]] = ({}, {})
    known: dict[int, str] = dict(connection.execute(_TYPES).fetchall())
    with connection.transaction():
        connection.execute("SET LOCAL search_path = ''")
        types = {0: "NONE", **dict(connection.execute(_TYPES).fetchall())}
        for is_operator, oid, *facts in connection.execute(_CALLED):
            called = Signature(*facts)
            of_types = ",".join(types[int(each)] for each in called.arguments.split())
            signature = _QUOTED.sub(r"\1", f"{called.name}({of_types})")
            found[is_operator][oid] = called._replace(signature=signature)
        relations = {oid: _QUOTED.sub(r"\1", name) for oid, name in connection.execute(_RELATIONS)}
    return ServerNames(*found, relations, known)
