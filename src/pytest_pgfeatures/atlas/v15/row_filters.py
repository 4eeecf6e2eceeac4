"""Row filters of publications: the rows that arrive on a subscriber, and the expressions that a filter may use."""

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import Unseen
from pytest_pgfeatures.atlas.v15.published_table import (
    DOCUMENT,
    IDENTITY,
    LOGICAL,
    TABLE,
    USE_IDENTITY,
    create_table,
    messages,
    subscribe,
)


@behavior(
    "15/row-filter",
    title="A publication of a table takes a row filter",
    area="replication",
    source=f"{DOCUMENT}, introduction",
    manual="logical-replication-row-filter",
    isolation="transaction",
    expect={
        "<15": {"WHERE (kind = 1)": "42601", "WHERE kind = 1": "42601"},
        ">=15": {"WHERE (kind = 1)": None, "WHERE kind = 1": "42601"},
    },
    note="The parentheses are needed. Before 10 there is no CREATE PUBLICATION.",
    settings=LOGICAL,
)
def row_filter(lab):
    create_table(lab, rows=0)
    filters = ["WHERE (kind = 1)", "WHERE kind = 1"]
    return {text: lab.sqlstate(f"CREATE PUBLICATION pub FOR TABLE tbl {text}") for text in filters}


@behavior(
    "15/row-filter-initial-copy",
    title="The initial copy has only the rows that match the row filter",
    area="replication",
    source=f"{DOCUMENT}, row filters",
    manual="logical-replication-row-filter#LOGICAL-REPLICATION-ROW-FILTER-INITIAL-DATA-SYNC",
    expect={"<15": "42601", ">=15": {"published": 100, "copied": 25, "kinds": [1]}},
    settings=LOGICAL,
)
def row_filter_initial_copy(lab):
    create_table(lab)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl WHERE (kind = 1)"):
        return refused
    subscriber = subscribe(lab)
    return {
        "published": lab.value("SELECT count(*) FROM tbl"),
        "copied": subscriber.value("SELECT count(*) FROM tbl"),
        "kinds": subscriber.value("SELECT array_agg(DISTINCT kind) FROM tbl"),
    }


CHANGES = {
    "INSERT of a matching row": "INSERT INTO tbl VALUES (201, 1)",
    "INSERT of another": "INSERT INTO tbl VALUES (202, 2)",
    "UPDATE that moves a row in": "UPDATE tbl SET kind = 1 WHERE id = 2",
    "UPDATE that moves a row out": "UPDATE tbl SET kind = 3 WHERE id = 5",
    "UPDATE of a matching row": "UPDATE tbl SET key = 999 WHERE id = 9",
    "UPDATE of another": "UPDATE tbl SET key = 999 WHERE id = 10",
    "DELETE of a matching row": "DELETE FROM tbl WHERE id = 1",
    "DELETE of another": "DELETE FROM tbl WHERE id = 4",
}


@behavior(
    "15/row-filter-changes",
    title="A row filter tests the old and the new row of a change",
    area="replication",
    source=f"{DOCUMENT}, row filters",
    manual="logical-replication-row-filter#LOGICAL-REPLICATION-ROW-FILTER-TRANSFORMATIONS",
    expect={
        "<15": "42601",
        ">=15": {
            "INSERT of a matching row": "(201,1,) new",
            "INSERT of another": "nothing",
            "UPDATE that moves a row in": "(2,1,2) new",
            "UPDATE that moves a row out": "(5,1,5) gone",
            "UPDATE of a matching row": "(9,1,9) gone, (9,1,999) new",
            "UPDATE of another": "nothing",
            "DELETE of a matching row": "(1,1,1) gone",
            "DELETE of another": "nothing",
        },
    },
    note="Rows of the subscriber before and after each statement, as (id, kind, key).",
    settings=LOGICAL,
)
def row_filter_changes(lab):
    create_table(lab, rows=12)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl WHERE (kind = 1)"):
        return refused
    subscriber = subscribe(lab)

    def rows():
        return {row for (row,) in subscriber.sql("SELECT (id, kind, key)::text FROM tbl ORDER BY id")}

    found, before = {}, rows()
    for name, statement in CHANGES.items():
        lab.sql(statement)
        lab.wait_for_catchup("sub")
        after = rows()
        changed = [f"{row} gone" for row in before - after] + [f"{row} new" for row in after - before]
        found[name] = ", ".join(changed) or "nothing"
        before = after
    return found


@behavior(
    "15/row-filter-messages",
    title="An UPDATE that crosses the row filter is sent as an INSERT or a DELETE",
    area="replication",
    source=f"{DOCUMENT}, row filters",
    manual="logical-replication-row-filter#LOGICAL-REPLICATION-ROW-FILTER-TRANSFORMATIONS",
    expect={"<15": "42601", ">=15": {"into": "I", "out of": "D", "inside": "U", "outside": ""}},
    note="The messages of pgoutput: Insert, Update, Delete.",
    settings=LOGICAL,
)
def row_filter_messages(lab):
    create_table(lab, rows=12)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl WHERE (kind = 1)"):
        return refused
    lab.sql("SELECT pg_create_logical_replication_slot('messages', 'pgoutput')")
    changes = {
        "into": "UPDATE tbl SET kind = 1 WHERE id = 2",
        "out of": "UPDATE tbl SET kind = 3 WHERE id = 5",
        "inside": "UPDATE tbl SET key = 999 WHERE id = 9",
        "outside": "UPDATE tbl SET key = 999 WHERE id = 10",
    }
    found = {}
    for name, statement in changes.items():
        lab.sql(statement)
        found[name] = "".join(kind for kind, _ in messages(lab, "pub") if kind in "IUD")
    return found


@behavior(
    "15/row-filters-combined",
    title="A row arrives if it matches the row filter of any of the publications",
    area="replication",
    source=f"{DOCUMENT}, introduction",
    manual="logical-replication-row-filter#LOGICAL-REPLICATION-ROW-FILTER-COMBINING",
    expect={"<15": "42601", ">=15": {"copied": [1, 2, 9, 10], "sent later": [0, 11]}},
    note="One publication has WHERE (id < 3), the other WHERE (id > 8).",
    settings=LOGICAL,
)
def row_filters_combined(lab):
    create_table(lab, rows=10)
    if refused := lab.sqlstate("CREATE PUBLICATION low FOR TABLE tbl WHERE (id < 3)"):
        return refused
    lab.sql("CREATE PUBLICATION high FOR TABLE tbl WHERE (id > 8)")
    subscriber = subscribe(lab, "low, high")
    copied = subscriber.value("SELECT array_agg(id ORDER BY id) FROM tbl")
    lab.sql("INSERT INTO tbl (id, kind) VALUES (0, 0), (5000, 0), (11, 0)")
    lab.sql("UPDATE tbl SET id = 5 WHERE id = 5")
    lab.sql("DELETE FROM tbl WHERE id = 5000")
    lab.wait_for_catchup("sub")
    later = subscriber.value("SELECT array_agg(id ORDER BY id) FROM tbl WHERE id <> ALL(%s)", [copied])
    return {"copied": copied, "sent later": later}


@behavior(
    "15/row-filter-replica-identity",
    title="UPDATE and DELETE need the row filter's columns in the replica identity",
    area="replication",
    source=f"{DOCUMENT}, table structure",
    manual="logical-replication-row-filter#LOGICAL-REPLICATION-ROW-FILTER-RESTRICTIONS",
    kind="incompatibility",
    remedy="Add the filter's columns to the replica identity, with a unique index or REPLICA IDENTITY FULL.",
    isolation="transaction",
    expect={
        "<15": "42601",
        ">=15": {
            "UPDATE": "42P10",
            "DELETE": "42P10",
            "INSERT": None,
            "UPDATE, publish = 'insert'": None,
            "UPDATE, kind in the replica identity": None,
        },
    },
    note="The publisher refuses the change itself; CREATE PUBLICATION succeeds.",
    settings=LOGICAL,
    affects=Unseen("publications with row filters came with 15"),
)
def row_filter_replica_identity(lab):
    lab.sql(TABLE)
    lab.sql("INSERT INTO tbl VALUES (1, 1)")
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl WHERE (kind = 1)"):
        return refused
    update = "UPDATE tbl SET key = 1 WHERE id = 1"
    found = {
        "UPDATE": lab.sqlstate(update),
        "DELETE": lab.sqlstate("DELETE FROM tbl WHERE id = 1"),
        "INSERT": lab.sqlstate("INSERT INTO tbl VALUES (2, 1)"),
    }
    lab.sql("ALTER PUBLICATION pub SET (publish = 'insert')")
    found["UPDATE, publish = 'insert'"] = lab.sqlstate(update)
    lab.sql("ALTER PUBLICATION pub SET (publish = 'insert, update, delete')")
    lab.sql(IDENTITY)
    lab.sql(USE_IDENTITY)
    found["UPDATE, kind in the replica identity"] = lab.sqlstate(update)
    return found


@behavior(
    "15/row-filter-expressions",
    title="A row filter can't use mutable or user-defined functions, subqueries, or system columns",
    area="replication",
    source=f"{DOCUMENT}, introduction",
    manual="logical-replication-row-filter#LOGICAL-REPLICATION-ROW-FILTER-EXPRESSIONS",
    isolation="transaction",
    expect={
        "<15": "42601",
        ">=15": {
            "kind IN (1, 2) AND key IS NOT NULL": None,
            "lower('A') = 'a'": None,
            "random() < 0.5": "0A000",
            "mine(kind)": "0A000",
            "kind = (SELECT 1)": "0A000",
            "xmin IS NOT NULL": "0A000",
            "kind": "42804",
            "FOR ALL TABLES": "42601",
        },
    },
    settings=LOGICAL,
)
def row_filter_expressions(lab):
    lab.sql(TABLE)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE tbl WHERE (kind = 1)"):
        return refused
    lab.sql("CREATE FUNCTION mine(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT $1 = 1'")
    expressions = [
        "kind IN (1, 2) AND key IS NOT NULL",
        "lower('A') = 'a'",
        "random() < 0.5",
        "mine(kind)",
        "kind = (SELECT 1)",
        "xmin IS NOT NULL",
        "kind",
    ]
    found = {
        expression: lab.sqlstate(f"ALTER PUBLICATION pub SET TABLE tbl WHERE ({expression})")
        for expression in expressions
    }
    found["FOR ALL TABLES"] = lab.sqlstate("CREATE PUBLICATION everything FOR ALL TABLES WHERE (true)")
    return found
