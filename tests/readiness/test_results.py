"""The stage results, from 14 to 18: it finds each planted difference, and ignores values that always change."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.json_values import from_plain, to_plain
from pytest_pgfeatures.readiness.run import StageRun, readiness

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.run import Readiness

SCHEMA = """\
CREATE ROLE app;
CREATE TABLE tasks (
    id serial PRIMARY KEY,
    title text NOT NULL,
    lasts interval,
    made timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE log (task integer, said text);
CREATE FUNCTION logged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO log VALUES (NEW.id, ('1.99 years'::text)::interval::text);
    RETURN NEW;
END $$;
CREATE FUNCTION fold(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT lower($1)';
CREATE FUNCTION folded(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN fold($1); END';
CREATE INDEX tasks_folded ON tasks (folded(title));
CREATE FUNCTION partition() RETURNS void SECURITY DEFINER LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE public.tasks_2026 (id integer);
END $$;
ALTER FUNCTION partition() OWNER TO app;
"""
DATA = """\
INSERT INTO tasks (title, lasts) SELECT 'task ' || n, n * interval '1 day' FROM generate_series(1, 50) n;
CREATE TABLE spans (lasts interval CHECK (lasts < interval '2 years'));
COPY spans FROM stdin;
1 year
1.99 years
\\.
CREATE TRIGGER logged AFTER UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION logged();
"""
QUERIES = """\
SELECT id, lasts FROM tasks ORDER BY id DESC;
SELECT (title || '.99 years')::text, (right(title, 1) || '.99 years')::interval FROM tasks WHERE id = 1;
SELECT id, title, now(), random() FROM tasks WHERE title LIKE :title ORDER BY id;
UPDATE tasks SET title = title || '!' WHERE id <= 3 RETURNING id, made;
INSERT INTO tasks (title) VALUES ('new') RETURNING id;
SELECT partition();
SELECT clock_timestamp();
SELECT random() FROM tasks WHERE made < :until AND lasts = :lasts LIMIT :rows;
SELECT id FROM tasks WHERE (:row::tasks).id > 1 AND cardinality(:names::text[]) > 1;
INSERT INTO tasks (id, title) VALUES (1, 'again');
SELECT current_setting('hash_mem_multiplier');
SELECT '1.99 years'::interval FROM tasks LIMIT 1;
SELECT title FROM tasks WHERE id = $1 AND title <> $2;
SELECT id < 0 FROM tasks ORDER BY random() LIMIT 1;
SELECT random() * 0 AS first FROM tasks ORDER BY first, id LIMIT 1;
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Readiness:
    directory: Path = tmp_path_factory.mktemp("results")
    for name, text in (("schema.sql", SCHEMA), ("data.sql", DATA), ("queries.sql", QUERIES)):
        (directory / name).write_text(text)
    (directory / "parameters.toml").write_text('until = 2999-12-31\nlasts = "3 days"\nrows = 5\n')
    return readiness(
        old="14",
        new="18",
        schema=[directory / "schema.sql"],
        data=[directory / "data.sql"],
        queries=[directory / "queries.sql"],
        parameters=directory / "parameters.toml",
        stages=["schema", "results"],
    )


def at(found: Readiness, line: int) -> list[Finding]:
    return [
        each
        for each in found.findings
        if each.stage == "results" and each.place and each.place.where.endswith(f"queries.sql:{line}")
    ]


def test_what_is_the_same_is_no_finding(found: Readiness) -> None:
    assert not [each for line in (1, 3, 5, 7, 8, 9, 10, 13, 14, 15) for each in at(found, line)]
    (counts,) = (dict(run.report.counts) for run in found.runs if run.report.stage == "results")
    assert counts == {
        "statements": 15,
        "with the same result": 4,
        "failed on both": 1,
        "volatile": 4,
        "with values of a parameter's type alone": 0,
        "without values for parameters": 1,
        "left out": 0,
    }


@pytest.mark.parametrize(
    ("line", "severity", "certainty", "message"),
    [
        (2, "warning", "affects", "-task 1.99 years | 1 year 11 mons; +task 1.99 years | 2 years"),
        (4, "warning", "affects", "it leaves other values in public.log: column said"),
        (6, "error", "affects", "refuses it: 42501 insufficient_privilege: permission denied for schema"),
        (11, "warning", "affects", "rows differ (1 rows, in any order): -1; +2"),
        (12, "warning", "may affect", "(LIMIT without an ORDER BY that no two rows share)"),
    ],
)
def test_what_shows_only_by_running_is_found_at_its_line(
    found: Readiness, line: int, severity: str, certainty: str, message: str
) -> None:
    (finding,) = at(found, line)
    assert (finding.severity, finding.certainty) == (severity, certainty)
    assert message in finding.message


def test_both_answers_stand_side_by_side(found: Readiness) -> None:
    beside = {line: at(found, line)[0].comparison for line in (2, 4, 6, 11)}
    assert beside[4] is None  # both answer the same: it leaves other values
    assert beside[2]
    assert beside[6]
    assert beside[11]
    assert beside[2].versions == found.runs[0].versions
    assert beside[2].rows[-1] == ("task 1.99 years | 1 year 11 mons", "|", "task 1.99 years | 2 years")
    assert beside[11].rows[-1] == ("1", "|", "2")
    refused = beside[6].rows[0]
    assert refused[2].startswith("ERROR:  42501 insufficient_privilege: permission denied")
    assert "ERROR" not in refused[0]


def test_what_is_not_compared_is_named_with_the_reason(found: Readiness) -> None:
    told = {each.what.rpartition(":")[2]: each.why for each in found.not_looked_at}
    assert "clock_timestamp(), which the catalog calls volatile" in told["7"]
    assert "random()" in told["8"]
    assert "no value is known for the parameter $1 (row)" in told["9"]
    assert "both refuse it: 23505" in told["10"]
    assert any("tasks.made is filled by its default clock_timestamp()" in each for each in found.problems)


def test_maintenance_finds_the_index_that_relies_on_search_path(found: Readiness) -> None:
    told = [each for each in found.findings if each.object == "public.tasks" and each.stage == "results"]
    assert told
    assert {each.sqlstate for each in told} == {"42883"}
    assert any("refuses VACUUM (ANALYZE) public.tasks" in each.message for each in told)
    assert "search_path" in told[0].remedy


def test_data_that_one_side_refuses_is_told_with_its_line_and_what_it_leaves(found: Readiness) -> None:
    (refused,) = [each for each in found.findings if each.sqlstate == "23514"]
    assert refused.place
    assert (refused.place.line, refused.excerpt) == (5, "1.99 years")
    (left,) = [each for each in found.findings if each.object == "table public.spans"]
    assert "0 rows on 18" in left.message


OLDER_SCHEMA = "CREATE TABLE t (id int PRIMARY KEY, third float8, made timestamp, words text, lasts text);\n"
OLDER_DATA = """\
INSERT INTO t SELECT n, n / 3.0, timestamp '2024-01-01' + n * interval '1 hour', 'a-b ' || n, n || '.99 years'
  FROM generate_series(1, 9) n;
"""
OLDER_QUERIES = """\
SELECT third FROM t ORDER BY id;
SELECT id,
    extract(epoch FROM made) FROM t ORDER BY id;
SELECT lasts::interval FROM t ORDER BY id;
SELECT to_tsquery('simple', 'a-b'), id FROM t ORDER BY id;
SELECT third, extract(epoch FROM made) FROM t ORDER BY id;
SELECT id FROM t WHERE to_char(extract(epoch FROM made), '9') <> '' ORDER BY id;
SELECT third = '0.1' FROM t ORDER BY id;
SELECT extract(hour FROM made::date), extract(epoch FROM made) FROM t;
SELECT extract(epoch FROM made)::text FROM t ORDER BY id;
SELECT version();
SELECT id,
    (made + lasts::interval)::date
  FROM t ORDER BY id;
"""
OLDER_VIEWS = """CREATE VIEW calm AS SELECT id, words FROM t;
CREATE VIEW epochs AS
    SELECT id,
        extract(epoch FROM made) AS epoch
    FROM t;
CREATE VIEW drawn AS SELECT id FROM t ORDER BY random() LIMIT 1;
CREATE VIEW sums AS SELECT id, words, third FROM t WHERE id > 2;
"""


def test_what_the_atlas_explains_has_its_behavior_once(tmp_path: Path) -> None:
    for name, text in (
        ("schema.sql", OLDER_SCHEMA + OLDER_VIEWS),
        ("data.sql", OLDER_DATA),
        ("queries.sql", OLDER_QUERIES),
    ):
        (tmp_path / name).write_text(text)
    found = readiness(
        old="11", new="15", schema=[tmp_path / "schema.sql"], data=[tmp_path / "data.sql"],
        queries=[tmp_path / "queries.sql"], stages=["results", "incompatibilities"],
    )  # fmt: skip
    measured = [each for each in found.findings if each.stage == "results" and each.place]
    views = {each.object: (each.place.line, each.behavior) for each in measured if each.object and each.place}
    assert views == {"view public.epochs": (5, "14/extract-type"), "view public.sums": (8, "12/float8-text")}
    assert "random() chooses its rows" in {each.why.partition(";")[0] for each in found.not_looked_at}
    causes = {each.place.line: each for each in measured if each.place and not each.object}
    assert {line: each.behavior for line, each in causes.items()} == {
        1: "12/float8-text",
        3: "14/extract-type",
        4: "15/interval-fraction-rounds",
        5: "14/to-tsquery-parts",
        6: None,
        9: "14/extract-hour-of-date",
        10: "14/extract-seconds-text",
        13: "15/interval-fraction-rounds",
    }
    assert causes[9].sqlstate == "0A000"
    assert "queries.sql:11" in {each.what.rpartition("/")[2] for each in found.not_looked_at}  # version()
    assert "[EXTRACT returns numeric]" in causes[3].message
    assert causes[6].message.endswith("[one of 12/float8-text, 14/extract-type]")
    others = [each for each in found.findings if each.stage == "incompatibilities" and each.place]
    assert [(each.place and each.place.line, each.behavior) for each in others] == [(7, "14/extract-type")]
    explained = {each.behavior: each.answer for run in found.runs for each in run.report.answers}
    assert {explained[each.behavior] for each in measured if each.behavior} == {"affects"}
    alone = readiness(
        old="11", new="15", schema=[tmp_path / "schema.sql"], data=[tmp_path / "data.sql"],
        queries=[tmp_path / "queries.sql"], stages=["incompatibilities"],
    )  # fmt: skip
    assert alone.answers == found.answers
    assert [from_plain(json.loads(json.dumps(to_plain(run))), StageRun) for run in found.runs] == list(
        found.runs
    )


EXACT = """\
CREATE TABLE readings (id int PRIMARY KEY, value float8);
CREATE SEQUENCE numbers;
CREATE FUNCTION total() RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN -- as another order of the rows may leave it
    RETURN 0.1 + CASE extract(year FROM '1.99 years'::interval) WHEN 1 THEN 0.2 ELSE 0.2000000000000001 END;
END $$;
CREATE FUNCTION take_years() RETURNS interval LANGUAGE plpgsql AS $$
BEGIN
    RETURN '1.99 years'::interval;
END $$;
CREATE FUNCTION take() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM nextval('numbers') FROM generate_series(1, extract(year FROM '1.99 years'::interval)::int);
END $$;
INSERT INTO readings SELECT n, n / 7.0 FROM generate_series(1, 9) n;
INSERT INTO readings VALUES (1, 0);
"""
INEXACT = """\
SELECT sum(value) + total() FROM readings;
SELECT sum(value * extract(year FROM take_years())::float8) FROM readings;
SELECT take();
SELECT nextval('numbers');
"""


def test_sums_are_compared_within_rounding_and_sequences_where_they_end(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(EXACT)
    (tmp_path / "queries.sql").write_text(INEXACT)
    found = readiness(
        old="14",
        new="18",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "queries.sql"],
        stages=["results"],
    )
    told = {each.place.line: each for each in found.findings if each.place}
    assert told.keys() == {2, 3}
    assert told[2].certainty == "may affect"
    assert "sums of floating-point numbers depend on the order of rows" in told[2].message
    assert told[3].certainty == "may affect"  # a function that the catalog calls volatile may do otherwise
    assert 'it leaves the sequence "public"."numbers" at 1 on 14' in told[3].message
    assert "at 2 on 18" in told[3].message
    refused = [line for line in found.problems if "schema.sql:16: 23505 unique_violation" in line]
    assert refused, found.problems


NOTIFYING = """\
CREATE TABLE jobs (id int PRIMARY KEY, due interval);
INSERT INTO jobs VALUES (0, '1 month');
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('jobs', NEW.id || ' in quarter ' || extract(quarter FROM NEW.due));
    BEGIN
        PERFORM pg_notify('jobs', 'undone ' || extract(quarter FROM NEW.due));
        RAISE division_by_zero;
    EXCEPTION WHEN division_by_zero THEN NULL;
    END;
    RETURN NEW;
END $$;
CREATE FUNCTION no_function() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
CREATE TRIGGER tell AFTER INSERT ON jobs FOR EACH ROW EXECUTE PROCEDURE tell();
CREATE ROLE worker;
GRANT INSERT ON jobs TO worker;
CREATE EVENT TRIGGER no_function ON ddl_command_start EXECUTE PROCEDURE no_function();
"""
NOTIFIED = """\
INSERT INTO jobs VALUES (1, '-1 month');
INSERT INTO jobs VALUES (2, '1 month');
SELECT pg_notify('times', clock_timestamp()::text);
SELECT extract(quarter FROM interval '-1 month');
"""


@pytest.mark.parametrize("old", ["9.6", "14"])
def test_notifications_with_other_payloads_are_found(tmp_path: Path, old: str) -> None:
    (tmp_path / "schema.sql").write_text(NOTIFYING)
    (tmp_path / "queries.sql").write_text(NOTIFIED)
    found = readiness(
        old=old,
        new="18",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "queries.sql"],
        stages=["results"],
        trust=old == "14",  # which makes the event trigger
    )
    told = {each.place.line: each for each in found.findings if each.place}
    assert told.keys() == {1, 4}
    assert "it notifies of jobs '1 in quarter 1' on" in told[1].message
    assert "of jobs '1 in quarter -1' on 18" in told[1].message
    assert "undone" not in told[1].message
    assert "18/quarter-of-negative-interval" in (told[4].behavior or told[4].message)


BEYOND = """\
CREATE EXTENSION dblink;
CREATE TABLE version (id int PRIMARY KEY, said text);
INSERT INTO version VALUES (1, 'pg_sleep(1)');
CREATE TABLE made (id int, at text, by text DEFAULT current_user || random()::text);
INSERT INTO made VALUES (1, now()::text), (2, 'now()');
CREATE FUNCTION pg_sleep_log(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1';
"""
ABOUT_SERVERS = """\
SELECT pg_sleep(0), 1;
SELECT /* version() */ pg_sleep_log(1), 'pg_locks' FROM version WHERE said = 'pg_sleep(1)';
SELECT count(*) FROM pg_catalog.pg_settings;
SELECT current_setting('server_version_num')::int > 150000;
SELECT dblink_get_connections();
(SELECT count(*) FROM pg_stat_user_tables);
"""


def test_the_server_says_what_acts_or_depends_on_more_than_the_database(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(BEYOND)
    (tmp_path / "queries.sql").write_text(ABOUT_SERVERS)
    found = readiness(
        old="14", new="18", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "queries.sql"],
        stages=["results"],
    )  # fmt: skip
    assert not found.findings
    told = {each.what.rpartition(":")[2]: each.why for each in found.not_looked_at}
    assert told == {
        "1": "pg_sleep has effects outside of its transaction",
        "3": "pg_settings differs from server to server",
        "4": "server_version_num differs from server to server",
        "5": "dblink_get_connections has effects outside of its transaction",
        "6": "pg_stat_user_tables differs from server to server",
    }
    assert any("public.made.at is loaded by a statement with now" in each for each in found.problems)
    assert any("public.made.by is filled by its default" in each for each in found.problems)


@pytest.mark.pg(matrix=False)
def test_a_load_that_leaves_other_values_is_shown_where_it_is(tmp_path):
    (tmp_path / "schema.sql").write_text("CREATE TABLE leases (id int, lasts interval);\n")
    (tmp_path / "rows.sql").write_text(
        "CREATE TABLE other (leases int);\nCOPY leases FROM stdin;\n1\t1.99 years\n2\t2 years\n\\.\n"
    )
    found = readiness(
        old="14", new="15", schema=[tmp_path / "schema.sql"], data=[tmp_path / "rows.sql"], stages=["results"]
    )
    (finding,) = found.findings
    assert "the same load leaves other values in lasts" in finding.message
    assert (finding.place.file.rpartition("/")[2], finding.place.line) == ("rows.sql", 2)


@pytest.mark.parametrize(
    ("old", "new", "type_", "value"),
    [
        ("14", "15", '"char"', '(-56)::"char"'),
        ("11", "12", "float8[]", "ARRAY[0.1::float8 + 0.2]"),
        ("11", "12", "point", "point(0.1::float8 + 0.2, 1)"),
    ],
)
def test_values_that_a_release_writes_otherwise_are_the_same_rows(
    tmp_path: Path, old: str, new: str, type_: str, value: str
) -> None:
    (tmp_path / "schema.sql").write_text(
        f"CREATE TABLE q (a int, other {type_});\nINSERT INTO q VALUES (1, {value});\n"
    )
    (tmp_path / "queries.sql").write_text("SELECT a FROM q;\nUPDATE q SET a = 2;\n")
    found = readiness(
        old=old, new=new, schema=[tmp_path / "schema.sql"], queries=[tmp_path / "queries.sql"],
        stages=["results"],
    )  # fmt: skip
    assert (found.findings, found.not_looked_at) == ((), ())


@pytest.mark.parametrize(
    ("old", "new", "called", "behavior"),
    [
        ("13", "14", "factorial(i)", "14/factorial-of-negative"),
        ("14", "15", "chr(i)", "15/chr-negative"),
        ("13", "14", "of_body(i)", None),
    ],
)
def test_an_error_of_a_called_function_has_its_behavior(
    tmp_path: Path, old: str, new: str, called: str, behavior: str | None
) -> None:
    (tmp_path / "schema.sql").write_text(
        "CREATE TABLE t (i int);\nINSERT INTO t VALUES (-5);\nCREATE FUNCTION of_body(i int) RETURNS numeric"
        " LANGUAGE plpgsql AS 'BEGIN RETURN factorial(i); END';\n"
    )
    (tmp_path / "queries.sql").write_text(f"SELECT {called} FROM t;\n")
    found = readiness(
        old=old, new=new, schema=[tmp_path / "schema.sql"], queries=[tmp_path / "queries.sql"],
        stages=["results"],
    )  # fmt: skip
    assert [each.behavior for each in found.findings] == [behavior]


def test_what_one_server_refuses(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(
        "CREATE TABLE words (v text);\nCREATE UNLOGGED TABLE parts (a int) PARTITION BY RANGE (a);\n"
    )
    (tmp_path / "data.sql").write_text("INSERT INTO words VALUES ('0x1F');\n")
    (tmp_path / "queries.sql").write_text(
        "SELECT v::int FROM words;\nSELECT count(*) FROM pg_class WHERE relname = 'parts';\n"
    )
    found = readiness(
        old="15",
        new="18",
        schema=[tmp_path / "schema.sql"],
        data=[tmp_path / "data.sql"],
        queries=[tmp_path / "queries.sql"],
        stages=["results"],
    )
    (accepted,) = at(found, 1)
    assert accepted.severity == "note"
    assert re.match(r"18\.\d+ accepts what 15\.\d+ refuses", accepted.message)
    assert not at(found, 2)
    told = {each.what.rpartition(":")[2]: each.why for each in found.not_looked_at}
    assert told["2"] == "one server refuses a statement of the schema, and pg_class may show what it creates"
