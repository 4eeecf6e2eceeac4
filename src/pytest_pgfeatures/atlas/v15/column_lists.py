"""Column lists of publications: the columns that arrive on a subscriber, and the bytes that aren't sent.

The document measures time. These behaviors count the bytes sent, which are the same on every machine.
"""

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import Unseen
from pytest_pgfeatures.atlas.v15.published_table import (
    DOCUMENT,
    LOGICAL,
    TABLE,
    create_table,
    insert_rows,
    messages,
    subscribe,
)


@behavior(
    "15/column-list",
    title="A publication of a table takes a column list, alone or with a row filter",
    area="replication",
    source=f"{DOCUMENT}, introduction",
    manual="logical-replication-col-lists",
    expect={"<15": ["42601", "42601"], ">=15": [None, None]},
    settings=LOGICAL,
)
def column_list(lab):
    create_table(lab, rows=0)
    return [
        lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl (id, kind, key, time)"),
        lab.sqlstate("CREATE PUBLICATION listed_and_filtered FOR TABLE tbl (id, kind, key) WHERE (kind = 1)"),
    ]


@behavior(
    "15/publication-tables-view",
    title="pg_publication_tables shows the columns and the row filter of each published table",
    area="replication",
    source=f"{DOCUMENT}, introduction",
    manual="view-pg-publication-tables",
    since="15",
    isolation="transaction",
    expect={
        "<10": "42P01",
        "10..14": "42703",
        ">=15": [["filtered", "{id,kind,key}", "(kind = 1)"], ["whole", "{id,kind,key,time,item1}", None]],
    },
    note="Before 10 there is no such view, and up to 14 it only names the tables.",
    settings=LOGICAL,
)
def publication_tables_view(lab):
    query = "SELECT pubname::text, attnames::text, rowfilter FROM pg_publication_tables ORDER BY pubname"
    if refused := lab.sqlstate(query):
        return refused
    lab.sql("CREATE TABLE tbl (id int, kind int, key int, time timestamp, item1 int)")
    lab.sql("CREATE PUBLICATION whole FOR TABLE tbl")
    lab.sql("CREATE PUBLICATION filtered FOR TABLE tbl (id, kind, key) WHERE (kind = 1)")
    return lab.sql(query)


@behavior(
    "15/column-list-changes",
    title="Columns outside the column list arrive neither in the initial copy nor with changes",
    area="replication",
    source=f"{DOCUMENT}, column lists",
    manual="logical-replication-col-lists",
    expect={
        "<15": "42601",
        ">=15": {
            "copied": {"id": 12, "kind": 12, "key": 12, "time": 12, "item1": 0, "item4": 0},
            "inserted": "(201,1,2,,)",
            "updated": "(9,1,999,,)",
        },
    },
    note="The number of rows with a value in each column after the copy; then rows as (id, kind, key,"
    " item1, item4).",
    settings=LOGICAL,
)
def column_list_changes(lab):
    create_table(lab, rows=12)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl (id, kind, key, time)"):
        return refused
    subscriber = subscribe(lab)
    copied = {
        column: subscriber.value(f"SELECT count({column}) FROM tbl")
        for column in ("id", "kind", "key", "time", "item1", "item4")
    }
    lab.sql("INSERT INTO tbl (id, kind, key, item1, item4) VALUES (201, 1, 2, 3, 4)")
    lab.sql("UPDATE tbl SET key = 999, item1 = 999 WHERE id = 9")
    lab.wait_for_catchup("sub")
    row = "SELECT (id, kind, key, item1, item4)::text FROM tbl WHERE id = "
    return {
        "copied": copied,
        "inserted": subscriber.value(row + "201"),
        "updated": subscriber.value(row + "9"),
    }


@behavior(
    "15/column-lists-of-two-publications",
    title="A subscription can't take two publications with different column lists of a table",
    area="replication",
    source=f"{DOCUMENT}, introduction",
    manual="logical-replication-col-lists#LOGICAL-REPLICATION-COL-LIST-COMBINING",
    expect={"<15": "42601", ">=15": {"different": "0A000", "the same": None}},
    settings=LOGICAL,
)
def column_lists_of_two_publications(lab):
    create_table(lab, rows=1)
    if refused := lab.sqlstate("CREATE PUBLICATION one FOR TABLE tbl (id, kind)"):
        return refused
    lab.sql("CREATE PUBLICATION other FOR TABLE tbl (id, kind, key)")
    lab.sql("CREATE PUBLICATION same FOR TABLE tbl (kind, id)")
    subscriber = lab.peer("subscriber")
    subscriber.sql(TABLE)
    create = f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION one, "
    return {
        "different": subscriber.sqlstate(create + "other"),
        "the same": subscriber.sqlstate(create + "same"),
    }


@behavior(
    "15/column-list-replica-identity",
    title="UPDATE and DELETE need the whole replica identity in the column list",
    area="replication",
    source=f"{DOCUMENT}, column lists",
    manual="logical-replication-col-lists",
    kind="incompatibility",
    remedy="Add the columns of the replica identity to the column list, or publish only INSERT.",
    isolation="transaction",
    expect={"<15": "42601", ">=15": {"UPDATE": "42P10", "DELETE": "42P10", "INSERT": None}},
    settings=LOGICAL,
    affects=Unseen("publications with column lists came with 15"),
)
def column_list_replica_identity(lab):
    lab.sql(TABLE)
    lab.sql("INSERT INTO tbl VALUES (1, 1)")
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl (kind, key)"):
        return refused
    return {
        "UPDATE": lab.sqlstate("UPDATE tbl SET key = 1"),
        "DELETE": lab.sqlstate("DELETE FROM tbl"),
        "INSERT": lab.sqlstate("INSERT INTO tbl VALUES (2, 1)"),
    }


@behavior(
    "15/column-list-restrictions",
    title="A column list takes each column once, and no system columns; generated ones from 18 on",
    area="replication",
    source=f"{DOCUMENT}, introduction",
    manual="sql-createpublication",
    since="15",
    isolation="transaction",
    expect={
        "<15": "42601",
        "15..17": {"twice": "42710", "system": "42P10", "with its schema": "22023", "generated": "42P10"},
        ">=18": {"twice": "42710", "system": "42P10", "with its schema": "22023", "generated": None},
    },
    settings=LOGICAL,
)
def column_list_restrictions(lab):
    lab.sql(TABLE)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl (id)"):
        return refused
    lab.sql("CREATE TABLE computed (id int PRIMARY KEY, double int GENERATED ALWAYS AS (id * 2) STORED)")
    return {
        "twice": lab.sqlstate("CREATE PUBLICATION a FOR TABLE tbl (id, id)"),
        "system": lab.sqlstate("CREATE PUBLICATION b FOR TABLE tbl (id, ctid)"),
        "with its schema": lab.sqlstate("CREATE PUBLICATION c FOR TABLES IN SCHEMA public, TABLE tbl (id)"),
        "generated": lab.sqlstate("CREATE PUBLICATION d FOR TABLE computed (id, double)"),
    }


def share(part, whole):
    """Return ``part`` as a whole percentage of ``whole``."""
    return f"{round(100 * part / whole)} %"


@behavior(
    "15/filters-save-bytes",
    title="Row filters and column lists reduce the bytes that a publisher sends",
    area="replication",
    source=f"{DOCUMENT}, effect",
    manual="logical-replication-publication",
    expect={
        "<15": "42601",
        ">=15": {
            "everything": "1000 messages",
            "one row in four": "250 messages, 25 % of the bytes",
            "four columns of eight": "1000 messages, 61 % of the bytes",
        },
    },
    note=(
        "The messages that insert 1000 rows; each has 92 bytes, or 56 with four columns. In the document, a"
        " filter that leaves 25 % of the rows saves up to 43 % of the time, and the column list 12 %: time"
        " doesn't depend on bytes alone."
    ),
    settings=LOGICAL,
)
def filters_save_bytes(lab):
    create_table(lab, rows=0)
    if refused := lab.sqlstate("CREATE PUBLICATION rows FOR TABLE tbl WHERE (kind = 1)"):
        return refused
    lab.sql("CREATE PUBLICATION everything FOR TABLE tbl")
    lab.sql("CREATE PUBLICATION columns FOR TABLE tbl (id, kind, key, time)")

    def inserted(publication):
        lab.sql("SELECT pg_create_logical_replication_slot('messages', 'pgoutput')")
        insert_rows(lab, 1000, 1999)
        lengths = [length for kind, length in messages(lab, publication) if kind == "I"]
        lab.sql("SELECT pg_drop_replication_slot('messages')")
        lab.sql("TRUNCATE tbl")
        return f"{len(lengths)} messages", sum(lengths)

    everything, whole = inserted("everything")
    rows, filtered = inserted("rows")
    columns, listed = inserted("columns")
    return {
        "everything": everything,
        "one row in four": f"{rows}, {share(filtered, whole)} of the bytes",
        "four columns of eight": f"{columns}, {share(listed, whole)} of the bytes",
    }


@behavior(
    "15/pg-recvlogical-filtered",
    title="A publication's row filter and column list apply to pg_recvlogical, too",
    area="replication",
    source=f"{DOCUMENT}, row filters",
    manual="app-pgrecvlogical",
    needs={"pg_recvlogical": ">=15"},
    expect={"<15": "42601", ">=15": {"everything": "100 %", "rows": "25 %", "columns": "61 %"}},
    note="The size of the file that pg_recvlogical writes for 1000 inserted rows, relative to the one of"
    " all rows and columns.",
    settings=LOGICAL,
)
def pg_recvlogical_filtered(lab, tmp_path):
    create_table(lab, rows=0)
    if refused := lab.sqlstate("CREATE PUBLICATION rows FOR TABLE tbl WHERE (kind = 1)"):
        return refused
    lab.sql("CREATE PUBLICATION everything FOR TABLE tbl")
    lab.sql("CREATE PUBLICATION columns FOR TABLE tbl (id, kind, key, time)")
    names = ["everything", "rows", "columns"]
    for name in names:
        lab.sql(f"SELECT pg_create_logical_replication_slot('{name}', 'pgoutput')")
    insert_rows(lab, 1000, 1999)
    dbname = lab.value("SELECT current_database()")
    end = lab.value("SELECT pg_current_wal_lsn()::text")
    sizes = {}
    for name in names:
        lab.run(
            "pg_recvlogical",
            f"--slot={name}",
            "--start",
            f"--endpos={end}",
            f"--file={tmp_path / name}",
            "--no-loop",
            "--option=proto_version=1",
            f"--option=publication_names={name}",
            f"--dbname={dbname}",
        )
        sizes[name] = (tmp_path / name).stat().st_size
    return {name: share(size, sizes["everything"]) for name, size in sizes.items()}
