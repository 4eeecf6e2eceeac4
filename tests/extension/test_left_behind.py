"""Objects that DROP EXTENSION leaves behind, or that an update forgets."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.thorough

LEAVES = {
    "a member of an operator family": (
        "CREATE FUNCTION sorts(int, text) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 0';\n"
        "ALTER OPERATOR FAMILY integer_ops USING btree ADD FUNCTION 1 (int, text) sorts(int, text);\n"
        "ALTER EXTENSION tiny DROP FUNCTION sorts(int, text);\n",
        "MEMBER function 1 (integer, text)",
    ),
    "a property of the database": (
        "ALTER DATABASE extension CONNECTION LIMIT 7;\n",
        "DATABASE datconnlimit",
    ),
    "a setting of the database": (
        "ALTER DATABASE extension SET work_mem = '7MB';\n",
        "SETTINGS of the database",
    ),
    "a comment": (
        "COMMENT ON FUNCTION pg_catalog.now() IS 'mine';\n",
        "COMMENT of function now()",
    ),
    "a privilege": (
        "REVOKE EXECUTE ON FUNCTION pg_catalog.now() FROM PUBLIC;\n",
        "PRIVILEGES on function now()",
    ),
    "a privilege on a column": (
        "GRANT SELECT (rolpassword) ON pg_catalog.pg_authid TO PUBLIC;\n",
        "PRIVILEGES on column rolpassword of table pg_authid",
    ),
}


@pytest.mark.parametrize("script", LEAVES)
def test_what_is_left_of_what_was_done_to_postgresqls_own_objects(gate, script):
    text, said = LEAVES[script]
    place = gate.write(files={"tiny--1.0.sql": text})
    gate.run(place, "--stage", "drop", status=1)
    assert any(line.startswith(f"-- {said}") for line in gate.of("drop")["details"])


def test_what_an_update_does_not_do_to_postgresqls_own_objects(gate):
    files = {
        "tiny--1.0.sql": "SELECT 1;\n",
        "tiny--1.0--1.1.sql": "SELECT 1;\n",
        "tiny--1.1.sql": "GRANT SELECT ON pg_catalog.pg_authid TO PUBLIC;\n",
    }
    place = gate.write(files=files, control="default_version = '1.1'\n")
    gate.run(place, "--pg", "14,18", "--stage", "update", status=1)
    for major in ("pg14", "pg18"):
        details = gate.of("update", "script:tiny--1.0--1.1.sql", major)["details"]
        assert details[0] == "-- PRIVILEGES on table pg_authid"


def test_an_extension_that_cannot_be_dropped_without_cascade(gate):
    """Something of its own depends on it, and does not belong to it."""
    text = """CREATE FUNCTION one() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE VIEW of_it AS SELECT one() AS one;
ALTER EXTENSION tiny DROP VIEW of_it;
"""
    place = gate.write(files={"tiny--1.0.sql": text})
    gate.run(place, "--stage", "drop", status=1)
    drop = gate.of("drop")
    assert "cannot drop extension tiny because other objects depend on it" in drop["summary"]
    assert any("view of_it depends on" in line for line in drop["details"])
