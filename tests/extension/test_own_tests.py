"""Names in the configuration: suites, extensions that they need, earlier releases, other ways to build."""

from __future__ import annotations

import subprocess

import pytest

pytestmark = pytest.mark.thorough

ONE = {"tiny--1.0.sql": "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';\n"}
OK = (
    "CREATE FUNCTION ok(bool) RETURNS text LANGUAGE sql"
    " AS $$SELECT CASE WHEN $1 THEN '' ELSE 'not ' END || 'ok 1'$$"
)
CONFIGURATION = """
[extension]
requires = ["../helper"]
[[extension.test]]
name = "pgtap"
sql = "CREATE EXTENSION helper; CREATE EXTENSION tiny"
pg_prove = ["test/*.sql"]
[[extension.test]]
name = "command"
command = "psql -Atc 'SELECT one()' | grep -x 2"
[[extension.test]]
name = "target"
make = "check-more"
"""


def test_suites_and_the_extensions_that_they_need(gate):
    gate.write("helper", {"helper--1.0.sql": f"{OK};\n"})
    place = gate.write(
        files=ONE
        | {
            "test/one.sql": "SELECT '1..1';\nSELECT ok(one() = 1);\n-- plan(1)\n",
            "pgfeatures.toml": CONFIGURATION,
        },
        makefile="check-more:\n\tpsql -d $(PGDATABASE) -Atc 'SELECT one()' | grep -x 1\nall:\n.DEFAULT_GOAL = all",
    )
    gate.run(place, "--stage", "test", "--strict", status=1)
    assert [row["object"] for row in gate.report["results"] if row["stage"] == "test"] == [
        None,
        "test:command",
    ]
    assert gate.of("test", "test:command")["summary"].startswith("command ended with status 1")


def test_pgtap_tests_that_the_configuration_does_not_name(gate):
    place = gate.write(files=ONE | {"test/one.sql": "SELECT plan(1);\n"})
    gate.run(place, "--stage", "test")
    assert gate.outcome("test", "test:test/one.sql") == "not run"


def test_pgtap_tests_are_counted_beside_a_suite_that_fails(gate):
    files = ONE | {"test/one.sql": "SELECT plan(1);\n", "test/two.sql": "SELECT plan(1);\n"}
    place = gate.write(files=files)
    gate.run(place, "--stage", "test", "--test", "echo not ok 1 in test/two.sql; exit 1", status=1)
    assert gate.outcome("test") == "failed"
    assert gate.outcome("test", "test:test/one.sql") == "not run"
    assert gate.of("test")["tests"] == [{"kind": "own", "found": 2, "run": 1}]


def git(place, *arguments):
    who = ("-c", "user.name=us", "-c", "user.email=us@example.org")
    subprocess.run(["git", "-C", place, *who, *arguments], check=True, capture_output=True)


OLDER = ONE["tiny--1.0.sql"] + "CREATE TABLE c (); SELECT pg_catalog.pg_extension_config_dump('c', '');\n"
NEWER = {
    "tiny--1.1.sql": OLDER + "CREATE VIEW v AS SELECT 1 AS a;\n",
    "tiny--1.0--1.1.sql": "CREATE VIEW v AS SELECT 1 AS a;\n",
}


def test_an_update_from_an_earlier_release(gate):
    """Its tag, with data; then one whose update script has a mistake, and one changed under its version."""
    place = gate.write(files={"tiny--1.0.sql": OLDER, "data.sql": "CREATE TABLE kept AS SELECT one();\n"})
    git(place, "init", "-q")
    git(place, "add", ".")
    git(place, "commit", "-qm", "1.0")
    git(place, "tag", "v1.0")
    tarball = place.with_name("tiny-1.0.tar.gz")
    git(place, "archive", "--prefix", "tiny-1.0/", "-o", tarball, "v1.0")
    (place / "tiny--1.0.sql").unlink()
    gate.write(files=NEWER, control="default_version = '1.1'\n")
    since = ("--stage", "update", "--data", "data.sql", "--previous")
    for release in ("v1.0", str(tarball)):
        gate.run(place, *since, release)
        assert f"tiny 1.0 of {release} to 1.1" in gate.of("update")["summary"]
        assert gate.outcome("update") == "passed"
        assert not [row for row in gate.report["results"] if row["outcome"] == "not run"]

    gate.write(
        files=NEWER | {"tiny--1.0--1.1.sql": "CREATE VIEW v AS SELECT 2 AS a;\n"},
        control="default_version = '1.1'\n",
    )
    gate.run(place, *since, "v1.0", status=1)
    wrong = gate.of("update", "release:v1.0")
    assert wrong["summary"] == "tiny updated from 1.0 of v1.0 differs from a fresh 1.1"
    assert "+ SELECT 2 AS a;" in wrong["details"]

    same = gate.write(files={"tiny--1.0.sql": "CREATE VIEW v AS SELECT 1 AS a;\n"})
    gate.run(same, *since, "v1.0", status=1)
    assert "has the same version" in gate.of("update", "release:v1.0")["summary"]


PLUGIN = """
#include "postgres.h"
#include "replication/output_plugin.h"
#include "replication/logical.h"
PG_MODULE_MAGIC;
static void begin(LogicalDecodingContext *c, ReorderBufferTXN *t) {}
static void commit(LogicalDecodingContext *c, ReorderBufferTXN *t, XLogRecPtr p) {}
static void change(LogicalDecodingContext *c, ReorderBufferTXN *t, Relation r, ReorderBufferChange *h)
{
    OutputPluginPrepareWrite(c, true);
    appendStringInfoString(c->out, RelationGetRelationName(r));
    OutputPluginWrite(c, true);
}
void _PG_output_plugin_init(OutputPluginCallbacks *cb)
{
    cb->begin_cb = begin;
    cb->commit_cb = commit;
    cb->change_cb = change;
}
"""
MODULE = "MODULES = told\nPG_CONFIG ?= pg_config\nPGXS := $(shell $(PG_CONFIG) --pgxs)\ninclude $(PGXS)\n"


def test_an_output_plugin_has_no_control_file(gate):
    place = gate.place / "told"
    place.mkdir()
    (place / "Makefile").write_text(MODULE)
    (place / "told.c").write_text(PLUGIN)
    gate.run(place, "--stage", "create", "--stage", "dump", "--stage", "drop")
    assert gate.of("create")["summary"] == "told loaded, decodes"
    assert (gate.outcome("dump"), gate.outcome("drop")) == ("passed", "none")


def test_a_build_by_commands_below_a_root_with_its_repository(gate):
    """As Meson and CMake builds need; a file of the parent, and ``git describe``, in a worktree."""
    top = gate.place / "repository"
    place = top / "tiny"
    place.mkdir(parents=True)
    (top / "version").write_text("1.0\n")
    (place / "tiny.control").write_text("default_version = '1.0'\n")
    build = 'git describe > described && sed "s/NUMBER/$(cat ../version)/" tiny.sql.in > tiny--1.0.sql'
    install = 'cp tiny.control tiny--1.0.sql "$($PG_CONFIG --sharedir)/extension/"'
    (place / "tiny.sql.in").write_text(
        "CREATE FUNCTION v() RETURNS text LANGUAGE sql AS $$SELECT 'NUMBER'$$;\n"
    )
    (place / "pgfeatures.toml").write_text(
        f"[extension]\nroot = \"..\"\nbuild = '''{build}'''\ninstall = '''{install}'''\n"
        'test = [\'test "$(psql -Atc "SELECT v()") $(cat described)" = "1.0 v1.0"\']\n'
    )
    git(top, "init", "-q")
    git(top, "add", ".")
    git(top, "commit", "-qm", "1.0")
    git(top, "tag", "-a", "-m", "1.0", "v1.0")
    git(top, "worktree", "add", "-q", gate.place / "worktree")
    gate.run(gate.place / "worktree" / "tiny", "--stage", "test")
    assert gate.outcome("test") == "passed"


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ('test = [{ name = "x" }]', "does not say how to run it"),
        ('root = "sub"', "does not contain"),
        ('requires = "../pgtap"', "has the wrong type"),
    ],
)
def test_mistakes_in_the_configuration(gate, configuration, message):
    place = gate.write(files=ONE | {"pgfeatures.toml": f"[extension]\n{configuration}\n"})
    assert message in gate.run(place, status=2)
