"""Scripts and dumps, loaded without psql."""

from __future__ import annotations

import gzip
import subprocess
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures import load
from pytest_pgfeatures.errors import ScriptError
from pytest_pgfeatures.install import Resolver
from pytest_pgfeatures.scripts.steps import steps_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.server import Cluster

    CreatePgs = Callable[..., tuple[Cluster, ...]]

SHOP = r"""
CREATE TYPE mood AS ENUM ('so; so', 'it''s');
CREATE TABLE customer (id serial PRIMARY KEY, name text, mood mood);
INSERT INTO customer (name, mood) VALUES
    (E'tab\there\nbackslash \\ and \\.', 'so; so'), ('ü "quoted" $$', NULL), (NULL, 'it''s'), ('\.', NULL);
CREATE TABLE nothing ();
CREATE TABLE "odd; name" (a int, "from" text);
INSERT INTO "odd; name" SELECT g, repeat('x', g) FROM generate_series(1, 1000) g;
CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT $1 * 2; -- ;';
CREATE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN new.name := upper(new.name); RETURN new; END; $$;
CREATE TRIGGER loud BEFORE INSERT ON customer FOR EACH ROW EXECUTE PROCEDURE loud();
CREATE VIEW named AS SELECT * FROM customer WHERE name IS NOT NULL;
CREATE RULE log AS ON DELETE TO customer DO ALSO (INSERT INTO "odd; name" VALUES (0); SELECT 1);
COMMENT ON TABLE customer IS E'it''s ; \\';
SELECT lo_from_bytea(4711, '\xdeadbeef');
"""
CONTENTS = (
    "SELECT id, name, mood::text FROM public.customer ORDER BY id",
    'SELECT count(*), sum(length("from")), max(a) FROM public."odd; name"',
    "SELECT public.twice(21), count(*) FROM public.named",
    "SELECT obj_description('public.customer'::regclass), nextval('public.customer_id_seq')",
    "SELECT encode(data, 'hex') FROM pg_largeobject WHERE loid = 4711",
    "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'public.customer'::regclass AND tgname = 'loud'",
)
DUMPS = [
    ("14", "plain"),
    ("14", "custom"),
    ("16", "directory"),
    ("18", "plain"),
    ("18", "custom"),
    ("18", "tar"),
]


def dump(source: Cluster, tools: Cluster, form: str, path: Path) -> Path:
    argv, environment = tools.program("pg_dump", "--format", form, "--file", path, "postgres")
    subprocess.run(argv, env={**environment, **source.connection_environment()}, check=True)
    return path


@pytest.mark.pg(matrix=False)
def test_dumps_of_every_format_load_on_every_major(create_pgs: CreatePgs, tmp_path: Path) -> None:
    """What these pg_dumps write for a server of 9.5 is what every major can load."""
    versions = {"9.3": "9.3", "9.5": "9.5", "12": "12", "14": "pypi:14", "16": "pypi:16", "18": "pypi:18"}
    clusters = dict(zip(versions, create_pgs(*versions, version=versions), strict=True))
    source = clusters["9.5"]
    source.sql(SHOP)
    paths = [dump(source, clusters[tool], form, tmp_path / f"{tool}.{form}") for tool, form in DUMPS]
    expected = [source.sql(query) for query in CONTENTS]
    assert len(expected[0]) == 4
    expected[3] = [("it's ; \\", 5)]
    for target in (clusters["9.3"], clusters["12"], clusters["18"]):
        for number, path in enumerate(paths):
            target.sql(f"CREATE DATABASE shop_{number}")
            with target.connect(f"shop_{number}") as connection:
                load(connection, path)
            found = [target.sql(query, dbname=f"shop_{number}") for query in CONTENTS]
            assert found == expected, (target.version, path.name)


@pytest.mark.pg("9.6,>=18")
def test_a_directory_of_migrations_is_loaded_in_order_and_not_reverted(
    pg_connection: psycopg.Connection, tmp_path: Path
) -> None:
    for name, text in {
        "V10__c.sql": "INSERT INTO done VALUES ('c');\n-- +migrate Down\nDROP TABLE done;",
        "V2__b.SQL": "INSERT INTO done VALUES ('b');",
        "V1__a.sql": "CREATE TABLE done (name text, id serial);",
        "U1__a.sql": "DROP TABLE done;",
        "V3__later/V1__d.sql": "INSERT INTO done VALUES ('d');",
        "README.md": "no SQL",
        "vendor/V1__e.sql": "INSERT INTO done VALUES ('others');",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    load(pg_connection, tmp_path)
    assert pg_connection.execute("SELECT name FROM done ORDER BY id").fetchall() == [("b",), ("c",), ("d",)]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ScriptError, match="empty has no migration, and pg_dump has not written it"):
        load(pg_connection, tmp_path / "empty")


def test_commands_of_psql_are_followed(pg_connection: psycopg.Connection, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "schema.sql").write_text(
        "\\set ON_ERROR_STOP on\n\\echo 'loading; it\n\\set start 7\n\\set word 'it''s ' :start\n\\set tab t\n"
        "\\ir parts/more.sql\n\\i parts/last.sql\nINSERT INTO t VALUES (:start + 1, :{?start}) \\g\n"
        "\\if :{?start}\n\\copy t (a) from stdin\n20\n\\.\n\\else\nNO SQL;\n\\endif\n"
        "\\copy t (a) from parts/rows\nCOPY t TO stdout;\n\\q\nNO SQL\n"
    )
    (tmp_path / "parts" / "rows").write_text("30\n31\n")
    (tmp_path / "parts" / "more.sql").write_text('CREATE TABLE :"tab" (a int, b text);\n\\q\nNO SQL\n')
    (tmp_path / "parts" / "last.sql").write_text("INSERT INTO t VALUES (:start, :'word');\n")
    load(
        pg_connection,
        tmp_path / "schema.sql",
        "INSERT INTO t VALUES (1)\\; INSERT INTO t VALUES (2)",
        root=tmp_path,
    )
    found = pg_connection.execute("SELECT a, b FROM t ORDER BY a").fetchall()
    assert found == [(1, None), (2, None), (7, "it's 7"), (8, "true"), (20, None), (30, None), (31, None)]


@pytest.mark.pg(">=18")
def test_statements_are_transactions_of_their_own_as_in_psql(pg_connection: psycopg.Connection) -> None:
    load(
        pg_connection,
        "CREATE TABLE t (a int);\nCREATE INDEX CONCURRENTLY ON t (a);\nVACUUM t;\nSET search_path = '';",
    )
    assert pg_connection.execute("SHOW search_path").fetchone() != ("",)


@pytest.mark.pg(">=18")
@pytest.mark.parametrize(
    ("text", "place", "sqlstate", "shown"),
    [
        ("SELECT 1;\n\nSELECT\n  nothing;\n", 4, "42703", "4 | nothing"),
        ("SELECT 1;\n/* why */\nDROP TABLE nowhere;\n", 3, "42P01", "3 | DROP TABLE nowhere"),
        ("CREATE TABLE t (a int);\nCOPY t FROM stdin;\n1\nx\n\\.\n", 4, "22P02", "4 | x"),
        ("\\set a nothing\nSELECT 1,\n :a;\n", 3, "42703", "3 | nothing"),
        ("SELECT 'open;\n", 1, "42601", "1 | SELECT 'open;"),
        ("CREATE TABLE t ();\nALTER TABLE t OWNER TO nobody_here;\n", 2, "42704", "dump with --no-owner"),
        ("CREATE TABLE t (a int);\n\\copy t from schema.sql\n", 2, "22P02", "2 | CREATE TABLE t (a int);"),
        ("BEGIN;\nCREATE TABLE t ();\n", 2, None, "what to do: add COMMIT"),
    ],
)
def test_the_line_that_fails_is_named(pg_connection, tmp_path, text, place, sqlstate, shown) -> None:
    (tmp_path / "schema.sql").write_text(text)
    with pytest.raises(ScriptError) as caught:
        load(pg_connection, tmp_path / "schema.sql", root=tmp_path)
    error = caught.value
    assert (error.file, error.line, error.sqlstate) == ("schema.sql", place, sqlstate)
    assert error.problem.startswith(f"schema.sql:{place}: {sqlstate or 'the script ends'}")
    assert shown in str(error)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "CREATE DATABASE x;\n\\connect x\n",
            "schema.sql:2: psql's \\connect x would load what follows",
        ),
        ("SELECT 1 \\gexec\n", "schema.sql:1: psql's \\gexec is not followed here"),
        ("SELECT\n\\! ls\n1;", "schema.sql:2: psql's \\! ls stands inside of a statement"),
        (
            "\\copy t from program 'ls'\n",
            "schema.sql:1: psql's \\copy t from program 'ls' is not followed here",
        ),
        ("\\copy t from 'nowhere'\n", "schema.sql:1: can't read "),
        (
            "\\if :unknown\nSELECT 1;\n\\endif\n",
            "schema.sql:1: psql's \\if :unknown has a condition that only psql knows",
        ),
        ("\\set a `ls`\n", "schema.sql:1: psql's \\set a `ls` is not followed here"),
        ("\n\\ir nowhere.sql\n", "schema.sql:2: can't read "),
        ("\\ir schema.sql\n", "schema.sql:1: schema.sql includes itself: psql does not come to an end"),
        ("\x00", "schema.sql is no text (byte 0 is zero)"),
        (gzip.compress(b"SELECT 1", mtime=0), "schema.sql is compressed (gzip)"),
        (b"PGDMP", "pg_restore of "),
    ],
)
def test_what_is_not_followed_is_refused_before_anything_is_run(tmp_path, text, problem) -> None:
    (tmp_path / "schema.sql").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ScriptError) as caught:
        steps_of(tmp_path / "schema.sql", "schema.sql", Resolver, tmp_path)
    assert problem in caught.value.problem
    assert caught.value.remedy


def test_a_dump_for_which_there_is_no_pg_restore_says_who_wrote_it(tmp_path: Path) -> None:
    header = b"PGDMP\x01\x10\x00\x04\x08\x01" + b"\x00" + 7 * bytes(5)
    texts = b"".join(
        b"\x00" + len(text).to_bytes(4, "little") + text for text in (b"shop", b"77.1", b"77.1 (ours)")
    )
    (tmp_path / "shop.dump").write_bytes(header + texts)
    with pytest.raises(ScriptError, match=r"can read .*shop\.dump, which pg_dump of 77\.1 wrote"):
        steps_of(tmp_path / "shop.dump", "shop.dump", lambda: Resolver(offline=True), tmp_path)


@pytest.mark.pg(">=18")
def test_bytes_of_another_encoding_arrive_as_they_are(
    pg_connection: psycopg.Connection, tmp_path: Path
) -> None:
    text = 'SET client_encoding = \'LATIN1\';\nCREATE TABLE "ä" (a text);\nCOPY "ä" FROM stdin;\nß\n\\.\n'
    (tmp_path / "latin.sql").write_bytes(text.encode("latin-1"))
    load(pg_connection, tmp_path / "latin.sql")
    assert pg_connection.execute('SELECT a FROM "ä"').fetchall() == [("ß",)]
