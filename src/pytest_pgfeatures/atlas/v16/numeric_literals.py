"""Numeric literals: section 4.2.3 of the PostgreSQL 16 verification report.

Up to 14, a number ends with its last digit, and the next character begins a new word: ``SELECT 0x1F`` is 0 in
a column named x1f. 15 refuses a word directly after a number; 16 reads the literal.
"""

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import RefusedWith

SOURCE = "PostgreSQL 16 verification report, 4.2.3"
NON_DECIMAL = "sql-syntax-lexical#SQL-SYNTAX-CONSTANTS-NUMERIC"
INTEGERS = "datatype-numeric"


def read(lab, *literals):
    """Run ``SELECT literal``. Return the value and type, and the column's name if it has one."""
    readings = {}
    for literal in literals:
        query = (
            f"SELECT (SELECT {literal})::text, pg_typeof((SELECT {literal}))::text,\n"
            f"       json_object_keys(row_to_json(t)) FROM (SELECT {literal}) t"
        )
        readings[literal] = lab.sqlstate(query) or described(*lab.sql(query)[0])
    return readings


def described(value, type, column):
    return f"{value} {type}" if column == "?column?" else f"{value} {type} AS {column}"


def refused(*literals, sqlstate="42601"):
    """Return the expectation that all of these are refused."""
    return dict.fromkeys(literals, sqlstate)


# --- Integers that are not decimal -------------------------------------------------------------------------


@behavior(
    "16/hexadecimal-literals",
    title="0x begins a hexadecimal integer literal",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="16",
    isolation="transaction",
    expect={
        "<15": {
            "0x1F": "0 integer AS x1f",
            "0Xff": "0 integer AS xff",
            "-0xFF": "0 integer AS xff",
            "+0x1F": "0 integer AS x1f",
        },
        "15": refused("0x1F", "0Xff", "-0xFF", "+0x1F"),
        ">=16": {
            "0x1F": "31 integer",
            "0Xff": "255 integer",
            "-0xFF": "-255 integer",
            "+0x1F": "31 integer",
        },
    },
)
def hexadecimal_literals(lab):
    return read(lab, "0x1F", "0Xff", "-0xFF", "+0x1F")


@behavior(
    "16/octal-literals",
    title="0o begins an octal integer literal",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="16",
    isolation="transaction",
    expect={
        "<15": {"0o17": "0 integer AS o17", "0O17": "0 integer AS o17", "-0o17": "0 integer AS o17"},
        "15": refused("0o17", "0O17", "-0o17"),
        ">=16": {"0o17": "15 integer", "0O17": "15 integer", "-0o17": "-15 integer"},
    },
)
def octal_literals(lab):
    return read(lab, "0o17", "0O17", "-0o17")


@behavior(
    "16/binary-literals",
    title="0b begins a binary integer literal",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="16",
    isolation="transaction",
    expect={
        "<15": {"0b101": "0 integer AS b101", "0B101": "0 integer AS b101", "-0b101": "0 integer AS b101"},
        "15": refused("0b101", "0B101", "-0b101"),
        ">=16": {"0b101": "5 integer", "0B101": "5 integer", "-0b101": "-5 integer"},
    },
)
def binary_literals(lab):
    return read(lab, "0b101", "0B101", "-0b101")


PROMOTED = {
    "0x7FFFFFFF": "2147483647 integer",
    "0x80000000": "2147483648 bigint",
    "-0x80000000": "-2147483648 integer",
    "0x7FFFFFFFFFFFFFFF": "9223372036854775807 bigint",
    "0x8000000000000000": "9223372036854775808 numeric",
    "-0x8000000000000000": "-9223372036854775808 bigint",
    "0xFFFFFFFFFFFFFFFFFFFF": "1208925819614629174706175 numeric",
    "0o17777777777": "2147483647 integer",
    "0o20000000000": "2147483648 bigint",
    "0o1000000000000000000000": "9223372036854775808 numeric",
    "0b" + "1" * 31: "2147483647 integer",
    "0b1" + "0" * 31: "2147483648 bigint",
    "0b1" + "0" * 63: "9223372036854775808 numeric",
}


@behavior(
    "16/non-decimal-literal-types",
    title="A literal of any base is an integer if it fits, else a bigint, else a numeric",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="16",
    isolation="transaction",
    expect={
        "<15": {literal: f"0 integer AS {literal.lstrip('-')[1:].lower()[:63]}" for literal in PROMOTED},
        "15": refused(*PROMOTED),
        ">=16": PROMOTED,
    },
)
def non_decimal_literal_types(lab):
    return read(lab, *PROMOTED)


@behavior(
    "15/non-decimal-literal-errors",
    title="A literal without digits, or with a digit outside its base, is a syntax error",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="15",
    isolation="transaction",
    expect={
        "<15": {
            "0x": "0 integer AS x",
            "0b2": "0 integer AS b2",
            "0o8": "0 integer AS o8",
            "0xG": "0 integer AS xg",
            "0x1G": "0 integer AS x1g",
        },
        ">=15": refused("0x", "0b2", "0o8", "0xG", "0x1G"),
    },
)
def non_decimal_literal_errors(lab):
    return read(lab, "0x", "0b2", "0o8", "0xG", "0x1G")


@behavior(
    "15/number-and-name",
    title="A name must not directly follow a number",
    area="sql",
    source=SOURCE,
    release_note="15.10",
    kind="incompatibility",
    manual="release-15",
    isolation="transaction",
    expect={
        "<15": {"123abc": "123 integer AS abc", "1.5e": "1.5 numeric AS e", "123 abc": "123 integer AS abc"},
        ">=15": {"123abc": "42601", "1.5e": "42601", "123 abc": "123 integer AS abc"},
    },
    remedy="Put a space or AS between a number and the column's name.",
    note="This made room for the literals of 16: up to 14, both of the report's forms mean something else.",
    affects=RefusedWith("42601", "trailing junk after (numeric literal|parameter)(?!.*of jsonpath)"),
)
def number_and_name(lab):
    return read(lab, "123abc", "1.5e", "123 abc")


# --- Underscores between digits ----------------------------------------------------------------------------


@behavior(
    "16/digit-separators",
    title="An underscore between two digits of a literal is ignored",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="16",
    isolation="transaction",
    expect={
        "<15": {
            "1_000_000": "1 integer AS _000_000",
            "-1_000": "-1 integer AS _000",
            "1_0000_0": "1 integer AS _0000_0",
            "0x_1F": "0 integer AS x_1f",
            "0b1010_1010": "0 integer AS b1010_1010",
        },
        "15": refused("1_000_000", "-1_000", "1_0000_0", "0x_1F", "0b1010_1010"),
        ">=16": {
            "1_000_000": "1000000 integer",
            "-1_000": "-1000 integer",
            "1_0000_0": "100000 integer",
            "0x_1F": "31 integer",
            "0b1010_1010": "170 integer",
        },
    },
    note="The underscore may be at any place, not only before each third digit; in other bases also after"
    " the prefix.",
)
def digit_separators(lab):
    return read(lab, "1_000_000", "-1_000", "1_0000_0", "0x_1F", "0b1010_1010")


@behavior(
    "16/digit-separators-numeric",
    title="An underscore may be between digits of a fraction and of an exponent",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="16",
    isolation="transaction",
    expect={
        "<15": {
            "1_500_000.000_5": "42601",
            ".000_5": "0.000 numeric AS _5",
            "1_000e1_0": "1 integer AS _000e1_0",
        },
        "15": refused("1_500_000.000_5", ".000_5", "1_000e1_0"),
        ">=16": {
            "1_500_000.000_5": "1500000.0005 numeric",
            ".000_5": "0.0005 numeric",
            "1_000e1_0": "10000000000000 numeric",
        },
    },
)
def digit_separators_numeric(lab):
    return read(lab, "1_500_000.000_5", ".000_5", "1_000e1_0")


@behavior(
    "15/digit-separator-errors",
    title="An underscore is refused at the end, next to another one, and next to a decimal point",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="15",
    isolation="transaction",
    expect={
        "<15": {
            "100_": "100 integer AS _",
            "1__0": "1 integer AS __0",
            "1_000_": "1 integer AS _000_",
            "1._5": "1 numeric AS _5",
            "_100": "42703",
        },
        ">=15": {**refused("100_", "1__0", "1_000_", "1._5"), "_100": "42703"},
    },
    note="With an underscore at the beginning it is a name: there is no column _100.",
)
def digit_separator_errors(lab):
    return read(lab, "100_", "1__0", "1_000_", "1._5", "_100")


@behavior(
    "16/digit-separators-plpgsql",
    title="PL/pgSQL reads the same literals",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    since="16",
    isolation="transaction",
    expect={"<15": 1, "15": "42601", ">=16": 55},
    note="The sum of a loop over 1..1_0. Up to 14 it ends after 1, without an error.",
)
def digit_separators_plpgsql(lab):
    create = """
        CREATE FUNCTION total() RETURNS int LANGUAGE plpgsql AS
        $$ DECLARE total int := 0;
           BEGIN FOR i IN 1..1_0 LOOP total := total + i; END LOOP; RETURN total; END $$
    """
    return lab.sqlstate(create) or lab.value("SELECT total()")


# --- The same forms in text --------------------------------------------------------------------------------

TEXTS = {
    "'0x1F'::smallint": 31,
    "'0x1F'::int": 31,
    "'0x1F'::bigint": 31,
    "'-0o17'::int": -15,
    "'0b101'::int": 5,
    "'1_000'::int": 1000,
    "'0x1F'::numeric::int": 31,
    "'1_000'::numeric::int": 1000,
}


@behavior(
    "16/integer-text-input",
    title="The input of integer types and numeric takes the same forms",
    area="sql",
    source=SOURCE,
    manual=NON_DECIMAL,
    isolation="transaction",
    expect={"<16": refused(*TEXTS, sqlstate="22P02"), ">=16": TEXTS},
)
def integer_text_input(lab):
    return {text: lab.value_or_sqlstate(f"SELECT {text}") for text in TEXTS}


@behavior(
    "16/integer-text-input-errors",
    title="The input of integer refuses text that is too large or malformed, in any base",
    area="sql",
    source=SOURCE,
    manual=INTEGERS,
    isolation="transaction",
    expect={
        "<16": {"0x80000000": "22P02", "1__0": "22P02", "_1": "22P02", "0x": "22P02"},
        ">=16": {"0x80000000": "22003", "1__0": "22P02", "_1": "22P02", "0x": "22P02"},
    },
)
def integer_text_input_errors(lab):
    return {text: lab.sqlstate(f"SELECT '{text}'::int") for text in ("0x80000000", "1__0", "_1", "0x")}


@behavior(
    "16/float-text-input",
    title="double precision has always read hexadecimal text, and never underscores",
    area="sql",
    source=SOURCE,
    manual=INTEGERS,
    isolation="transaction",
    expect={"all": {"0x1F": 31, "0b101": "22P02", "1_000": "22P02"}},
    note="The C library reads it.",
)
def float_text_input(lab):
    return {
        text: lab.value_or_sqlstate(f"SELECT '{text}'::float8::int") for text in ("0x1F", "0b101", "1_000")
    }


@behavior(
    "16/jsonpath-literals",
    title="A JSON path may have the same literals; JSON itself may not",
    area="sql",
    source=SOURCE,
    manual="datatype-json#DATATYPE-JSONPATH",
    isolation="transaction",
    expect={
        "<12": {"0x1F": "42704", "1_000": "42704", "json 0x1F": "22P02"},
        "12..15": {"0x1F": "42601", "1_000": "42601", "json 0x1F": "22P02"},
        ">=16": {"0x1F": "31", "1_000": "1000", "json 0x1F": "22P02"},
    },
    since="16",
    note="There are no JSON paths before 12.",
)
def jsonpath_literals(lab):
    return {
        "0x1F": lab.value_or_sqlstate("SELECT '0x1F'::jsonpath::text"),
        "1_000": lab.value_or_sqlstate("SELECT '1_000'::jsonpath::text"),
        "json 0x1F": lab.sqlstate("SELECT '0x1F'::json"),
    }
