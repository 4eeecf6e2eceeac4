"""Statements that only the new server refuses, and objects in the old catalogs, are evidence without a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = """\
CREATE TABLE users (id int NOT NULL, email text NOT NULL);
CREATE UNIQUE INDEX users_email ON users (email) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX users_id ON users (id);
ALTER TABLE users ADD CONSTRAINT users_pk PRIMARY KEY USING INDEX users_email;
CREATE TABLE orders (id int);
CREATE TABLE legacy_orders (id int);
CREATE RULE "_RETURN" AS ON SELECT TO legacy_orders DO INSTEAD SELECT * FROM orders;
CREATE VIEW recent AS SELECT * FROM orders;
CREATE OR REPLACE RULE "_RETURN" AS ON SELECT TO recent DO INSTEAD SELECT * FROM orders;
CREATE RULE audit AS ON UPDATE TO orders DO ALSO SELECT 1;
CREATE TABLE people (id int NOT NULL);
CREATE UNIQUE INDEX people_id ON people (id);
"""
QUERIES = """\
ALTER TABLE people ADD PRIMARY KEY USING INDEX people_id;
CREATE UNIQUE INDEX people_again ON people (id) NULLS NOT DISTINCT;
"""


@pytest.mark.pg(matrix=False)
def test_what_only_the_new_server_refuses_is_evidence(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(SCHEMA)
    (tmp_path / "q.sql").write_text(QUERIES)
    found = readiness(
        old="15", new="16", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["schema", "queries", "incompatibilities"],
    )  # fmt: skip
    errors = {(each.place.line, each.items) for each in found.affects if each.place}
    assert errors == {(4, ("16.2",)), (7, ("16.7",))}
    (looked,) = (run.report for run in found.runs if run.stage == "incompatibilities")
    assert {each.behavior: each.answer for each in looked.answers if {"16.2", "16.7"} & {*each.items}} == {
        "16/primary-key-nulls-not-distinct": "affects",
        "16/create-rule-view": "affects",
    }


ROUTINES = """\
CREATE FUNCTION total(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION total(text) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION single(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE TABLE people (name text, alias text);
CREATE FUNCTION label(people) RETURNS text LANGUAGE sql AS 'SELECT $1.name';
CREATE FUNCTION shown(people) RETURNS text LANGUAGE sql AS 'SELECT $1.name';
CREATE FUNCTION alias(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
ALTER TABLE people ADD label text;
"""
DROPPING = """\
DROP FUNCTION IF EXISTS total(int);
DROP FUNCTION IF EXISTS single;
DROP FUNCTION IF EXISTS public.total CASCADE;
CREATE TABLE sales (day date) PARTITION BY RANGE (day) TABLESPACE pg_default;
CREATE TABLE visits (day date) TABLESPACE pg_default;
"""


@pytest.mark.pg(matrix=False)
def test_routines_are_looked_for_in_catalogs(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(ROUTINES)
    (tmp_path / "q.sql").write_text(DROPPING)
    found = readiness(
        old="10", new="12", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["queries", "incompatibilities"],
    )  # fmt: skip
    shown = [
        (each.place.line, each.items)
        for each in found.findings
        if each.place and not {"11.2", "12.16"}.isdisjoint(each.items)
    ]
    assert sorted(shown) == [(3, ("12.16",)), (5, ("11.2",))]
    of_partitions = "12/partitioned-table-in-default-tablespace"
    assert [each.place.line for each in found.affects if each.place and each.behavior == of_partitions] == [4]


REASONS = """\
CREATE TABLE spans (a interval, b text);
CREATE TABLE days (n text GENERATED ALWAYS AS ((interval '1 day')::text) STORED);
CREATE FUNCTION rows_of(json_table text) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE SCHEMA compat;
CREATE FUNCTION compat.json_value(json, text) RETURNS text LANGUAGE sql AS 'SELECT $1 ->> $2';
DO $$ BEGIN
    PERFORM set_config('my-app.tenant', '7', false);
END $$;
"""
CALLING = """\
SELECT compat.json_value('{}', 'a') FROM spans;
"""


@pytest.mark.pg(matrix=False)
def test_a_refusal_names_its_cause_and_a_name_is_the_same_in_quotes(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(REASONS)
    (tmp_path / "q.sql").write_text(CALLING)
    found = readiness(
        old="13", new="17", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["schema", "queries", "incompatibilities"],
    )  # fmt: skip
    placed = {
        (each.place.file.rpartition("/")[2], each.place.line, each.items)
        for each in found.findings
        if each.place
    }
    assert placed == {
        ("schema.sql", 2, ("15.14",)),
        ("schema.sql", 3, ("17.x4",)),
        ("schema.sql", 6, ("14.15",)),
        ("schema.sql", 7, ("14.15",)),
    }


ACCEPTED = """\
CREATE TABLE visits (id int, ip inet, page text);
CREATE UNIQUE INDEX visits_ip ON visits (ip);
CREATE UNIQUE INDEX visits_page ON visits (page COLLATE "C");
ALTER TABLE visits ADD CONSTRAINT visits_ip UNIQUE USING INDEX visits_ip;
ALTER TABLE visits ADD CONSTRAINT visits_page UNIQUE USING INDEX visits_page;
CREATE TYPE weight_range AS RANGE (subtype = numeric);
CREATE TABLE float_multirange (id int);
"""
DEFINED = """\
CREATE TYPE float_range AS RANGE (subtype = float8);
CREATE TYPE page_range AS RANGE (subtype = int);
"""


@pytest.mark.pg(matrix=False)
def test_what_the_new_server_runs_is_no_evidence_of_what_it_refuses(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(ACCEPTED)
    (tmp_path / "q.sql").write_text(DEFINED)
    found = readiness(
        old="12", new="14", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["schema", "queries", "incompatibilities"],
    )  # fmt: skip
    wanted = ("13/key-of-another-collation", "14/multirange-type-name")
    assert [
        (each.place.line, each.behavior, each.certainty)
        for each in found.findings
        if each.place and each.behavior in wanted
    ] == [(5, wanted[0], "affects"), (1, wanted[1], "affects")]


FOLLOWED = """\
CREATE TABLE public.old (a int, b abstime);
CREATE VIEW public.ofold AS SELECT a FROM public.old;
CREATE VIEW public.ofofold AS SELECT a FROM public.ofold;
CREATE INDEX old_a ON public.old (a);
COMMENT ON INDEX public.old_a IS 'follows from the index, and that from the table';
CREATE FUNCTION total() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT sum(a) FROM public.old); END $$;
CREATE INDEX ON public.missing (a);
ALTER TABLE public.missing ADD COLUMN b reltime;
CREATE TABLE public.nothing (a int, b no_type);
CREATE VIEW public.ofnothing AS SELECT a FROM public.nothing;
"""


@pytest.mark.pg(matrix=False)
def test_what_follows_is_counted_once_and_a_missing_table_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(FOLLOWED)
    (tmp_path / "q.sql").write_text("SELECT * FROM ofofold;\nSELECT * FROM missing;\nDELETE FROM missing;\n")
    found = readiness(
        old="11", new="14", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["schema", "queries", "incompatibilities"],
    )  # fmt: skip
    shown = [(each.place.line, each.certainty) for each in found.findings if each.place]
    assert shown == [(1, "affects"), (8, "may affect")]
    assert found.findings[0].message.count("schema.sql") == 5
    assert 'by its text alone: relation "public.missing" does not exist' in found.findings[1].message
    files = str(tmp_path / "schema.sql"), str(tmp_path / "q.sql")
    told = [line.strip() for line in found.problems]
    assert (
        f'{files[0]}:7, {files[0]}:8: 42P01 undefined_table: relation "public.missing" does not exist' in told
    )
    assert any(line.endswith(f'"public.nothing" does not exist, as {files[0]}:9 is refused') for line in told)
    (missed,) = (each.what for each in found.not_looked_at if "both refuse it" in each.why)
    assert missed == f"{files[1]}:2, {files[1]}:3"


@pytest.mark.pg(matrix=False)
def test_a_refused_set_and_a_warning_that_follows_from_a_refusal_are_told_once(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("""\
SET replacement_sort_tuples = 1000;
SET default_with_oids = off;
CREATE FUNCTION half(a int) RETURNS int AS 'SELECT $1 / 2' LANGUAGE sql WITH (isstrict);
""")
    (tmp_path / "q.sql").write_text(
        "DROP FUNCTION IF EXISTS half(int);\nDROP FUNCTION IF EXISTS third(int);\n"
        "ALTER ROLE postgres SET replacement_sort_tuples = 100;\n"
    )
    found = readiness(
        old="10", new="12", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["settings", "schema", "queries"],
    )  # fmt: skip
    assert [(each.place.line, each.stage, each.severity) for each in found.findings if each.place] == [
        (3, "settings", "error"),  # of q.sql
        (1, "settings", "error"),
        (3, "schema", "error"),
    ]
    assert "q.sql:1" in found.findings[-1].message


@pytest.mark.pg(matrix=False)
def test_a_column_that_a_refused_statement_alters_is_no_difference_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("""\
CREATE TABLE orders (id int, total numeric, n numeric);
CREATE TABLE others (id int);
ALTER TABLE orders ALTER COLUMN total SET NOT NULL, ALTER COLUMN n SET DEFAULT numeric_fac(3);
CREATE UNIQUE INDEX orders_id ON orders (id);
ALTER TABLE orders ADD CONSTRAINT orders_pk PRIMARY KEY (id), ADD CHECK (numeric_fac(3) > 0);
""")
    found = readiness(old="13", new="14", schema=[tmp_path / "schema.sql"], stages=["schema"])
    assert [(each.place.line, each.sqlstate) for each in found.findings if each.place] == [
        (3, "42883"),
        (5, "42883"),
    ]


@pytest.mark.pg(matrix=False)
def test_another_error_than_that_of_the_old_server_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("SELECT json(ARRAY['a']);\n")
    found = readiness(old="15", new="18", queries=[tmp_path / "q.sql"], stages=["queries"])
    assert not found.findings
    assert ["function json(text[]) does not exist" in each.why for each in found.not_looked_at] == [True]


@pytest.mark.pg(matrix=False)
def test_signs_that_only_look_like_postfix_operators_are_refused_by_both(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text(
        "SELECT datname FROM pg_database WHERE datallowconn ^^^ GROUP BY 1;\nSELECT 5 !;\n"
        "SELECT @extname@;\nSELECT x FROM pg_class WHERE y %%where%% ORDER BY 1;\nSELECT lacking !;\n"
    )
    found = readiness(old="13", new="14", queries=[tmp_path / "q.sql"], stages=["queries"])
    assert {each.place.line for each in found.affects if each.place} == {2, 5}


@pytest.mark.pg(matrix=False)
def test_types_and_values_that_are_unknown_break_nothing(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text(
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;\n"
        "SELECT 'a' AS kind;\n"
        "SELECT 1 FROM information_schema.tables WHERE table_name = $1;\n"
        "DO $$ BEGIN EXECUTE format('DELETE FROM lacking WHERE ts < %L::bigint', 1); END $$;\n"
        "SET track_activity_query_size = 2048;\n"
        "SELECT relname FROM pg_class WHERE relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user);\n"
    )
    (tmp_path / "app.py").write_text("run(\"SELECT 1 WHERE now() > now() - interval '{{ seconds }}s'\")\n")
    found = readiness(
        old="9.6", new="13", queries=[tmp_path / "q.sql", tmp_path / "app.py"], stages=["queries", "settings"]
    )
    assert not [each for each in found.findings if each.place]


@pytest.mark.pg(matrix=False)
def test_more_columns_and_other_names_only_may_affect(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text(
        "SELECT * FROM pg_hba_file_rules;\n"
        "SELECT extract(hour FROM now())::int FROM pg_class;\n"
        "SELECT extract(hour FROM now()) AS hour FROM pg_class;\n"
        "SELECT * FROM pg_stat_bgwriter;\nSELECT * FROM pg_attribute;\nSELECT datctype FROM pg_database;\n"
    )
    found = readiness(old="13", new="17", queries=[tmp_path / "q.sql"], stages=["queries"])
    assert {each.place.line: each.certainty for each in found.findings if each.place} == {
        1: "may affect",
        2: "may affect",  # its name is extract, no longer date_part
        3: "affects",
        4: "affects",
        5: "may affect",
    }


@pytest.mark.pg(matrix=False)
def test_fields_of_rows_have_their_types(tmp_path: Path) -> None:
    """EXTRACT returns numeric from 14 on, which the assignment converts."""
    (tmp_path / "schema.sql").write_text(
        "CREATE TABLE sales (id int, made timestamp);\n"
        "CREATE FUNCTION month_of(s sales) RETURNS numeric LANGUAGE plpgsql AS $$\n"
        "DECLARE m double precision; r sales%ROWTYPE;\n"
        "BEGIN\n"
        "    m := extract(month FROM s.made);\n"
        "    m := extract(month FROM r.made);\n"
        "    RETURN m;\n"
        "END $$;\n"
    )
    found = readiness(
        old="13",
        new="14",
        schema=[tmp_path / "schema.sql"],
        stages=["schema", "queries", "incompatibilities"],
    )
    assert not [each.message for each in found.findings if each.place]


@pytest.mark.pg(matrix=False)
def test_what_can_not_be_rolled_back_is_not_called_accepted(tmp_path: Path) -> None:
    """Up to 11, a value is added to a type outside of transactions only; see
    https://www.postgresql.org/docs/release/12.0/."""
    (tmp_path / "q.sql").write_text(
        "CREATE TYPE mood AS ENUM ('a');\nALTER TYPE mood ADD VALUE 'b';\nDROP INDEX CONCURRENTLY IF EXISTS i;\n"
    )
    found = readiness(old="11", new="12", queries=[tmp_path / "q.sql"], stages=["queries"])
    assert not found.findings
    (missed,) = found.not_looked_at
    assert missed.what.endswith("q.sql:2")
    assert missed.why.startswith("11 refuses it: 25001")
