"""Changes that an extension makes to objects that are not its own: PostgreSQL's, and the database itself.

pg_dump does not dump most of this: it belongs neither to the extension nor to the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

FIRST_NORMAL_OID = 16384
"""Objects with lower OIDs are PostgreSQL's own
(https://www.postgresql.org/docs/current/system-catalog-initial-data.html#SYSTEM-CATALOG-OID-ASSIGNMENT)."""
_MEMBERS = """
SELECT pg_describe_object('pg_amop'::regclass, oid, 0) FROM pg_amop
WHERE oid >= %(first)s AND amopfamily < %(first)s
UNION ALL SELECT pg_describe_object('pg_amproc'::regclass, oid, 0) FROM pg_amproc
WHERE oid >= %(first)s AND amprocfamily < %(first)s
"""
_COMMENTS = """
SELECT pg_describe_object(classoid, objoid, objsubid), description FROM pg_description WHERE objoid < %(first)s
"""
_LABELS = """
SELECT pg_describe_object(classoid, objoid, objsubid) || ' for ' || provider, label FROM pg_seclabel
WHERE objoid < %(first)s
"""
_SETTINGS = """
SELECT coalesce(rolname || ' in ', '') || CASE setdatabase WHEN 0 THEN 'all databases' ELSE 'the database' END,
    array_to_string(ARRAY(SELECT unnest(setconfig) ORDER BY 1), ', ')
FROM pg_db_role_setting LEFT JOIN pg_roles r ON setrole = r.oid
WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
_DATABASE = "SELECT row_to_json(d) FROM pg_database d WHERE datname = current_database()"
_IDENTITY = frozenset({"oid", "datname", "datfrozenxid", "datminmxid", "datacl"})
"""The columns of ``pg_database`` that differ between databases with the same properties, and its privileges."""
_PRIVILEGES = """
SELECT c.oid::regclass::text, a.attname FROM pg_attribute a JOIN pg_class c ON a.attrelid = c.oid
WHERE a.atttypid = 'aclitem[]'::regtype AND c.relkind = 'r' AND c.relnamespace = 'pg_catalog'::regnamespace
    AND c.relname NOT IN ('pg_init_privs', 'pg_default_acl') ORDER BY 1
"""
_OBJECTS = """
SELECT (SELECT count(*) FROM pg_depend WHERE objid >= %(first)s OR refobjid >= %(first)s)
    + (SELECT count(*) FROM pg_largeobject_metadata)
"""
_SHARED = (
    *("pg_authid", "pg_auth_members", "pg_tablespace", "pg_parameter_acl"),
    *("pg_subscription", "pg_replication_origin", "pg_replication_slots"),
)
"""Objects that all databases share, except for the databases themselves."""
_OF_COLUMNS = ("pg_attribute", "attrelid", "attnum", "'pg_class'")


def changed_builtins(connection: psycopg.Connection) -> dict[str, str]:
    """The state of PostgreSQL's own objects and of the database: members of operator families, comments, security
    labels, privileges, and properties and settings of the database, as text by their description.

    Most of it was created by initdb: compare two databases of a server.
    """
    first = {"first": FIRST_NORMAL_OID}
    found = {f"MEMBER {text}": text for (text,) in connection.execute(_MEMBERS, first).fetchall()}
    for kind, query in (("COMMENT", _COMMENTS), ("SECURITY LABEL", _LABELS), ("SETTINGS", _SETTINGS)):
        rows = connection.execute(query, first).fetchall()
        found |= {f"{kind} of {name}": text for name, text in rows}
    ((database,),) = connection.execute(_DATABASE).fetchall()
    found |= {f"DATABASE {name}": str(database[name]) for name in database.keys() - _IDENTITY}
    for catalog, column in connection.execute(_PRIVILEGES).fetchall():
        found |= _privileges(connection, catalog, column)
    return found


def beyond_databases(connect: Callable[[str], psycopg.Connection]) -> dict[str, str]:
    """Objects that tests may leave on a server beside their databases, as text by description: roles,
    tablespaces, settings, slots, and objects in PostgreSQL's own databases.

    Parameters:
        connect: opens a connection to one of the server's databases.
    """
    found: dict[str, str] = {}
    for dbname in ("postgres", "template1"):
        with connect(dbname) as connection:
            found |= {f"{dbname}: {name}": text for name, text in changed_builtins(connection).items()}
            ((count,),) = connection.execute(_OBJECTS, {"first": FIRST_NORMAL_OID}).fetchall()
            found[f"{dbname}: number of objects"] = str(count)
    with connect("postgres") as connection:
        for catalog in _SHARED:
            ((exists,),) = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [catalog]).fetchall()
            rows = (
                connection.execute(f"SELECT t::text FROM {catalog} t".encode()).fetchall() if exists else []
            )
            found[catalog] = "\n".join(sorted(text for (text,) in rows))
    return found


def _privileges(connection: psycopg.Connection, catalog: str, column: str) -> dict[str, str]:
    table, oid, sub, described = catalog, "oid", "0", f"'{catalog}'"
    if catalog == _OF_COLUMNS[0]:
        table, oid, sub, described = _OF_COLUMNS
    name = f"pg_describe_object({described}::regclass, {oid}, {sub})"
    if catalog == "pg_database":  # its name is not a property of it
        name = f"CASE WHEN {oid} < {FIRST_NORMAL_OID} THEN {name} ELSE 'the database' END"
    query = (
        f"SELECT {name},"
        f" array_to_string(ARRAY(SELECT unnest({column})::text ORDER BY 1), E'\\n') FROM {table}"
        f" WHERE {column} IS NOT NULL AND ({oid} < {FIRST_NORMAL_OID}"
        + (" OR datname = current_database())" if catalog == "pg_database" else ")")
    )
    rows = connection.execute(query.encode()).fetchall()
    return {f"PRIVILEGES on {name}": text for name, text in rows}
