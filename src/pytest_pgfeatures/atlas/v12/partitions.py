"""Partitioned tables and indexes: changes of 12 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import ParseNode, RefusedWith, Unseen
from pytest_pgfeatures.atlas.page_cache import tablespace_on_disk

PARTITIONED = "CREATE TABLE t (a integer) PARTITION BY LIST (a)"


@behavior(
    "12/partitioned-indexes-listed",
    title="pg_indexes lists the indexes of partitioned tables, too",
    area="catalogs",
    source="PostgreSQL 12 release notes, Partitioning",
    manual="view-pg-indexes",
    kind="incompatibility",
    isolation="transaction",
    since="12",
    expect={"<10": NotYet("42601"), "10": NotYet("42809"), "11": 0, ">=12": 1},
    note="10 has no indexes of partitioned tables.",
    remedy="Join pg_class, and take the indexes with relkind = 'i' only.",
    affects=ParseNode(
        "RangeVar",
        relname="^pg_indexes$",
        present=ParseNode("partspec"),
        may="it lists the indexes of partitioned tables, too, which have no storage",
    ),
)
def partitioned_indexes_listed(lab):
    return (
        lab.sqlstate(PARTITIONED)
        or lab.sqlstate("CREATE INDEX ON t (a)")
        or lab.value("SELECT count(*) FROM pg_indexes WHERE tablename = 't'")
    )


@behavior(
    "12/partitions-in-tablespace",
    title="New partitions go into the tablespace of their partitioned table",
    area="ddl",
    source="PostgreSQL 12 release notes, Partitioning",
    manual="sql-createtable",
    kind="incompatibility",
    isolation="cluster",
    since="12",
    expect={"<10": NotYet("42601"), "10..11": "", ">=12": "on_disk"},
    note="10 and 11 accept the tablespace, and forget it: a table restored from their dump has none.",
    remedy="Write TABLESPACE pg_default for each partition that belongs there.",
    affects=ParseNode(
        "CreateStmt",
        partspec=".",
        tablespacename=".",
        may="new partitions go there, not into default_tablespace",
    ),
)
def partitions_in_tablespace(lab):
    with tablespace_on_disk(lab):
        if refused := lab.sqlstate(f"{PARTITIONED} TABLESPACE on_disk"):
            made_in = refused
        else:
            lab.sql("CREATE TABLE p PARTITION OF t FOR VALUES IN (1)")
            made_in = lab.value("SELECT coalesce(tablespace, '') FROM pg_tables WHERE tablename = 'p'")
            lab.sql("DROP TABLE t")
        lab.sql("DROP TABLESPACE on_disk")
    return made_in


rows(
    Row(
        (),
        "partitioned-table-in-default-tablespace",
        f"{PARTITIONED} TABLESPACE pg_default",
        expect={"<10": NotYet("42601"), "10..11": None, ">=12": "0A000"},
        since="12",
        title="CREATE TABLE ... PARTITION BY refuses TABLESPACE with the database's default tablespace",
        area="ddl",
        source="PostgreSQL 12 release notes, Partitioning",
        manual="sql-createtable",
        remedy="Leave TABLESPACE out.",
        remedied=Remedied(PARTITIONED.replace(" t ", " other "), {"<10": NotYet("42601"), ">=10": None}),
        affects=RefusedWith("0A000", "cannot specify default tablespace for partitioned relations"),
    ),
)


@behavior(
    "12/equal-keys-in-order",
    title="An index scan returns rows with equal keys in the table's order, not the last one first",
    area="performance",
    source="PostgreSQL 12 release notes, Indexes",
    manual="btree#BTREE-IMPLEMENTATION",
    kind="incompatibility",
    isolation="transaction",
    expect={"<12": "3 2 1", ">=12": "1 2 3"},
    note="B-tree indexes that pg_upgrade transfers keep the old order until REINDEX.",
    remedy="Add a unique key at the end of ORDER BY.",
    affects=Unseen("no text shows whether the keys of ORDER BY can be equal, or which plan sorts the rows"),
)
def equal_keys_in_order(lab):
    lab.sql("CREATE TABLE t (a integer, b integer)")
    lab.sql("CREATE INDEX ON t (a)")
    for number in (1, 2, 3):
        lab.sql(f"INSERT INTO t VALUES (0, {number})")
    lab.set(enable_seqscan=False, enable_bitmapscan=False, enable_sort=False)
    return lab.value("SELECT string_agg(b::text, ' ') FROM (SELECT b FROM t ORDER BY a) s")
