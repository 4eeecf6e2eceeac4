"""Operators that PostgreSQL 14 removed: @ and ~ for containment, factorials, postfix operators."""

from pytest_pgfeatures import Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Call, RefusedWith
from pytest_pgfeatures.atlas.patterns import UPGRADES, upgradable_after

# --- 14.2 Containment --------------------------------------------------------------------------------------

GEOMETRIC = ("box", "point", "circle", "polygon", "path", "lseg", "line")


def refused(signs, *types):
    """Return evidence of the server's error for an operator with an operand of some type."""
    listed = "|".join(types).replace("[]", r"\[\]")
    return RefusedWith(
        "42883", rf"operator does not exist: (?:({listed}) [{signs}] |\S+ [{signs}] ({listed})$)"
    )


def containment(name, what, old, new, **fields):
    """Make a row for one of the operators @ and ~; ``old`` and ``new`` are expressions."""
    left, sign, right = what.split()
    shown = [
        Call(sign, types={1: (left,), 2: (right,)}),
        RefusedWith("42883", f"operator does not exist: {left} {sign} {right}$"),
    ]
    return Row(
        "14.2",
        name,
        f"SELECT {old}",
        True,
        "42883",
        remedy="Write <@ for contained by, and @> for contains.",
        remedied=f"SELECT {new}",
        **{"title": f"The operator {what} for containment is gone", "affects": shown, **fields},
    )


def of_extension(extension, sign, old, new):
    """Make a row for a type of an extension in contrib."""
    word = {"@": "at", "~": "tilde"}[sign]
    types = ("integer[]",) if extension == "intarray" else (extension,)
    return containment(
        f"{extension}-{word}",
        f"{types[0]} {sign} {types[0]}",
        old,
        new,
        title=f"The operator {sign} of {extension} for containment is gone",
        setup=f"CREATE EXTENSION {extension}",
        needs=[f"contrib:{extension}"],
        area="extensions",
        manual=extension,
        affects=[Call(sign, types=types, extension=extension), refused(sign, *types)],
    )


BOX, CIRCLE, POLYGON = "box '((0,0),(2,2))'", "circle '<(0,0),2>'", "polygon '((0,0),(0,2),(2,2))'"
POINT = "point '(0.5,1)'"

rows(
    containment("point-in-box", "point @ box", f"{POINT} @ {BOX}", f"{POINT} <@ {BOX}"),
    containment("point-in-circle", "point @ circle", f"{POINT} @ {CIRCLE}", f"{POINT} <@ {CIRCLE}"),
    containment("point-in-polygon", "point @ polygon", f"{POINT} @ {POLYGON}", f"{POINT} <@ {POLYGON}"),
    containment("circle-has-point", "circle ~ point", f"{CIRCLE} ~ {POINT}", f"{CIRCLE} @> {POINT}"),
    containment("polygon-has-point", "polygon ~ point", f"{POLYGON} ~ {POINT}", f"{POLYGON} @> {POINT}"),
    containment("box-in-box", "box @ box", f"{BOX} @ {BOX}", f"{BOX} <@ {BOX}"),
    containment(
        "box-has-box",
        "box ~ box",
        f"{BOX} ~ {BOX}",
        f"{BOX} @> {BOX}",
        affects=[Call("@", "~", types=GEOMETRIC), refused("@~", *GEOMETRIC)],
    ),
    of_extension("cube", "@", "cube '(0),(2)' @ cube '1'", "cube '(0),(2)' @> cube '1'"),
    of_extension("cube", "~", "cube '1' ~ cube '(0),(2)'", "cube '1' <@ cube '(0),(2)'"),
    of_extension("hstore", "@", "'a=>1, b=>2'::hstore @ 'a=>1'", "'a=>1, b=>2'::hstore @> 'a=>1'"),
    of_extension("hstore", "~", "'a=>1'::hstore ~ 'a=>1, b=>2'", "'a=>1'::hstore <@ 'a=>1, b=>2'"),
    of_extension("intarray", "@", "ARRAY[1,2] @ ARRAY[1]", "ARRAY[1,2] @> ARRAY[1]"),
    of_extension("intarray", "~", "ARRAY[1] ~ ARRAY[1,2]", "ARRAY[1] <@ ARRAY[1,2]"),
    of_extension("seg", "@", "'1..3'::seg @ '2'::seg", "'1..3'::seg @> '2'::seg"),
    of_extension("seg", "~", "'2'::seg ~ '1..3'::seg", "'2'::seg <@ '1..3'::seg"),
    area="types",
    manual="functions-geometry",
)

# --- 14.9, 14.10 Factorials --------------------------------------------------------------------------------

rows(
    Row(
        ["14.9", "14.11"],
        "factorial-operator",
        "SELECT 5 !",
        "120",
        "42601",
        title="The operator ! for factorials is gone",
        remedy="Call factorial().",
        remedied="SELECT factorial(5)",
        affects=[
            RefusedWith("42601", r'at or near "(.*)"\n.*!\s*(\1|$)'),
            RefusedWith("42601", r"at end of input\n.*!\s*\)?$"),
            RefusedWith("42601", r"postfix operators are not supported"),
            RefusedWith("42883", r"operator does not exist: \w+ ! "),
        ],
    ),
    Row(
        "14.9",
        "factorial-prefix-operator",
        "SELECT !! 5",
        "120",
        "42883",
        title="The operator !! for factorials is gone",
        remedy="Call factorial().",
        remedied="SELECT factorial(5)",
        affects=RefusedWith("42883", "operator does not exist: !! (bigint|integer|smallint|numeric)"),
    ),
    Row(
        "14.9",
        "numeric-fac",
        "SELECT numeric_fac(5)",
        "120",
        "42883",
        title="The function numeric_fac() is gone",
        remedy="Call factorial().",
        remedied="SELECT factorial(5)",
        affects=Call("numeric_fac", args=1),
    ),
    Row(
        "14.10",
        "factorial-of-negative",
        "SELECT factorial(-1)",
        "1",
        "22003",
        title="factorial() refuses a negative number",
        remedy="Check the number first.",
        remedied="SELECT factorial(greatest(-1, 0))",
        affects=Call("factorial", args=1, where={1: r"-.*|\( -.*|cast \( -.*"}),
    ),
    area="functions",
    manual="functions-math",
)

# --- 14.11 Postfix operators -------------------------------------------------------------------------------

rows(
    Row(
        "14.11",
        "create-postfix-operator",
        "CREATE OPERATOR !@ (LEFTARG = int, PROCEDURE = f)",
        None,
        "42P13",
        title="CREATE OPERATOR refuses postfix operators",
        remedy="Create a prefix operator, or call the function.",
        remedied="CREATE OPERATOR @!@ (RIGHTARG = int, PROCEDURE = f)",
        affects=RefusedWith("42P13", "operator right argument type must be specified"),
    ),
    area="ddl",
    setup="CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT $1'",
    manual="sql-createoperator",
)


@behavior(
    "14/postfix-operator-upgrade",
    title="pg_upgrade refuses a server with user-defined postfix operators",
    area="upgrade",
    release_note="14.11",
    kind="incompatibility",
    manual="pgupgrade",
    isolation="cluster",
    needs=UPGRADES,
    expect={"<14": True, ">=14": "42P13"},
    remedy="Drop them before the upgrade.",
    remedied=Remedied(lambda lab: upgradable_after(lab, "14", "DROP OPERATOR !@ (int, NONE)"), {"all": True}),
    note="Whether pg_upgrade of a later version reports the operator.",
)
def postfix_operator_upgrade(lab):
    lab.sql("CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT $1'")
    made = lab.sqlstate("CREATE OPERATOR !@ (LEFTARG = int, PROCEDURE = f)")
    return made or "user-defined postfix operators" in lab.upgrade_check().output
