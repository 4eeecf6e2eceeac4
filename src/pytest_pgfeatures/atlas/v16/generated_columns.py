"""Generated columns of parents and children: from chapter 5 of the PostgreSQL 16 verification report (5.4).

The report says that a column must be generated in both or plain in both, that 16 newly refuses or aligns
mismatches, and that expressions may *still* differ. The servers show: one of the two mismatches was refused
before, and expressions may differ *newly*. 12 brought generated columns; older servers don't know the syntax.
"""

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import CatalogQuery, RefusedWith

SOURCE = "PostgreSQL 16 verification report, 5.4"
MANUAL = "ddl-generated-columns"

PLAIN = "a int, b int"
DOUBLE = "a int, b int GENERATED ALWAYS AS (a * 2) STORED"
TRIPLE = "a int, b int GENERATED ALWAYS AS (a * 3) STORED"
MATCH = "Declare the column alike in parent and child: generated in both, or plain in both."


def run(lab, *statements):
    """Run statements until the server refuses one. Return its SQLSTATE, or "accepted"."""
    for statement in statements:
        if refused := lab.sqlstate(statement):
            return refused
    return "accepted"


def inherit(lab, parent, child):
    """Make a child of a parent with these columns in three ways, and return the server's answer to each."""
    key = "PARTITION BY LIST (a)"
    return {
        "INHERIT": run(
            lab,
            f"CREATE TABLE p1 ({parent})",
            f"CREATE TABLE c1 ({child})",
            "ALTER TABLE c1 INHERIT p1",
        ),
        "INHERITS": run(lab, f"CREATE TABLE p2 ({parent})", f"CREATE TABLE c2 ({child}) INHERITS (p2)"),
        "ATTACH PARTITION": run(
            lab,
            f"CREATE TABLE p3 ({parent}) {key}",
            f"CREATE TABLE c3 ({child})",
            "ALTER TABLE p3 ATTACH PARTITION c3 FOR VALUES IN (1)",
        ),
    }


def always(answer):
    return dict.fromkeys(("INHERIT", "INHERITS", "ATTACH PARTITION"), answer)


@behavior(
    "16/generated-child-of-plain-parent",
    release_note="16.4",
    title="A child's column must not be generated if the parent's is plain",
    area="ddl",
    source=SOURCE,
    kind="incompatibility",
    manual=MANUAL,
    since="16",
    isolation="transaction",
    expect={
        "<12": NotYet(always("42601")),
        "12..12.2": {"INHERIT": "accepted", "INHERITS": "0A000", "ATTACH PARTITION": "accepted"},
        "12.3..15": always("accepted"),
        ">=16": {"INHERIT": "42804", "INHERITS": "42611", "ATTACH PARTITION": "42804"},
    },
    remedy=MATCH,
    note="12.0 and 12.2 refuse INHERITS; 12.3 and later accept it, until 16.",
    affects=[
        CatalogQuery("""
        SELECT 'table ' || c.relname, c.relname, a.attname
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
            JOIN pg_attribute AS a ON a.attrelid = i.inhrelid
            JOIN pg_attribute AS p ON p.attrelid = i.inhparent AND p.attname = a.attname
        WHERE a.attnum > 0 AND NOT a.attisdropped
            AND (row_to_json(a) ->> 'attgenerated' = '') <> (row_to_json(p) ->> 'attgenerated' = '')
    """),
        RefusedWith("42611", "child column .* specifies generation expression"),
        RefusedWith("42804", "column .* in child table must (not )?be a generated column"),
    ],
)
def generated_child_of_plain_parent(lab):
    return inherit(lab, PLAIN, DOUBLE)


@behavior(
    "14/plain-child-of-generated-parent",
    title="A child's column must be generated if the parent's is; INHERITS makes it generated",
    area="ddl",
    source=SOURCE,
    manual=MANUAL,
    since=("14", "13.3", "12.7"),
    isolation="transaction",
    expect={
        "<12": always("42601"),
        "12..12.6,13..13.2": always("accepted"),
        "12.7..12,13.3..13,>=14": {"INHERIT": "42804", "INHERITS": "accepted", "ATTACH PARTITION": "42804"},
    },
    note="The report lists it as a change of 16. 12.6 and 13.2 accept it.",
)
def plain_child_of_generated_parent(lab):
    return inherit(lab, DOUBLE, PLAIN)


@behavior(
    "12/plain-child-becomes-generated",
    title="INHERITS gives a child's plain column the parent's generation expression",
    area="ddl",
    source=SOURCE,
    manual=MANUAL,
    isolation="transaction",
    expect={"<12": "42601", ">=12": 10},
    note="The report calls this aligning. The value is that of the child's column for 5.",
)
def plain_child_becomes_generated(lab):
    if refused := lab.sqlstate(f"CREATE TABLE parent ({DOUBLE})"):
        return refused
    lab.sql(f"CREATE TABLE child ({PLAIN}) INHERITS (parent)")
    return lab.value("INSERT INTO child (a) VALUES (5) RETURNING b")


@behavior(
    "16/generation-expressions-differ",
    title="A child's column may have another generation expression than the parent's",
    area="ddl",
    source=SOURCE,
    manual=MANUAL,
    since="16",
    isolation="transaction",
    expect={
        "<12": always("42601"),
        "12..12.2": always("accepted"),
        "12.3..12.6,13..13.2": {"INHERIT": "accepted", "INHERITS": "42611", "ATTACH PARTITION": "accepted"},
        "12.7..12,13.3..15": {"INHERIT": "42804", "INHERITS": "42611", "ATTACH PARTITION": "42804"},
        ">=16": always("accepted"),
    },
    note=(
        "The report says that it may still differ in 16. That is new: 12 to 15 refuse it, with INHERITS"
        " since 12.3, the other ways since 12.7 and 13.3."
    ),
)
def generation_expressions_differ(lab):
    return inherit(lab, DOUBLE, TRIPLE)


@behavior(
    "16/partition-own-generation-expression",
    title="A partition computes a generated column by its own expression",
    area="ddl",
    source=SOURCE,
    manual=MANUAL,
    since="16",
    isolation="transaction",
    expect={"<12": "42601", "12..15": "0A000", ">=16": 15},
    note="The value for 5, inserted through the parent, whose expression doubles it.",
)
def partition_own_generation_expression(lab):
    made = run(
        lab,
        f"CREATE TABLE parent ({DOUBLE}) PARTITION BY LIST (a)",
        "CREATE TABLE part PARTITION OF parent (b GENERATED ALWAYS AS (a * 3) STORED) FOR VALUES IN (5)",
    )
    return made if made != "accepted" else lab.value("INSERT INTO parent (a) VALUES (5) RETURNING b")


@behavior(
    "16/partition-default-for-generated",
    title="A partition can't have a default for a column that is generated in the parent",
    area="ddl",
    source=SOURCE,
    kind="incompatibility",
    manual=MANUAL,
    since="16",
    isolation="transaction",
    expect={"<12": NotYet("42601"), "12..15": "accepted", ">=16": "42611"},
    remedy="Leave the column out of the partition's definition.",
    affects=RefusedWith("42611", "inherits from generated column but specifies"),
)
def partition_default_for_generated(lab):
    return run(
        lab,
        f"CREATE TABLE parent ({DOUBLE}) PARTITION BY LIST (a)",
        "CREATE TABLE part PARTITION OF parent (b DEFAULT 5) FOR VALUES IN (5)",
    )
