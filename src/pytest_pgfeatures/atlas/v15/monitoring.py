"""Statistics views of TOAST tables, and constants that postgres_fdw sends."""

from pytest_pgfeatures import NotYet, Row, behavior, rows
from pytest_pgfeatures.affects import CatalogQuery, Column

FOREIGN_TABLE = """
    CREATE EXTENSION postgres_fdw;
    CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw;
    CREATE USER MAPPING FOR CURRENT_USER SERVER other;
    CREATE FOREIGN TABLE far (name varchar, seen timestamp) SERVER other
"""


def remote_sql(lab):
    """Return the condition that postgres_fdw sends for a comparison with a constant."""
    plan = lab.explain("SELECT name FROM far WHERE name = 'x'", verbose=True)
    return plan.one("Foreign Scan")["Remote SQL"].partition(" WHERE ")[2]


rows(
    Row(
        "15.29",
        "fdw-constants",
        remote_sql,
        setup=FOREIGN_TABLE,
        before="((name = 'x'::text))",
        after="((name = 'x'))",
        area="extensions",
        needs=["contrib:postgres_fdw"],
        title="postgres_fdw sends a constant without a cast when the column's type implies its type",
        remedy="Declare the columns of a foreign table with their types on the other server.",
        note="The other server then reads the constant as its own column's type.",
        affects=CatalogQuery(
            """
            SELECT 'foreign table ' || c.oid::regclass, c.relname
              FROM pg_foreign_table AS t JOIN pg_class AS c ON c.oid = t.ftrelid
              JOIN pg_foreign_server AS s ON s.oid = t.ftserver
              JOIN pg_foreign_data_wrapper AS w ON w.oid = s.srvfdw
             WHERE w.fdwname = 'postgres_fdw'
            """,
            at=("table",),
            may="if a remote column has another type",
        ),
    ),
)


@behavior(
    "15/statio-toast-indexes",
    release_note="15.21",
    title="pg_statio_all_tables has one row for a table, however many indexes its TOAST table has",
    area="monitoring",
    kind="incompatibility",
    manual="monitoring-stats",
    since="15",
    expect={"<12": NotYet("42601"), "12": 1, "13..14": 2, ">=15": 1},
    remedy="Don't sum the rows of a table: there is only one. On older majors, drop the invalid index.",
    note=(
        "An interrupted REINDEX CONCURRENTLY leaves two indexes on a TOAST table; 12 brought the command."
        " Here a lock timeout interrupts it. 12 shows one row, too: only 13 and 14 show two."
    ),
    affects=[
        Column(table, "tidx_blks_read", "tidx_blks_hit", may="a table has one row")
        for table in ("pg_statio_all_tables", "pg_statio_user_tables", "pg_statio_sys_tables")
    ],
)
def statio_toast_indexes(lab):
    lab.sql("CREATE TABLE pages (body text)")
    writer = lab.session("writer")
    writer.sql("BEGIN")
    writer.sql("INSERT INTO pages VALUES ('a')")
    lab.sql("SET lock_timeout = '100ms'")
    refused = lab.sqlstate("REINDEX TABLE CONCURRENTLY pages")
    if refused != "55P03":
        return refused
    return lab.value("SELECT count(*) FROM pg_statio_all_tables WHERE relname = 'pages'")
