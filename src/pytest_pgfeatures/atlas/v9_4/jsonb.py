"""jsonb beside json: part 1 of the PostgreSQL 9.4 verification report."""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 9.4 verification report"


@behavior(
    "9.4/jsonb-normalized",
    title="jsonb keeps the values of a document, json its text",
    area="jsonb",
    source=f"{REPORT}, JSONB (1)",
    manual="datatype-json",
    isolation="transaction",
    expect={
        "<9.4": {"json": '{"b":1,  "a":2, "a":3}', "jsonb": "42704"},
        ">=9.4": {"json": '{"b":1,  "a":2, "a":3}', "jsonb": '{"a": 3, "b": 1}'},
    },
    note="jsonb drops spaces, the order of keys, and all but the last of duplicate keys.",
)
def jsonb_normalized(lab):
    document = """'{"b":1,  "a":2, "a":3}'"""
    return {
        "json": lab.value(f"SELECT {document}::json::text"),
        "jsonb": lab.value_or_sqlstate(f"SELECT {document}::jsonb::text"),
    }


@behavior(
    "9.4/jsonb-contains",
    title="The operator @> tests what a jsonb document contains",
    area="jsonb",
    source=f"{REPORT}, JSONB (2)",
    manual="functions-json#FUNCTIONS-JSONB-OP-TABLE",
    isolation="transaction",
    expect={
        "<9.4": {"json": "42883", "jsonb": "42704"},
        ">=9.4": {"json": "42883", "jsonb": True},
    },
    note="json has no such operator in any version.",
)
def jsonb_contains(lab):
    return {
        type: lab.value_or_sqlstate(
            f"""SELECT '{{"lev": "fatal", "tag": "aaa"}}'::{type} @> '{{"lev": "fatal"}}'"""
        )
        for type in ("json", "jsonb")
    }


# --- The report's table of log lines -----------------------------------------------------------------------


def create_log(lab, type):
    """Create the report's table with 10,000 log lines; every hundredth is fatal.

    Returns:
        None, or the SQLSTATE with which the server refuses the type.
    """
    if refused := lab.sqlstate(f"CREATE TABLE t_log (id serial, j {type})"):
        return refused
    lab.sql(
        """
        INSERT INTO t_log (j)
        SELECT format('{ "ts":"2014-08-23", "pid":%s, "lev":"%s", "tag":"ddd", "mes":"%s" }',
                      g, CASE WHEN g % 100 = 0 THEN 'fatal' ELSE 'error' END, md5(g::text))::"""
        + f"{type} FROM generate_series(1, 10000) g"
    )
    return None


def index_of(plan):
    """Return the index that a plan reads, or None if it reads the whole table."""
    return next((node["Index Name"] for node in plan.nodes if "Index Name" in node), None)


FATAL = """
    SELECT id, j -> 'ts', j -> 'mes' FROM t_log
    WHERE (j -> 'lev')::text = '"fatal"'
    ORDER BY id DESC LIMIT 100
"""


def search_by_expression(lab, type):
    """Run the report's query with an index on its expression; return that index and the number of rows."""
    if refused := create_log(lab, type):
        return refused
    lab.sql("CREATE INDEX t_log_lev ON t_log (((j -> 'lev')::text))")
    lab.sql("ANALYZE t_log")
    return {"index": index_of(lab.explain(FATAL)), "rows": len(lab.sql(FATAL))}


@behavior(
    "9.4/json-expression-index",
    title="An index on an expression finds a json document by one of its fields",
    area="jsonb",
    source=f"{REPORT}, JSONB (2)",
    manual="datatype-json",
    since="9.4",
    isolation="transaction",
    expect={"all": {"index": "t_log_lev", "rows": 100}},
    note="The report compares this with jsonb, and finds no difference with such an index.",
)
def json_expression_index(lab):
    return search_by_expression(lab, "json")


@behavior(
    "9.4/jsonb-expression-index",
    title="An index on an expression finds a jsonb document by one of its fields",
    area="jsonb",
    source=f"{REPORT}, JSONB (2)",
    manual="datatype-json#JSON-INDEXING",
    isolation="transaction",
    expect={"<9.4": "42704", ">=9.4": {"index": "t_log_lev", "rows": 100}},
)
def jsonb_expression_index(lab):
    return search_by_expression(lab, "jsonb")


@behavior(
    "9.4/jsonb-gin",
    title="One GIN index finds jsonb documents by whatever they contain",
    area="jsonb",
    source=f"{REPORT}, JSONB (2)",
    manual="datatype-json#JSON-INDEXING",
    isolation="transaction",
    expect={
        "<9.4": "42704",
        ">=9.4": {"by lev": "t_log_j", "by pid": "t_log_j", "rows": 100},
    },
    note="The report compares it with four indexes on expressions of json.",
)
def jsonb_gin(lab):
    if refused := create_log(lab, "jsonb"):
        return refused
    lab.sql("CREATE INDEX t_log_j ON t_log USING gin (j)")
    lab.sql("ANALYZE t_log")
    lab.set(enable_seqscan=False)
    by_level = """SELECT * FROM t_log WHERE j @> '{"lev": "fatal"}'"""
    by_process = """SELECT * FROM t_log WHERE j @> '{"pid": 77}'"""
    return {
        "by lev": index_of(lab.explain(by_level)),
        "by pid": index_of(lab.explain(by_process)),
        "rows": len(lab.sql(by_level)),
    }


@behavior(
    "9.4/json-gin",
    title="json has no operator class for GIN",
    area="jsonb",
    source=f"{REPORT}, JSONB (2)",
    manual="datatype-json#JSON-INDEXING",
    since="9.4",
    isolation="transaction",
    expect={"all": "42704"},
)
def json_gin(lab):
    lab.sql("CREATE TABLE t_log (id serial, j json)")
    return lab.sqlstate("CREATE INDEX ON t_log USING gin (j)")
