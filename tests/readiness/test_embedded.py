"""SQL inside of SQL, with its lines in the user's file."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.embedded import embedded


def inside(sql, first_line=1):
    """Each statement inside, with the line and column of its first word in the file."""
    lines = tuple(range(first_line, first_line + sql.count("\n") + 1))
    query = Query(sql, "schema", "schema.sql", lines)
    return [(" ".join(found.sql.split()), found.place(0).line, found.inside) for found in embedded(query)]


BODY = """CREATE OR REPLACE FUNCTION app.f(a int) RETURNS void LANGUAGE plpgsql AS $body$
<<outer>>
DECLARE
  v int := 1;
BEGIN
  IF a > CASE WHEN v > 0 THEN 1 ELSE 2 END THEN
    PERFORM g();
  ELSIF a = 3 THEN
    INSERT INTO t VALUES (1);
  ELSE
    v := v + 1;
  END IF;
  FOR r IN SELECT x
    FROM t LOOP
    RAISE NOTICE 'row % of %', r.x, v;
  END LOOP;
  FOR i IN REVERSE 10..1 LOOP NULL; END LOOP;
  CASE a WHEN 1 THEN DELETE FROM t; ELSE NULL; END CASE;
  RETURN QUERY EXECUTE 'SELECT a FROM '
    || quote_ident(a) || ' WHERE b';
EXCEPTION WHEN others THEN
  UPDATE t SET a = CASE WHEN b THEN 1 ELSE 2 END;
END
$body$"""


def test_a_body_is_cut_as_plpgsql_cuts_it():
    function = "function app.f(a int)"
    assert inside(BODY, first_line=10) == [
        ("DECLARE v int := 1", 13, function),
        ("SELECT a > CASE WHEN v > 0 THEN 1 ELSE 2 END", 15, function),
        ("SELECT g()", 16, function),
        ("SELECT a = 3", 17, function),
        ("INSERT INTO t VALUES (1)", 18, function),
        ("SELECT CAST(v + 1 AS integer)", 20, function),
        ("SELECT x FROM t", 22, function),
        ("SELECT r.x, v", 24, function),
        ("SELECT 10", 26, function),
        ("SELECT 1", 26, function),
        ("SELECT a WHEN 1", 27, function),
        ("DELETE FROM t", 27, function),
        ("EXECUTE 'SELECT a FROM ' || quote_ident(a) || ' WHERE b'", 28, function),
        ("SELECT a FROM x WHERE b", 28, function),
        ("UPDATE t SET a = CASE WHEN b THEN 1 ELSE 2 END", 31, function),
    ]


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("DO $$ BEGIN TRUNCATE t; END $$", [("TRUNCATE t", 1, "DO")]),
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT ''a'';\nSELECT 2'",
            [("SELECT 'a'", 1, "function f()"), ("SELECT 2", 2, "function f()")],
        ),
        (
            "CREATE FUNCTION f() RETURNS int\nBEGIN ATOMIC\n  SELECT CASE WHEN a THEN 1 END;\n  SELECT 2;\nEND",
            [("SELECT CASE WHEN a THEN 1 END", 3, "function f()"), ("SELECT 2", 4, "function f()")],
        ),
        (
            "DO $$ BEGIN EXECUTE format('ALTER TABLE %I SET %s', a, b); END $$",
            [
                ("EXECUTE format('ALTER TABLE %I SET %s', a, b)", 1, "DO"),
                ("ALTER TABLE x_ SET x_", 1, "DO"),
            ],
        ),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE plperl AS $$ SELECT 1 $$", []),
        ("SELECT 'DO this', $$BEGIN SELECT 1; END$$", []),
        ("CREATE TABLE t (a int DEFAULT 1)", []),
    ],
)
def test_what_contains_statements(sql, found):
    assert inside(sql) == found


def test_a_column_is_that_in_the_file():
    sql = "DO $$\nBEGIN\n  IF wrong THEN NULL; END IF;\nEND $$"
    (condition,) = embedded(Query(sql, "query", "a.sql", (1, 2, 3, 4)))
    place = condition.place(condition.sql.index("wrong"))
    assert (place.line, place.column) == (3, 6)


def test_bodies_inside_bodies():
    sql = "DO $a$ BEGIN EXECUTE $b$DO $c$ BEGIN EXECUTE 'SELECT 1'; END $c$$b$; END $a$"
    assert inside(sql)[-1][0] == "SELECT 1"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("SELECT plan('nightly', $$CREATE TABLE t () WITH OIDS$$)", ["CREATE TABLE t () WITH OIDS"]),
        ("SELECT plan('nightly', 'REINDEX TABLE t')", ["REINDEX TABLE t"]),
        ("SELECT plan('nightly', 'Select the next one, or none')", []),
    ],
)
def test_a_function_may_get_a_statement_that_only_old_grammars_know(given, found):
    assert [sql for sql, _, _ in inside(given)] == found
