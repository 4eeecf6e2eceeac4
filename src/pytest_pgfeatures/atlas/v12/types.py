"""Types that PostgreSQL 12 removed or changed: abstime, floating-point numbers, geometric types, name."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Call, Constant, Default, ParseNode, RefusedWith, ResultOf, Unseen
from pytest_pgfeatures.atlas.patterns import UPGRADES, gone_extension, of_type, upgradable_after

NAMES = (
    "relname|nspname|attname|proname|typname|conname|datname|rolname|usename|tablename|schemaname|indexname"
)
"""Columns of type name, as a regular expression."""
CLASSES = "if the expression has classes or ranges of letters"
OBJECTS = "(table|column|constraint|routine|trigger|schema|domain|sequence)_(name|schema)"
"""Columns with names of objects in information_schema, as a regular expression."""
FLOAT_TEXT = [
    Call(
        *("text", "varchar", "char", "md5", "concat", "concat_ws", "format", "||"),
        types=("double", "real"),
        may="the text is the shortest precise decimal form",
    ),
    Default("extra_float_digits", may="floats print in the shortest precise decimal form"),
]

# --- 12.2, 12.3 Types of time ------------------------------------------------------------------------------

rows(
    Row(
        "12.2",
        "no-abstime",
        "SELECT '2019-01-01 00:00:00+00'::abstime::text",
        "2019-01-01 00:00:00+00",
        "42704",
        title="The type abstime is gone",
        remedy="Use timestamptz.",
        remedied="SELECT '2019-01-01 00:00:00+00'::timestamptz::text",
        affects=[
            of_type("abstime", "reltime", "tinterval"),
            Call("abstime", "reltime", "tinterval", "timenow"),
            RefusedWith("42704", 'type "(abstime|reltime|tinterval)" does not exist'),
        ],
    ),
    Row(
        "12.2",
        "no-reltime",
        "SELECT '1 day'::reltime::text",
        "1 day",
        "42704",
        title="The type reltime is gone",
        remedy="Use interval.",
        remedied="SELECT '1 day'::interval::text",
    ),
    Row(
        "12.2",
        "no-tinterval",
        "SELECT '2019-01-01 12:00+00'::abstime <?> tinterval('2019-01-01 00:00+00', '2019-01-02 00:00+00')",
        True,
        "42704",
        title="The type tinterval is gone",
        remedy="Use tstzrange.",
        remedied="""
            SELECT '2019-01-01 12:00+00'::timestamptz
                   <@ tstzrange('2019-01-01 00:00+00', '2019-01-02 00:00+00')
        """,
    ),
    area="types",
    manual="datatype-datetime",
)

rows(
    gone_extension(
        "12.3",
        "timetravel",
        title="The extension timetravel is gone",
        remedy="Write triggers that keep old rows, and drop the extension before the upgrade.",
        note="It needed the type abstime.",
        affects=[
            ParseNode("CreateExtensionStmt", "AlterExtensionStmt", extname="^timetravel$"),
            ParseNode("CreateTrigStmt", funcname=r"\btimetravel$"),
        ],
    ),
)


@behavior(
    "12/abstime-upgrade",
    title="pg_upgrade refuses a server that has columns of type abstime",
    area="upgrade",
    release_note="12.2",
    kind="incompatibility",
    manual="pgupgrade",
    isolation="cluster",
    needs=UPGRADES,
    expect={"<12": True, ">=12": "42704"},
    remedy="Change the column's type by ALTER TABLE before the upgrade.",
    remedied=Remedied(
        lambda lab: upgradable_after(lab, "12", "ALTER TABLE t ALTER a TYPE timestamptz"), {"all": True}
    ),
    note="Whether pg_upgrade of a later version reports the column.",
)
def abstime_upgrade(lab):
    if refused := lab.sqlstate("CREATE TABLE t (a abstime)"):
        return refused
    return '"abstime" data type in user tables' in lab.upgrade_check().output


# --- 12.8 Floating-point numbers ---------------------------------------------------------------------------

rows(
    Row(
        "12.8",
        "float8-text",
        "SELECT (0.1::float8 + 0.2::float8)::text",
        "0.3",
        "0.30000000000000004",
        title="The text of a double precision number is its shortest precise decimal form",
        remedy="Round as numeric; or set extra_float_digits to 0.",
        remedied=Remedied("SELECT round((0.1::float8 + 0.2::float8)::numeric, 1)::text", {"all": "0.3"}),
        affects=[*FLOAT_TEXT, ResultOf("double precision")],
    ),
    Row(
        "12.8",
        "float4-text",
        "SELECT (1 / 3.0::float4)::float4::text",
        "0.333333",
        "0.33333334",
        title="The text of a real number is its shortest precise decimal form",
        remedy="Round as numeric; or set extra_float_digits to 0.",
        remedied=lambda lab: [
            lab.sql("SET extra_float_digits = 0"),
            lab.value("SELECT (1 / 3.0::float4)::float4::text"),
        ][1],
        affects=[*FLOAT_TEXT, ResultOf("real")],
    ),
    Row(
        "12.8",
        "float8-md5",
        "SELECT md5((0.1::float8 + 0.2::float8)::text) = md5('0.3')",
        True,
        False,
        title="Values computed from the text of a floating-point number, such as md5(), differ",
        remedy="Round as numeric before you cast to text; or set extra_float_digits to 0.",
        remedied="SELECT md5(round((0.1::float8 + 0.2::float8)::numeric, 1)::text) = md5('0.3')",
    ),
    Row(
        "12.8",
        "extra-float-digits",
        "SHOW extra_float_digits",
        "0",
        "1",
        kind="default",
        title="The default of extra_float_digits is 1",
        remedy="Set it to 0: it rounds double precision to 15 digits, and real to 6.",
    ),
    area="types",
    manual="datatype-numeric#DATATYPE-FLOAT",
)

FAR = r".*(?:\b(?:inf(?:inity)?|nan)\b|e[+]?[1-9]\d\d).*"
"""Geometric constants with infinity, NaN or very large numbers, as a regular expression."""

# --- 12.7 Geometric types ----------------------------------------------------------------------------------

rows(
    Row(
        "12.7",
        "geometric-overflow",
        "SELECT area(circle '<(0,0),1e200>')::text",
        "Infinity",
        "22003",
        title="Geometric functions raise an error on overflow",
        remedy="Keep coordinates in the range in which their products can be represented.",
        affects=[
            Constant("point", "box", "circle", "line", "lseg", "path", "polygon", text=FAR),
            *(
                Call("point", "box", "circle", "line", "lseg", where={number: f"'?{FAR}"})
                for number in (1, 2)
            ),
            Unseen("it depends on the computed values"),
        ],
    ),
    Row(
        "12.7",
        "geometric-nan-equal",
        "SELECT point '(NaN,1)' ~= point '(NaN,1)'",
        False,
        True,
        title="~= finds a point with NaN to be the same as itself",
        remedy="Check for NaN first.",
    ),
    Row(
        "12.7",
        "line-of-one-point",
        "SELECT line(point '(0,0)', point '(0,0)')::text",
        expect={"<9.4": NotYet("0A000"), "9.4..11": "{-1,0,0}", ">=12": "22023"},
        title="line() refuses two equal points",
        remedy="Compare the points first.",
        note="9.3 doesn't implement the type line.",
    ),
    Row(
        "12.7",
        "nearest-point-on-nan-line",
        "SELECT (point '(0,0)' ## line '{NaN,NaN,NaN}')::text",
        expect={"<9.4": NotYet("0A000"), "9.4..9.5": "(nan,nan)", "9.6..11": "(NaN,NaN)", ">=12": None},
        since="12",
        title="The nearest point on a line of NaN is NULL",
        remedy="Check for NULL, too.",
        note="From 9.6 on, NaN is spelled as in other types.",
    ),
    area="types",
    manual="functions-geometry",
)

# --- 12.20, 12.21 The type name ----------------------------------------------------------------------------

rows(
    Row(
        "12.20",
        "name-collation",
        "SELECT COLLATION FOR ('a'::name)",
        "42804",
        '"C"',
        title='The type name has a collation, "C"',
        area="types",
        manual="datatype-character",
        remedy="Cast to text, and add COLLATE, where you need another order or character classes.",
        remedied=Remedied(
            """SELECT COLLATION FOR ('a'::name::text COLLATE "default")""", {"all": '"default"'}
        ),
        affects=[
            Call("~", "~*", "!~", "!~*", types={1: ("name",)}, may=CLASSES),
            Call(
                *("~", "~*", "!~", "!~*"),
                where={1: rf"(.* \. )?({NAMES})", 2: r"'.*'|\$\d+|similar_to_escape.*"},
                types={1: ("name", None)},
                may=CLASSES,
            ),
        ],
    ),
    Row(
        "12.21",
        "information-schema-names",
        "SELECT data_type, collation_name FROM information_schema.domains WHERE domain_name = 'sql_identifier'",
        ["character varying", None],
        ["name", "C"],
        title='Names in information_schema are of type name, with collation "C"',
        area="catalogs",
        manual="infoschema-datatypes",
        remedy='Add COLLATE "default" where you sort or compare them.',
        affects=[
            ParseNode(
                "SelectStmt",
                fromClause="information_schema",
                sortClause=OBJECTS,
                may="names have the collation C",
            ),
            ParseNode(
                "A_Expr",
                name="^[<>]=?$",
                lexpr=rf"^(.* \. )?{OBJECTS}$",
                beside=ParseNode("RangeVar", schemaname="^information_schema$"),
                may="names have the collation C",
            ),
        ],
    ),
    Row(
        "12.21",
        "information-schema-name-order",
        "SELECT COLLATION FOR (table_name) FROM information_schema.tables LIMIT 1",
        '"default"',
        '"C"',
        title="Names in information_schema sort by collation C, not by the database's",
        area="catalogs",
        manual="infoschema-datatypes",
        remedy='Add COLLATE "default".',
        remedied='SELECT COLLATION FOR (table_name::text COLLATE "default") FROM information_schema.tables LIMIT 1',
    ),
)
