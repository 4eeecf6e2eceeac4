"""Changes of 10 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import Call

IMPOSSIBLE = "if the text can have a day or month that there is not"

rows(
    Row(
        (),
        "to-date-impossible-day",
        "SELECT to_date('2009-02-31', 'YYYY-MM-DD')::text",
        "2009-03-03",
        "22008",
        since="10",
        title="to_date refuses a day that its month has not",
        remedy="Check the text before, or catch the error.",
        remedied="SELECT (to_date('2009-02-01', 'YYYY-MM-DD') + 30)::text",
        affects=Call("to_date", args=2, may=IMPOSSIBLE),
    ),
    Row(
        (),
        "to-timestamp-impossible-month",
        "SELECT to_timestamp('2009-13-01', 'YYYY-MM-DD')::date::text",
        "2010-01-01",
        "22008",
        since="10",
        title="to_timestamp refuses a month beyond the twelfth",
        remedy="Check the text before, or catch the error.",
        affects=Call("to_timestamp", args=2, may=IMPOSSIBLE),
    ),
    area="functions",
    source="PostgreSQL 10 release notes, Functions",
    manual="functions-formatting",
)
