"""A dump that is checked runs no program, writes no file and gets no rights, whatever is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.processes

ATTACK = """\
CREATE FUNCTION attack(how text) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'cat > DIRECTORY/' || how);
    RETURN 1;
EXCEPTION WHEN OTHERS THEN
    RETURN 0;
END $$;
CREATE FUNCTION hidden(how text) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN attack(how); END';
"""
SCHEMA = r"""
COPY (SELECT 1) TO/**/PROGRAM 'touch DIRECTORY/comment';
COPY (SELECT 1) TO -- x
    PROGRAM 'touch DIRECTORY/line-comment';
COPY (SELECT 1) TO $$DIRECTORY/dollar$$;
COPY (SELECT 1) TO U&'DIRECTORY/unicode';
COPY (SELECT 1) TO E'DIRECTORY/escape';
ALTER/**/SYSTEM SET archive_command = 'touch DIRECTORY/archive';
CREATE/**/DATABASE attacked;
DO $$ BEGIN PERFORM attack('do'); END $$;
CREATE TABLE victims (id integer CHECK (attack('check') >= 0), name text DEFAULT attack('default')::text);
CREATE FUNCTION triggered() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM attack(''trigger''); RETURN NEW; END';
CREATE TRIGGER first BEFORE INSERT ON victims FOR EACH ROW EXECUTE PROCEDURE triggered();
CREATE INDEX ON victims (hidden('index'), id);
CREATE MATERIALIZED VIEW seen AS SELECT attack('view') AS found;
INSERT INTO victims SELECT n FROM generate_series(1, 20) n;
CREATE FUNCTION fired() RETURNS event_trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM attack(''event''); END';
CREATE EVENT TRIGGER fires ON ddl_command_start EXECUTE PROCEDURE fired();
DO $$ BEGIN ALTER EVENT TRIGGER fires ENABLE ALWAYS; EXCEPTION WHEN OTHERS THEN NULL; END $$;
ALTER EVENT TRIGGER fires ENABLE ALWAYS;
CREATE EXTENSION pageinspect;
CREATE ROLE other;
CREATE FUNCTION leaks() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER LEAKPROOF AS
    'BEGIN RETURN attack(''leakproof''); END';
SELECT leaks();
CREATE FUNCTION pg_catalog.textcat(a text, b text, c text DEFAULT '') RETURNS text LANGUAGE sql LEAKPROOF AS
    'SELECT attack(''catalog'')::text';
CREATE FUNCTION raw(text) RETURNS text LANGUAGE internal LEAKPROOF AS 'pg_read_file_all';
DO $$ BEGIN RESET ROLE; PERFORM attack('reset-role'); END $$;
DO $$ BEGIN EXECUTE 'SET SESSION AUTHORIZATION pgfeatures'; EXCEPTION WHEN OTHERS THEN NULL; END $$;
SELECT attack('session-authorization');
SET SESSION AUTHORIZATION pgfeatures;
SELECT attack('authorized');
ALTER ROLE postgres SUPERUSER;
SELECT attack('altered');
CREATE ROLE strong SUPERUSER LOGIN;
SET ROLE strong;
SELECT attack('strong');
RESET ROLE;
CREATE ROLE creator CREATEROLE;
SET ROLE creator;
DO $$ BEGIN
    CREATE ROLE helped IN ROLE pg_execute_server_program; GRANT helped TO postgres;
EXCEPTION WHEN OTHERS THEN NULL; END $$;
RESET ROLE;
SELECT attack('creator');
GRANT pg_execute_server_program TO postgres;
CREATE ROLE runner IN ROLE pg_execute_server_program;
GRANT pgfeatures TO postgres;
SELECT attack('granted');
ALTER ROLE postgres SET session_preload_libraries = 'DIRECTORY/evil';
ALTER ROLE postgres SET search_path = public, pg_catalog;
ALTER ROLE CURRENT_USER SET session_preload_libraries = 'DIRECTORY/evil';
CREATE DOMAIN picky AS integer CHECK (attack('domain') >= 0);
CREATE TABLE parts (id picky) PARTITION BY LIST (id);
CREATE TABLE part PARTITION OF parts FOR VALUES IN (1);
"""
QUERIES = """\
SELECT count(*) AS found FROM victims WHERE hidden('planned') = 1;
COPY (SELECT 1) TO/**/PROGRAM 'touch DIRECTORY/query';
UPDATE victims SET id = id + 1;
"""


def hostile(
    tmp_path: Path, reachable_path: Path, pair: tuple[str, str], *, trust: bool
) -> tuple[list[str], list[str]]:
    """The files that the attacks left, and what was told."""
    directory = reachable_path / "reached"
    directory.mkdir()
    directory.chmod(0o777)
    for name, text in (("schema.sql", ATTACK + SCHEMA), ("queries.sql", QUERIES)):
        (tmp_path / name).write_text(text.replace("DIRECTORY", str(directory)))
    found = readiness(
        old=pair[0],
        new=pair[1],
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "queries.sql"],
        trust=trust,
    )
    return sorted(each.name for each in directory.iterdir()), list(found.problems)


@pytest.mark.pg(matrix=False)
@pytest.mark.parametrize("pair", [("9.6", "14"), ("14", "18")], ids="-".join)
def test_a_hostile_schema_reaches_nothing_outside_of_its_database(
    pair: tuple[str, str], tmp_path: Path, reachable_path: Path
) -> None:
    reached, told = hostile(tmp_path, reachable_path, pair, trust=False)
    assert reached == []
    said = "\n".join(told)
    assert "were run as superuser" in said
    assert "CREATE EVENT TRIGGER fires" in said
    assert "may need a superuser, and --trust runs them" in said


@pytest.mark.pg(matrix=False)
def test_these_attacks_reach_the_machine_if_the_schema_is_trusted(
    tmp_path: Path, reachable_path: Path
) -> None:
    """Otherwise the test above could not fail."""
    reached, _ = hostile(tmp_path, reachable_path, ("14", "18"), trust=True)
    assert {"do", "trigger", "check", "index", "view", "event", "leakproof", "domain"} <= set(reached)
    assert not {"comment", "line-comment", "dollar", "unicode", "escape", "archive"} & set(reached)
