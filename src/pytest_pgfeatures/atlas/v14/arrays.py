"""Array functions take anycompatiblearray in PostgreSQL 14: objects with their old signatures must be recreated."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Constant, RefusedWith
from pytest_pgfeatures.atlas.patterns import UPGRADES, upgradable_after

STEP = """
    CREATE FUNCTION step(anyarray, anyelement) RETURNS anyarray LANGUAGE sql AS 'SELECT array_append($1, $2)';
    CREATE FUNCTION step(anyarray, anyarray) RETURNS anyarray LANGUAGE sql AS 'SELECT array_cat($1, $2)'
"""
REMEDY = "Drop it before the upgrade. Afterwards, create it with anycompatible and anycompatiblearray."
NOTE = "A remedy for every version: your own function with the old types, which calls the array function."
REFUSED = r"(?i)function (pg_catalog\.)?(array_\w+|width_bucket)\(any(array|element).*\n"
"""The refusal of such a function, up to the line of the statement that names it."""

rows(
    Row(
        "14.1",
        "aggregate-of-array-append",
        "CREATE AGGREGATE g (anyelement) (SFUNC = array_append, STYPE = anyarray)",
        None,
        "42883",
        title="array_append() can't serve an aggregate of anyelement",
        remedy=REMEDY,
        remedied="CREATE AGGREGATE g2 (anyelement) (SFUNC = step, STYPE = anyarray)",
        note=NOTE,
        affects=RefusedWith("42883", rf"{REFUSED}.*func\s*=(?!.*array_cat)"),
    ),
    Row(
        "14.1",
        "aggregate-of-array-cat",
        "CREATE AGGREGATE g (anyarray) (SFUNC = array_cat, STYPE = anyarray)",
        None,
        "42883",
        title="array_cat() can't serve an aggregate of anyarray",
        remedy=REMEDY,
        remedied="CREATE AGGREGATE g2 (anyarray) (SFUNC = step, STYPE = anyarray)",
        note=NOTE,
        affects=RefusedWith("42883", rf"{REFUSED}.*func\s*=.*array_cat"),
    ),
    Row(
        "14.1",
        "operator-of-array-append",
        "CREATE OPERATOR |+| (LEFTARG = anyarray, RIGHTARG = anyelement, PROCEDURE = array_append)",
        None,
        "42883",
        title="array_append() can't serve an operator of anyarray and anyelement",
        remedy=REMEDY,
        remedied="CREATE OPERATOR |++| (LEFTARG = anyarray, RIGHTARG = anyelement, PROCEDURE = step)",
        note=NOTE,
        affects=RefusedWith("42883", rf"{REFUSED}.*(function|procedure)\s*="),
    ),
    *(
        Row(
            "14.1",
            f"signature-of-{name.replace('_', '-')}",
            f"SELECT '{name}({old})'::regprocedure IS NOT NULL",
            True,
            "42883",
            title=f"{name}() has no signature ({old.replace(',', ', ')})",
            remedy=f"Write its signature as ({new.replace(',', ', ')}).",
            remedied=Remedied(
                f"SELECT '{name}({new})'::regprocedure IS NOT NULL",
                {"<13": NotYet("42704"), "13": NotYet("42883"), ">=14": True},
            ),
            affects=[
                RefusedWith("42883", rf"function (pg_catalog\.)?{name}\(any(array|element)"),
                Constant("regprocedure", text=rf"(pg_catalog\.)?{name}\s*\(\s*any(array|element).*"),
            ],
        )
        for name, old, new in (
            ("array_append", "anyarray,anyelement", "anycompatiblearray,anycompatible"),
            ("array_prepend", "anyelement,anyarray", "anycompatible,anycompatiblearray"),
            ("array_cat", "anyarray,anyarray", "anycompatiblearray,anycompatiblearray"),
            ("array_remove", "anyarray,anyelement", "anycompatiblearray,anycompatible"),
            (
                "array_replace",
                "anyarray,anyelement,anyelement",
                "anycompatiblearray,anycompatible,anycompatible",
            ),
        )
    ),
    *(
        Row(
            "14.1",
            f"signature-of-{name.replace('_', '-')}",
            f"SELECT '{name}({old})'::regprocedure IS NOT NULL",
            expect={"<9.5": NotYet("42883"), "9.5..13": True, ">=14": "42883"},
            since="14",
            title=f"{name}() has no signature ({old.replace(',', ', ')})",
            remedy=f"Write its signature as ({new.replace(',', ', ')}).",
            remedied=Remedied(
                f"SELECT '{name}({new})'::regprocedure IS NOT NULL",
                {"<13": NotYet("42704"), "13": NotYet("42883"), ">=14": True},
            ),
            note="The signature came with 9.5.",
            affects=[
                RefusedWith("42883", rf"function (pg_catalog\.)?{name}\(any(array|element)"),
                Constant("regprocedure", text=rf"(pg_catalog\.)?{name}\s*\(\s*any(array|element).*"),
            ],
        )
        for name, old, new in (
            ("array_position", "anyarray,anyelement", "anycompatiblearray,anycompatible"),
            ("array_positions", "anyarray,anyelement", "anycompatiblearray,anycompatible"),
            ("width_bucket", "anyelement,anyarray", "anycompatible,anycompatiblearray"),
        )
    ),
    Row(
        "14.1",
        "array-append-other-type",
        "SELECT array_append(ARRAY[1], 2.5)::text",
        "42883",
        "{1,2.5}",
        kind="feature",
        title="array_append() and others take elements of another type, and convert to a common one",
    ),
    *(
        Row(
            "14.x7",
            f"signature-of-concatenation-{number}",
            f"SELECT '||({old})'::regoperator IS NOT NULL",
            True,
            "42883",
            affects=[
                RefusedWith("42883", "operator does not exist: " + old.replace(",", r" \|\| ")),
                Constant("regoperator", text=r"(pg_catalog\.)?\|\|\s*\(\s*any(array|element).*"),
            ],
            title=f"The operator || has no signature ({old.replace(',', ', ')})",
            manual="release-14",
            remedy=f"Write its signature as ({new.replace(',', ', ')}).",
            remedied=Remedied(
                f"SELECT '||({new})'::regoperator IS NOT NULL",
                {"<13": NotYet("42704"), "13": NotYet("42883"), ">=14": True},
            ),
        )
        for number, old, new in (
            (1, "anyarray,anyelement", "anycompatiblearray,anycompatible"),
            (2, "anyelement,anyarray", "anycompatible,anycompatiblearray"),
            (3, "anyarray,anyarray", "anycompatiblearray,anycompatiblearray"),
        )
    ),
    area="functions",
    setup=STEP,
    manual="functions-array",
)


@behavior(
    "14/array-functions-upgrade",
    title="pg_upgrade refuses a server with aggregates or operators on the old array functions",
    area="upgrade",
    release_note="14.1",
    kind="incompatibility",
    manual="pgupgrade",
    isolation="cluster",
    needs=UPGRADES,
    expect={"<14": True, ">=14": "42883"},
    remedy=REMEDY,
    remedied=Remedied(
        lambda lab: upgradable_after(lab, "14", "DROP AGGREGATE g (anyelement)"), {"all": True}
    ),
    note="Whether pg_upgrade of a later version reports the aggregate.",
)
def array_functions_upgrade(lab):
    made = lab.sqlstate("CREATE AGGREGATE g (anyelement) (SFUNC = array_append, STYPE = anyarray)")
    return made or "incompatible polymorphic functions" in lab.upgrade_check().output
