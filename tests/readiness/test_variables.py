"""Statements in functions are parsed with the function's variables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.readiness.statements.embedded import IMPLICIT, embedded, substituted
from pytest_pgfeatures.readiness.statements.reading import StatementReading

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = """\
CREATE TABLE orders (id integer PRIMARY KEY, total numeric);
CREATE FUNCTION a(x integer, OUT y numeric) LANGUAGE plpgsql AS $$
DECLARE
  kept CONSTANT numeric(10,2) := 3;
  r record;
BEGIN
  SELECT total, id INTO STRICT y, r.id
    FROM orders WHERE id = x AND pg_is_in_backup();
  FOR i IN 1..x LOOP
    UPDATE orders SET total = kept + i WHERE id = r.id AND pg_is_in_backup();
  END LOOP;
  INSERT INTO orders (id, total) VALUES (x, y) RETURNING total INTO y;
  PERFORM random(r.low, r.high), lower(kept::text);
END $$;
CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_is_in_backup() AND NEW.total > OLD.total AND TG_OP = 'UPDATE' THEN
    RETURN NULL;
  END IF;
  EXECUTE 'SELECT x, pg_is_in_backup() FROM orders';
  RETURN NEW;
END $$;
CREATE FUNCTION named(wanted integer) RETURNS SETOF orders LANGUAGE sql AS $$
  SELECT * FROM orders WHERE id = wanted
     AND pg_is_in_backup() $$;
"""


def test_statements_are_parsed_with_the_variables_of_their_function(tmp_path: Path) -> None:
    """17 has several functions random(min, max): with variables of unknown types, which one is open, and no finding
    (https://www.postgresql.org/docs/release/17.0/)."""
    (tmp_path / "s.sql").write_text("SET check_function_bodies = off;\n" + SCHEMA)
    found = readiness(old="14", new="18", schema=[tmp_path / "s.sql"], stages=["queries"])
    assert [(each.place.line - 1, each.place.column) for each in found.affects if each.place] == [
        (8, 34),
        (10, 60),
        (17, 6),
        (25, 10),
    ]
    (run,) = found.runs
    # EXECUTE is no statement of the server, its text names no relation x, and 14 has no random(min, max)
    assert dict(run.report.counts)["refused by both"] == 3


TRIGGERS = """\
CREATE TABLE bets (id integer, odds double precision, stake numeric, checksum text);
CREATE TABLE results (odds numeric, checksum text);
CREATE FUNCTION sign() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.checksum := md5(concat_ws('|', NEW.id, (NEW.stake * 1.05)::text,
    (NEW.odds * 1.05)::text));
  RETURN NEW;
END $$;
CREATE FUNCTION of_both() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.checksum := (NEW.odds * 1.05)::text;
  RETURN NEW;
END $$;
CREATE TRIGGER sign BEFORE INSERT ON bets FOR EACH ROW EXECUTE PROCEDURE sign();
CREATE TRIGGER again BEFORE UPDATE ON bets FOR EACH ROW EXECUTE PROCEDURE sign();
CREATE TRIGGER one BEFORE INSERT ON bets FOR EACH ROW EXECUTE PROCEDURE of_both();
CREATE TRIGGER other BEFORE INSERT ON results FOR EACH ROW EXECUTE PROCEDURE of_both();
"""


def test_new_is_a_row_of_the_table_whose_triggers_execute_the_function(tmp_path: Path) -> None:
    """The text of floats changed in 12 (https://www.postgresql.org/docs/release/12.0/). Of two tables, either may
    be meant."""
    (tmp_path / "s.sql").write_text(TRIGGERS)
    found = readiness(old="11", new="12", schema=[tmp_path / "s.sql"])
    assert [each.place.line for each in found.findings if "12.8" in each.items and each.place] == [6]


def test_a_function_has_its_arguments_variables_and_those_of_loops() -> None:
    create = SCHEMA[SCHEMA.index("CREATE FUNCTION a(") : SCHEMA.index("CREATE FUNCTION kept")]
    query = Query(create, "schema", "a.sql", tuple(range(1, create.count("\n") + 2)))
    found = {each.sql.split()[0]: dict(each.variables) for each in embedded(query)}
    assert {name: type_ for name, type_ in found["UPDATE"].items() if name not in IMPLICIT} == {
        "x": "integer",
        "y": "numeric",
        "kept": "numeric",
        "r": "record",
        "i": "",
    }


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT x, t.x, x(1), a AS x, x.y FROM t", "SELECT $1, t.x, x(1), a AS x, ($1).y FROM t"),
        ("SELECT $1, \"x\" + X, 'x' -- x", "SELECT $1, $2 + $2, 'x' -- x"),
    ],
)
def test_only_values_are_replaced(sql: str, expected: str) -> None:
    found = substituted(Query(sql, "body", "a.sql", (1,), variables=(("x", "integer"),)), ["x"])
    assert found.sql == expected
    at = expected.index("'x'") if "'x'" in expected else expected.index("FROM")
    assert sql[found.original(at) :][:3] == expected[at:][:3]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a INTO b FROM t", "SELECT a        FROM t"),
        ("SELECT INTO STRICT b, r.c a FROM t", "SELECT                    a FROM t"),
        ("INSERT INTO t VALUES (1) RETURNING a INTO b", "INSERT INTO t VALUES (1) RETURNING a       "),
        ("MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE", None),
        ("SELECT (SELECT 'a INTO b')", None),
    ],
)
def test_into_is_taken_out_and_the_rest_keeps_its_place(sql: str, expected: str | None) -> None:
    query = Query(sql, "body", "a.sql", (1,))
    assert StatementReading(query).without_into() == sql  # which creates a table
    reading = StatementReading(replace(query, variables=(("b", "integer"),)))
    assert reading.without_into() == (expected or sql)
