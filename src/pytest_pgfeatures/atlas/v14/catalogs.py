"""Catalogs and views that PostgreSQL 14 changed: row types, constraints of catalogs, removed names."""

from pytest_pgfeatures import NotYet, Row, rows
from pytest_pgfeatures.affects import (
    Call,
    Column,
    Constant,
    ParseNode,
    ScriptText,
)
from pytest_pgfeatures.atlas.patterns import NAMING_TYPES, relation

COUNT = ParseNode("FuncCall", funcname="^(pg_catalog )?count$")
"""A call of count()."""

# --- 14.23 Types of relations ------------------------------------------------------------------------------

rows(
    Row(
        "14.23",
        "sequence-as-type",
        "CREATE FUNCTION f(s) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        None,
        "42704",
        setup="CREATE SEQUENCE s",
        title="A sequence's name is not a type",
        remedy="Name the columns that you need, last_value and is_called.",
        affects=ParseNode(*NAMING_TYPES, names="<sequence>"),
    ),
    Row(
        "14.23",
        "sequence-reltype",
        "SELECT reltype = 0 FROM pg_class WHERE relname = 's'",
        False,
        True,
        setup="CREATE SEQUENCE s",
        title="The reltype of a sequence is 0",
        remedy="Read 0 as no type.",
        affects=Column("pg_class", "reltype", may="it is 0 for sequences and TOAST tables"),
    ),
    Row(
        "14.23",
        "toast-table-reltype",
        """
        SELECT (SELECT reltype FROM pg_class WHERE oid = t.reltoastrelid) = 0
        FROM pg_class AS t WHERE relname = 't'
        """,
        False,
        True,
        setup="CREATE TABLE t (a text)",
        title="The reltype of a TOAST table is 0",
        remedy="Read 0 as no type.",
    ),
    area="catalogs",
    manual="catalog-pg-class",
)

# --- 14.x5 Array types and constraints of catalogs ---------------------------------------------------------

rows(
    Row(
        "14.x5",
        "array-types-of-catalogs",
        "SELECT count(*) FROM pg_type WHERE typname = '_pg_class'",
        0,
        1,
        title="System catalogs have array types",
        remedy="Exclude the schema pg_catalog where you count types.",
        remedied="""
            SELECT count(*) FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace
            WHERE typname = '_pg_class' AND nspname <> 'pg_catalog'
        """,
        affects=[
            relation(
                "pg_type",
                beside=COUNT,
                unless=ParseNode("ColumnRef", fields="(typnamespace|nspname|typtype)$"),
                may="array types of catalogs are counted",
            ),
            ParseNode(
                "SelectStmt",
                targetList=r"\bcount \(",
                fromClause=r"\bpg_type\b",
                whereClause="typtype = 'b'",
                lacks={"whereClause": "typnamespace|nspname|typelem|typcategory|typarray"},
                may="array types of catalogs are counted",
            ),
        ],
    ),
    Row(
        "14.x5",
        "constraints-of-catalogs",
        "SELECT conname::text FROM pg_constraint WHERE conrelid = 'pg_class'::regclass AND contype = 'p'",
        [],
        "pg_class_oid_index",
        title="System catalogs have primary keys and unique constraints in pg_constraint",
        remedy="Exclude the schema pg_catalog where you count constraints.",
        remedied="""
            SELECT conname::text FROM pg_constraint AS c JOIN pg_namespace AS n ON n.oid = connamespace
            WHERE conrelid = 'pg_class'::regclass AND nspname <> 'pg_catalog'
        """,
        affects=relation(
            "pg_constraint",
            beside=COUNT,
            unless=ParseNode("ColumnRef", fields="(connamespace|nspname|conrelid)$"),
            may="constraints of catalogs are counted",
        ),
    ),
    area="catalogs",
    manual="release-14",
)

# --- 14.20, 14.x6 Removed names ----------------------------------------------------------------------------

rows(
    Row(
        ["14.20", "14.x6"],
        "pg-stat-ssl-compression",
        "SELECT count(*) > 0 FROM (SELECT compression FROM pg_stat_ssl) AS t",
        expect={"<9.5": NotYet("42P01"), "9.5..13": True, ">=14": "42703"},
        since="14",
        title="pg_stat_ssl has no column compression, as connections are never compressed",
        area="monitoring",
        manual="monitoring-stats#MONITORING-PG-STAT-SSL-VIEW",
        remedy="Leave it out.",
        note="The view came with 9.5.",
        affects=[
            Column("pg_stat_ssl", "compression"),
            ScriptText(
                r"\bsslcompression\s*=\s*1\b|\bPGSSLCOMPRESSION=1", settings=True, may="it is ignored"
            ),
            ParseNode("DefElem", defname="^sslcompression$", may="it is ignored"),
        ],
    ),
    Row(
        "14.x6",
        "currtid",
        "SELECT currtid('pg_class'::regclass, '(0,1)'::tid) IS NOT NULL",
        True,
        "42883",
        title="The function currtid() is gone",
        area="functions",
        manual="release-14",
        remedy="Call currtid2() with the table's name, or select by ctid.",
        remedied="SELECT currtid2('pg_class', '(0,1)'::tid) IS NOT NULL",
        affects=Call("currtid"),
    ),
    Row(
        "14.x6",
        "aclitem-tilde",
        "SELECT ARRAY[a] ~ a FROM (SELECT makeaclitem(10, 10, 'SELECT', false)) AS t (a)",
        True,
        "42883",
        title="The operator ~ of aclitem[] is gone",
        area="roles",
        manual="functions-info#FUNCTIONS-ACLITEM-OP-TABLE",
        remedy="Write @>.",
        remedied="SELECT ARRAY[a] @> a FROM (SELECT makeaclitem(10, 10, 'SELECT', false)) AS t (a)",
        affects=[
            Call("~", types=("aclitem", "aclitem[]")),
            Call("~", where={1: r"(.* \. )?(rel|nsp|pro|dat|att|typ|lan|spc|defacl)acl"}),
            Constant(text=r".*\bsslcompression\s*=\s*1\b.*", may="it is ignored"),
        ],
    ),
)


def compressed(lab):
    """Connect with sslcompression=1 by dblink's libpq."""
    lab.sql("CREATE EXTENSION dblink")
    host, user = lab.cluster.socket_directory, lab.cluster.user
    return lab.answer(
        f"SELECT dblink_connect('c', 'sslcompression=1 host={host} dbname=postgres user={user}')"
    )


rows(
    Row(
        "14.20",
        "sslcompression",
        compressed,
        expect={"all": "OK"},
        kind="feature",
        title="libpq accepts sslcompression=1, and ignores it from 14 on",
        area="clients",
        isolation="database",
        needs=["contrib:dblink"],
        manual="libpq-connect#LIBPQ-CONNECT-SSLCOMPRESSION",
    ),
)
