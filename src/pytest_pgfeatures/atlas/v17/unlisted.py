"""Changes of 17 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Call, Column, Sql
from pytest_pgfeatures.atlas.patterns import function_syntax, other_unaccent, statements_as_one


@behavior(
    "17/reindex-event-triggers",
    title="REINDEX fires event triggers",
    area="statements",
    source="PostgreSQL 17 release notes, Utility Commands",
    manual="event-trigger-matrix",
    kind="incompatibility",
    expect={"<17": [], ">=17": ["NOTICE:  REINDEX"]},
    isolation="transaction",
    remedy="Have the trigger name its tags, WHEN TAG IN (...), or leave REINDEX out in its function.",
    affects=Sql(
        "^ CREATE EVENT TRIGGER <word> ON {ddl_command_start|ddl_command_end}",
        unless="WHEN TAG IN",
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


rows(
    function_syntax(
        "17",
        "json",
        source="PostgreSQL 17 release notes, Functions",
        manual="functions-json#FUNCTIONS-JSON-CREATION-TABLE",
        affects=[Sql("FUNCTION [ IF EXISTS ] {json} ("), Call("json", own=True)],
    ),
    Row(
        (),
        "infinite-subtraction",
        "SELECT (timestamp 'infinity' - timestamp '2020-01-01')::text",
        "22008",
        "infinity",
        since="17",
        title="An infinite timestamp less a finite one is an infinite interval, and no error",
        area="types",
        source="PostgreSQL 17 release notes, Data Types",
        manual="datatype-datetime#DATATYPE-INTERVAL-INPUT",
        remedy="Look with isfinite() before, where a program counts on the error.",
        affects=Sql(
            "{<string:endless>}",
            tokens={"endless": "[+-]?infinity"},
            present="<column:timestamp|timestamptz> - <column:timestamp|timestamptz>",
            may="if a timestamp is subtracted from it, as some are",
        ),
    ),
    Row(
        (),
        "maintain-in-privileges",
        "SELECT relacl::text LIKE '%arwdDxt/%' FROM pg_class WHERE oid = 't'::regclass",
        True,
        False,
        since="17",
        setup="CREATE TABLE t (a integer); GRANT ALL ON t TO public",
        title="GRANT ALL on a table gives m, too, for MAINTAIN: pg_class.relacl has another text",
        area="privileges",
        source="PostgreSQL 17 release notes, Privileges",
        manual="ddl-priv",
        remedy="Ask has_table_privilege() or aclexplode(), not the text.",
        affects=Column("pg_class", "relacl", may="if its text is read"),
    ),
    Row(
        (),
        "names-of-subplans",
        lambda lab: lab.sql("EXPLAIN (COSTS OFF) SELECT (SELECT 1 FROM pg_class LIMIT 1)")[1][0].strip(),
        expect={"<17": "InitPlan 1 (returns $0)", "17..18": "InitPlan 1", ">=19": "InitPlan expr_1"},
        since="17",
        title="EXPLAIN names the columns of subplans, (InitPlan 1).col1, not parameters, $0",
        area="statements",
        source="PostgreSQL 17 release notes, EXPLAIN",
        manual="using-explain",
        note="19 gives subplans names: expr_1.",
        remedy="Read EXPLAIN's JSON, not its text.",
        affects=Sql("^ {EXPLAIN}", unless="FORMAT JSON|XML|YAML", also="( SELECT", may="if its text is read"),
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
        title="pg_stat_statements_reset() has four arguments, which GRANT must name",
        area="extensions",
        source="PostgreSQL 17 release notes, pg_stat_statements",
        manual="pgstatstatements",
        remedy="Leave the arguments out, from 10 on: GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO ...",
        remedied=Remedied(
            "GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO PUBLIC", {"<10": "42601", ">=10": None}
        ),
        affects=Sql(
            "GRANT|REVOKE *** FUNCTION [ <word> . ] {pg_stat_statements_reset} ( oid , oid , bigint )"
        ),
    ),
)
