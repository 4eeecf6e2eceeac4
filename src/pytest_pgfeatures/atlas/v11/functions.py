"""Functions whose results PostgreSQL 11 changed: to_char(), to_number(), power(), XPath."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import Call, ParseNode

RELATIVE = r"'(?!\s*[/(])(?![\w-]+\s*\()[^'].*'"
"""A regular expression for a relative XPath that isn't a function call."""

# --- 11.4 power() ------------------------------------------------------------------------------------------

rows(
    Row(
        "11.4",
        "power-nan",
        "SELECT ('NaN'::numeric ^ 0)::text, (1 ^ 'NaN'::numeric)::text",
        ["NaN", "NaN"],
        ["1", "1"],
        title="For numeric, NaN ^ 0 and 1 ^ NaN are 1",
        manual="functions-math",
        remedy="Check for NaN with CASE where the result must be NaN.",
        remedied="""
            SELECT CASE WHEN 'NaN' IN (a, b) THEN 'NaN' ELSE a ^ b END::text
            FROM (VALUES ('NaN'::numeric, 0::numeric), (1, 'NaN')) AS t (a, b)
        """,
        note="POSIX requires it, and double precision always does it.",
        affects=[
            Call("power", "pow", "^", where={1: ".*'nan'.*"}),
            Call("power", "pow", "^", where={2: ".*'nan'.*"}),
        ],
    ),
    area="functions",
)

# --- 11.5, 11.6 Templates of to_number(), to_date() and to_timestamp() -------------------------------------

rows(
    Row(
        "11.5",
        "to-number-separator",
        "SELECT to_number('1234', '9,999')::text",
        "134",
        "1234",
        title="to_number() no longer drops a digit for a separator in its template",
        remedy="Remove the separators from the input, and from the template.",
        remedied=Remedied("SELECT to_number(replace('1234', ',', ''), '9999')::text", {"all": "1234"}),
        affects=Call(
            "to_number", args=2, where={2: r"'.*([,GL]|TH).*'"}, may="if the text has no such character there"
        ),
    ),
    Row(
        "11.5",
        "to-number-currency",
        "SELECT to_number('1234', 'L9999')::text",
        "234",
        "1234",
        title="to_number() no longer drops a digit for a currency symbol in its template",
        remedy="Remove the symbol from the input, and from the template.",
        remedied=Remedied("SELECT to_number(replace('1234', '$', ''), '9999')::text", {"all": "1234"}),
    ),
    Row(
        "11.5",
        "to-number-th",
        "SELECT to_number('1234', '99TH99')::text",
        "12",
        "1234",
        title="to_number() no longer drops digits for TH in its template",
        remedy="Write a template that fits the input.",
        remedied=Remedied("SELECT to_number('1234', '9999')::text", {"all": "1234"}),
    ),
    Row(
        "11.6",
        "to-date-skips-character",
        "SELECT to_date('2018-01月02', 'YYYY-MMxDD')::text",
        "22007",
        "2018-01-02",
        title="A character of to_date()'s template skips a character of the input, not a byte",
        remedy="Write the same character in the template.",
        remedied=Remedied("SELECT to_date('2018-01月02', 'YYYY-MM月DD')::text", {"all": "2018-01-02"}),
        affects=[
            Call("to_date", "to_timestamp", "to_number", args=2, where={1: r"'.*[^\x00-\x7f].*'"}),
            Call("to_date", "to_timestamp", "to_number", args=2, where={2: r"'.*[^\x00-\x7f].*'"}),
        ],
    ),
    Row(
        "11.6",
        "to-timestamp-skips-character",
        "SELECT to_timestamp('2018é01é02', 'YYYYxMMxDD')::date::text",
        "22007",
        "2018-01-02",
        title="A character of to_timestamp()'s template skips a character of the input, not a byte",
        remedy="Write the same character in the template.",
        remedied=Remedied(
            "SELECT to_timestamp('2018é01é02', 'YYYYéMMéDD')::date::text", {"all": "2018-01-02"}
        ),
    ),
    Row(
        "11.6",
        "to-number-skips-character",
        "SELECT to_number('é12', 'x99')::text",
        "1",
        "12",
        title="A character of to_number()'s template skips a character of the input, not a byte",
        remedy="Remove all characters but digits from the input.",
        remedied=Remedied("SELECT to_number(replace('é12', 'é', ''), '99')::text", {"all": "12"}),
    ),
    area="functions",
    manual="functions-formatting",
)

# --- 11.7 Backslashes in templates -------------------------------------------------------------------------

rows(
    Row(
        "11.7",
        "to-char-backslashes-before-quote",
        r"""SELECT to_char(timestamp '2020-02-03', '"\\"YYYY')""",
        r"\"YYYY",
        r"\2020",
        title="In a to_char() template, two backslashes before a closing quote stand for one",
        remedy="Add the backslash with || outside the template.",
        remedied=Remedied(r"SELECT '\' || to_char(timestamp '2020-02-03', 'YYYY')", {"all": r"\2020"}),
        affects=Call(
            "to_char",
            "to_date",
            "to_timestamp",
            "to_number",
            args=2,
            where={2: r"""'.*("[^"]*\\\\".*|\\)'"""},
        ),
    ),
    Row(
        "11.7",
        "to-char-backslash-at-end",
        r"""SELECT to_char(1, '"a\')""",
        "a",
        "a\\",
        title="A backslash at the end of a to_char() template stands for itself in an open quote, too",
        remedy="Close the quotes.",
        remedied="""SELECT to_char(1, '"a"')""",
    ),
    Row(
        "11.7",
        "to-char-backslash-before-letter",
        r"""SELECT to_char(timestamp '2020-02-03', '"a\b"YYYY')""",
        expect={"all": "ab2020"},
        kind="feature",
        title="A to_char() template drops a backslash before a letter in quotes",
        note="The release notes say that versions before 11 keep it. No released server from 9.3 on does.",
    ),
    area="functions",
    manual="functions-formatting",
)

# --- 11.8 Relative paths in XPath --------------------------------------------------------------------------

XML = "'<r><a>1</a></r>'::xml"

rows(
    Row(
        "11.8",
        "xpath-relative",
        f"SELECT xpath('a/text()', {XML})::text",
        "{1}",
        "{}",
        title="A relative path of xpath() begins at the document, not at its root element",
        manual="functions-xml#FUNCTIONS-XML-PROCESSING",
        remedy="Write the path from the document, /r/a.",
        remedied=f"SELECT xpath('/r/a/text()', {XML})::text",
        affects=Call("xpath", "xpath_exists", where={1: RELATIVE}),
    ),
    Row(
        "11.8",
        "xpath-exists-relative",
        f"SELECT xpath_exists('a', {XML})",
        True,
        False,
        title="A relative path of xpath_exists() begins at the document, not at its root element",
        manual="functions-xml#XML-EXISTS",
        remedy="Write the path from the document, /r/a.",
        remedied=f"SELECT xpath_exists('/r/a', {XML})",
    ),
    Row(
        "11.8",
        "xmltable-relative",
        "SELECT x FROM XMLTABLE('a' PASSING XML '<r><a>1</a></r>' COLUMNS x int PATH '.') AS t",
        expect={"<10": NotYet("42601"), "10": 1, ">=11": []},
        title="A relative path of XMLTABLE begins at the document, not at its root element",
        manual="functions-xml#FUNCTIONS-XML-PROCESSING-XMLTABLE",
        remedy="Write the path from the document, /r/a.",
        remedied=Remedied(
            "SELECT x FROM XMLTABLE('/r/a' PASSING XML '<r><a>1</a></r>' COLUMNS x int PATH '.') AS t",
            {"<10": NotYet("42601"), ">=10": 1},
        ),
        note="XMLTABLE came with 10.",
        affects=ParseNode("RangeTableFunc", rowexpr=r"^'(?!\s*[/(])(?![\w-]+\s*\().+'$"),
    ),
    area="xml",
    needs=["libxml"],
)
