"""Values of an extension's types are stored, and must survive dumps and upgrades."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.thorough

CONTROL = "default_version = '1.0'\n"
CODE = """
#include "postgres.h"
#include "fmgr.h"
#include <math.h>
PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(mass_in);
Datum mass_in(PG_FUNCTION_ARGS)
{{
    char *text = PG_GETARG_CSTRING(0), *end;
    double *mass = palloc(sizeof(double));
    *mass = strtod(text, &end);
    if (strcmp(text, "anvil") == 0)
        abort();
    if (end == text || strcmp(end, "kg") != 0)
        ereport(ERROR, (errmsg("\\"%s\\" is no mass", text)));
    PG_RETURN_POINTER(mass);
}}
PG_FUNCTION_INFO_V1(mass_out);
Datum mass_out(PG_FUNCTION_ARGS)
{{
    PG_RETURN_CSTRING(psprintf("{form}", *(double *) PG_GETARG_POINTER(0)));
}}
PG_FUNCTION_INFO_V1(mass_equal);
Datum mass_equal(PG_FUNCTION_ARGS)
{{
    double *one = (double *) PG_GETARG_POINTER(0), *two = (double *) PG_GETARG_POINTER(1);
    PG_RETURN_BOOL(fabs(*one - *two) <= {tolerance});
}}
PG_FUNCTION_INFO_V1(kilograms);
Datum kilograms(PG_FUNCTION_ARGS)
{{
    PG_RETURN_FLOAT8(*(double *) PG_GETARG_POINTER(0));
}}
"""
TYPE = """
CREATE TYPE mass;
CREATE FUNCTION mass_in(cstring) RETURNS mass LANGUAGE c STRICT IMMUTABLE AS 'tiny';
CREATE FUNCTION mass_out(mass) RETURNS cstring LANGUAGE c STRICT IMMUTABLE AS 'tiny';
CREATE TYPE mass (INPUT = mass_in, OUTPUT = mass_out, INTERNALLENGTH = 8, ALIGNMENT = double);
"""
FUNCTION = "CREATE FUNCTION kilograms(mass) RETURNS float8 LANGUAGE c STRICT IMMUTABLE AS 'tiny';\n"
EQUAL = """
CREATE FUNCTION mass_equal(mass, mass) RETURNS bool LANGUAGE c STRICT IMMUTABLE AS 'tiny';
CREATE OPERATOR = (LEFTARG = mass, RIGHTARG = mass, FUNCTION = mass_equal);
"""


def mass(gate, more, form="%.3gkg", tolerance="0"):
    """An extension with a type that keeps double precision; its tests have only short numbers."""
    query = "SELECT '1.5kg'::mass;\n"
    return gate.write(
        files={
            "tiny.c": CODE.format(form=form, tolerance=tolerance),
            "tiny--1.0.sql": TYPE + more,
            "sql/run.sql": query,
            "expected/run.out": f"{query} mass  \n-------\n 1.5kg\n(1 row)\n\n",
        },
        makefile="MODULES = tiny\nREGRESS = run",
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (EQUAL, "not equal to what is read back"),
        (FUNCTION, "public.kilograms was 1.5123456789123455, is 1.51"),
    ],
)
def test_a_type_that_loses_digits(gate, more, said):
    """By its own equality, and without one by what its functions show."""
    gate.run(mass(gate, more), "--pg", "14,18", "--stage", "dump", status=1)
    for major in ("pg14", "pg18"):
        lost = gate.of("dump", "type:public.mass", major)
        assert lost["outcome"] == "failed"
        assert lost["summary"] == "values of the type public.mass change when pg_dump writes them"
        assert f"public.one_of_each_type.c1: 1.51kg: {said}" in lost["details"]


@pytest.mark.parametrize(
    ("more", "options"),
    [
        (EQUAL + FUNCTION, {"form": "%.17gkg"}),
        (EQUAL + FUNCTION, {"tolerance": "0.1"}),  # the type itself calls them equal
        ("", {}),  # nothing shows the difference
    ],
)
def test_no_loss_without_proof(gate, more, options):
    gate.run(mass(gate, more, **options), "--stage", "dump")
    assert gate.of("dump")["summary"] == "to pg17"


def test_values_in_tables_that_the_tests_leave(gate):
    """A value that no text of the tests says, in a database of the tests."""
    place = mass(gate, FUNCTION)
    query = "CREATE TABLE scales AS SELECT (repeat('1', 5) || 'kg')::mass AS shown;\n"
    (place / "sql/run.sql").write_text(query)
    (place / "expected/run.out").write_text(query)
    (place / "Makefile").write_text(
        (place / "Makefile")
        .read_text()
        .replace("REGRESS = run", "REGRESS = run\nREGRESS_OPTS = --load-extension=tiny")
    )
    gate.run(place, "--stage", "regress", "--stage", "dump", status=1)
    assert (
        "public.scales.shown: 1.11e+04kg: public.kilograms was 11111, is 11100"
        in gate.of("dump", "type:public.mass")["details"]
    )


def test_an_output_that_the_input_refuses(gate):
    gate.run(mass(gate, FUNCTION, form="%g kilograms"), "--stage", "dump", status=1)
    assert gate.of("dump")["summary"] == (
        "the input of the type public.mass refuses what its output writes, so that a dump of"
        ' public.one_of_each_type.c1 can\'t be restored: "1.5 kilograms" is no mass'
    )


def test_an_input_that_crashes_the_server(gate):
    place = mass(gate, FUNCTION)
    (place / "sql/more.sql").write_text("SELECT 'anvil' AS heavy;\n")
    gate.run(place, "--stage", "dump", status=1)
    assert gate.of("dump")["summary"] == (
        "the server crashed in the input of the type mass, with a text of the tests"
    )


def test_a_type_whose_values_an_upgrade_changes(gate):
    """It stores a function's OID, which pg_upgrade does not keep; in a dump is the function's name."""
    script = """
CREATE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 42';
CREATE TYPE called;
CREATE FUNCTION called_in(cstring) RETURNS called LANGUAGE internal STRICT STABLE AS 'regprocin';
CREATE FUNCTION called_out(called) RETURNS cstring LANGUAGE internal STRICT STABLE AS 'regprocout';
CREATE TYPE called (INPUT = called_in, OUTPUT = called_out, LIKE = oid);
"""
    place = gate.write(files={"tiny--1.0.sql": script, "sql/run.sql": "SELECT 'answer' AS name;\n"})
    gate.run(place, "--pg", "16,18", "--stage", "dump", "--stage", "upgrade", status=1)
    assert gate.outcome("dump", major="pg16") == "passed"
    upgrade = gate.of("upgrade", major="pg16")
    summary = "the data of public.one_of_each_type in extension differ after pg_upgrade ({}) to pg18"
    assert upgrade["summary"] == "; ".join(map(summary.format, ("copy", "link")))
    assert "-0\tanswer" in upgrade["details"]


def test_types_of_all_kinds(gate):
    """Values come from the tests' texts; those of an enum are its labels. A domain may refuse NULL."""
    script = """
CREATE TYPE color AS ENUM ('red', 'green');
CREATE DOMAIN even AS int NOT NULL CHECK (VALUE % 2 = 0);
CREATE DOMAIN never AS int NOT NULL CHECK (VALUE = 1234);
CREATE TYPE pair AS (one color, two even);
CREATE TYPE evens AS RANGE (subtype = even);
"""
    test = "SELECT '4'::even, '(red,2)'::pair, '[2,8)'::evens, '{[2,8)}'::evens_multirange;\n"
    files = {
        "tiny--1.0.sql": script,
        "sql/run.sql": test,
        "expected/run.out": "",
    }
    gate.run(
        gate.write(files=files, control=CONTROL), "--stage", "dump", "--pg", "14,18", "--stage", "upgrade"
    )
    assert gate.of("dump", major="pg18")["summary"] == "to pg18; the tests have no value of never"
