"""The objects that are PostgreSQL's own: only their code may run during an export, because it runs with our rights.

The owner of a function, a type or a schema decides what it does, and superusers export. So:

- Code that initdb did not create is not run: a value is printed by a function of PostgreSQL's own, or not at all.
- A name outside of pg_catalog is looked up only if all roles that control what it names have our rights
  anyway: between a look at the catalogs and a statement, any other role could replace the object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    import psycopg

FIRST_OF_USERS = 16384
"""The first OID that objects get after initdb: FirstNormalObjectId, src/include/access/transam.h."""
_INTERNAL = 12
"""The OID of the language ``internal``: functions in the server itself, whoever declared them."""
_C = 13
"""The OID of the language ``c``: only a superuser can declare a function in it."""
_RECORDS = (2249, 2287)
"""The OIDs of ``record`` and its array, whose values may be of any type."""
_HAVE_MULTIRANGES = VersionSet(">=14")  # https://www.postgresql.org/docs/release/14.0/
_MADE_OF = """
    WITH RECURSIVE part(whole, type) AS (
        SELECT oid, typbasetype FROM pg_type WHERE typbasetype <> 0
        UNION ALL SELECT oid, typelem FROM pg_type WHERE typelem <> 0
        UNION ALL SELECT c.reltype, a.atttypid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                   WHERE c.reltype <> 0 AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL SELECT rngtypid, rngsubtype FROM pg_range{multiranges}
    ), found(type) AS (
        {some}
        UNION SELECT part.whole FROM found JOIN part ON part.type = found.type
    )
    SELECT type::bigint FROM found ORDER BY 1
"""
"""The given types, and all types that are composed of them."""
_PRINTED_BY_OTHERS = f"""
    SELECT t.oid FROM pg_type t JOIN pg_proc p ON p.oid = t.typoutput
     WHERE p.oid >= {FIRST_OF_USERS} AND p.prolang <> {_INTERNAL}
"""
_READ_BY_OTHERS = f"""
    SELECT contypid FROM pg_constraint WHERE contypid <> 0
    UNION
    SELECT t.oid FROM pg_type t LEFT JOIN pg_range r ON r.rngtypid = t.oid
      JOIN pg_proc p ON p.oid IN (t.typinput, r.rngcanonical)
     WHERE p.oid >= {FIRST_OF_USERS} AND p.prolang NOT IN ({_INTERNAL}, {_C})
"""
"""Domains with constraints; and types whose input function, or range types whose canonical function, any role
may have written."""
_MULTIRANGES = " UNION ALL SELECT rngmultitypid, rngtypid FROM pg_range"
_OF_FOREIGN_TYPES = """
    SELECT DISTINCT d.objid::bigint
      FROM pg_depend d
      JOIN pg_class k ON k.oid = d.classid AND k.relnamespace = 11
       AND k.relname IN ('pg_class', 'pg_statistic_ext')
      LEFT JOIN pg_attribute a
        ON d.refclassid = 'pg_class'::regclass AND a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
      LEFT JOIN pg_class w ON d.refclassid = 'pg_class'::regclass AND w.oid = d.refobjid AND d.refobjsubid = 0
      LEFT JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND p.oid = d.refobjid
      LEFT JOIN pg_operator o ON d.refclassid = 'pg_operator'::regclass AND o.oid = d.refobjid
      LEFT JOIN pg_type t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid
     WHERE (k.relname = 'pg_statistic_ext' OR EXISTS (SELECT 1 FROM pg_index i WHERE i.indexrelid = d.objid))
       AND coalesce(a.atttypid, w.reltype, p.prorettype, o.oprresult, t.oid) = ANY (%s::oid[])
"""
_TRUSTED = """
    SELECT r.oid::bigint FROM pg_roles r
     WHERE r.rolsuper OR r.rolname = session_user OR r.rolname = 'pg_database_owner' AND EXISTS (
        SELECT 1 FROM pg_database d JOIN pg_roles o ON o.oid = d.datdba
         WHERE d.datname = current_database() AND (o.rolsuper OR o.rolname = session_user))
"""


class ForeignTypes(NamedTuple):
    """Types whose values are printed by a function that isn't PostgreSQL's own.

    Parameters:
        types: their OIDs. Types that are composed of such a type are included.
        objects: the OIDs of indexes and objects of CREATE STATISTICS that may have values of such a type.
    """

    types: tuple[int, ...]
    objects: tuple[int, ...]


def foreign_types(connection: psycopg.Connection[Any]) -> ForeignTypes:
    """The types whose values may not be printed. Extensions define them: only a superuser can create such a
    type."""
    types = _made_of(connection, _PRINTED_BY_OTHERS)
    if not types:
        return ForeignTypes((), ())
    types += _RECORDS
    return ForeignTypes(
        types, tuple(oid for (oid,) in connection.execute(_OF_FOREIGN_TYPES, [array_of(types)]))
    )


def types_that_run_code(connection: psycopg.Connection[Any]) -> frozenset[int]:
    """The types whose values can't be read from text without running code that an ordinary role may have
    defined: the constraints of domains. Types that are composed of such a type are included."""
    return frozenset(_made_of(connection, _READ_BY_OTHERS))


def _made_of(connection: psycopg.Connection[Any], some: str) -> tuple[int, ...]:
    version = PgVersion.from_num(connection.info.server_version)
    query = _MADE_OF.format(multiranges=_MULTIRANGES if version in _HAVE_MULTIRANGES else "", some=some)
    return tuple(oid for (oid,) in connection.execute(query.encode()))


def trusted_roles(connection: psycopg.Connection[Any]) -> tuple[int, ...]:
    """The OIDs of the roles with all our rights: our own, superusers, and pg_database_owner if we belong to it."""
    return tuple(oid for (oid,) in connection.execute(_TRUSTED))


def array_of(oids: tuple[int, ...]) -> str:
    """OIDs as the text of an array."""
    return f"{{{','.join(map(str, oids))}}}"
