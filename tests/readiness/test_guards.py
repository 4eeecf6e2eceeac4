"""Statements that a program or script runs only on other versions are reported as guarded, without effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from pytest_pgfeatures.readiness.conditions import compared
from pytest_pgfeatures.readiness.guards import Guards
from pytest_pgfeatures.readiness.model import Place, Query
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = {
    "a.sql": """\
SELECT current_setting('server_version_num')::int >= 150000 AS v15, 1 AS one \\gset
\\if :v15
SELECT 1;
\\else
SELECT pg_stop_backup();
\\endif
\\if :one
SELECT pg_stop_backup();
\\endif
""",
    "b.sql": """\
DO $$
DECLARE
    v int := current_setting('server_version_num')::int;
BEGIN
    IF v < 150000 THEN  -- or else
        PERFORM CASE WHEN true THEN pg_is_in_backup() ELSE pg_is_in_backup() END;
    ELSE
        PERFORM pg_is_in_backup();
    END IF;
    IF current_setting('server_version_num', true)::int >= 150000 AND v > 0 THEN NULL; ELSE
        PERFORM pg_is_in_backup();
    END IF;
    DROP TABLE IF EXISTS nothing;
    PERFORM pg_is_in_backup();
END $$;
""",
    "handled.sql": """\
DO $$
BEGIN
    PERFORM pg_backup_start_time();
EXCEPTION
    WHEN SQLSTATE '42883' OR undefined_column THEN
        IF true THEN NULL; END IF;
        PERFORM CASE WHEN true THEN pg_is_in_backup() END;
    WHEN division_by_zero THEN
        PERFORM pg_is_in_backup();
END $$;
""",
    "handled.py": """\
try:
    run("SELECT 1")
except (errors.UndefinedFunction, errors.UndefinedColumn):
    run("SELECT pg_is_in_backup()")
except errors.DivisionByZero:
    run("SELECT pg_is_in_backup(), 1")
try:
    run("SELECT 2")
except Error as error:
    if error.sqlstate == "42883":
        run("SELECT pg_is_in_backup(), 2")
    else:
        run("SELECT pg_is_in_backup(), 3")
""",
    "c.py": """\
if connection.info.server_version < 150000:
    run("SELECT pg_is_in_backup()")
elif busy:
    run("SELECT pg_is_in_backup(), 1")
if connection.pg_version >= 150000:
    pass
else:
    run("SELECT pg_is_in_backup(), 2")
if connection.pg_version < 150000 or forced:
    run("SELECT pg_is_in_backup(), 3")
""",
    "d.ts": """\
if (client.serverVersion < 15) {
  run("SELECT pg_is_in_backup()")
}
run("SELECT pg_is_in_backup(), 1")
""",
    "e.go": """\
package main
func f() {
	if serverVersionNum >= 150000 {
		db.Query("SELECT 1")
	} else {
		db.Query("SELECT pg_is_in_backup()")
	}
	db.Query("SELECT pg_is_in_backup(), 1")
}
""",
    "left.go": """\
package main
func f(version int) error {
	if version >= 150000 {
		log.Print("SELECT 1")
		return db.Query("SELECT 1")
	}
	return db.Query("SELECT pg_is_in_backup()")
}
func g() {
	db.Query("SELECT pg_is_in_backup(), 1")
}
""",
    "left.py": """\
def f(version):
    if server_version >= 150000:
        return run("SELECT 1")
    if version >= 20240101:
        run("SELECT pg_is_in_backup()")
    run("SELECT pg_is_in_backup(), 1")
def g():
    if version >= 150000:
        run("SELECT 1")
    run("SELECT pg_is_in_backup(), 2")
""",
}
GUARDED = {
    "a.sql": [5],
    "b.sql": [6],
    "handled.sql": [7],
    "handled.py": [4, 11],
    "c.py": [2, 8],
    "d.ts": [2],
    "e.go": [6],
    "left.go": [7],
    "left.py": [5, 6],
}
BARE = {
    "a.sql": [8],
    "b.sql": [8, 11, 14],
    "handled.sql": [3, 9],
    "handled.py": [6, 13],
    "c.py": [4, 10],
    "d.ts": [4],
    "e.go": [8],
    "left.go": [10],
    "left.py": [10],
}


@pytest.mark.parametrize("stage", ["queries", "incompatibilities"])
def test_what_other_versions_run_is_told_as_guarded(tmp_path: Path, stage: str) -> None:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    found = readiness(old="14", new="18", queries=[tmp_path], stages=[stage])
    seen: dict[str, dict[str, set[int]]] = {"note": {}, "error": {}}
    for each in found.findings:
        assert each.place
        name = each.place.file.rpartition("/")[2]
        seen[each.severity].setdefault(name, set()).add(each.place.line)
        assert (each.severity == "note") == ("guarded: line " in each.message)
        assert (each.severity == "note") == (each.certainty == "may affect")
    assert {name: sorted(lines) for name, lines in seen["note"].items()} == GUARDED
    assert {name: sorted(lines) for name, lines in seen["error"].items()} == BARE


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.kt", "fun f() {\n  if (serverVersion < 150000) {\n    a()\n  } else {\n    b()\n  }\n}\n", {3}),
        ("a.ex", "if server_version >= 150000 do\n  b()\nelse\n  a()\nend\nb()\n", {4}),
        ("a.pl", "if ($server_version < 150000) {\n  a();\n} else {\n  b();\n}\n", {2}),
        ("b.pl", "unless ($server_version >= 150000) {\n  a();\n} else {\n  b();\n}\n", {2}),
        (
            "a.rb",
            "a() if connection.server_version < 150000\nb()\nunless server_version < 150000\n  b()\nend\n",
            {1},
        ),
        ("b.rb", "def f\n  return unless server_version < 150000\n  a()\nend\nb()\n", {3}),
        ("a.ts", "const x = serverVersion < 150000\n  ? a()\n  : b()\n", {2}),
        ("a.sh", 'if [ "$PG_VERSION" -lt 15 ]; then\n  a\nelif [ "$1" ]; then\n  b\nelse\n  b\nfi\n', {2}),
        ("b.sh", "v=`psql -Atc 'SHOW server_version_num'`\nif [ $v -lt 150000 ]; then\n  a\nfi\nb\n", {3}),
        ("b.py", "v = connection.info.server_version\nif v < 150000:\n    a()\nelse:\n    b()\n", {3}),
        (
            "a.yml",
            "- x: y\n  run: a\n  if: matrix.postgres-version < 15\n- x: y\n  run: b\n  if: a || pg_version < 15\n",
            {2},
        ),
        (
            "b.yml",
            "- x: 1\n  block: y\n  when:\n    - postgresql_version is version('15', 'lt')\n- y: 2\n",
            {2},
        ),
        (
            "steps.yml",
            'x:\n  - run: |\n      if [ "$PG_VERSION" -lt 15 ]; then\n        a\n      else\n        b\n      fi\n',
            {4},
        ),
        ("c.yaml", 'x:\n  runonserver: ">=10.0.0 <17.0.0"\n  query: a\ny:\n  query: b\n', {2, 3}),
        ("of.pl", "my %q = (\n  $PG_VERSION_96 => q{\na},\n  $PG_VERSION_150 => q{\nb},\n);\n", {3}),
        ("of.py", "by_version = {\n  90600:\n    a,\n  150000:\n    b,\n}\n", {3}),
        ("pairs.py", "queries = [\n  ('9.6',\n   a),\n  ('15',\n   b)]\n", {3}),
        ("levels.py", "levels = {\n  10:\n    a,\n  15:\n    b,\n}\n", set()),
        (
            "of.go",
            "var x = []pgQuery{\n  {Min: 96, SQL:\n    a},\n  {Min: 150, SQL:\n    b},\n}\n",
            {3},
        ),
        ("of.java", "class A { M pg = Map.of(96,\n  a,\n  150,\n  b); }\n", {2}),
        (
            "of.rb",
            "if pg.select_value('SHOW server_version_num').to_i >= 150_000\n  b\nelse\n  a\nend\n",
            {4},
        ),
        ("of.rs", "fn f() { if server_version.trim().parse::<i32>().unwrap() < 150000 {\n a();\n} }\n", {2}),
        (
            "end.sh",
            """if [ "$(psql -Atc 'SHOW server_version_num' -d "$DB" a)" -lt 150000 ]; then
                a
            else
                b
            fi""",
            {2},
        ),
        ("minor.py", "if server_version.minor < 5:\n    a()\n", set()),
        (
            "changes.xml",
            """<databaseChangeLog><changeSet id="1"><preConditions onFail="MARK_RAN"><sqlCheck
              expectedResult="t">SELECT current_setting('server_version_num')::int &lt; 150000</sqlCheck>
              </preConditions><sql>
              a()
            </sql></changeSet><changeSet id="2"><preConditions><sqlCheck
              expectedResult="false">SELECT current_setting('server_version_num')::int &gt;= 150000</sqlCheck>
              </preConditions><sql>
              a()
            </sql></changeSet><changeSet id="3"><preConditions><sqlCheck
              expectedResult="0">SELECT count(*) FROM a</sqlCheck></preConditions><sql>
              b()
            </sql></changeSet></databaseChangeLog>""",
            {4, 8},
        ),
        (
            "counted.xml",
            """<databaseChangeLog><changeSet id="1"><preConditions><sqlCheck expectedResult="1">SELECT count(*)
              FROM pg_settings WHERE name = 'server_version_num' AND setting::int &lt; 150000</sqlCheck>
              </preConditions><sql>
              a()
            </sql></changeSet></databaseChangeLog>""",
            {4},
        ),
        ("called.py", "if server_version(connection) < 150000:\n    a()\nelse:\n    b()\n", {2}),
        ("Major.cs", "if (connection.PostgreSqlVersion.Major < 15)\n{\n    a();\n}\nb();\n", {3}),
        ("called.php", "<?php\nif (pg_version($db) < 15) {\n  a();\n}\nb();\n", {3}),
        ("constant.py", "if pg_version < PG_VERSION_15:\n    a()\nelse:\n    b()\n", {2}),
        ("inline.yml", 'x:\n  a: "{{\n    a if pg_version | int < 15 else\n    b }}"\n', {3}),
        ("bound.yml", "x:\n  max_version: 150000\n  query: a\ny:\n  min_version: 15\n  query: b\n", {3}),
        ("c.toml", "[[a.query]]\nq = 1\nmax_version = 1500\n[[a.query]]\nb = 1\nmin_version = 906\n", {2}),
        ("sqls.yaml", "x:\n  sqls:\n    14: |\n      a\n    17: |\n      b\n", {4}),
        (
            "e.go",
            'var old = `\n  a`\nfunc f() {\n  if c.version.LT(semver.MustParse("17.0.0")) {\n    a(old)\n  }\n}\n',
            {2, 5},
        ),
        (
            "switch.go",
            'func f() {\n  switch {\n  case c.version.GE(semver.MustParse("17.0.0")):\n    b()\n'
            "  default:\n    a()\n  }\n}\n",
            {6},
        ),
        ("a.conf.j2", "{% if pg_version|int < 13 %}\na = 1\n{%- else %}\nb = 1\n{% endif %}\n", {2}),
        ("deploy", "if (( ${SERVER_VERSION_NUM} >= 150000 )); then\n  b\nelse\n  a\nfi\n", {4}),
    ],
)
def test_branches_of_languages(tmp_path: Path, name: str, text: str, lines: set[int]) -> None:
    (tmp_path / name).write_text(text)
    guards = Guards(PgVersion("14.1"), PgVersion("18.1"))
    calls = [
        (number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()[0] in "abq?:r"
    ]
    places = [
        (number, Place(str(tmp_path / name), number, 1 + len(line) - len(line.lstrip())))
        for number, line in calls
    ]
    assert {number for number, place in places if guards.at(place)} == lines


def test_directories_for_versions(tmp_path: Path) -> None:
    guards = Guards(PgVersion("14.1"), PgVersion("18.1"))
    expected = {
        "pg12": True, "pg14": True, "pg17": False, "alone/pg14": False, "a/lt_pg17": True, "b/ge-pg15": False,
        "c/13": True, "c/17": False, "months/6": False, "months/12": False, "d/13": False, "d/other": False,
    }  # fmt: skip
    for name in expected:
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "a.sql").write_text("SELECT 1;\n")
    places = {name: Place(str(tmp_path / name / "a.sql"), 1, 1) for name in expected}
    assert {name: guards.at(place) is not None for name, place in places.items()} == expected


def test_code_for_later_versions_only(tmp_path: Path) -> None:
    select = 'run("SELECT extract(year FROM now()), evtevent FROM pg_event_trigger")'
    branches = f"if server_version >= 150000:\n    {select}\nelse:\n    run('SELECT 1')\n"
    (tmp_path / "q.py").write_text(branches + select.replace("now", "clock_timestamp"))
    found = readiness(old="13", new="18", queries=[tmp_path / "q.py"], stages=["queries"])
    assert {each.place and each.place.line for each in found.findings if "14.5" in each.items} == {5}


def test_variables_of_psql_from_another_file(tmp_path: Path) -> None:
    (tmp_path / "start.psql").write_text(
        "SELECT current_setting('server_version_num')::int >= 150000 AS new_backup \\gset\n"
    )
    (tmp_path / "backup.sql").write_text(
        "\\if :new_backup\nSELECT 1;\n\\else\nSELECT pg_is_in_backup();\n\\endif\n"
    )
    found = readiness(old="14", new="18", queries=[tmp_path], stages=["queries"])
    assert ["(guarded: line 3 runs this on other versions" in each.message for each in found.findings] == [
        True
    ]


def test_what_is_left_out_has_no_answer(tmp_path: Path) -> None:
    branch = (
        "if connection.vendor == 'mysql':\n    cursor.execute(\"SELECT * FROM a WHERE pg_is_in_backup()\")\n"
    )
    (tmp_path / "q.py").write_text(f"{branch}else:\n    cursor.execute('SELECT 1')\n")
    found = readiness(old="14", new="18", queries=[tmp_path / "q.py"], stages=["incompatibilities"])
    assert not found.findings
    assert "affects" not in {each.answer for each in found.answers}


def test_a_behavior_that_shows_only_behind_a_guard_does_not_affect(tmp_path: Path) -> None:
    (tmp_path / "q.py").write_text('if server_version < 150000:\n    run("SELECT pg_is_in_backup()")\n')
    found = readiness(
        old="14", new="18", queries=[tmp_path / "q.py"], stages=["incompatibilities", "queries"]
    )
    answers = {each.behavior: each.answer for each in found.answers if "15.3" in each.items}
    assert answers
    assert "affects" not in answers.values()
    assert not found.affects


@pytest.mark.parametrize(
    ("condition", "versions"),
    [
        ("conn.server_version >= 12_00_00", (120000, 10**9)),
        ("current_setting('server_version_num')::integer <= 90600", (0, 90601)),
        ("pgVersion == 12", (120000, 130000)),
        ("getDatabaseMajorVersion() < 12", (0, 120000)),
        ("databaseMajorVersion < 12 && busy", (0, 120000)),
        ("server_version < 9.6", (0, 90600)),
        ("server_version < 12 or busy", None),
        ("not (server_version < 12)", None),
        ("server_version != 12", None),
        ("version < 12", None),
        ("12 > 3", None),
        ("pg_version | int >= 13", (130000, 10**9)),
        ('i.version.GE(semver.MustParse("17.0.0"))', (170000, 10**9)),
        ("serverVersion.isBefore(15)", (0, 150000)),
        ("postgresql_version is version('9.6', '<=')", (0, 90700)),
        ("postgresql_version is not version('13', '<')", None),
    ],
)
def test_conditions(condition: str, versions: tuple[int, int] | None) -> None:
    assert compared(condition) == (versions and range(*versions))


def test_notes_where_the_old_version_does_not_run_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "q.py").write_text("""\
if server_version >= 170000:
    run("SELECT num_timed FROM pg_stat_checkpointer")
    run("SELECT pg_is_in_backup()")
else:
    run("SELECT num_requested FROM pg_stat_checkpointer")
""")
    found = readiness(old="14", new="18", queries=[tmp_path / "q.py"], stages=["queries"])
    assert {(each.place.line, each.certainty) for each in found.findings if each.place} == {
        (3, "affects"),
        (5, "may affect"),
    }


def test_a_file_without_a_comparison_guards_nothing(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("SELECT 1;\n")
    guards = Guards(PgVersion("14.1"), PgVersion("18.1"))
    assert guards.at(Place(str(tmp_path / "q.sql"), 1)) is None
    assert guards.at(Place(str(tmp_path / "gone.sql"), 1)) is None
    assert guards.at(None) is None


BODIES = """\
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    "else" text := 'if server_version_num < 150000 then';
    n int;
BEGIN
    SELECT setting INTO STRICT n FROM pg_settings WHERE name = 'server_version_num';
    FOR i IN 1..2 LOOP
        IF n < 150000 THEN
            BEGIN
                CASE i WHEN 1 THEN a(); ELSE a(); END CASE;
            END;
        ELSE
            b();
        END IF;
    END LOOP;
    b();
END $$;
"""


@pytest.mark.parametrize("kind", ["schema", "source code"])
def test_branches_of_bodies_in_files_of_any_kind(kind: Literal["schema", "source code"]) -> None:
    lines = BODIES.splitlines()
    query = Query(BODIES, kind, "app.py", tuple(range(11, 11 + len(lines))))
    guards = Guards(PgVersion("14.1"), PgVersion("18.1"), [query])
    guarded = {line for line in range(11, 11 + len(lines)) if guards.at(Place("app.py", line, 15))}
    assert guarded == {19, 20, 21}
