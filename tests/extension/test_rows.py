"""Rows: an update makes those of a fresh install, and loses none of users."""

from __future__ import annotations

TABLE = """
CREATE TABLE kind (id serial, name text, at timestamptz DEFAULT '2020-01-01');
CREATE TABLE setting (name text, value text, ours bool DEFAULT false);
SELECT pg_catalog.pg_extension_config_dump('setting', 'WHERE NOT ours');
"""
OTHER = "CREATE TABLE other (); SELECT pg_catalog.pg_extension_config_dump('other', '');\n"
TWO = "INSERT INTO kind (name) VALUES ('one'), ('two');\n"
UPDATE = ("--stage", "update")
CONTROL = "default_version = '1.1'\n"


def released(gate, script, fresh=TABLE + TWO):
    return gate.write(
        files={
            "tiny--1.0.sql": TABLE + "INSERT INTO kind (name) VALUES ('two');\n",
            "tiny--1.1.sql": fresh,
            "tiny--1.0--1.1.sql": script,
        },
        control=CONTROL,
    )


def test_a_row_that_an_update_forgets(gate):
    """Numbers of rows may differ, because the script of an update inserts in another order."""
    gate.run(released(gate, "SELECT 1;\n"), *UPDATE, status=1)
    forgotten = gate.of("update", "script:tiny--1.0--1.1.sql")
    assert forgotten["outcome"] == "failed"
    assert "-2020-01-01 00:00:00+00\tone" in forgotten["details"]
    gate.run(released(gate, "INSERT INTO kind (name) VALUES ('one');\n"), *UPDATE)
    assert gate.outcome("update") == "passed"


def test_rows_that_vary_are_only_counted(gate):
    now = "INSERT INTO kind (name, at) VALUES ('now', clock_timestamp());\n"
    gate.run(released(gate, "INSERT INTO kind (name) VALUES ('one');\n" + now, TABLE + TWO + now), *UPDATE)
    gate.run(
        released(gate, "INSERT INTO kind (name) VALUES ('one');\n", TABLE + TWO + now), *UPDATE, status=1
    )
    assert "-3 rows" in gate.of("update", "script:tiny--1.0--1.1.sql")["details"]


def test_configuration_tables_in_another_order_are_no_difference(gate):
    one, two = TABLE + OTHER, OTHER + TABLE
    files = {"tiny--1.0.sql": "SELECT 1;\n", "tiny--1.1.sql": one, "tiny--1.0--1.1.sql": two}
    gate.run(gate.write(files=files, control=CONTROL), *UPDATE)
    assert gate.outcome("update") == "passed"


def test_rows_of_users_in_configuration_tables(gate):
    """An update may add and drop columns, and change the extension's own rows."""
    old = gate.place / "old"
    made = "INSERT INTO setting VALUES ('a', '1', true);\n"
    place = gate.write(
        files={"tiny--1.0.sql": TABLE + made, "data.sql": "INSERT INTO setting VALUES ('b', '2');\n"}
    )
    place.rename(old)
    change = "ALTER TABLE setting ADD more int, DROP value; DELETE FROM setting WHERE ours;\n"
    new = TABLE.replace("value text, ours bool DEFAULT false", "ours bool DEFAULT false, more int")
    options = (*UPDATE, "--previous", str(old), "--data", "data.sql")
    for script, status in ((change, 0), (change + "DELETE FROM setting;\n", 1)):
        place = gate.write(
            files={
                "tiny--1.1.sql": new,
                "tiny--1.0--1.1.sql": script,
                "data.sql": "INSERT INTO setting VALUES ('b', '2');\n",
            },
            control=CONTROL,
        )
        gate.run(place, *options, status=status)
    lost = gate.of("update", "table:public.setting")
    assert lost["outcome"] == "failed"
    assert lost["details"] == ["name: b, ours: false"]
