"""Messages with which pg_upgrade stops, as 15 and 18 printed them."""

from __future__ import annotations

from pytest_pgfeatures.server.upgrade_failure import REMEDY, reasons

LIVE = [
    "pg_upgrade_server.log:",
    "    waiting for server to start...."
    '2026-11-22 12:51:22.045 UTC [5693] FATAL:  lock file "postmaster.pid" already exists',
]
"""How pg_upgrade --check finds out that the old server runs."""


def test_each_type_that_18_refuses_is_a_reason_of_its_own() -> None:
    printed = """\
Performing Consistency Checks on Old Live Server
------------------------------------------------
Checking for contrib/isn with bigint-passing mismatch         ok
Checking data type usage                                      failed check: Checking for reg* data types
failed check: Checking for incompatible "aclitem" data type

Data type checks failed: 
Your installation contains one of the reg* data types in user tables.
You can drop the problem columns and restart the upgrade.

A list of the problem columns is in the file:
    /run/data/pg_upgrade_output.d/1/tables_using_reg.txt

Your installation contains the "aclitem" data type in user tables.
The internal format of "aclitem" changed in PostgreSQL version 16
so this cluster cannot currently be upgraded.  You can drop the
problem columns and restart the upgrade.

A list of the problem columns is in the file:
    /run/data/pg_upgrade_output.d/1/tables_using_aclitem.txt

Failure, exiting"""  # noqa: W291
    listed = ["tables_using_aclitem.txt:", "    In database: app", "      public.t.a", "      public.t.b"]
    listed += ["tables_using_reg.txt:", "    In database: app", "      public.t.r"]
    drop = "You can drop the problem columns and restart the upgrade."
    assert reasons(["pg_upgrade --check", *printed.splitlines(), *LIVE, *listed]) == [
        ("Your installation contains one of the reg* data types in user tables. (public.t.r)", drop),
        (
            'Your installation contains the "aclitem" data type in user tables. The internal format of "aclitem"'
            " changed in PostgreSQL version 16 so this cluster cannot currently be upgraded."
            " (public.t.a, public.t.b)",
            drop,
        ),
    ]


def test_advice_with_a_statement_stays_whole() -> None:
    printed = """\
Checking for tables WITH OIDS                                 fatal

Your installation contains tables declared WITH OIDS, which is not
supported anymore.  Consider removing the oid column using
    ALTER TABLE ... SET WITHOUT OIDS;
A list of tables with the problem is in the file:
    tables_with_oids.txt
Failure, exiting"""
    listed = ["tables_with_oids.txt:", "    In database: app", "      public.t"]
    assert reasons(["pg_upgrade --check", *printed.splitlines(), *LIVE, *listed]) == [
        (
            "Your installation contains tables declared WITH OIDS, which is not supported anymore. (public.t)",
            "Consider removing the oid column using ALTER TABLE ... SET WITHOUT OIDS",
        )
    ]


def test_where_pg_upgrade_names_a_log_the_log_tells() -> None:
    printed = ["Restoring database schemas in the new cluster", "*failure*", "Failure, exiting"]
    log = [
        "pg_upgrade_dump_16384.log:",
        "    2026-11-22 12:00:00 UTC [1] ERROR:  no such column at character 71",
    ]
    assert reasons(["pg_upgrade", *printed, *LIVE, *log]) == [("no such column", REMEDY)]
    assert reasons(["pg_upgrade", *LIVE]) == []
