"""Stages of readiness on inputs that are no files of SQL, and on bad ones."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path


def test_a_setup_command_makes_the_schema_and_data_that_fails_on_the_new_version_only_is_told(
    tmp_path: Path,
) -> None:
    write = tmp_path / "write.py"
    write.write_text(
        "import psycopg\n"
        "with psycopg.connect('') as connection:\n"
        "    connection.execute('CREATE TABLE made AS SELECT 1 AS id')\n"
    )
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


def test_settings_in_templates_are_looked_at_by_their_names_and_scripts_ask_the_servers(
    tmp_path: Path,
) -> None:
    (tmp_path / "postgresql.conf.j2").write_text("""\
# {{ ansible_managed }}
max_connections = {{ connections | default(100) }}
{% for name, value in settings %}
{{ name }} = {{ value }}
{% endfor %}
force_parallel_mode = {{ mode }}
vacuum_defer_cleanup_age = '{{ age }}'
{% if postgresql_version is version('15', '<') %}
stats_temp_directory = '/run/stat'
{% endif %}
""")
    (tmp_path / "rds.tf").write_text("""\
resource "aws_db_parameter_group" "postgres" {
  parameter {
    name  = "old_snapshot_threshold"
    value = "${var.threshold}"
  }
}
""")
    (tmp_path / "probe.sh.j2").write_text("psql -h {{ host }} -c 'SELECT pg_is_in_backup()'\n")
    found = readiness(
        old="14", new="18", config=[tmp_path], scripts=[tmp_path], stages=["settings", "queries"]
    )
    assert {
        (each.place.file.rpartition("/")[2], each.place.line) for each in found.affects if each.place
    } == {
        ("postgresql.conf.j2", 6),
        ("postgresql.conf.j2", 7),
        ("rds.tf", 3),
        ("probe.sh.j2", 1),
    }


def test_values_of_yaml_and_json_are_asked_and_those_for_other_systems_are_not(tmp_path: Path) -> None:
    (tmp_path / "changes.yaml").write_text("""\
databaseChangeLog:
  - changeSet:
      changes:
        - sql:
            comment: SELECT attcacheoff FROM pg_attribute was slow
            sql: SELECT attcacheoff FROM pg_attribute
        - sql: {dbms: "mysql, h2", sql: SELECT attcacheoff FROM pg_attribute}
  - changeSet:
      dbms: "!mysql"
      changes:
        - createProcedure: |
            SELECT attlen
              FROM pg_attribute
             WHERE attcacheoff = 1
""")
    (tmp_path / "cluster.yaml").write_text("""\
bootstrap:
  postInitSQL:
    - SELECT attlen FROM pg_attribute
    - SELECT attcacheoff
      FROM pg_attribute
data:
  queries: |
    # of the exporter
    columns:
      runonserver: "<18.0.0"
      query: SELECT attcacheoff FROM pg_attribute
    others:
      query: "SELECT attcacheoff FROM pg_attribute"
  readme: |
    Note: SELECT attcacheoff FROM pg_attribute
""")
    (tmp_path / "board.json").write_text("""\
{"title": "SELECT attcacheoff FROM pg_attribute",
 "panels": [{"rawSql": "SELECT attlen,\\n attcacheoff FROM pg_attribute"}]}
""")
    (tmp_path / "map.xml").write_text("""\
<mapper><select databaseId="mysql">SELECT attcacheoff FROM pg_attribute</select>
<select databaseId="postgresql">SELECT attcacheoff FROM pg_attribute</select></mapper>
""")
    (tmp_path / "package.json").write_text('{"update": "select"}\n')
    for given in ({"queries": [tmp_path]}, {"queries": [tmp_path], "scripts": [tmp_path]}):
        found = readiness(old="17", new="18", stages=["queries"], **given)
        assert sorted(
            (each.place.file.rpartition("/")[2], each.place.line) for each in found.affects if each.place
        ) == [
            ("board.json", 2),
            ("changes.yaml", 6),
            ("changes.yaml", 14),
            ("cluster.yaml", 4),
            ("cluster.yaml", 13),
            ("map.xml", 2),
        ]
        assert {(each.suffix, each.count) for each in found.passed_over} == {(".json", 1)}
