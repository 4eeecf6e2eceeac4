"""SQL/JSON constructors and predicates: section 4.2.1 of the PostgreSQL 16 verification report."""

from pytest_pgfeatures import behavior

SOURCE = "PostgreSQL 16 verification report, 4.2.1"
CONSTRUCTORS = "functions-json#FUNCTIONS-JSON-CREATION-TABLE"
PREDICATES = "functions-json#FUNCTIONS-SQLJSON-MISC"

TYPES = ("json", "jsonb", "bytea", "text")
"""The types that the report names for RETURNING."""


def by_type(lab, constructor, arguments, source=""):
    """Return a constructor's result for each type after RETURNING: the value as text, with bytea decoded."""
    found = {}
    for name in TYPES:
        call = f"{constructor}({arguments} RETURNING {name})"
        text = f"convert_from({call}, 'UTF8')" if name == "bytea" else f"({call})::text"
        found[name] = lab.value_or_sqlstate(f"SELECT pg_typeof({call}) || ' ' || {text} {source}")
    return found


def everywhere(sqlstate):
    """Return the expectation of one refusal for each type after RETURNING."""
    return dict.fromkeys(TYPES, sqlstate)


# --- JSON_OBJECT -------------------------------------------------------------------------------------------


@behavior(
    "16/json-object",
    title="JSON_OBJECT makes an object from keys and values, in the type after RETURNING",
    area="sql",
    source=SOURCE,
    manual=CONSTRUCTORS,
    isolation="transaction",
    expect={
        "<16": everywhere("42601"),
        ">=16": {
            "json": 'json {"num" : 123, "dt" : "2023-05-31"}',
            "jsonb": 'jsonb {"dt": "2023-05-31", "num": 123}',
            "bytea": 'bytea {"num" : 123, "dt" : "2023-05-31"}',
            "text": 'text {"num" : 123, "dt" : "2023-05-31"}',
        },
    },
    note="The key is followed by VALUE or a colon. jsonb sorts its keys, the others keep the order given.",
)
def json_object(lab):
    return by_type(lab, "JSON_OBJECT", "'num' VALUE 123, 'dt' : DATE '2023-05-31'")


@behavior(
    "16/json-object-default-type",
    title="JSON_OBJECT without RETURNING is of type json",
    area="sql",
    source=SOURCE,
    manual=CONSTRUCTORS,
    isolation="transaction",
    expect={"<16": "42601", ">=16": "json"},
)
def json_object_default_type(lab):
    return lab.value_or_sqlstate("SELECT pg_typeof(JSON_OBJECT('num' VALUE 123))::text")


@behavior(
    "9.4/json-object-of-text-array",
    title="json_object makes an object from an array of text",
    area="sql",
    source=SOURCE,
    manual="functions-json#FUNCTIONS-JSON-CREATION-TABLE",
    isolation="transaction",
    expect={"<9.4": "42883", ">=9.4": '{"a" : "1", "b" : "2"}'},
    note=(
        "The report describes JSON_OBJECT this way. This is the older function of the same name, which"
        " still works beside the constructor."
    ),
)
def json_object_of_text_array(lab):
    return lab.value_or_sqlstate("SELECT json_object('{a,1,b,2}'::text[])::text")


@behavior(
    "16/json-object-unique-keys",
    title="JSON_OBJECT ... WITH UNIQUE KEYS refuses duplicate keys",
    area="sql",
    source=SOURCE,
    manual=CONSTRUCTORS,
    isolation="transaction",
    expect={
        "<16": {"without": "42601", "json": "42601", "jsonb": "42601"},
        ">=16": {"without": '{"id" : 1, "id" : 2}', "json": "22030", "jsonb": "22030"},
    },
    note="The report shows a beta's message; the SQLSTATE is the same.",
)
def json_object_unique_keys(lab):
    twice = "'id' VALUE 1, 'id' VALUE 2"
    return {
        "without": lab.value_or_sqlstate(f"SELECT JSON_OBJECT({twice})::text"),
        "json": lab.sqlstate(f"SELECT JSON_OBJECT({twice} WITH UNIQUE KEYS)"),
        "jsonb": lab.sqlstate(f"SELECT JSON_OBJECT({twice} WITH UNIQUE KEYS RETURNING jsonb)"),
    }


# --- JSON_OBJECTAGG ----------------------------------------------------------------------------------------

CUBES = "FROM (SELECT g AS n, g * g * g AS cube FROM generate_series(1, 3) g) v"


@behavior(
    "16/json-objectagg",
    title="JSON_OBJECTAGG makes one object from the keys and values of many rows",
    area="sql",
    source=SOURCE,
    manual="functions-aggregate#FUNCTIONS-AGGREGATE-TABLE",
    isolation="transaction",
    expect={
        "<16": everywhere("42601"),
        ">=16": {
            "json": 'json { "1" : 1, "2" : 8, "3" : 27 }',
            "jsonb": 'jsonb {"1": 1, "2": 8, "3": 27}',
            "bytea": 'bytea { "1" : 1, "2" : 8, "3" : 27 }',
            "text": 'text { "1" : 1, "2" : 8, "3" : 27 }',
        },
    },
)
def json_objectagg(lab):
    return by_type(lab, "JSON_OBJECTAGG", "n : cube", CUBES)


@behavior(
    "16/json-objectagg-unique-keys",
    title="JSON_OBJECTAGG ... WITH UNIQUE KEYS refuses a key that occurs in two rows",
    area="sql",
    source=SOURCE,
    manual="functions-aggregate#FUNCTIONS-AGGREGATE-TABLE",
    isolation="transaction",
    expect={
        "<16": {"without": "42601", "json": "42601", "jsonb": "42601"},
        ">=16": {"without": '{ "a" : 1, "a" : 2 }', "json": "22030", "jsonb": "22030"},
    },
)
def json_objectagg_unique_keys(lab):
    rows = "FROM (VALUES ('a', 1), ('a', 2)) r(k, v)"
    return {
        "without": lab.value_or_sqlstate(f"SELECT JSON_OBJECTAGG(k : v)::text {rows}"),
        "json": lab.sqlstate(f"SELECT JSON_OBJECTAGG(k : v WITH UNIQUE KEYS) {rows}"),
        "jsonb": lab.sqlstate(f"SELECT JSON_OBJECTAGG(k : v WITH UNIQUE KEYS RETURNING jsonb) {rows}"),
    }


# --- JSON_ARRAY and JSON_ARRAYAGG --------------------------------------------------------------------------


@behavior(
    "16/json-array",
    title="JSON_ARRAY makes an array from SQL and JSON values, in the type after RETURNING",
    area="sql",
    source=SOURCE,
    manual=CONSTRUCTORS,
    isolation="transaction",
    expect={
        "<16": everywhere("42601"),
        ">=16": {
            "json": 'json [1, true, {"a":null}]',
            "jsonb": 'jsonb [1, true, {"a": null}]',
            "bytea": 'bytea [1, true, {"a":null}]',
            "text": 'text [1, true, {"a":null}]',
        },
    },
)
def json_array(lab):
    return by_type(lab, "JSON_ARRAY", """1, true, JSON '{"a":null}'""")


@behavior(
    "16/json-arrayagg",
    title="JSON_ARRAYAGG makes one array from the values of many rows, in the type after RETURNING",
    area="sql",
    source=SOURCE,
    manual="functions-aggregate#FUNCTIONS-AGGREGATE-TABLE",
    isolation="transaction",
    expect={
        "<16": everywhere("42601"),
        ">=16": {
            "json": "json [1, 2, 3]",
            "jsonb": "jsonb [1, 2, 3]",
            "bytea": "bytea [1, 2, 3]",
            "text": "text [1, 2, 3]",
        },
    },
)
def json_arrayagg(lab):
    return by_type(lab, "JSON_ARRAYAGG", "v", "FROM generate_series(1, 3) v")


@behavior(
    "16/json-arrayagg-order-by",
    title="ORDER BY in JSON_ARRAYAGG orders the array",
    area="sql",
    source=SOURCE,
    manual="functions-aggregate#FUNCTIONS-AGGREGATE-TABLE",
    isolation="transaction",
    expect={"<16": "42883", ">=16": "[3, 2, 1]"},
    note="Without RETURNING the statement is a call of an unknown function on 15, not a syntax error.",
)
def json_arrayagg_order_by(lab):
    return lab.value_or_sqlstate("SELECT JSON_ARRAYAGG(v ORDER BY v DESC)::text FROM generate_series(1, 3) v")


@behavior(
    "16/json-array-nulls",
    title="JSON_ARRAY omits NULLs unless NULL ON NULL is specified",
    area="sql",
    source=SOURCE,
    manual=CONSTRUCTORS,
    isolation="transaction",
    expect={
        "<16": {"default": "42883", "ABSENT ON NULL": "42601", "NULL ON NULL": "42601"},
        ">=16": {"default": "[1, 2]", "ABSENT ON NULL": "[1, 2]", "NULL ON NULL": "[1, null, 2]"},
    },
)
def json_array_nulls(lab):
    return {
        "default": lab.value_or_sqlstate("SELECT JSON_ARRAY(1, NULL, 2)::text"),
        "ABSENT ON NULL": lab.value_or_sqlstate("SELECT JSON_ARRAY(1, NULL, 2 ABSENT ON NULL)::text"),
        "NULL ON NULL": lab.value_or_sqlstate("SELECT JSON_ARRAY(1, NULL, 2 NULL ON NULL)::text"),
    }


@behavior(
    "16/json-object-nulls",
    title="JSON_OBJECT keeps NULL values unless ABSENT ON NULL is specified, and refuses a NULL key",
    area="sql",
    source=SOURCE,
    manual=CONSTRUCTORS,
    isolation="transaction",
    expect={
        "<16": {"default": "42601", "ABSENT ON NULL": "42601", "NULL key": "42601"},
        ">=16": {"default": '{"a" : 1, "b" : null}', "ABSENT ON NULL": '{"a" : 1}', "NULL key": "22004"},
    },
)
def json_object_nulls(lab):
    return {
        "default": lab.value_or_sqlstate("SELECT JSON_OBJECT('a' : 1, 'b' : NULL)::text"),
        "ABSENT ON NULL": lab.value_or_sqlstate(
            "SELECT JSON_OBJECT('a' : 1, 'b' : NULL ABSENT ON NULL)::text"
        ),
        "NULL key": lab.sqlstate("SELECT JSON_OBJECT(NULL : 1)"),
    }


# --- IS JSON -----------------------------------------------------------------------------------------------

INPUTS = ("1", '"A"', "A", "", '["A", "B"]', '{"a":1, "b":2}')
"""The report's inputs."""


def inputs_that(lab, predicate):
    """Return the inputs of the report for which ``x IS JSON ...`` is true, or the SQLSTATE of its refusal."""
    refused = lab.sqlstate(f"SELECT '1' {predicate}")
    return refused or [x for x in INPUTS if lab.value(f"SELECT %s::text {predicate}", [x])]


@behavior(
    "16/is-json-value",
    title="IS JSON and IS JSON VALUE are true for any JSON text",
    area="sql",
    source=SOURCE,
    manual=PREDICATES,
    isolation="transaction",
    expect={
        "<16": ["42601", "42601"],
        ">=16": [
            ["1", '"A"', '["A", "B"]', '{"a":1, "b":2}'],
            ["1", '"A"', '["A", "B"]', '{"a":1, "b":2}'],
        ],
    },
    note="Two of the report's inputs are not JSON: A without quotes, and the empty text.",
)
def is_json_value(lab):
    return [inputs_that(lab, "IS JSON"), inputs_that(lab, "IS JSON VALUE")]


@behavior(
    "16/is-json-array",
    title="IS JSON ARRAY is true for JSON arrays",
    area="sql",
    source=SOURCE,
    manual=PREDICATES,
    isolation="transaction",
    expect={"<16": "42601", ">=16": ['["A", "B"]']},
)
def is_json_array(lab):
    return inputs_that(lab, "IS JSON ARRAY")


@behavior(
    "16/is-json-object",
    title="IS JSON OBJECT is true for JSON objects",
    area="sql",
    source=SOURCE,
    manual=PREDICATES,
    isolation="transaction",
    expect={"<16": "42601", ">=16": ['{"a":1, "b":2}']},
)
def is_json_object(lab):
    return inputs_that(lab, "IS JSON OBJECT")


@behavior(
    "16/is-json-scalar",
    title="IS JSON SCALAR is true for JSON numbers, strings, booleans and null",
    area="sql",
    source=SOURCE,
    manual=PREDICATES,
    isolation="transaction",
    expect={"<16": "42601", ">=16": ["1", '"A"']},
)
def is_json_scalar(lab):
    return inputs_that(lab, "IS JSON SCALAR")


@behavior(
    "16/is-json-unique-keys",
    title="IS JSON ... WITH UNIQUE KEYS is false if an object at any depth has duplicate keys",
    area="sql",
    source=SOURCE,
    manual=PREDICATES,
    isolation="transaction",
    expect={
        "<16": {"top": "42601", "nested": "42601", "without": "42601"},
        ">=16": {"top": False, "nested": False, "without": True},
    },
)
def is_json_unique_keys(lab):
    twice = '{"a":1, "a":2}'
    return {
        "top": lab.value_or_sqlstate(f"SELECT '{twice}' IS JSON OBJECT WITH UNIQUE KEYS"),
        "nested": lab.value_or_sqlstate(f"SELECT '[{twice}]' IS JSON WITH UNIQUE KEYS"),
        "without": lab.value_or_sqlstate(f"SELECT '{twice}' IS JSON OBJECT"),
    }


@behavior(
    "16/is-json-types",
    title="IS JSON takes text, json, jsonb and bytea, and no other type",
    area="sql",
    source=SOURCE,
    manual=PREDICATES,
    isolation="transaction",
    expect={
        "<16": {"text": "42601", "json": "42601", "jsonb": "42601", "bytea": "42601", "int": "42601"},
        ">=16": {"text": True, "json": True, "jsonb": True, "bytea": True, "int": "42804"},
    },
    note="The report says text types, json and jsonb only; the released servers take bytea, too.",
)
def is_json_types(lab):
    return {
        name: lab.value_or_sqlstate(f"SELECT '1'::{name} IS JSON")
        for name in ("text", "json", "jsonb", "bytea", "int")
    }
