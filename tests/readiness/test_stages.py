"""The stages settings, schema and queries, from 14 to 18, with planted problems: each is found at its line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.run import Readiness

FILES = {
    "db/schema.sql": """\
SET check_function_bodies = false;
CREATE ROLE reader PASSWORD 'geheim-17';
CREATE TABLE orders (
    id integer PRIMARY KEY,
    placed timestamptz NOT NULL DEFAULT now(),
    total numeric CHECK (total >= 0)
);
ALTER TABLE orders OWNER TO shop;
GRANT ALL ON orders TO reader;
CREATE VIEW recent AS SELECT id, extract(year FROM placed) AS year FROM orders WHERE total > 3;
CREATE FUNCTION kept(x integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE found integer;
BEGIN
    SELECT id INTO found FROM orders WHERE id = x;
    PERFORM pg_start_backup('label');
    RETURN found;
END $$;
CREATE FUNCTION timed() RETURNS bigint LANGUAGE sql AS $$
    SELECT checkpoints_timed
      FROM pg_stat_bgwriter $$;
CREATE TABLE broken (id nothing);
BEGIN;
CREATE TABLE numbers (n integer DEFAULT 0x1F);
CREATE TABLE after_an_error (id integer);
COMMIT;
ALTER ROLE reader SET old_snapshot_threshold = 5;
COPY orders (id, total) FROM stdin;
1\t5
2\t7
\\.
CREATE UNLOGGED TABLE parent (id integer) PARTITION BY RANGE (id);
""",
    "db/data.sql": "INSERT INTO orders (id, total) VALUES (3, 1);\n",
    "queries/a.sql": """\
-- name: fine
SELECT id, placed FROM orders WHERE id = %s AND placed > :since;

-- name: backup
SELECT id,
       pg_is_in_backup()
  FROM orders;
SELECT nothing_there FROM orders;
CREATE TEMPORARY TABLE scratch AS SELECT id FROM orders;
SELECT id FROM scratch;
SELECT pg_current_logfile(), * FROM pg_stat_wal;
CREATE INDEX ON orders (total);
""",
    "queries/app.py": 'Q = """\nSELECT checkpoints_req\n  FROM pg_stat_bgwriter\n"""\n'
    'note = "Select a file from it"\n',
    "postgresql.conf": """\
work_mem = 8MB
vacuum_defer_cleanup_age = 10
shared_buffers = 900GB
data_directory = '/nowhere'
shared_preload_libraries = 'pg_stat_statements, not_there'
include 'more.conf'
""",
    "more.conf": "# more\nforce_parallel_mode = off\nhash_mem_multiplier = 1.0\noperator_precedence_warning = on\n",
    "pg_hba.conf": "local all all peer\nhost all /([ 10.0.0.0/8 md5\n",
    "run.sh": "#!/bin/sh\npostgres -D x \\\n  -c old_snapshot_threshold=5\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return directory


@pytest.fixture(scope="module")
def found(project: Path) -> Readiness:
    return readiness(
        old="14",
        new="18",
        schema=[project / "db/schema.sql"],
        data=[project / "db/data.sql"],
        queries=[project / "queries"],
        config=[project / "postgresql.conf"],
        hba=[project / "pg_hba.conf"],
        scripts=[project / "run.sh"],
        stages=["settings", "schema", "queries"],
    )


def at(found: Readiness, project: Path, name: str, line: int | None) -> list[Finding]:
    """The findings at a line of a file."""
    wanted = str(project / name)
    return [
        finding
        for finding in found.findings
        if finding.place and finding.place.file == wanted and line in (None, finding.place.line)
    ]


@pytest.mark.parametrize(
    ("name", "line", "column", "stage", "certainty", "message"),
    [
        ("postgresql.conf", 2, 1, "settings", "affects", "18 has no setting vacuum_defer_cleanup_age"),
        ("more.conf", 2, 1, "settings", "affects", "18 has no setting force_parallel_mode"),
        ("run.sh", 3, 6, "settings", "affects", "18 has no setting old_snapshot_threshold"),
        ("db/schema.sql", 26, 23, "settings", "affects", "18 has no setting old_snapshot_threshold"),
        ("pg_hba.conf", 2, 1, "settings", "affects", "invalid regular expression"),
        ("db/schema.sql", 31, 1, "schema", "affects", "partitioned tables cannot be unlogged"),
        ("db/schema.sql", 3, 1, "schema", "may affect", "privileges: also reader: MAINTAIN"),
        ("db/schema.sql", 15, 13, "queries", "affects", "function pg_start_backup(unknown) does not exist"),
        ("db/schema.sql", 19, 12, "queries", "affects", 'column "checkpoints_timed" does not exist'),
        ("queries/a.sql", 6, 8, "queries", "affects", "function pg_is_in_backup() does not exist"),
        ("queries/a.sql", 11, 1, "queries", "affects", "gone wal_write"),
        ("queries/app.py", 2, 8, "queries", "affects", 'column "checkpoints_req" does not exist'),
    ],
)
def test_a_planted_problem_is_found_at_its_word(
    found: Readiness,
    project: Path,
    name: str,
    line: int,
    column: int,
    stage: str,
    certainty: str,
    message: str,
) -> None:
    told = [finding for finding in at(found, project, name, line) if message in finding.message]
    assert [(each.stage, each.certainty, each.place.column) for each in told if each.place] == [
        (stage, certainty, column)
    ], [finding.message for finding in at(found, project, name, line)]
    assert told[0].remedy
    assert told[0].excerpt


def test_nothing_else_is_certain(found: Readiness) -> None:
    """What both versions take, or both refuse, is no finding."""
    assert len([finding for finding in found.findings if finding.certainty == "affects"]) == 11
    assert not any("a.sql:2" in each.what or "numbers" in each.why for each in found.not_looked_at)


def test_a_default_that_changed_is_told_unless_the_configuration_sets_it(found: Readiness) -> None:
    told = {finding.object for finding in found.findings if "the default of" in finding.message}
    assert "setting log_checkpoints" in told
    assert "setting hash_mem_multiplier" not in told


def test_what_both_refuse_is_told_and_the_rest_goes_on(found: Readiness) -> None:
    problems = "\n".join(found.problems)
    assert 'schema.sql:21: 42704 undefined_object: type "nothing" does not exist' in problems
    assert "shop" in problems  # the role that was created
    assert any("a.sql:8" in each.what for each in found.not_looked_at)


def test_an_error_inside_a_transaction_undoes_one_statement_only(found: Readiness, project: Path) -> None:
    """14 reads 0x1F as 0 and the name x1F, and refuses it there: the table after it is there all the same."""
    (told,) = at(found, project, "db/schema.sql", 23)
    assert "18" in told.message
    assert "accepts what 14" in told.message
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    queries = counts["queries"]
    assert queries["refused by both"] == 1
    # the statement that is refused, and the two definitions, which are run
    assert queries["with names from the text"] == 3
    assert queries["with names from the parse tree"] == queries["statements"] - 3


def test_settings_that_lead_elsewhere_are_left_out_and_named(found: Readiness) -> None:
    problems = "\n".join(found.problems)
    assert "shared_buffers" in problems
    assert "data_directory" in problems
    assert "not_there is not in the install of 18" in problems
    counts = {run.stage: dict(run.report.counts) for run in found.runs}
    assert counts["settings"]["servers started with the configuration"] == 2


def test_a_setting_that_both_refuse_is_named(found: Readiness) -> None:
    whys = [each.why for each in found.not_looked_at if each.what.endswith("more.conf:4")]
    assert len(whys) == 1
    assert "both refuse operator_precedence_warning" in whys[0]


def test_literals_may_name_what_a_schema_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE orders (id integer);\n")
    (tmp_path / "app.py").write_text(
        'LABEL = "Select the privileges from a list"\nROLE = "ALTER ROLE not_in_the_schema WITH NOINHERIT"\n'
        'run(f"REINDEX DATABASE {name}")\nrun("SELECT id, date \'Y2001M12D27\' FROM %s" % table)\n'
        "run(f\"SELECT c FROM {schema}.orders_{year}_x JOIN {a} USING (id) WHERE ''::xid = c LIMIT {most}\")\n"
        'LABEL = f"Update of {table} failed"\n'
        "run(\"SELECT DATE 'Y2001M12D28', id FROM not_in_the_schema WHERE id = 1\")\n"
        'run("CREATE RULE \\"_RETURN\\" AS ON SELECT TO not_there DO INSTEAD SELECT id FROM orders")\n'
        'log("CREATE SUBSCRIPTION news CONNECTION failed, sorry")\n'
    )
    found = readiness(
        old="15",
        new="16",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "app.py"],
        stages=["incompatibilities"],
    )
    assert {(each.items, each.place.line) for each in found.findings if each.place} == {
        (("16.11",), 2), (("16.3",), 3), (("16.x1",), 4), (("16.x3",), 5),
        (("16.x1",), 7), (("16.7",), 8),
    }  # fmt: skip


def test_what_only_the_servers_tell_is_explained_by_its_entry(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(
        "CREATE ROLE lead LOGIN; CREATE ROLE dev;\n"
        "CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);\n"
        "CREATE TABLE people (name text, gone int);\n"
        'CREATE VIEW names AS SELECT name COLLATE "POSIX" AS name FROM people;\n'
        'CREATE OR REPLACE VIEW names\n    AS SELECT name COLLATE "C" AS name FROM people;\n'
        "CREATE FUNCTION everyone() RETURNS SETOF people LANGUAGE sql AS 'SELECT * FROM people';\n"
        "CREATE VIEW shown AS SELECT e.gone FROM everyone() e;\n"
        "ALTER TABLE people DROP COLUMN gone;\n"
        "SET SESSION AUTHORIZATION lead;\n"
        "CREATE TABLE notes (text text);\n"
        "GRANT lead TO dev;\n"
        "RESET SESSION AUTHORIZATION;\n"
        "CREATE TABLE sizes (id int,\n    size numeric(3, 5), waits interval DEFAULT '3. days');\n"
    )
    (tmp_path / "app.py").write_text(
        "run('MERGE INTO people p USING people q ON false WHEN MATCHED THEN DELETE')\n"
        "run('SELECT pg_is_in_backup() FROM people')\n"
    )
    found = readiness(
        old="14",
        new="15",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "app.py"],
        stages=["schema", "queries"],
        trust=True,  # SET SESSION AUTHORIZATION needs a superuser
    )
    seen = [each for each in found.findings if each.place and each.sqlstate]
    assert sorted((each.place.line, each.items) for each in seen if each.place) == [
        (1, ()), (2, ("15.3",)), (6, ("15.8",)), (9, ("15.x5",)), (11, ("15.1",)), (12, ("15.17",)),
        (15, ("15.x4",)),
    ]  # fmt: skip


def test_literals_may_have_parts_that_the_program_fills_in(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE orders (id integer);\n")
    (tmp_path / "app.rb").write_text(
        "A = \"SELECT adsrc FROM pg_attrdef WHERE adrelid = '#{quote(table)}'::regclass\"\n"
        'B = "SELECT d.adsrc FROM pg_attrdef d JOIN #{table} t ON t.id = d.adnum"\n'
        'C = "Select #{things} from the list"\n'
    )
    found = readiness(
        old="11",
        new="12",
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "app.rb"],
        stages=["incompatibilities"],
    )
    assert [(each.items, each.place.line) for each in found.findings if each.place] == [
        (("12.19",), 1),
        (("12.19",), 2),
    ]


def test_a_statement_that_ends_the_server_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(
        "CREATE ROLE shop;\nCREATE TABLE orders (id integer);\n"
        "SELECT pg_terminate_backend(pg_backend_pid());\n"
        "CREATE VIEW years AS SELECT extract(year FROM now()) AS year FROM orders;\n"
    )
    found = readiness(old="13", new="14", schema=[tmp_path / "schema.sql"], stages=["schema"])
    assert {(each.place.line, each.sqlstate) for each in found.findings if each.place} == {(4, None)}
    assert any("schema.sql:3: 57P01" in problem for run in found.runs for problem in run.report.problems)
    assert [run.error for run in found.runs] == [""]


def test_no_password_is_in_what_was_found(found: Readiness) -> None:
    assert "geheim-17" not in repr(found)


def test_no_stage_failed(found: Readiness) -> None:
    assert [run.error for run in found.runs] == ["", "", ""]


def test_another_function_is_chosen(tmp_path: Path) -> None:
    """From 14 on, EXTRACT calls a function that returns numeric (https://www.postgresql.org/docs/release/14.0/)."""
    (tmp_path / "q.sql").write_text("SELECT 1;\nSELECT 1 WHERE extract(year FROM now()) = 2024;\n")
    found = readiness(old="13", new="14", queries=[tmp_path / "q.sql"], stages=["queries"])
    (told,) = found.findings
    assert told.certainty == "may affect"
    assert told.place
    assert told.place.line == 2
    assert "no longer" in told.message
    assert "now" in told.message
    assert "date_part(text,timestamp with time zone)" in told.message


# --- other inputs, and bad ones ----------------------------------------------------------------------------


def test_a_setup_command_makes_the_schema_and_data_that_fails_on_the_new_version_only_is_told(
    project: Path, tmp_path: Path
) -> None:
    write = tmp_path / "write.py"
    write.write_text(
        "import psycopg\n"
        "with psycopg.connect('') as connection:\n"
        "    connection.execute('CREATE TABLE made AS SELECT 1 AS id')\n"
    )
    import sys

    (tmp_path / "q.sql").write_text("SELECT id FROM made;\nSELECT pg_is_in_backup() FROM made;\n")
    (tmp_path / "data.sql").write_text("COPY made FROM stdin;\n1\n2\nx\n\\.\nSELECT pg_start_backup('x');\n")
    found = readiness(
        old="14",
        new="18",
        setup=[f"{sys.executable} {write}"],
        queries=[tmp_path / "q.sql"],
        stages=["schema", "queries"],
    )
    assert [(each.place.line, each.sqlstate) for each in found.findings if each.place] == [(2, "42883")]
    assert found.problems == ()


def test_a_statement_that_does_not_end_is_canceled_and_the_rest_goes_on(tmp_path: Path) -> None:
    schema = tmp_path / "s.sql"
    schema.write_text("SET statement_timeout = 0;\nSELECT pg_sleep(600);\nCREATE TABLE made (id integer);\n")
    (tmp_path / "q.sql").write_text("SELECT id FROM made;\nSELECT 1a FROM made;\n")
    found = readiness(
        old="14",
        new="18",
        schema=[schema],
        queries=[tmp_path / "q.sql"],
        stages=["schema", "queries"],
        timeout=3,
    )
    assert any("s.sql:2: it had not finished after 3 s" in problem for problem in found.problems)
    assert [finding.place.line for finding in found.affects if finding.place] == [2]


def test_files_of_the_wrong_kind_are_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "zipped.sql").write_bytes(b"\x1f\x8b\x08\x00")
    (tmp_path / "dump.sql").write_text(
        "-- PostgreSQL database dump\n-- Dumped from database version 16.2\nCREATE TABLE made (id integer);\n"
    )
    (tmp_path / "postgresql.conf").write_text("this is no setting at all\n")
    (tmp_path / "a.yml").write_text("a: [\n")
    found = readiness(
        old="14",
        new="18",
        schema=[tmp_path / "zipped.sql", tmp_path / "dump.sql"],
        config=[tmp_path / "postgresql.conf"],
        scripts=[tmp_path / "a.yml"],
        stages=["schema"],
    )
    problems = "\n".join(found.problems)
    assert "is compressed (gzip)" in problems
    assert "was dumped from 16.2, but --from is 14" in problems
    assert "line 1: not a setting" in problems
    assert "is no YAML" in problems
    assert dict(found.runs[0].report.counts)["statements"] == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"old": "14", "new": "18"}, "no input is given"),
        ({"old": "14", "schema": ["x.sql"]}, "the versions are missing"),
        ({"old": "14", "new": "18", "schema": ["nothing.sql"]}, "no such file"),
        ({"old": "18", "new": "14", "config": [__file__]}, "is not newer than"),
        ({"old": "14", "new": "18", "config": [__file__], "stages": ["shema"]}, "no stage 'shema'"),
        ({"old": "14", "new": "18", "confg": [__file__]}, "no option 'confg'"),
        ({"old": "14", "new": "18", "config": [__file__], "fail_on": "all"}, "wrong type"),
    ],
)
def test_wrong_options_are_refused_before_anything_starts(given: dict[str, object], message: str) -> None:
    with pytest.raises(PgFeaturesError, match=message):
        readiness(**given)


def test_a_configuration_that_neither_server_starts_with_is_told(tmp_path: Path) -> None:
    """From 16 on, reserved_connections counts too (https://www.postgresql.org/docs/release/16.0/)."""
    conf = tmp_path / "postgresql.conf"
    conf.write_text("max_connections = 90\nsuperuser_reserved_connections = 80\nreserved_connections = 20\n")
    found = readiness(old="16", new="18", config=[conf], stages=["settings"])
    assert any("16." in each and "must be less than" in each for each in found.problems)
    assert found.affects == ()


def test_what_a_setup_command_made_is_looked_into(tmp_path: Path) -> None:
    write = tmp_path / "write.py"
    body = "SELECT pg_is_in_backup() OR id > 1 FROM made"
    write.write_text(
        "import psycopg\n"
        "with psycopg.connect('') as connection:\n"
        "    connection.execute('CREATE TABLE made AS SELECT 1 AS id')\n"
        f"    connection.execute('CREATE FUNCTION f() RETURNS boolean LANGUAGE sql AS $$ {body} $$')\n"
    )
    found = readiness(
        old="14", new="18", setup=[f"{sys.executable} {write}"], stages=["queries", "incompatibilities"]
    )
    assert found.problems == ()
    assert {(each.place.file, item) for each in found.findings if each.place for item in each.items} == {
        ("--setup", "15.3")
    }


def test_statements_in_a_routine_of_another_language_are_parsed(tmp_path: Path) -> None:
    """The language itself need not be in the installs."""
    schema = tmp_path / "s.sql"
    schema.write_text(
        "CREATE TABLE made (id integer);\n"
        "CREATE FUNCTION f() RETURNS void LANGUAGE plpython3u AS $$\n"
        '  plpy.execute("SELECT id FROM made "\n'
        '               "WHERE pg_is_in_backup()")\n'
        "$$;\n"
    )
    found = readiness(old="14", new="18", schema=[schema], stages=["queries", "incompatibilities"])
    assert [(each.place.line, each.place.column, each.items) for each in found.affects if each.place] == [
        (4, 23, ("15.3",))
    ]


def test_lines_for_encrypted_connections_are_checked_by_servers_without_them(tmp_path: Path) -> None:
    """14 takes no clientcert=1 any more (https://www.postgresql.org/docs/release/14.0/)."""
    hba = tmp_path / "pg_hba.conf"
    hba.write_text(
        "local all all peer\n"
        "hostssl all all 10.0.0.0/8 md5\n"
        "hostssl all all 10.1.0.0/16 md5 clientcert=1\n"
        "hostgssenc all all 10.2.0.0/16 gss\n"
        "hostssl all all 10.3.0.0/16 nothing\n"
        "hostnossl all all 10.4.0.0/16 md5\n"
    )
    found = readiness(old="maven:13", new="maven:14", hba=[hba], stages=["settings"])
    (told,) = found.affects
    assert told.place
    assert told.place.line == 3
    assert 'invalid value for clientcert: "1"' in told.message
    (by_both,) = found.problems
    assert "pg_hba.conf:5: 13." in by_both
    assert 'invalid authentication method "nothing"' in by_both
    whys = {each.what.removeprefix(f"{hba}"): each.why for each in found.not_looked_at}
    assert "not supported by this build" in whys[":4"]
    (encrypted,) = (what for what in whys if what.startswith("connections of"))
    assert [encrypted.count(f":{line}") for line in range(1, 7)] == [0, 1, 1, 1, 1, 0]
