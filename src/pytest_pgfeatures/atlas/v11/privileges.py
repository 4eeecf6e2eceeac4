"""Privileges in PostgreSQL 11: large objects, REINDEX, the functions of adminpack."""

from pytest_pgfeatures import Row, behavior, rows
from pytest_pgfeatures.affects import Call, ParseNode, ProgramCall

# --- 11.14 Large objects -----------------------------------------------------------------------------------

rows(
    Row(
        "11.14",
        "lo-open-for-write",
        "SELECT lo_open(4711, x'20000'::int | x'40000'::int)",
        0,
        "42501",
        setup="""
            SELECT lo_create(4711); CREATE ROLE joe; GRANT SELECT ON LARGE OBJECT 4711 TO joe; SET ROLE joe
        """,
        title="lo_open() for writing needs the privilege to write",
        area="roles",
        manual="lo-interfaces#LO-OPEN",
        remedy="Open it for reading only, or grant UPDATE.",
        remedied="SELECT lo_open(4711, x'40000'::int) * 0",
        note="Up to 10, only lowrite() refuses.",
        affects=Call(
            "lo_open",
            args=2,
            where={2: r".*\b(131072|393216)\b.*|.*\bx0*[26]0000\b.*"},
            may="if the role lacks the privilege to write the object",
        ),
    ),
)

# --- 11.15 REINDEX of shared catalogs ----------------------------------------------------------------------


@behavior(
    "11/reindex-shared-catalogs",
    title="REINDEX SYSTEM by a database's owner skips shared catalogs",
    area="ddl",
    release_note="11.15",
    kind="incompatibility",
    manual="sql-reindex",
    isolation="cluster",
    expect={"<11": ["pg_class_oid_index", "pg_database_oid_index"], ">=11": ["pg_class_oid_index"]},
    remedy="Run it as a superuser.",
    remedied=lambda lab: made_anew(lab, lab),
    note="The indexes that REINDEX rebuilds: one on a catalog of the database, one on a shared catalog.",
    affects=[
        ParseNode("ReindexStmt", kind="DATABASE|SYSTEM", may="if the role is not a superuser"),
        ProgramCall(
            "reindexdb",
            unless=("-t", "--table", "-i", "--index", "-S", "--schema"),
            may="if the role is not a superuser",
        ),
    ],
)
def reindex_shared_catalogs(lab):
    lab.sql("CREATE ROLE owner LOGIN")
    name = lab.value("SELECT quote_ident(current_database())")
    lab.sql(f"ALTER DATABASE {name} OWNER TO owner")
    return made_anew(lab, lab.session(user="owner"))


def made_anew(lab, session):
    """Run REINDEX SYSTEM in a session, and return the indexes that it rebuilds."""
    indexes = ("pg_class_oid_index", "pg_database_oid_index")
    before = [lab.value(f"SELECT pg_relation_filenode('{index}')") for index in indexes]
    session.sql("REINDEX SYSTEM " + lab.value("SELECT quote_ident(current_database())"))
    after = [lab.value(f"SELECT pg_relation_filenode('{index}')") for index in indexes]
    return [index for index, old, new in zip(indexes, before, after, strict=True) if old != new]


# --- 11.16 adminpack ---------------------------------------------------------------------------------------


def adminpack(query):
    """Call a function of the extension, if it exists."""

    def observe(lab):
        lab.sqlstate("CREATE EXTENSION adminpack")
        return lab.answer(query)

    return observe


rows(
    Row(
        "11.16",
        "adminpack-pg-file-length",
        adminpack("SELECT pg_file_length('postgresql.conf') > 0"),
        True,
        "42883",
        title="The extension adminpack has no function pg_file_length",
        remedy="Read the column size of pg_stat_file().",
        remedied="SELECT size > 0 FROM pg_stat_file('postgresql.conf')",
        affects=[
            Call("pg_file_read", "pg_file_length", "pg_logfile_rotate"),
            ParseNode(
                "CreateExtensionStmt",
                "AlterExtensionStmt",
                extname="^adminpack$",
                options=r"new_version 1\.0",
            ),
        ],
    ),
    Row(
        "11.16",
        "adminpack-pg-file-read",
        adminpack("SELECT length(pg_file_read('PG_VERSION', 0, 2))"),
        2,
        "42883",
        title="The extension adminpack has no function pg_file_read",
        remedy="Call pg_read_file().",
        remedied="SELECT length(pg_read_file('PG_VERSION', 0, 2))",
    ),
    Row(
        "11.16",
        "adminpack-pg-logfile-rotate",
        adminpack("SELECT pg_logfile_rotate()"),
        0,
        "42883",
        title="The extension adminpack has no function pg_logfile_rotate",
        remedy="Call pg_rotate_logfile().",
        remedied="SELECT pg_rotate_logfile()::int",
    ),
    area="extensions",
    needs={"contrib:adminpack": "<17"},
    manual="adminpack",
    note="Both 11 and ALTER EXTENSION UPDATE remove the functions. 17 has no adminpack.",
)
