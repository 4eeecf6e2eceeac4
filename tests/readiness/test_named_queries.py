"""Named queries, schemas that a program fills in, extensions that statements name, what follows from a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.sql_files import separated
from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = """\
CREATE SCHEMA queue;
CREATE TABLE queue.job (id bigint PRIMARY KEY, state text, waits interval);
CREATE TABLE public.other (id bigint);
CREATE FUNCTION queue.next() RETURNS bigint LANGUAGE sql AS 'SELECT max(id) FROM queue.job';
"""
NAMED = """\
-- name: fetch_job :one
-- Takes the next job.
SELECT id FROM queue.job
 WHERE state = 'todo' AND NOT pg_is_in_backup() -- name: not this

-- name: finish-job!
UPDATE queue.job SET state = :state WHERE id = :id

-- name: backup_started^
SELECT pg_backup_start_time();

-- name: other
SELECT (
-- name: other2
  id
) FROM other
"""
SOURCE = """\
export const take = (schema: string) => `
  UPDATE ${schema}.job SET state = 'active', waits = $1
   WHERE id = ${schema}.next() AND NOT pg_is_in_backup()`
export const index = (schema: string) => `CREATE INDEX job_state ON ${schema}.job (state)`
export const good = (schema: string) => `SELECT id FROM ${schema}.job WHERE state = $1`
"""


def test_named_queries_are_split_where_the_next_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(SCHEMA)
    (tmp_path / "jobs.sql").write_text(NAMED)
    found = readiness(
        old="14",
        new="18",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "jobs.sql"],
        stages=["queries"],
    )
    assert [(each.place.line, each.place.column) for each in found.findings if each.place] == [
        (4, 31),
        (10, 8),
    ]
    (run,) = found.runs
    assert dict(run.report.counts)["statements"] == 5  # with the one in the function
    assert not run.report.not_looked_at


def test_what_names_no_query_splits_nothing() -> None:
    for text in (
        "CREATE TABLE t (\n-- name: first\nname text\n);",
        "SELECT a\n-- name: first one of all\nFROM t",
        "SELECT a\n-- name: first\nFROM t",
        "SELECT '\n-- name: first\nSELECT 1'",
    ):
        assert separated(text) == text


def test_a_schema_that_the_program_fills_in_is_the_one_that_has_the_table(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(SCHEMA)
    (tmp_path / "jobs.ts").write_text(SOURCE)
    found = readiness(
        old="14",
        new="18",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "jobs.ts"],
        stages=["queries"],
    )
    (finding,) = found.findings
    assert finding.place
    assert finding.place.line == 3
    assert """SELECT set_config('"'"'search_path'"'"', '"'"'"queue",""" in finding.proof
    (run,) = found.runs
    assert not run.report.not_looked_at
    counts = dict(run.report.counts)
    assert (counts["accepted by 14"], counts["accepted by 18"]) == (4, 3)


REFUSED = """\
CREATE TABLE kept (id int);
CREATE UNLOGGED TABLE parent (id int) PARTITION BY RANGE (id);
CREATE TABLE child PARTITION OF parent DEFAULT;
CREATE VIEW both_of AS SELECT * FROM parent;
CREATE INDEX ON child (id);
ALTER TABLE kept ADD since date, ADD COLUMN IF NOT EXISTS copied bool DEFAULT pg_is_in_backup();
"""


def test_what_follows_from_a_refusal_is_told_there_and_counted_once(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(REFUSED)
    (tmp_path / "q.sql").write_text(
        "SELECT id FROM kept;\nSELECT id\n  FROM both_of;\nSELECT pg_is_in_backup();\n"
        "SELECT copied FROM kept;\nUPDATE kept SET since = now();\n"
    )
    found = readiness(
        old="14",
        new="18",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "q.sql"],
        stages=["schema", "queries"],
    )
    errors = [each for each in found.findings if each.severity == "error"]
    assert sorted((each.stage, each.place.line) for each in errors if each.place) == [
        ("queries", 4),
        ("schema", 2),
        ("schema", 6),
    ]
    first, altered = (each for each in errors if each.stage == "schema")
    at = tmp_path / "schema.sql"
    assert first.object == "table parent"
    told = f"its result is missing in {at}:3, {at}:4, {at}:5, {tmp_path / 'q.sql'}:3"
    assert first.message.endswith(told), first.message
    assert altered.object == "column since, column copied"
    told = f"its result is missing in {tmp_path / 'q.sql'}:5, {tmp_path / 'q.sql'}:6"
    assert altered.message.endswith(told), altered.message


CHAIN = """\
CREATE INDEX twice ON t ((lasts::text));
COMMENT ON INDEX twice IS 'x';
ALTER INDEX twice RENAME TO pg_is_in_backup;
REINDEX INDEX pg_is_in_backup;
DROP INDEX pg_is_in_backup;
CREATE FUNCTION busy(a int) RETURNS bool LANGUAGE sql BEGIN ATOMIC SELECT pg_is_in_backup(); END;
GRANT EXECUTE ON FUNCTION busy(int) TO PUBLIC;
ALTER FUNCTION busy RENAME TO busier;
DROP FUNCTION busier(int);
CREATE TRIGGER tr BEFORE UPDATE ON t FOR EACH ROW WHEN (pg_is_in_backup())
    EXECUTE FUNCTION suppress_redundant_updates_trigger();
ALTER TABLE t DISABLE TRIGGER tr;
DROP TRIGGER tr ON t;
ALTER TABLE t ADD CONSTRAINT c CHECK (NOT pg_is_in_backup());
COMMENT ON CONSTRAINT c ON t IS 'x';
ALTER TABLE t DROP CONSTRAINT c;
CREATE DOMAIN d AS int CHECK (NOT pg_is_in_backup());
COMMENT ON DOMAIN d IS 'x';
DROP DOMAIN d;
CREATE POLICY p ON t USING (pg_is_in_backup());
DROP POLICY p ON t;
CREATE RULE r AS ON UPDATE TO t WHERE pg_is_in_backup() DO NOTHING;
DROP RULE r ON t;
CREATE STATISTICS s ON (lasts::text), (pg_is_in_backup()) FROM t;
DROP STATISTICS s;
CREATE VIEW kept AS SELECT pg_is_in_backup() AS id;
ALTER VIEW kept RENAME COLUMN id TO is_busy;
DROP VIEW kept;
"""
MIGRATION = """\
from django.db import migrations

operations = [
    migrations.RunSQL("CREATE INDEX i ON t ((lasts::text))", reverse_sql="DROP INDEX i"),
    migrations.RunSQL("ALTER TABLE t ADD CHECK (NOT pg_is_in_backup())", "DROP FUNCTION pg_is_in_backup()"),
]
"""


def test_what_a_refused_definition_would_have_made_is_missing_whatever_its_kind(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (lasts interval);\n" + CHAIN)
    found = readiness(old="14", new="16", schema=[tmp_path / "schema.sql"], stages=["schema", "queries"])
    told = {each.place.line: each.message for each in found.affects if each.place}
    at = tmp_path / "schema.sql"
    assert {line: message.partition("; its result is missing in ")[2] for line, message in told.items()} == {
        first: ", ".join(f"{at}:{line}" for line in following)
        for first, *following in (
            (2, 3, 4, 5, 6),
            (7, 8, 9, 10),
            (11, 13, 14),
            (15, 16, 17),
            (18, 19, 20),
            (21, 22),
            (23, 24),
            (25, 26),
            (27, 28, 29),
        )
    }


def test_what_takes_back_a_refused_statement_of_a_migration_is_counted_with_it(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (lasts interval);\n")
    migration = tmp_path / "0002_index.py"
    migration.write_text(MIGRATION)
    found = readiness(
        old="14",
        new="16",
        schema=[tmp_path / "schema.sql"],
        queries=[migration],
        stages=["schema", "queries"],
    )
    first, second, third = found.affects
    assert (first.object, first.message.endswith(f"; its result is missing in {migration}:4")) == (
        "index i",
        True,
    )
    assert "its result" not in second.message + third.message


BODIES = """\
CREATE FUNCTION push(anyarray, anyelement) RETURNS anyarray LANGUAGE sql AS 'SELECT array_append($1, $2)';
CREATE FUNCTION bits(bytea) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN bit_count($1::bytea); END';
"""
STAMP = "CREATE FUNCTION stamp() RETURNS opaque LANGUAGE plpgsql AS 'BEGIN NEW.a := 1; RETURN NEW; END';"


def test_a_body_that_only_lacks_its_types_is_not_told_to_be_accepted(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(BODIES)
    (tmp_path / "older.sql").write_text(STAMP)
    found = readiness(old="13", new="14", schema=[tmp_path / "schema.sql"], stages=["schema", "queries"])
    (note,) = (each for each in found.findings if each.severity == "note")
    assert note.object == "function bits(bytea)"
    assert "accepts what 13" in note.message
    found = readiness(old="9.6", new="12", schema=[tmp_path / "older.sql"], stages=["schema", "queries"])
    assert not [each for each in found.findings if each.severity == "note"]


def test_an_extension_that_statements_name_is_told(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text(
        "SELECT total_time FROM pg_stat_statements;\nSELECT levenshtein('a', 'b');\nSELECT not_there();\n"
    )
    found = readiness(old="12", new="18", queries=[tmp_path / "q.sql"], stages=["queries"])
    whys = {each.what.rpartition(":")[2]: each.why for each in found.not_looked_at}
    told = "; the extension {0} has it: write CREATE EXTENSION {0} into a file for --schema"
    assert whys["1"].endswith(told.format("pg_stat_statements"))
    assert whys["2"].endswith(told.format("fuzzystrmatch"))
    assert whys["3"] == "both refuse it: 42883 undefined_function: function not_there() does not exist"


def test_a_schema_that_a_template_fills_in_is_found_in_sql_files_too(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(SCHEMA)
    forms = ("${schema}", "{{ schema }}", ":schema", "$schema", "@schema@", "%(schema)s")
    (tmp_path / "jobs.sql").write_text(
        "".join(f"SELECT id FROM {form}.job WHERE NOT pg_is_in_backup();\n" for form in forms)
    )
    found = readiness(
        old="14",
        new="18",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "jobs.sql"],
        stages=["queries"],
    )
    assert [each.place.line for each in found.findings if each.place] == [1, 2, 3, 4, 5, 6]
    (run,) = found.runs
    assert not run.report.not_looked_at


SESSION = """\
SELECT id FROM job;
SET search_path TO queue, public;
SELECT id, pg_is_in_backup() FROM job;
SET LOCAL search_path TO public;
SELECT waits FROM job;
RESET search_path;
SELECT id, state FROM job;
"""


def test_what_a_file_sets_holds_for_what_follows(tmp_path: Path) -> None:
    (tmp_path / "s.sql").write_text(SCHEMA)
    (tmp_path / "q.sql").write_text(SESSION)
    found = readiness(
        old="14", new="15", schema=[tmp_path / "s.sql"], queries=[tmp_path / "q.sql"], stages=["queries"]
    )
    assert [each.place.line for each in found.affects if each.place] == [3]
    (run,) = found.runs
    (refused,) = (each.what for each in run.report.not_looked_at)
    assert [place[-7:] for place in refused.split(", ")] == ["q.sql:1", "q.sql:7"]
