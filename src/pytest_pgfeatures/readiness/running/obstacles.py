"""Drop the objects that ``pg_upgrade --check`` names, so that the next check reaches its next problem."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.readiness.running.refusals import OID
from pytest_pgfeatures.server.maintenance import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

_LIBRARY = re.compile(r'could not load library "(?P<library>[^"]+)"')
_KIND = re.compile(r"^(?:aggregate|operator): ")
# pg_upgrade writes names without quotes, and those of functions and operators as their types print them:
# https://github.com/postgres/postgres/blob/master/src/bin/pg_upgrade/check.c
_MEANT = """
WITH named AS (SELECT unnest(%(names)s::text[]) AS name),
meant(class, object, part) AS (
    SELECT 'pg_class'::regclass, c.oid, CASE WHEN c.relkind IN ('r', 'p', 'f') THEN a.attnum::integer ELSE 0 END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE n.nspname || '.' || c.relname || '.' || a.attname IN (SELECT name FROM named)
    UNION
    SELECT 'pg_class'::regclass, c.oid, 0 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname || '.' || c.relname IN (SELECT name FROM named)
    UNION
    SELECT 'pg_proc'::regclass, p.oid, 0 FROM pg_proc p
    WHERE p.oid::regprocedure::text IN (SELECT name FROM named) OR p.oid = ANY (%(oids)s::oid[])
    OR p.probin = ANY (%(libraries)s::text[])
    UNION
    SELECT 'pg_operator'::regclass, o.oid, 0 FROM pg_operator o
    WHERE o.oid::regoperator::text IN (SELECT name FROM named) OR o.oid = ANY (%(oids)s::oid[])
    UNION
    SELECT 'pg_conversion'::regclass, k.oid, 0 FROM pg_conversion k WHERE k.oid = ANY (%(oids)s::oid[])
    UNION
    SELECT 'pg_language'::regclass, l.oid, 0 FROM pg_language l JOIN pg_proc p ON p.oid = l.lanplcallfoid
    WHERE p.probin = ANY (%(libraries)s::text[])
)
SELECT DISTINCT ON (class, object, part) coalesce(e.type, i.type), coalesce(e.identity, i.identity),
    CASE WHEN e.type IS NULL AND part > 0 THEN quote_ident(a.attname) END
FROM meant
CROSS JOIN LATERAL pg_identify_object(class, object, 0) i
LEFT JOIN pg_attribute a ON class = 'pg_class'::regclass AND a.attrelid = object AND a.attnum = part
LEFT JOIN pg_depend d ON d.classid = class AND d.objid = object AND d.deptype = 'e'
LEFT JOIN LATERAL pg_identify_object(d.refclassid, d.refobjid, 0) e ON d.refobjid IS NOT NULL
WHERE object >= 16384
ORDER BY class, object, part
"""


class Dropped(NamedTuple):
    """Something that was dropped.

    Parameters:
        name: for messages.
        sql: the statement that dropped it.
    """

    name: str
    sql: str


def drop_named(connection: psycopg.Connection[Any], lines: Sequence[str]) -> list[Dropped]:
    """Drop the objects that lines of pg_upgrade's files name; see :func:`~.refusals.listed`.

    Parameters:
        connection: a superuser's, in autocommit mode, with an empty search path.
    """
    meant = {
        "names": [_KIND.sub("", OID.sub("", line)) for line in lines],
        "oids": [int(match["oid"]) for line in lines if (match := OID.match(line))],
        "libraries": [match["library"] for line in lines if (match := _LIBRARY.search(line))],
    }
    dropped = []
    for kind, identity, column in connection.execute(_MEANT.encode(), meant).fetchall():
        for sql in _drops(kind, identity, column):
            if refusal(connection, sql) is None:
                dropped.append(Dropped(f"{kind} {identity}" + (f".{column}" if column else ""), sql))
                break
    return dropped


def _drops(kind: str, identity: str, column: str | None) -> Iterator[str]:
    """Statements that may drop the object, the smallest first: an inherited column or a partition key goes
    with its table."""
    if column is not None:
        yield f"ALTER {kind} {identity} DROP COLUMN IF EXISTS {column} CASCADE"
    if kind == "table" and column is None:
        yield f"ALTER TABLE {identity} SET WITHOUT OIDS"
    yield f"DROP {'TYPE' if kind == 'composite type' else kind} IF EXISTS {identity} CASCADE"
