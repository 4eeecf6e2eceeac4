"""The statements of a script that are held back, decided by tokens, and those that a superuser may run for it."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.scripts.privileges import as_role, is_held_back, new_owner


@pytest.mark.parametrize(
    "sql",
    [
        "COPY t TO/**/PROGRAM 'x'",
        "COPY t TO -- x\nPROGRAM 'x'",
        "copy (SELECT 'a' FROM t) To\tprogram $$x$$",
        "COPY t TO $$file$$",
        "COPY t TO $x$file$x$ WITH (FORMAT csv)",
        "COPY t TO U&'\\0066ile'",
        "COPY t FROM/**/'file'",
        "COPY t (a, b) FROM E'file'",
        "/* x */ COPY t FROM N'file'",
        "ALTER/**/SYSTEM SET a = 1",
        "-- x\nALTER SYSTEM RESET ALL",
        "CREATE/* /* nested */ */DATABASE x",
        "DROP TABLESPACE x",
        "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p",
        "PREPARE/**/TRANSACTION 'x'",
        "SELECT 1; ALTER SYSTEM SET a = 1",
    ],
)
def test_what_leaves_the_database_is_held_back(sql: str) -> None:
    assert is_held_back(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "COPY t FROM stdin",
        "COPY (SELECT 'x' FROM t WHERE a LIKE 'to program') TO STDOUT",
        "SELECT 'COPY t TO PROGRAM ''x'''",
        "CREATE TABLE database (system text)",
        "PREPARE transaction_list AS SELECT 1",
        'ALTER "system" SET a = 1',
        "INSERT INTO t VALUES ('a; ALTER SYSTEM SET a = 1')",
        "",
    ],
)
def test_what_stays_in_the_database_is_not(sql: str) -> None:
    assert not is_held_back(sql)


def test_a_backslash_escapes_a_quote_if_the_session_says_so() -> None:
    sql = r"SELECT '\'; ALTER SYSTEM SET a = 1; --'"
    assert is_held_back(sql)
    assert not is_held_back(sql, standard_conforming_strings=False)


@pytest.mark.parametrize(
    ("sql", "sent"),
    [
        ("SET SESSION AUTHORIZATION app;", "SET ROLE app"),
        ("SET LOCAL SESSION AUTHORIZATION 'an app'", "SET LOCAL ROLE 'an app'"),
        ('set session/**/session authorization "App"', 'SET ROLE "App"'),
        ("SET SESSION AUTHORIZATION DEFAULT", "RESET ROLE"),
        ("RESET SESSION AUTHORIZATION", "RESET ROLE"),
        ("SET ROLE app", "SET ROLE app"),
        ("SET SESSION work_mem = 1", "SET SESSION work_mem = 1"),
    ],
)
def test_a_role_that_is_no_superuser_sets_the_role(sql: str, sent: str) -> None:
    assert as_role(sql) == sent


def test_the_new_owner_is_the_last_word() -> None:
    assert new_owner('ALTER TABLE ONLY a.b OWNER TO "An App"') == '"An App"'
    assert new_owner("ALTER FUNCTION f(a int) OWNER /* x */ TO app;") == "app"
    assert new_owner("ALTER TABLE t RENAME TO app") is None
    assert new_owner("COMMENT ON TABLE t IS 'owner to x'") is None
