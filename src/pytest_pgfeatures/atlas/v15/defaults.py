"""Defaults that 15 changed."""

from pytest_pgfeatures import Row, behavior, rows
from pytest_pgfeatures.affects import Default, ParseNode, ProgramCall

rows(
    Row(
        "15.4",
        "hash-mem-multiplier",
        "SELECT boot_val FROM pg_settings WHERE name = 'hash_mem_multiplier'",
        expect={"<13": [], "13..14": "1", ">=15": "2"},
        since="15",
        title="A hash table may use twice work_mem",
        remedy="Set hash_mem_multiplier = 1 if you plan memory by work_mem alone.",
        affects=Default("hash_mem_multiplier", may="hash tables use twice the memory"),
    ),
    Row(
        "15.x1",
        "log-checkpoints",
        "SELECT boot_val FROM pg_settings WHERE name = 'log_checkpoints'",
        before="off",
        after="on",
        title="Checkpoints are logged",
        remedy="Set log_checkpoints = off if the log must stay small.",
        affects=Default("log_checkpoints", may="checkpoints are logged"),
    ),
    Row(
        "15.x1",
        "log-autovacuum-min-duration",
        "SELECT boot_val FROM pg_settings WHERE name = 'log_autovacuum_min_duration'",
        before="-1",
        after="600000",
        title="Autovacuum actions that take ten minutes or more are logged",
        remedy="Set log_autovacuum_min_duration = -1 if the log must stay small.",
        affects=Default(
            "log_autovacuum_min_duration", may="autovacuum actions of 10 minutes or more are logged"
        ),
    ),
    area="settings",
    kind="default",
)

FILES_COPIED = 2 * 1024 * 1024
"""A limit in bytes of WAL: copying the files of a database of 7 MB writes only some kB of WAL."""


@behavior(
    "15/create-database-wal",
    release_note="15.x3",
    title="CREATE DATABASE copies its template through the WAL",
    area="wal",
    kind="default",
    manual="sql-createdatabase",
    isolation="cluster",
    expect={"<15": "as files", ">=15": "through the WAL"},
    remedy="Use CREATE DATABASE ... STRATEGY file_copy for a large template.",
    affects=[
        ParseNode(
            "CreatedbStmt",
            options=r"\btemplate (?!template[01]\b)",
            lacks={"options": "strategy"},
            may="a large template goes through the WAL",
        ),
        ProgramCall(
            "createdb",
            option=("-T", "--template"),
            unless=(
                *("-S", "--strategy"),
                *("-Ttemplate0", "-Ttemplate1", "--template=template0", "--template=template1"),
            ),
            may="a large template goes through the WAL",
        ),
    ],
)
def create_database_wal(lab):
    written = lab.wal_bytes("CREATE DATABASE copied")
    return "as files" if written < FILES_COPIED else "through the WAL"
