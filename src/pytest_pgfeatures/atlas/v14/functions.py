"""Functions whose results PostgreSQL 14 changed: text search, EXTRACT, numbers, regular expressions."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import Call, ParseNode, Unseen

TIME_UNIT = (
    "hour|hours|minute|minutes|second|seconds|millisecond|milliseconds|microsecond|microseconds|timezone.*"
)
"""Units that a date does not have."""
FRACTIONS = "second|seconds|epoch|millisecond|milliseconds"
"""Units with fractions."""
EXTRACTED = rf"extract \( '({FRACTIONS})' .* \)(?: [-+*/%] .*)?"
NEWLINES = r"(?-i:\(\?[a-z]*[nmp][a-z]*\).*\\[DW].*)"
"""A newline-sensitive regular expression with \\D or \\W."""
MATCHING = (
    *("regexp_matches", "regexp_match", "regexp_replace", "regexp_split_to_array", "regexp_split_to_table"),
    *("substring", "~", "~*", "!~", "!~*"),
)
CONSTRAINED = r".*\((?!\?)[^()]*([$]|(?<!\[)\^|\\[mMyY<>])[^()]*\).*\\[1-9].*"
"""A regular expression with a reference to a group that has a constraint."""

# --- 14.3, 14.4 Text search --------------------------------------------------------------------------------

VARIABLE = "[^']*"
"""A regular expression for an argument without a string constant."""

rows(
    Row(
        "14.3",
        "to-tsquery-parts",
        "SELECT to_tsquery('english', 'pg_class')::text",
        "'pg' & 'class'",
        "'pg' <-> 'class'",
        title="to_tsquery() requires the parts of a word to be adjacent",
        remedy="Write & between the parts where their order doesn't matter, and recompute stored queries.",
        remedied="SELECT to_tsquery('english', 'pg & class')::text",
        affects=[
            Call(
                "to_tsquery",
                args=1,
                where={1: r"'.*\w[_/.@-]\w.*'"},
                may="if a word consists of several parts",
            ),
            Call(
                "to_tsquery",
                args=2,
                where={2: r"'.*\w[_/.@-]\w.*'"},
                may="if a word consists of several parts",
            ),
            Call(
                "to_tsquery",
                args=1,
                where={1: VARIABLE},
                may="if a word of the text consists of several parts",
            ),
            Call(
                "to_tsquery",
                args=2,
                where={2: VARIABLE},
                may="if a word of the text consists of several parts",
            ),
        ],
    ),
    Row(
        "14.3",
        "websearch-to-tsquery-parts",
        """SELECT websearch_to_tsquery('simple', '"pg_class pg"')::text""",
        expect={
            "<11": NotYet("42883"),
            "11..13": "( 'pg' & 'class' ) <-> 'pg'",
            ">=14": "'pg' <-> 'class' <-> 'pg'",
        },
        since="14",
        title="In quotes, websearch_to_tsquery() requires the parts of a word to be adjacent",
        remedy="Recompute stored queries.",
        note="The function came with 11.",
        affects=[
            Call(
                "websearch_to_tsquery",
                args=1,
                where={1: r"'.*\w[_/.@-]\w.*'"},
                may="if a word consists of several parts",
            ),
            Call(
                "websearch_to_tsquery",
                args=2,
                where={2: r"'.*\w[_/.@-]\w.*'"},
                may="if a word consists of several parts",
            ),
            Call(
                "websearch_to_tsquery",
                args=1,
                where={1: VARIABLE},
                may="if a word of the text consists of several parts",
            ),
            Call(
                "websearch_to_tsquery",
                args=2,
                where={2: VARIABLE},
                may="if a word of the text consists of several parts",
            ),
        ],
    ),
    Row(
        "14.4",
        "websearch-to-tsquery-punctuation",
        """SELECT websearch_to_tsquery('english', '"aaa: bbb"')::text""",
        expect={"<11": NotYet("42883"), "11..13": "'aaa' <2> 'bbb'", ">=14": "'aaa' <-> 'bbb'"},
        since="14",
        title="In quotes, websearch_to_tsquery() counts punctuation with the space after it once",
        remedy="Recompute stored queries.",
        note="The function came with 11.",
        affects=[
            Call("websearch_to_tsquery", args=1, where={1: r"""'.*"[^"]*[^\w\s"]\s[^"]*".*'"""}),
            Call("websearch_to_tsquery", args=2, where={2: r"""'.*"[^"]*[^\w\s"]\s[^"]*".*'"""}),
        ],
    ),
    area="functions",
    manual="textsearch-controls#TEXTSEARCH-PARSING-QUERIES",
)

# --- 14.5 EXTRACT ------------------------------------------------------------------------------------------

rows(
    Row(
        "14.5",
        "extract-type",
        "SELECT pg_typeof(EXTRACT(epoch FROM now()))::text",
        "double precision",
        "numeric",
        title="EXTRACT returns numeric",
        remedy="Call date_part(), or cast to float8.",
        remedied="SELECT pg_typeof(date_part('epoch', now()))::text",
        affects=ParseNode(
            "FuncCall",
            funcname="^pg_catalog extract$",
            outside=("TypeCast", "NullTest", "SortBy", "FunctionParameter"),
            may="it is numeric, no longer double precision",
        ),
    ),
    Row(
        "14.5",
        "extract-seconds-text",
        "SELECT EXTRACT(second FROM interval '1.5 seconds')::text",
        "1.5",
        "1.500000",
        title="EXTRACT returns seconds with six decimal places",
        remedy="Cast to float8.",
        remedied="SELECT EXTRACT(second FROM interval '1.5 seconds')::float8::text",
        affects=[
            Call("text", "varchar", where={1: EXTRACTED}),
            ParseNode(
                "TypeCast",
                arg=f"^{EXTRACTED}$",
                typeName="^numeric$",
                outside=("FuncCall", "A_Expr", "TypeCast"),
                may="if its text is read",
            ),
        ],
    ),
    Row(
        "14.5",
        "extract-hour-of-date",
        "SELECT EXTRACT(hour FROM date '2020-01-01')::text",
        "0",
        "0A000",
        title="EXTRACT refuses hours, minutes and seconds of a date",
        remedy="Call date_part(), or cast the date to timestamp.",
        remedied="SELECT EXTRACT(hour FROM (date '2020-01-01')::timestamp)::text",
        affects=Call("extract", where={1: f"'({TIME_UNIT})'"}, types={2: ("date",)}),
    ),
    Row(
        "14.5",
        "extract-in-view",
        "SELECT data_type FROM information_schema.columns WHERE table_name = 'v'",
        "double precision",
        "numeric",
        setup="CREATE VIEW v AS SELECT EXTRACT(epoch FROM now()) AS e",
        title="A view's column that EXTRACT computes is numeric, not double precision",
        remedy="Cast in the view.",
        remedied="""
            CREATE VIEW w AS SELECT EXTRACT(epoch FROM now())::float8 AS e;
            SELECT data_type FROM information_schema.columns WHERE table_name = 'w'
        """,
        note="A view that pg_dump wrote from an older server calls date_part(), and keeps its type.",
    ),
    area="functions",
    manual="functions-datetime#FUNCTIONS-DATETIME-EXTRACT",
)

# --- 14.6, 14.8, 14.x4 Numbers -----------------------------------------------------------------------------

FAR = "[+-]?inf(inity)?"
"""A regular expression for infinite constants."""


def frames(bound: int, others: tuple[int, ...]) -> str:
    """A regular expression for the options of window frames BETWEEN in RANGE, with a bound and one of others at the
    other end (``nodes/parsenodes.h``)."""
    exclusions = (0, 0x8000, 0x10000, 0x20000)
    return "^(" + "|".join(str(0x13 | bound | other | no) for other in others for no in exclusions) + ")$"


STARTS_AFTER = frames(0x2000, (0x4000, 0x100))
"""N FOLLOWING AND N FOLLOWING, or AND UNBOUNDED FOLLOWING."""
ENDS_BEFORE = frames(0x1000, (0x800, 0x20))
"""N PRECEDING AND N PRECEDING, or UNBOUNDED PRECEDING AND it."""

rows(
    Row(
        "14.6",
        "var-samp-of-nan",
        "SELECT var_samp('NaN'::numeric)::text, stddev_samp('NaN'::numeric)::text",
        ["NaN", "NaN"],
        [None, None],
        title="var_samp() and stddev_samp() of one NaN of type numeric are NULL",
        manual="functions-aggregate",
        remedy="Write coalesce() where you need NaN.",
        remedied="SELECT coalesce(var_samp(a), 'NaN')::text, coalesce(stddev_samp(a), 'NaN')::text"
        " FROM (VALUES ('NaN'::numeric)) AS t (a)",
        note="double precision gives NULL on every version.",
        affects=[
            Call(
                "var_samp",
                "stddev_samp",
                "variance",
                "stddev",
                where={1: ".*'nan'.*"},
                may="if it takes a single value",
            ),
            Call(
                *("var_samp", "stddev_samp", "variance", "stddev"),
                types=("numeric",),
                may="if it takes a single value, which is NaN",
            ),
        ],
    ),
    Row(
        "14.8",
        "window-infinite-range",
        """
        SELECT count(*) OVER (ORDER BY x RANGE BETWEEN 'inf' FOLLOWING AND 'inf' FOLLOWING)
        FROM (VALUES (1::float8), (2), ('inf')) AS t (x)
        """,
        expect={"<11": NotYet("0A000"), "11..13": [0, 0, 0], ">=14": [1, 1, 1]},
        since="14",
        title="Window frames with an infinite offset include the rows with infinite values",
        manual="sql-expressions#SYNTAX-WINDOW-FUNCTIONS",
        remedy="Filter out infinite values where the frame must not include them.",
        note="Offsets in RANGE came with 11.",
        affects=[
            ParseNode("over", "WindowDef", startOffset=f"^'{FAR}'", frameOptions=STARTS_AFTER),
            ParseNode("over", "WindowDef", endOffset=f"^'{FAR}'", frameOptions=ENDS_BEFORE),
        ],
    ),
    Row(
        "14.x4",
        "float-by-infinity",
        "SELECT (42::float8 / 'Infinity'::float8)::text",
        "22003",
        "0",
        kind="feature",
        title="A floating-point number divided by infinity is 0",
        affects=Call("/", where={2: f"'{FAR}' :: (double|real)"}),
        manual="release-14",
        note="Up to 13, it is an underflow error.",
    ),
    Row(
        "14.x4",
        "nan-by-zero",
        "SELECT ('NaN'::float8 / 0::float8)::text",
        "22012",
        "NaN",
        kind="incompatibility",
        title="NaN divided by 0 is NaN",
        manual="release-14",
        remedy="Check for 0 first where you need the error.",
        remedied=Remedied("SELECT ('NaN'::float8 / nullif(0, 0)::float8)::text", {"all": None}),
        affects=Unseen("it depends on the divided values"),
    ),
    area="functions",
)

# --- 14.7 has_column_privilege() ---------------------------------------------------------------------------

rows(
    Row(
        "14.7",
        "privilege-of-missing-column",
        "SELECT has_column_privilege('pg_class', 9999::int2, 'SELECT')",
        True,
        None,
        title="has_column_privilege() returns NULL for the number of a missing column",
        area="roles",
        manual="functions-info#FUNCTIONS-INFO-ACCESS",
        remedy="Look for the column in pg_attribute.",
        remedied=Remedied(
            """
            SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'pg_class'::regclass AND attnum = 9999)
                   AND has_column_privilege('pg_class', 9999::int2, 'SELECT')
            """,
            {"all": False},
        ),
        note="The release notes say false. Up to 13, a role without privileges on the table gets NULL, too.",
        affects=[
            Call(
                "has_column_privilege",
                args=3,
                where={2: r"(\d+|(.* \. )?\w*attnum)( :: \w+)?|\$\d+ :: (smallint|int2)"},
                may="if there is no such column",
            ),
            Call(
                "has_column_privilege",
                args=4,
                where={3: r"(\d+|(.* \. )?\w*attnum)( :: \w+)?|\$\d+ :: (smallint|int2)"},
                may="if there is no such column",
            ),
        ],
    ),
)

# --- 14.12, 14.13, 14.14 Regular expressions ---------------------------------------------------------------

rows(
    Row(
        "14.12",
        "regexp-no-digit-newline",
        r"SELECT E'1\n2' ~ '(?n)1\D2', E'1\n2' ~ '(?n)1\W2'",
        [False, False],
        [True, True],
        title=r"\D and \W match a newline in newline-sensitive matching",
        remedy=r"Write [^[:digit:]] and [^[:word:]].",
        remedied=r"SELECT E'1\n2' ~ '(?n)1[^[:digit:]]2', E'1\n2' ~ '(?n)1[^[:alnum:]_]2'",
        note="The class [:word:] came with 14; [:alnum:] and _ are the same on every version.",
        affects=[
            Call(*MATCHING, where={2: f"'{NEWLINES}'"}),
            Call(*MATCHING, args=3, where={2: r"(?-i:'.*\\[DW].*')", 3: "'[a-z]*[nmp][a-z]*'"}),
            Call("regexp_replace", args=4, where={2: r"(?-i:'.*\\[DW].*')", 4: "'[a-z]*[nmp][a-z]*'"}),
        ],
    ),
    Row(
        "14.13",
        "regexp-back-reference",
        r"SELECT '12a12' ~ '(^\d+).*\1'",
        False,
        True,
        title="A back-reference matches the text of its group, not the group's constraints, such as ^",
        remedy="Write the constraint again before the back-reference.",
        remedied=r"SELECT '12a12' ~ '(^\d+).*^\1'",
        affects=Call(*MATCHING, where={2: f"'{CONSTRAINED}'"}),
    ),
    Row(
        "14.14",
        "regexp-class-in-range",
        r"SELECT 'a' ~ '[\w-z]'",
        True,
        "2201B",
        title=r"\w can't begin a range in brackets",
        remedy="Escape the hyphen, or write it at the end.",
        remedied=r"SELECT 'a' ~ '[\wz-]'",
        note=r"Up to 13, [\w-z] matches \w and z, but no hyphen; [\d-z], [\s-z] and [\w-.] are refused, too.",
        affects=Call(*MATCHING, where={2: r"'.*\[[^\]]*\\[wds]-[^\]].*'"}),
    ),
    area="functions",
    manual="functions-matching#FUNCTIONS-POSIX-REGEXP",
)
