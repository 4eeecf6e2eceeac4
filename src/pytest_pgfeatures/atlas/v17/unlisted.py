"""Changes of 17 that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Call, ParseNode
from pytest_pgfeatures.atlas.in_catalogs import event_triggers
from pytest_pgfeatures.atlas.patterns import other_unaccent, relation, statements_as_one


@behavior(
    "17/reindex-event-triggers",
    title="REINDEX fires event triggers",
    area="statements",
    source="PostgreSQL 17 release notes, Utility Commands",
    manual="event-trigger-matrix",
    kind="incompatibility",
    expect={"<17": [], ">=17": ["NOTICE:  REINDEX"]},
    isolation="transaction",
    remedy="Name the trigger's tags, WHEN TAG IN (...), or ignore REINDEX in its function.",
    affects=event_triggers(
        "evtevent IN ('ddl_command_start', 'ddl_command_end') AND evttags IS NULL",
        "ddl_command_start",
        "ddl_command_end",
        may="it runs for REINDEX, too",
    ),
)
def reindex_event_triggers(lab):
    lab.sql("CREATE TABLE t (a integer PRIMARY KEY)")
    lab.sql(
        "CREATE FUNCTION noted() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN RAISE NOTICE '%', tg_tag; END$$"
    )
    lab.sql("CREATE EVENT TRIGGER tells ON ddl_command_start EXECUTE PROCEDURE noted()")
    return [str(notice) for notice in lab.notices("REINDEX TABLE t")]


TIMESTAMPS = ("timestamp", "timestamptz")

rows(
    Row(
        (),
        "infinite-subtraction",
        "SELECT (timestamp 'infinity' - timestamp '2020-01-01')::text",
        "22008",
        "infinity",
        since="17",
        title="An infinite timestamp minus a finite one is an infinite interval, not an error",
        area="types",
        source="PostgreSQL 17 release notes, Data Types",
        manual="datatype-datetime#DATATYPE-INTERVAL-INPUT",
        remedy="Test with isfinite() first if a program relies on the error.",
        affects=[
            *(
                Call(
                    "-",
                    args=2,
                    where={one: r"'[+-]?infinity'( :: timestamp.*)?"},
                    types={other: (*TIMESTAMPS, None)},
                    may="if the other timestamp is finite",
                )
                for one, other in ((1, 2), (2, 1))
            ),
            *(
                ParseNode(
                    statement,
                    **{field: r"'[+-]?infinity'"},
                    present=Call("-", types={1: TIMESTAMPS, 2: TIMESTAMPS}),
                    may="if a timestamp is subtracted from it: the SQL subtracts timestamps elsewhere",
                )
                for statement, field in (
                    ("InsertStmt", "selectStmt"),
                    ("UpdateStmt", "targetList"),
                    ("Constraint", "raw_expr"),
                )
            ),
        ],
    ),
    Row(
        (),
        "maintain-in-privileges",
        "SELECT relacl::text LIKE '%arwdDxt/%' FROM pg_class WHERE oid = 't'::regclass",
        True,
        False,
        since="17",
        setup="CREATE TABLE t (a integer); GRANT ALL ON t TO public",
        title="GRANT ALL on a table includes MAINTAIN: pg_class.relacl has an m for it",
        area="privileges",
        source="PostgreSQL 17 release notes, Privileges",
        manual="ddl-priv",
        remedy="Use has_table_privilege() or aclexplode(), not the text.",
        affects=[
            ParseNode(
                "ResTarget", val=r"^(\w+ \. )?relacl$", beside=relation("pg_class"), may="if its text is read"
            ),
            Call(
                *("text", "varchar", "array_to_string", "unnest", "to_json", "to_jsonb"),
                where={1: r"(\w+ \. )?relacl"},
                may="if its text is read",
            ),
        ],
    ),
    Row(
        (),
        "names-of-subplans",
        lambda lab: lab.sql("EXPLAIN (COSTS OFF) SELECT (SELECT 1 FROM pg_class LIMIT 1)")[1][0].strip(),
        expect={"<17": "InitPlan 1 (returns $0)", "17..18": "InitPlan 1", ">=19": "InitPlan expr_1"},
        since="17",
        title="EXPLAIN shows subplans' columns, (InitPlan 1).col1, in place of parameters, $0",
        area="statements",
        source="PostgreSQL 17 release notes, EXPLAIN",
        manual="using-explain",
        note="19 gives subplans names: expr_1.",
        remedy="Read EXPLAIN's JSON, not its text.",
        affects=ParseNode(
            "ExplainStmt",
            query="SubLink|RangeSubselect|CommonTableExpr",
            lacks={"options": "format (json|xml|yaml)"},
            may="if its text is read",
        ),
    ),
    other_unaccent(
        "17",
        "\u00bd",
        expect={"<9.6": "\u00bd", "9.6..16": "1/2", ">=17": " 1/2"},
        name="unaccent-fractions",
        title="unaccent() writes a space before a fraction, such as \u00bd",
    ),
)


rows(
    statements_as_one(
        "17",
        "statements-of-savepoints",
        "BEGIN",
        "SAVEPOINT first",
        "SAVEPOINT second",
        "COMMIT",
        like="SAVEPOINT %",
        what="names of savepoints",
    ),
)

rows(
    Row(
        (),
        "statements-reset-arguments",
        "GRANT EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) TO PUBLIC",
        expect={"<12": NotYet("42883"), "12..16": None, ">=17": "42883"},
        since="17",
        setup="CREATE EXTENSION pg_stat_statements",
        needs=["contrib:pg_stat_statements"],
        title="pg_stat_statements_reset() has four arguments; GRANT with three fails",
        area="extensions",
        source="PostgreSQL 17 release notes, pg_stat_statements",
        manual="pgstatstatements",
        remedy="From 10 on, leave the arguments out: GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO"
        " ...",
        remedied=Remedied(
            "GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO PUBLIC", {"<10": "42601", ">=10": None}
        ),
        affects=ParseNode(
            "ObjectWithArgs",
            within=("GrantStmt",),
            objname="pg_stat_statements_reset$",
            objargs="^TypeName oid TypeName oid TypeName pg_catalog int8$",
        ),
    ),
)
