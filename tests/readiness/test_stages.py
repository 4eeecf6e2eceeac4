"""The stages settings, schema and queries, from 14 to 18, with planted problems: each is found at its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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
def told() -> dict[str, list[tuple[int, int]]]:
    """By stage, its progress: the numbers of finished items and of all."""
    return {}


@pytest.fixture(scope="module")
def found(project: Path, told: dict[str, list[tuple[int, int]]]) -> Readiness:
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
        progress=lambda what, done, everything: told.setdefault(what, []).append((done, everything)),
    )


@pytest.mark.usefixtures("found")
@pytest.mark.parametrize("stage", ["settings", "schema", "queries"])
def test_a_stage_tells_its_progress(told: dict[str, list[tuple[int, int]]], stage: str) -> None:
    (done, everything) = told[stage][-1]
    assert done == everything > 1
    assert len(set(told[stage])) > 1


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
        ("db/schema.sql", 31, 8, "schema", "affects", "partitioned tables cannot be unlogged"),
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
        (("16.11",), 2), (("16.3",), 3), (("16.x1",), 4), (("16.x3",), 5), (("16.x1",), 7),
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
    (tmp_path / "q.sql").write_text(
        "SELECT 1 WHERE extract(year FROM now()) = 2024;\nSELECT to_char(extract(year FROM now()), '9') <> '';\n"
    )
    found = readiness(old="13", new="14", queries=[tmp_path / "q.sql"], stages=["queries"])
    (told,) = found.findings
    assert told.certainty == "may affect"
    assert told.place
    assert told.place.line == 2
    assert "no longer" in told.message
    assert "now" in told.message
    assert "date_part(text,timestamp with time zone)" in told.message
