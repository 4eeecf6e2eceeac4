"""Changes of 10 that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import Row, behavior, rows
from pytest_pgfeatures.affects import (
    AccessRule,
    Call,
    CatalogQuery,
    Column,
    ParseNode,
    RefusedWith,
)
from pytest_pgfeatures.atlas.patterns import STATEMENTS, function_syntax, more_activity, of_type, relation
from pytest_pgfeatures.atlas.v19.connections import replace_hba

IMPOSSIBLE = "if the text can have a day or month that doesn't exist"

rows(
    Row(
        (),
        "to-date-impossible-day",
        "SELECT to_date('2009-02-31', 'YYYY-MM-DD')::text",
        "2009-03-03",
        "22008",
        since="10",
        title="to_date refuses a day that its month doesn't have",
        remedy="Check the text before, or catch the error.",
        remedied="SELECT (to_date('2009-02-01', 'YYYY-MM-DD') + 30)::text",
        affects=Call("to_date", args=2, may=IMPOSSIBLE),
    ),
    Row(
        (),
        "to-timestamp-impossible-month",
        "SELECT to_timestamp('2009-13-01', 'YYYY-MM-DD')::date::text",
        "2010-01-01",
        "22008",
        since="10",
        title="to_timestamp refuses a month beyond the twelfth",
        remedy="Check the text before, or catch the error.",
        affects=Call("to_timestamp", args=2, may=IMPOSSIBLE),
    ),
    area="functions",
    source="PostgreSQL 10 release notes, Functions",
    manual="functions-formatting",
)

rows(
    more_activity(
        "10",
        "activity-of-server-processes",
        "datname IS NULL",
        before=False,
        after=True,
        title="pg_stat_activity shows the server's own processes, too",
    ),
    Row(
        (),
        "srf-in-update",
        "UPDATE t SET a = generate_series(1, 2)",
        None,
        "0A000",
        since="10",
        setup="CREATE TABLE t (a integer)",
        title="UPDATE refuses a set-returning function as a value",
        area="statements",
        source="PostgreSQL 10 release notes, Queries",
        manual="xfunc-sql#XFUNC-SQL-FUNCTIONS-RETURNING-SET",
        remedy="Take the value from a subquery that gives one row.",
        remedied="UPDATE t SET a = (SELECT generate_series(1, 2) LIMIT 1)",
        affects=[
            RefusedWith("0A000", "set-returning functions are not allowed in UPDATE"),
        ],
    ),
    function_syntax(
        "10",
        "xmltable",
        source="PostgreSQL 10 release notes, XML",
        manual="functions-xml#FUNCTIONS-XML-PROCESSING-XMLTABLE",
        affects=[Call("xmltable", own=True)],
    ),
    Row(
        (),
        "literal-column-type",
        "SELECT pg_typeof(a)::text FROM (SELECT a FROM v) s",
        "unknown",
        "text",
        since="10",
        setup="CREATE VIEW v AS SELECT 'x' AS a",
        title="A quoted constant in a view or CREATE TABLE AS gives a column of type text, not unknown",
        area="types",
        source="PostgreSQL 10 release notes, Data Types",
        manual="typeconv-select",
        remedy="Write the type: SELECT 'x'::text AS a.",
        affects=CatalogQuery(
            """
            SELECT 'column ' || a.attname || ' of ' || a.attrelid::regclass, c.relname
              FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
             WHERE a.atttypid = 'unknown'::regtype AND c.oid >= 16384 AND c.relkind IN ('r', 'v', 'm')
            """,
            at=("view", "table"),
            may="it was of type unknown",
        ),
    ),
    Row(
        (),
        "money-overflow",
        "SELECT '1234567890123456789012'::money > '0'::money",
        before=False,
        after="22003",
        since="10",
        title="Text beyond the range of money is refused, instead of read as another amount",
        area="types",
        source="PostgreSQL 10 release notes, Data Types",
        manual="datatype-money",
        remedy="Use numeric.",
        affects=of_type("money", may="amounts beyond its range are refused"),
    ),
)


BARE_NAMES = "the restore of a dump finds only names with a schema there"


@behavior(
    "10/pg-dump-search-path",
    title="A dump empties search_path: functions in its restore find no object by its bare name",
    area="clients",
    source="PostgreSQL 10.3 release notes, minor releases",
    manual="app-pgdump",
    kind="incompatibility",
    since=("10.3", "9.6.8", "9.5.12", "9.4.17", "9.3.22"),
    needs=["pg_dump"],
    expect={
        "<9.3.22, 9.4..9.4.16, 9.5..9.5.11, 9.6..9.6.7, 10..10.2": False,
        "9.3.22..9.3, 9.4.17..9.4, 9.5.12..9.5, 9.6.8..9.6, >=10.3": True,
    },
    remedy="Write schemas in functions that indexes, constraints and views call, or add SET search_path to them.",
    affects=[
        ParseNode("FuncCall", within=("IndexStmt",), funcname="<path-function>", may=BARE_NAMES),
        ParseNode("FuncCall", within=("Constraint",), funcname="<path-function>", may=BARE_NAMES),
        ParseNode("CreateTableAsStmt", objtype="MATVIEW", query="<path-function>", may=BARE_NAMES),
    ],
)
def pg_dump_search_path(lab):
    return "set_config('search_path', ''" in lab.run("pg_dump", "--schema-only").output


@behavior(
    "10/statements-with-parameters",
    title="pg_stat_statements shows the constants of a query as $1, $2 in place of ?",
    area="extensions",
    source="PostgreSQL 10 release notes, Additional Modules",
    manual="pgstatstatements",
    kind="incompatibility",
    settings=STATEMENTS,
    needs=["contrib:pg_stat_statements"],
    expect={"<10": "SELECT ? AS marker", ">=10": "SELECT $1 AS marker"},
    remedy="Compare the texts of one version only, or write $1, $2 for the constants.",
    affects=Column(
        "pg_stat_statements",
        "query",
        extension="pg_stat_statements",
        may="if the queries' texts are compared",
    ),
)
def statements_with_parameters(lab):
    lab.sql("CREATE EXTENSION pg_stat_statements")
    lab.sql("SELECT 4711 AS marker")
    return lab.value(
        "SELECT query FROM pg_stat_statements WHERE query LIKE 'SELECT % AS marker'"
        " AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )


rows(
    Row(
        (),
        "money-divided-by-bigint",
        "SELECT ('10'::money / 6::bigint)::numeric::text",
        "1.67",
        "1.66",
        since="10",
        title="The quotient of money and bigint is truncated, not rounded",
        area="types",
        source="PostgreSQL 10 release notes, Data Types",
        manual="datatype-money",
        remedy="Divide by a double precision number.",
        remedied="SELECT ('10'::money / 6::float8)::numeric::text",
        affects=Call("/", types={1: ("money",), 2: ("bigint", "count")}),
    ),
    Row(
        (),
        "json-of-anyarray",
        "SELECT to_json(most_common_vals)::text FROM pg_stats WHERE tablename = 't'",
        '"{1}"',
        "[1]",
        since="10",
        setup="CREATE TABLE t AS SELECT 1 AS a FROM generate_series(1, 100); ANALYZE t",
        title="to_json gives an array, not a string, for an anyarray column, such as in pg_stats",
        area="functions",
        source="PostgreSQL 10 release notes, Data Types",
        manual="functions-json",
        remedy="Read it as an array.",
        affects=relation(
            "pg_stats",
            beside=ParseNode("FuncCall", funcname="(to_jsonb?|row_to_json|jsonb?_agg|jsonb?_build_object)$"),
            may="most_common_vals and similar columns give arrays, not strings",
        ),
    ),
)


@behavior(
    "10/radius-servers",
    title="pg_hba.conf takes radiusservers and radiussecrets, not radiusserver and radiussecret",
    area="privileges",
    source="PostgreSQL 10 release notes, Authentication",
    manual="auth-radius",
    kind="incompatibility",
    isolation="transaction",
    expect={"<10": "taken", ">=10": "refused"},
    note="radiusports and radiusidentifiers have an s at the end, too. 19 has no method radius.",
    remedy="Write an s at the end of the four names.",
    affects=AccessRule(method="radius", option="(radiusserver|radiussecret|radiusport|radiusidentifier)=.*"),
)
def radius_servers(lab):
    node = lab.create_pg("guarded")
    since = node.cluster.log.position()
    replace_hba(node, "host all all 127.0.0.2/32 radius radiusserver=127.0.0.1 radiussecret=secret")
    node.session("after the reload").close()  # the postmaster reloads before it accepts the connection
    return "refused" if node.cluster.log_contains("not reloaded", since) else "taken"
