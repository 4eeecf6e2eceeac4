"""Texts that 16 no longer reads as values, and names that it reserves."""

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import Call, RefusedWith
from pytest_pgfeatures.atlas.patterns import constants_of_type, defined, function_syntax

rows(
    Row(
        "16.x1",
        "date-with-letters",
        "SELECT 'Y2001M12D27'::date::text",
        before="2001-12-27",
        after="22007",
        title="A date can't be written in the form Y2001M12D27",
        remedy="Write 2001-12-27.",
        remedied="SELECT '2001-12-27'::date::text",
        affects=constants_of_type("date|timestamp|timestamptz", r"\s*y\d+m\d+d\d+.*", refused="22007"),
    ),
    Row(
        "16.x2",
        "epoch-with-time",
        "SELECT 'epoch 01:00'::timestamp::text, 'infinity 01:00'::timestamp::text",
        before=["1970-01-01 00:00:00", "infinity"],
        after="22007",
        title="epoch and infinity can't be combined with other date or time fields",
        remedy="Write the word alone. Older majors ignored the other fields.",
        remedied="SELECT 'epoch'::timestamp::text, 'infinity'::timestamp::text",
        affects=constants_of_type(
            "date|timestamp|timestamptz",
            r"\s*(epoch|[+-]?infinity)\s+\S.*|.*\d\s+(epoch|[+-]?infinity)\s*",
            refused="22007",
        ),
    ),
    Row(
        "16.x3",
        "xid-text",
        "SELECT ''::xid::text, '12x'::xid::text",
        before=["0", "12"],
        after="22P02",
        title="xid refuses empty text, and characters after the number",
        remedy="Check the text first; older majors took the leading digits.",
        remedied="SELECT '0'::xid::text, '12'::xid::text",
        affects=constants_of_type("xid|xid8", r"(?!\s*[+-]?(0x[0-9a-f]+|\d+)\s*$).*", refused="22P02"),
    ),
    Row(
        "16.x4",
        "numeric-exponent-space",
        "SELECT '7e 1'::numeric::text",
        before="70",
        after="22P02",
        title="numeric refuses white space between e and the exponent",
        remedy="Remove the white space.",
        remedied="SELECT '7e1'::numeric::text",
        affects=constants_of_type("numeric|decimal", r".*\de([+-]?\s+[+-]?)\d+\s*", refused="22P02"),
    ),
    area="types",
)

rows(
    Row(
        "16.x8",
        "system-user-column",
        "CREATE TABLE logins (system_user text)",
        before=None,
        after="42601",
        title="system_user is a reserved word",
        remedy='Quote the name, "system_user", or choose another.',
        remedied='CREATE TABLE quoted_logins ("system_user" text)',
        affects=[
            Call("system_user"),
            RefusedWith("42601", r'(?is)at or near ("system_user"|"\.".*\bsystem_user\s*\.)'),
        ],
    ),
    Row(
        "16.x8",
        "system-user-value",
        "SELECT system_user FROM (SELECT 'mine'::text AS \"system_user\") AS login",
        before="mine",
        after=None,
        title="system_user in a query is the session's authenticated identity, not a column",
        remedy='Quote the name, "system_user", or choose another.',
        remedied='SELECT "system_user" FROM (SELECT \'mine\'::text AS "system_user") AS login',
        note="It is NULL where the connection did not authenticate, as here.",
    ),
    *(
        function_syntax(
            "16",
            name,
            release_note="16.x9",
            note="In a call, the name without a schema is now SQL/JSON syntax; with a schema it is still"
            " your function.",
            affects=[
                defined(name),
                *([Call(name, own=True)] if name != "json_object" else []),
            ],
        )
        for name in ("json_array", "json_arrayagg", "json_object", "json_objectagg")
    ),
    area="sql",
)
