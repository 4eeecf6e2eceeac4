"""SQL/JSON functions new in 17, which section 4.2.1 of the PostgreSQL 16 report doesn't cover."""

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import ParseNode

SOURCE = "PostgreSQL 16 verification report, 4.2.1"


@behavior(
    "17/json-constructor",
    title="JSON(...) converts text to json, and can refuse duplicate keys",
    area="sql",
    source=SOURCE,
    isolation="transaction",
    expect={"<17": "42601", ">=17": {"JSON": '{"a": 1}', "WITH UNIQUE KEYS": "22030"}},
    manual="functions-json#FUNCTIONS-JSON-CREATION-TABLE",
    note="JSON('...') alone doesn't show it: older servers read that as a cast to the type json.",
)
def json_constructor(lab):
    if refused := lab.sqlstate("SELECT JSON('{}' WITHOUT UNIQUE KEYS)"):
        return refused
    return {
        "JSON": lab.value("""SELECT JSON('{"a": 1}' WITH UNIQUE KEYS)::text"""),
        "WITH UNIQUE KEYS": lab.sqlstate("""SELECT JSON('{"a": 1, "a": 2}' WITH UNIQUE KEYS)"""),
    }


@behavior(
    "17/json-scalar",
    title="JSON_SCALAR converts an SQL value to a JSON number, string, boolean or null",
    area="sql",
    source=SOURCE,
    isolation="transaction",
    expect={"<17": "42883", ">=17": "123.45"},
    manual="functions-json#FUNCTIONS-JSON-CREATION-TABLE",
)
def json_scalar(lab):
    return lab.value_or_sqlstate("SELECT JSON_SCALAR(123.45)::text")


@behavior(
    "17/json-serialize",
    title="JSON_SERIALIZE converts JSON to text or bytea",
    area="sql",
    source=SOURCE,
    isolation="transaction",
    expect={"<17": "42601", ">=17": '{"a":1}'},
    manual="functions-json#FUNCTIONS-JSON-CREATION-TABLE",
)
def json_serialize(lab):
    serialized = """JSON_SERIALIZE('{"a":1}' RETURNING bytea)"""
    return lab.value_or_sqlstate(f"SELECT convert_from({serialized}, 'UTF8')")


DOCUMENT = """'{"a": [1, 2], "b": "x"}'::json"""


@behavior(
    "17/json-exists",
    title="JSON_EXISTS tests whether a path finds an item",
    area="sql",
    source=SOURCE,
    isolation="transaction",
    expect={"<17": "42883", ">=17": [True, False]},
    manual="functions-json#SQLJSON-QUERY-FUNCTIONS",
)
def json_exists(lab):
    query = f"SELECT JSON_EXISTS({DOCUMENT}, '$.a'), JSON_EXISTS({DOCUMENT}, '$.c')"
    return lab.sqlstate(query) or list(lab.sql(query)[0])


@behavior(
    "17/json-value",
    title="JSON_VALUE returns the scalar that a path finds, as an SQL type",
    area="sql",
    source=SOURCE,
    isolation="transaction",
    expect={"<17": "42601", ">=17": 2},
    manual="functions-json#SQLJSON-QUERY-FUNCTIONS",
)
def json_value(lab):
    return lab.value_or_sqlstate(f"SELECT JSON_VALUE({DOCUMENT}, '$.a[1]' RETURNING int)")


@behavior(
    "17/json-query",
    title="JSON_QUERY returns the JSON that a path finds",
    area="sql",
    source=SOURCE,
    isolation="transaction",
    expect={"<17": "42601", ">=17": "[1, 2]"},
    manual="functions-json#SQLJSON-QUERY-FUNCTIONS",
)
def json_query(lab):
    return lab.value_or_sqlstate(f"SELECT JSON_QUERY({DOCUMENT}, '$.a[*]' WITH WRAPPER)::text")


@behavior(
    "17/json-table",
    title="JSON_TABLE turns JSON into rows",
    area="sql",
    source=SOURCE,
    isolation="transaction",
    expect={"<17": "42601", ">=17": [[1, 1], [2, 2]]},
    manual="functions-json#FUNCTIONS-SQLJSON-TABLE",
)
def json_table(lab):
    query = (
        f"SELECT * FROM JSON_TABLE({DOCUMENT}, '$.a[*]'"
        " COLUMNS (number FOR ORDINALITY, value int PATH '$')) t"
    )
    return lab.sqlstate(query) or lab.sql(query)


@behavior(
    "17/json-returning-too-short",
    title="A JSON constructor refuses a value that is too long for the type after RETURNING",
    area="sql",
    source=SOURCE,
    kind="incompatibility",
    manual="functions-json#FUNCTIONS-JSON-CREATION-TABLE",
    since="17",
    isolation="transaction",
    expect={"<16": NotYet("42601"), "16": '{"num', ">=17": "22001"},
    remedy="Return text, or a type that is long enough: 16 truncates the value, which is then not valid"
    " JSON.",
    affects=ParseNode(
        "output",
        typeName=r"\b(varchar|bpchar)$",
        may="if the value is too long for the type",
    ),
)
def json_returning_too_short(lab):
    return lab.value_or_sqlstate("SELECT JSON_OBJECT('num' VALUE 123 RETURNING varchar(5))")
