"""Sequences of PostgreSQL 10: pg_sequence has their parameters; that of a serial has the column's range."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import Call, Column, ParseNode

rows(
    *(
        Row(
            "10.9",
            f"sequence-{column.replace('_', '-')}",
            f"SELECT {column} FROM s",
            value,
            "42703",
            setup="CREATE SEQUENCE s",
            title=f"A sequence has no column {column}",
            manual="catalog-pg-sequence",
            remedy=f"Read {instead} in pg_sequences; or information_schema.sequences, which every version has.",
            affects=Column("<sequence>", column),
            remedied=Remedied(
                f"SELECT {instead} FROM pg_sequences WHERE sequencename = 's'",
                {"<10": NotYet("42P01"), ">=10": value},
            ),
        )
        for column, instead, value in (
            ("sequence_name", "sequencename", "s"),
            ("start_value", "start_value", 1),
            ("increment_by", "increment_by", 1),
            ("max_value", "max_value", 9223372036854775807),
            ("min_value", "min_value", 1),
            ("cache_value", "cache_size", 1),
            ("is_cycled", "cycle", False),
        )
    ),
    Row(
        "10.9",
        "sequence-columns",
        "SELECT attname::text FROM pg_attribute WHERE attrelid = 's'::regclass AND attnum > 0 ORDER BY attnum",
        [
            *("sequence_name", "last_value", "start_value", "increment_by", "max_value"),
            *("min_value", "cache_value", "log_cnt", "is_cycled", "is_called"),
        ],
        ["last_value", "log_cnt", "is_called"],
        setup="CREATE SEQUENCE s",
        title="A sequence has the three columns last_value, log_cnt and is_called",
        manual="sql-createsequence",
        remedy="Name the columns, and read the removed ones from pg_sequences.",
        affects=Column("<sequence>", "*", may="if removed columns are used"),
    ),
    Row(
        "10.9",
        "serial-sequence-range",
        "SELECT setval('t_id_seq', 3000000000)",
        3000000000,
        "22003",
        setup="CREATE TABLE t (id serial)",
        title="The sequence of a serial column ends at the maximum of integer",
        manual="datatype-numeric#DATATYPE-SERIAL",
        remedy="Use bigserial where the sequence serves larger numbers.",
        affects=Call("setval", where={2: r"\d{10,}"}, may="if a serial column owns the sequence"),
        remedied=Remedied(
            lambda lab: [
                lab.answer("CREATE TABLE big (id bigserial)"),
                lab.answer("SELECT setval('big_id_seq', 3000000000)"),
            ],
            {"all": [None, 3000000000]},
        ),
    ),
    area="sql",
)


def altered_and_rolled_back(lab):
    lab.sql("CREATE SEQUENCE s")
    lab.sql("BEGIN")
    lab.sql("ALTER SEQUENCE s RESTART WITH 100")
    lab.sql("ROLLBACK")
    return lab.value("SELECT nextval('s')")


def set_and_rolled_back(lab):
    lab.sql("BEGIN")
    lab.sql("SELECT setval('s', 100, false)")
    lab.sql("ROLLBACK")
    return lab.value("SELECT nextval('s')")


rows(
    Row(
        "10.9",
        "alter-sequence-rolled-back",
        altered_and_rolled_back,
        100,
        1,
        title="ALTER SEQUENCE RESTART is undone when its transaction is rolled back",
        area="sql",
        isolation="database",
        manual="sql-altersequence",
        remedy="Commit it; or call setval(), which a rollback doesn't undo.",
        remedied=set_and_rolled_back,
        affects=ParseNode(
            "AlterSeqStmt",
            options=r"\brestart\b",
            may="if its transaction is rolled back",
        ),
    ),
)
