"""SQL that behaves differently in 17."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import Call, Column, ParseNode
from pytest_pgfeatures.atlas.patterns import constants_of_type, defined, function_syntax

UNIT_TWICE = (
    r"(?!.*\bago\b).*(?<![a-z])(years?|yrs?|mon(th)?s?|weeks?|days?|hours?|hrs?|min(ute)?s?|sec(ond)?s?)\s+"
    r"(years?|yrs?|mon(th)?s?|weeks?|days?|hours?|hrs?|min(ute)?s?|sec(ond)?s?)\b.*"
)
"""An interval with a unit that has no number."""
SLRU = "CommitTs|MultiXactMember|MultiXactOffset|Notify|Serial|Subtrans|Xact"
LOOKUP = """
    CREATE TABLE cities (name text); CREATE TABLE prefixes (prefix text); INSERT INTO prefixes VALUES ('x');
    INSERT INTO cities VALUES ('Rome');
    CREATE FUNCTION prefixed(text) RETURNS text IMMUTABLE LANGUAGE plpgsql
        AS $$ BEGIN RETURN (SELECT prefix || $1 FROM prefixes); END $$
"""

rows(
    Row(
        "17.1",
        "index-safe-search-path",
        "CREATE INDEX ON cities (prefixed(name))",
        setup=LOOKUP,
        before=None,
        after="42P01",
        title="Functions of an index run with only pg_catalog and pg_temp in search_path",
        remedy="Use ALTER FUNCTION ... SET search_path, or write the schema before each name in the"
        " function.",
        remedied=(
            "ALTER FUNCTION prefixed(text) SET search_path = public; CREATE INDEX ON cities (prefixed(name))"
        ),
        affects=[
            ParseNode("FuncCall", within=("IndexStmt",), funcname="<path-function>"),
            ParseNode("FuncCall", within=("Constraint",), funcname="<path-function>"),
        ],
    ),
    Row(
        "17.1",
        "refresh-safe-search-path",
        "REFRESH MATERIALIZED VIEW labels",
        setup=LOOKUP + "; CREATE MATERIALIZED VIEW labels AS SELECT prefixed(name) FROM cities WITH NO DATA",
        before=None,
        after="42P01",
        title="REFRESH MATERIALIZED VIEW runs with only pg_catalog and pg_temp in search_path",
        remedy="Use ALTER FUNCTION ... SET search_path, or write the schema before each name in the"
        " function.",
        remedied="ALTER FUNCTION prefixed(text) SET search_path = public; REFRESH MATERIALIZED VIEW labels",
        affects=ParseNode("CreateTableAsStmt", objtype="MATVIEW", query="<path-function>"),
    ),
    Row(
        "17.1",
        "analyze-safe-search-path",
        "ANALYZE cities",
        setup=LOOKUP
        + """;
            DO $$ BEGIN
                ALTER FUNCTION prefixed(text) SET search_path = public;
                CREATE INDEX ON cities (prefixed(name));
                ALTER FUNCTION prefixed(text) RESET search_path;
            END $$""",
        before=None,
        after="42P01",
        title="ANALYZE runs functions of indexes with only pg_catalog and pg_temp in search_path",
        remedy="Use ALTER FUNCTION ... SET search_path, or write the schema before each name in the"
        " function.",
        remedied="ALTER FUNCTION prefixed(text) SET search_path = public; ANALYZE cities",
        note="So an index that pg_upgrade transferred causes no error until the first ANALYZE.",
    ),
    area="functions",
)

rows(
    Row(
        "17.2",
        "interval-ago",
        "SELECT '1 day ago 2 hours'::interval::text",
        before="-1 days -02:00:00",
        after="22007",
        title="ago is allowed only at the end of an interval",
        remedy="Move ago to the end.",
        remedied="SELECT '1 day 2 hours ago'::interval::text",
        affects=constants_of_type("interval", r".*\d\s*[a-z]+\s+ago\b\s*\S.*", refused="22007"),
    ),
    Row(
        "17.2",
        "interval-unit-twice",
        "SELECT '1 day day'::interval::text",
        before="1 day",
        after="22007",
        title="A unit of an interval needs a number",
        remedy="Remove the second unit.",
        remedied="SELECT '1 day'::interval::text",
        affects=constants_of_type("interval", UNIT_TWICE, refused="22007"),
    ),
    area="types",
)

rows(
    Row(
        "17.8",
        "walfile-name-at-boundary",
        "SELECT pg_walfile_name('0/2000000')",
        expect={
            "<10": NotYet("42883"),
            "10..16": "000000010000000000000001",
            ">=17": "000000010000000000000002",
        },
        since="17",
        title="pg_walfile_name at the first byte of a segment names that segment, not the one before",
        remedy="Subtract one byte from the position to get the completed segment.",
        remedied=Remedied(
            "SELECT pg_walfile_name('0/1FFFFFF')",
            {"<10": NotYet("42883"), ">=10": "000000010000000000000001"},
        ),
        note="Up to 9.6 the function is pg_xlogfile_name, with the same result as in 10.",
        affects=Call(
            "pg_walfile_name",
            "pg_walfile_name_offset",
            where={1: "(?!.*- 1$).*"},
            may="at the first byte of a segment",
        ),
    ),
    Row(
        "17.14",
        "statistics-target-null",
        "SELECT attstattarget FROM pg_attribute WHERE attrelid = 'pg_class'::regclass AND attname = 'relname'",
        before=-1,
        after=None,
        title="The default statistics target is NULL in pg_attribute, not -1",
        remedy="Read coalesce(attstattarget, -1)",
        remedied=(
            "SELECT coalesce(attstattarget, -1) FROM pg_attribute"
            " WHERE attrelid = 'pg_class'::regclass AND attname = 'relname'"
        ),
        affects=[
            Column("pg_attribute", "attstattarget", value="-1"),
            ParseNode(
                "A_Expr", lexpr="attstattarget$", name="^(<|<=|<>)$", rexpr="^0$", may="if that selects -1"
            ),
        ],
    ),
    Row(
        "17.14",
        "extended-statistics-target-null",
        "SELECT stxstattarget FROM pg_statistic_ext",
        setup="CREATE TABLE pairs (a int, b int);"
        " DO $$ BEGIN EXECUTE 'CREATE STATISTICS of_pairs ON a, b FROM pairs';"
        " EXCEPTION WHEN syntax_error THEN END $$",
        expect={"<10": NotYet("42P01"), "10..12": NotYet("42703"), "13..16": -1, ">=17": None},
        since="17",
        title="The default statistics target is NULL in pg_statistic_ext, not -1",
        remedy="Read coalesce(stxstattarget, -1)",
        remedied=Remedied(
            "SELECT coalesce(stxstattarget, -1) FROM pg_statistic_ext",
            {"<10": NotYet("42P01"), "10..12": NotYet("42703"), ">=13": -1},
        ),
        affects=[
            Column("pg_statistic_ext", "stxstattarget", value="-1"),
            ParseNode(
                "A_Expr", lexpr="stxstattarget$", name="^(<|<=|<>)$", rexpr="^0$", may="if that selects -1"
            ),
        ],
    ),
    Row(
        "17.17",
        "slru-names",
        "SELECT array_agg(name ORDER BY name COLLATE \"C\") FROM pg_stat_slru WHERE name <> 'other'",
        expect={
            "<13": NotYet("42P01"),
            "13..16": [
                "CommitTs",
                "MultiXactMember",
                "MultiXactOffset",
                "Notify",
                "Serial",
                "Subtrans",
                "Xact",
            ],
            ">=17": [
                "commit_timestamp",
                "multixact_member",
                "multixact_offset",
                "notify",
                "serializable",
                "subtransaction",
                "transaction",
            ],
        },
        since="17",
        title="The caches in pg_stat_slru are renamed",
        remedy="Change the names in queries, and in calls of pg_stat_reset_slru, which accepts any name.",
        affects=[
            Column("pg_stat_slru", "name", value=f"(?-i:{SLRU})"),
            Call("pg_stat_reset_slru", where={1: f"'(?-i:{SLRU})'"}),
        ],
    ),
    area="monitoring",
)

rows(
    *(
        function_syntax("17", name, release_note="17.x4")
        for name in (
            "json",
            "json_exists",
            "json_query",
            "json_scalar",
            "json_serialize",
            "json_table",
            "merge_action",
        )
    ),
    function_syntax("17", "json_value", release_note="17.x4", affects=defined("json_value")),
    Row(
        "17.x4",
        "json-value-call",
        "SELECT json_value('{\"a\": 1}', '$.a')",
        setup="CREATE FUNCTION public.json_value(json, text) RETURNS text LANGUAGE sql AS $$SELECT 'mine'::text$$",
        before="mine",
        after="1",
        title="A call of json_value without a schema is SQL/JSON syntax",
        remedy="Write the schema before the name: public.json_value(...).",
        remedied="SELECT public.json_value('{\"a\": 1}', '$.a')",
        affects=Call("json_value", own=True),
    ),
    area="sql",
)
