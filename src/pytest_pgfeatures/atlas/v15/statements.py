"""SQL that behaves differently in 15: numbers, intervals, JSON paths, bytes, names, views, operators."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import (
    Call,
    Constant,
    ParseNode,
    RefusedWith,
    ResultOf,
    SettingUsed,
)
from pytest_pgfeatures.atlas.patterns import constants_of_type, of_type

NUMBER_MEMBER = r".*(?<![\w.\"])\d+\.[a-z]\w*\s*\(.*"
"""A JSON path with a method directly after a number: 1.type()."""
JSON_PATH_FUNCTIONS = (
    "jsonb_path_exists", "jsonb_path_match", "jsonb_path_query", "jsonb_path_query_array", "jsonb_path_query_first"
)  # fmt: skip
FRACTION = (
    r".*\d*\.(?!(25|5|75)?0*\s*[a-z])\d+\s*"
    r"(years?|yrs?|y|decades?|decs?|centur(y|ies)|cent|c|millenni(um|a)|mils?|mil)\b.*"
)
"""An interval with a fraction of years or a larger unit, unless that is certainly a whole number of months."""
UNDECLARED = (
    r"plpgsql\.(?!(variable_conflict|print_strict_params|check_asserts|extra_warnings|extra_errors)$).*"
    r"|pg_stat_statements\.(?!(max|track|track_utility|track_planning|save)$).*|postgres_fdw\.(?!application_name$).*"
    r"|auto_explain\.(?!(log_(analyze|buffers|extension_options|format|io|level|min_duration|nested_statements"
    r"|parameter_max_length|settings|timing|triggers|verbose|wal)|sample_rate)$).*"
    r"|pg_trgm\.(?!(word_|strict_word_)?similarity_threshold$).*"
    r"|pg_prewarm\.(?!(autoprewarm|autoprewarm_interval)$).*|auth_delay\.(?!milliseconds$).*"
    r"|basic_archive\.(?!archive_directory$).*"
)
"""Settings with an extension's prefix that the extension doesn't define."""

rows(
    Row(
        "15.6",
        "array-to-tsvector-empty",
        "SELECT array_to_tsvector(ARRAY['a', ''])",
        expect={"<9.6": NotYet("42883"), "9.6..14.23": "'' 'a'", ">=14.24": "2200F"},
        since=("15", "14.24"),
        title="array_to_tsvector refuses an empty string",
        remedy="Remove empty strings, array_remove(words, ''), and recompute stored vectors.",
        remedied=Remedied(
            "SELECT array_to_tsvector(array_remove(ARRAY['a', ''], ''))",
            {"<9.6": NotYet("42883"), ">=9.6": "'a'"},
        ),
        note="array_to_tsvector came with 9.6.",
        affects=Call(
            "array_to_tsvector",
            where={1: r"(?!array_remove|array_replace|a_arrayexpr( '[^']+')+$).*"},
            may="if an element is empty",
        ),
    ),
    Row(
        "15.7",
        "chr-negative",
        "SELECT chr(-1)",
        before="54000",
        after="22023",
        title="chr refuses a negative number with another error",
        remedy="Test the number first, or catch both errors.",
        note="In a UTF8 database, older majors refuse it as too large. In databases of other encodings,"
        " they return a character.",
        affects=[
            Call("chr", where={1: r"-.*|\( -.*|'-.*"}),
            Call("chr", where={1: r"(?!-|\( -|'-).*-.*"}, may="if the number is negative"),
        ],
    ),
    Row(
        "15.24",
        "random-sequence",
        "SELECT random()::text",
        setup="SELECT setseed(0.5)",
        expect={"<12": "0.798512778244913", "12..14": "0.2499104186659835", ">=15": "0.9851677175347999"},
        title="random returns other numbers for the same seed",
        remedy="Don't rely on the numbers: generate test data with generate_series, or store the numbers.",
        note="The numbers changed in 12, too, when random stopped using the C library's generator.",
        affects=Call("setseed", may="random() then returns other numbers"),
    ),
    area="functions",
)

rows(
    Row(
        "15.11",
        "jsonpath-number-member",
        "SELECT '1.type()'::jsonpath::text",
        expect={"<12": NotYet("42704"), "12..14": "1.type()", ">=15": "42601"},
        title="A JSON path must not have a method directly after a number",
        remedy="Write (1).type().",
        remedied=Remedied(
            "SELECT jsonb_path_query('null', '(1).type()')::text",
            {"<12": NotYet("42883"), ">=12": '"number"'},
        ),
        affects=[
            Constant("jsonpath", text=NUMBER_MEMBER),
            Call(*JSON_PATH_FUNCTIONS, "@?", "@@", where={2: f"'{NUMBER_MEMBER}'"}),
        ],
    ),
    Row(
        "15.11",
        "jsonpath-number-forms",
        "SELECT '.1'::jsonpath::text, '1.'::jsonpath::text",
        expect={"<12": NotYet("42704"), "12..14": NotYet("42601"), ">=15": ["0.1", "1"]},
        kind="feature",
        title="A number in a JSON path may begin or end with the decimal point",
    ),
    Row(
        "15.12",
        "interval-fraction-rounds",
        "SELECT '1.99 years'::interval::text, '0.29 decades'::interval::text, '1.05 years'::interval::text",
        before=["1 year 11 mons", "2 years 10 mons", "1 year"],
        after=["2 years", "2 years 11 mons", "1 year 1 mon"],
        title="A fraction of years or larger units is rounded to the nearest month",
        remedy="Write whole months.",
        remedied=Remedied("SELECT '23 months'::interval::text", {"all": "1 year 11 mons"}),
        affects=[
            Constant("interval", text=FRACTION, value=True),
            Constant(
                "interval", text=FRACTION, value=True, may="if the fraction is no whole number of months"
            ),
            ResultOf("interval"),
        ],
    ),
    Row(
        "15.13",
        "interval-field-point",
        "SELECT '1. day'::interval::text",
        expect={"<15": NotYet("22007"), ">=15": "1 day"},
        kind="feature",
        title="A field of an interval may end with a decimal point",
        affects=constants_of_type(
            "interval", r".*\d\.\s*[a-z].*", may="it is no longer an error", refused="22007"
        ),
    ),
    Row(
        "15.15",
        "justify-overflow",
        "SELECT justify_hours('2147483647 days 24 hours'::interval)::text",
        before="-2147483648 days",
        after="22008",
        title="justify_hours, justify_days and justify_interval report an overflow",
        remedy="Check extreme intervals first, or catch error 22008.",
        affects=Call(
            "justify_interval",
            "justify_hours",
            "justify_days",
            where={1: r".*\d{7}.*"},
            may="if the interval is too long",
        ),
    ),
    Row(
        "15.16",
        "char-high-bit",
        'SELECT octet_length((-56)::"char"::text)',
        before=1,
        after=4,
        title='The type "char" writes a byte above 127 as a backslash and three octal digits',
        remedy="Read such bytes with charsend, which gives them as bytea, or store them as bytea.",
        remedied=Remedied("SELECT encode(charsend((-56)::\"char\"), 'hex')", {"all": "c8"}),
        affects=[
            of_type("char", may="if it holds bytes above 127"),
            Constant('"char"', text=r"\\[0-7]{3}"),
            ResultOf('"char"', text=True),
        ],
    ),
    Row(
        "15.x4",
        "numeric-scale",
        "SELECT 12.34::numeric(3, -1)::text, 0.0012::numeric(2, 4)::text",
        before="22023",
        after=["10", "0.0012"],
        title="The scale of numeric may be negative, or larger than its precision",
        remedy="Check the scale yourself if a definition must not have such a scale.",
        affects=[
            RefusedWith("22023", "NUMERIC scale .* must be between 0 and precision"),
        ],
    ),
    area="types",
)

rows(
    Row(
        "15.9",
        "zero-length-unicode-identifier",
        'SELECT 1 AS U&""',
        expect={"all": "42601"},
        kind="feature",
        since="15",
        title="A Unicode identifier of length zero is refused",
        note="The release notes say that older majors accept it. Their newest minor releases refuse it.",
    ),
    Row(
        "15.8",
        "replace-view-collation",
        "CREATE OR REPLACE VIEW titles AS SELECT 'a'::text COLLATE \"POSIX\" AS title",
        setup="CREATE VIEW titles AS SELECT 'a'::text COLLATE \"C\" AS title",
        before=None,
        after="42P16",
        title="CREATE OR REPLACE VIEW must not change a column's collation",
        remedy="Drop the view and create it again.",
        remedied="DROP VIEW titles; CREATE VIEW titles AS SELECT 'a'::text COLLATE \"POSIX\" AS title",
        note="Older majors took the statement and kept the old collation in the catalog.",
        affects=RefusedWith("42P16", "cannot change collation of view column"),
    ),
    Row(
        "15.14",
        "index-on-interval-text",
        "CREATE INDEX ON stays ((duration::text))",
        setup="CREATE TABLE stays (duration interval)",
        before=None,
        after="42P17",
        title="The cast from interval to text is stable, not immutable, so that an index can't use it",
        remedy="Index a number instead: extract(epoch FROM duration).",
        remedied="CREATE INDEX ON stays ((extract(epoch FROM duration)))",
        affects=RefusedWith("42P17", "must be marked IMMUTABLE|generation expression is not immutable"),
    ),
    Row(
        "15.x5",
        "drop-attribute-under-view",
        "ALTER TYPE pair DROP ATTRIBUTE b",
        setup=(
            "CREATE TYPE pair AS (a int, b int);"
            "CREATE FUNCTION pairs() RETURNS SETOF pair LANGUAGE sql AS 'SELECT 1, 2';"
            "CREATE VIEW of_pairs AS SELECT * FROM pairs()"
        ),
        before=None,
        after="2BP01",
        title="An attribute of a composite type can't be dropped while a view uses it",
        remedy="Drop the view first, or write CASCADE.",
        remedied="DROP VIEW of_pairs; ALTER TYPE pair DROP ATTRIBUTE IF EXISTS b",
        note="Older majors dropped it; reading the view failed from then on.",
        affects=RefusedWith("2BP01", "cannot drop column .* because other objects depend on it"),
    ),
    Row(
        "15.20",
        "explain-temporary-schema",
        lambda lab: "pg_temp." in str(lab.sql("EXPLAIN (VERBOSE, COSTS OFF) TABLE mine")[0][0]),
        setup="CREATE TEMP TABLE mine (a int)",
        before=False,
        after=True,
        title="EXPLAIN VERBOSE calls the session's own temporary schema pg_temp",
        remedy="In plans that tests compare, replace pg_temp_3 by pg_temp.",
        note="Older majors show the schema's real name, which has the session's number: pg_temp_3.",
        affects=[
            ParseNode(
                "ExplainStmt",
                options="verbose",
                query=name,
                may="if the plan's text is compared",
            )
            for name in (r"\bpg_temp\b", "<temporary>")
        ],
    ),
    Row(
        "15.22",
        "reserved-prefix",
        "SET plpgsql.favorite_color = 'blue'",
        setup="DO $$ BEGIN END $$",
        before=None,
        after="42602",
        title="A setting with a loaded extension's prefix must be one that the extension defines",
        remedy="Use a prefix of your own.",
        remedied="SET myapp.favorite_color = 'blue'",
        affects=SettingUsed(UNDECLARED, value=".*"),
    ),
    area="sql",
)

_OPERATORS = (
    # name, statement, expectation (in older majors, operators that were declared and never implemented), evidence
    (
        "center-of-path",
        "SELECT @@ '[(0,0),(1,1)]'::path",
        {"<15": "0A000", ">=15": "42883"},
        RefusedWith("42883", "operator does not exist: @@ path"),
    ),
    (
        "path-to-point",
        "SELECT '[(0,0),(1,1)]'::path::point",
        {"<15": "0A000", ">=15": "42846"},
        RefusedWith("42846", "cannot cast type path to point"),
    ),
    (
        "line-nearest-box",
        "SELECT '{1,1,1}'::line ## '(1,1),(0,0)'::box",
        {"<15": "0A000", ">=15": "42883"},
        RefusedWith("42883", "operator does not exist: (line (##|<->) box|box <-> line)"),
    ),
    (
        "lseg-nearest-line",
        "SELECT '[(0,0),(1,1)]'::lseg ## '{1,1,1}'::line",
        {"<15": "0A000", ">=15": "42883"},
        RefusedWith("42883", "operator does not exist: lseg ## line"),
    ),
)

rows(
    *(
        Row(
            "15.x7",
            name,
            statement,
            expect=expect,
            title=f"A geometric operation that never worked is gone: {statement.removeprefix('SELECT ')}",
            remedy="Stop using it: it never returned a value. Catch error 42883 where 0A000 was caught.",
            affects=affects,
        )
        for name, statement, expect, affects in _OPERATORS
    ),
    area="types",
)
