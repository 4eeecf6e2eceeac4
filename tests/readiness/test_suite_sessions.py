"""What a session of a suite has set or created for itself: temporary objects, the search path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.readiness.suite.sessions import SessionState

if TYPE_CHECKING:
    from pathlib import Path

_TEMPORARY = """\
psql -qc 'CREATE DATABASE shop' && psql -qd shop <<'END'
CREATE TABLE shop (id int PRIMARY KEY, due interval);
INSERT INTO shop VALUES (1, '1.99 years');
BEGIN;
CREATE TEMP TABLE shop (id int, name text) ON COMMIT DROP;
INSERT INTO shop VALUES (2, 'x');
SELECT name FROM shop;
COMMIT;
CREATE INDEX shop_due ON shop (due);
CREATE TEMP TABLE picked (id int);
ALTER TABLE picked ADD COLUMN n int;
COMMENT ON COLUMN picked.n IS 'a number';
CREATE INDEX found_by ON picked (id);
SELECT n FROM picked;
CREATE TEMP TABLE picked (refused int);
SELECT id + n FROM picked;
DROP INDEX found_by;
DROP TABLE picked;
CREATE TEMP TABLE picked AS SELECT due FROM shop;
SELECT due FROM picked;
DROP TABLE picked;
CREATE TABLE picked (lasting int);
SELECT lasting FROM picked;
SELECT id INTO TEMP chosen FROM shop;
SELECT id FROM chosen;
CREATE TABLE pg_temp.direct (d int);
SELECT d FROM direct;
CREATE FUNCTION pg_temp.one() RETURNS int LANGUAGE sql AS 'SELECT 1';
SELECT pg_temp.one();
CREATE VIEW of_chosen AS SELECT id FROM chosen;
SELECT id AS chosen FROM of_chosen;
BEGIN;
CREATE TEMP TABLE undone (a int);
ROLLBACK;
CREATE TABLE undone (b int);
SELECT b FROM undone;
CREATE TEMP SEQUENCE numbers;
SELECT nextval('numbers');
DISCARD TEMP;
CREATE TABLE chosen (again int);
SELECT again FROM chosen;
CREATE TEMP TABLE backups AS SELECT pg_is_in_backup() AS now;
SELECT now FROM backups;
END
psql -qXd shop -c 'CREATE TEMP TABLE one (a int); CREATE TABLE two (b int); SELECT a, b FROM one, two'
"""


def test_temporary_objects_are_their_sessions_and_no_part_of_the_schema(tmp_path: Path) -> None:
    script = tmp_path / "suite.sh"
    script.write_text(_TEMPORARY)
    stages = ["suite", "schema", "queries", "plans", "results"]
    found = readiness(old="14", new="18", run=f"sh {script}", stages=stages)
    assert not [run.error for run in found.runs if run.error]
    assert not any("refused" in problem for problem in found.problems), found.problems
    refused = [each for each in found.findings if each.stage in ("suite", "queries")]
    assert {each.sqlstate for each in refused} == {"42883"}
    assert any(
        "its result is missing in statement SELECT now FROM backups" in each.message for each in refused
    )
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    assert counts["schema"]["statements"] == 7  # five tables, an index, and COPY of the rows
    assert counts["queries"]["statements"] == counts["queries"]["accepted by 14"]
    assert counts["queries"]["accepted by 14"] - counts["queries"]["accepted by 18"] == 2
    told = {each.excerpt for each in found.findings if each.stage == "queries"}
    assert any("pg_is_in_backup" in each for each in told), told


_SHOPS = """\
psql -qvON_ERROR_STOP=1 <<'END'
CREATE SCHEMA one; CREATE SCHEMA two; CREATE SCHEMA owner; CREATE SCHEMA kept;
CREATE TABLE one.shop (due interval); CREATE TABLE two.shop (id int); CREATE TABLE kept.kept (due interval);
INSERT INTO one.shop VALUES ('1.99 years');
CREATE TABLE owner.own (due interval);
CREATE ROLE owner LOGIN SUPERUSER PASSWORD 'x';
CREATE ROLE other LOGIN SUPERUSER PASSWORD 'x';
ALTER ROLE other SET search_path = two;
END
PGUSER=owner PGPASSWORD=x psql -qc 'SELECT due FROM own'
PGUSER=other PGPASSWORD=x psql -qc 'CREATE TABLE made (id int)' -c 'SELECT count(id) FROM shop'
psql -qv ON_ERROR_STOP=1 <<'END'
%(first)s
SELECT due FROM shop;
BEGIN;
SET LOCAL search_path TO 'two';
SELECT id FROM shop;
COMMIT;
SELECT due + due FROM shop;
BEGIN;
SET search_path = kept;
SELECT due FROM kept;
ROLLBACK;
SELECT due - due FROM shop;
CREATE TABLE made (due interval);
SET search_path = public;
CREATE TABLE made (id int);
END
"""
_SETS = {
    "SET": ("SET search_path = one;", ""),
    "set_config": ("SELECT set_config('search_path', 'one', false);", ""),
    "options": ("", "PGOPTIONS='-c search_path=one' "),
}


@pytest.mark.parametrize("way", _SETS)
def test_names_without_a_schema_mean_what_they_meant_to_the_session(way: str, tmp_path: Path) -> None:
    first, options = _SETS[way]
    script = tmp_path / "suite.sh"
    text = (_SHOPS % {"first": first}).replace("psql -qv ON", f"{options}psql -qv ON")
    script.write_text(text)
    found = readiness(
        old="14", new="18", run=f"sh {script}", stages=["suite", "schema", "queries", "results"]
    )
    assert not [run.error for run in found.runs if run.error]
    assert not [each for each in found.findings if each.stage in ("suite", "queries")]
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    assert not any("refused" in problem for problem in found.problems)
    assert counts["queries"]["statements"] == counts["queries"]["accepted by 14"]
    assert counts["queries"]["statements"] == 7 + (way == "set_config") + 1  # and the INSERT
    assert counts["results"]["failed on both"] == 0
    (empty,) = [problem for problem in found.problems if problem.startswith("tables without rows")]
    assert empty.endswith(": kept.kept, one.made, owner.own, public.made, two.made, two.shop")


@pytest.mark.parametrize(
    ("sql", "values", "path"),
    [
        ("SET search_path = shop", (), "shop"),
        ("set session Search_Path to 'My shop', \"$user\",public;", (), '"My shop", "$user", public'),
        ("/* a */ SET SCHEMA 'shop'", (), "shop"),
        ("SELECT pg_catalog.set_config('search_path', '', false)", (), ""),
        ("SELECT set_config('search_path', $1, $2::bool)", ("shop", "f"), "shop"),
        ("SELECT 1; SET search_path = a; SET search_path = b", (), "b"),
        ("SET search_path = DEFAULT", (), "start"),
        ("DISCARD ALL", (), "start"),
        ("SET LOCAL search_path = shop", (), "before"),
        ("SELECT 'SET search_path = shop'", (), "before"),
        ("ALTER ROLE shop SET search_path = shop", (), "before"),
        ("UPDATE t SET search_path = shop", (), "before"),
    ],
)
def test_statements_that_set_the_search_path_are_followed(
    sql: str, values: tuple[str, ...], path: str
) -> None:
    session = SessionState("start")
    session.follow("SET search_path = before")
    session.follow(sql, values)
    assert session.path == path
    session.refuse()
    assert session.path == "before"


def test_a_search_path_is_kept_as_transactions_keep_it() -> None:
    session = SessionState("start")
    for end, path, after in (
        ("COMMIT", "shop", "shop"),
        ("ROLLBACK", "gone", "shop"),
        ("abort and chain", "gone", "shop"),
        ("END", "other", "other"),
    ):
        session.follow("BEGIN")
        session.follow(f"SET search_path = {path}")
        session.follow("SET LOCAL search_path = here")
        assert session.path == "here"
        session.follow(end)
        assert session.path == after


def test_a_savepoint_keeps_what_was_defined_before_it() -> None:
    session = SessionState()
    for sql in (
        "START TRANSACTION",
        "CREATE TABLE a ()",
        "SAVEPOINT s",
        "CREATE TABLE b ()",
        "SET search_path = b",
    ):
        session.follow(sql)
    session.refuse()
    session.follow("ROLLBACK TO SAVEPOINT s; CREATE TEMP TABLE c () ON COMMIT DROP; CREATE TABLE d ()")
    assert session.named_in("TABLE c") == ("CREATE TEMP TABLE c () ON COMMIT DROP",)
    assert session.committed() == ()
    session.follow("COMMIT")
    assert not session.named_in("TABLE c")
    assert [sql.rpartition(";")[2].strip() for sql, _ in session.committed()] == [
        "CREATE TABLE a ()",
        "CREATE TABLE d ()",
    ]
    assert session.committed() == ()
