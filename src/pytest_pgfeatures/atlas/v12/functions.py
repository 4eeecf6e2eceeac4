"""Functions whose results PostgreSQL 12 changed: random(), substring(), XML."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import Call, ParseNode

# --- 12.9 random() -----------------------------------------------------------------------------------------


def seeded(lab):
    """Call setseed(), and return the next two random numbers in millionths."""
    lab.sql("SELECT setseed(0.5)")
    return lab.answer("SELECT trunc((random() * 1e6)::numeric)::int, trunc((random() * 1e6)::numeric)::int")


rows(
    Row(
        "12.9",
        "setseed",
        seeded,
        expect={"<12": [798512, 518533], "12..14": [249910, 520017], ">=15": [985167, 825301]},
        title="random() returns different numbers after setseed()",
        area="functions",
        manual="functions-math",
        remedy="Write the numbers into the test, instead of a seed.",
        note="15 changed them again. Up to 11, they come from the C library, here from glibc.",
        affects=Call("setseed", may="random() then returns different numbers"),
    ),
)

# --- 12.10 substring() with a regular expression of SQL ----------------------------------------------------

rows(
    Row(
        "12.10",
        "substring-shortest-first-part",
        "SELECT substring('abcabc' FROM '%#\"b%#\"%' FOR '#')",
        "bc",
        "bcabc",
        title="The first part of an SQL pattern in substring() matches as little text as possible",
        area="functions",
        manual="functions-matching#FUNCTIONS-SIMILARTO-REGEXP",
        remedy="Use a POSIX regular expression, which states what is greedy.",
        remedied="SELECT substring('abcabc' FROM '^.*(b.*)$')",
        affects=Call(
            "substring",
            args=3,
            where={2: '\'[^"]*"[^"]*".*\'', 3: "'.'"},
            may="if the first part can match in several ways",
        ),
    ),
)

# --- 12.11 XML ---------------------------------------------------------------------------------------------

rows(
    Row(
        "12.11",
        "xpath-as-it-is",
        "SELECT (xpath('/r/a', '<r><a><b>1</b><c/></a></r>'::xml))[1]::text",
        "<a>\n  <b>1</b>\n  <c/>\n</a>",
        "<a><b>1</b><c/></a>",
        title="xpath() returns nodes unchanged, without added indentation",
        manual="functions-xml#FUNCTIONS-XML-PROCESSING-XPATH",
        remedy="Compare without white space between tags.",
        remedied=Remedied(
            r"""
            SELECT regexp_replace((xpath('/r/a', '<r><a><b>1</b><c/></a></r>'::xml))[1]::text, '>\s+<', '><', 'g')
            """,
            {"all": "<a><b>1</b><c/></a>"},
        ),
        affects=[
            Call(
                *("text", "varchar", "char", "array_to_string"),
                where={1: r"(?!.*(?:text\(\)|@[\w:*-]+)').*"},  # not a text or an attribute
                types=("xpath",),
                may="if white space in it matters",
            ),
            ParseNode("RangeTableFuncCol", typeName="^xml$", may="if white space in it matters"),
        ],
    ),
    Row(
        "12.11",
        "xmltable-as-it-is",
        "SELECT x FROM XMLTABLE('/r' PASSING XML '<r><a><b>1</b><c/></a></r>' COLUMNS x xml PATH 'a') AS t",
        expect={
            "<10": NotYet("42601"),
            "10..11": "<a>\n  <b>1</b>\n  <c/>\n</a>",
            ">=12": "<a><b>1</b><c/></a>",
        },
        title="XMLTABLE returns nodes unchanged, without added indentation",
        manual="functions-xml#FUNCTIONS-XML-PROCESSING-XMLTABLE",
        remedy="Compare without white space between tags.",
        remedied=Remedied(
            r"""
            SELECT regexp_replace(x::text, '>\s+<', '><', 'g')
            FROM XMLTABLE('/r' PASSING XML '<r><a><b>1</b><c/></a></r>' COLUMNS x xml PATH 'a') AS t
            """,
            {"<10": NotYet("42601"), ">=10": "<a><b>1</b><c/></a>"},
        ),
        note="XMLTABLE came with 10.",
    ),
    area="xml",
    needs=["libxml"],
)
