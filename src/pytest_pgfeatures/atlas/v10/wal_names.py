"""Names that PostgreSQL 10 changed: xlog to wal, clog to xact, location to lsn."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Call, Column, ProgramCall, ScriptText
from pytest_pgfeatures.atlas.patterns import programs, renamed_function

MANUAL = "release-10#RELEASE-10-MIGRATION"

# --- 10.2 Directories --------------------------------------------------------------------------------------

rows(
    Row(
        "10.2",
        "wal-directories",
        "SELECT name FROM pg_ls_dir('.') AS name WHERE name ~ '^pg_(xlog|clog|wal|xact)$' ORDER BY 1",
        ["pg_clog", "pg_xlog"],
        ["pg_wal", "pg_xact"],
        title="The directories pg_xlog and pg_clog are called pg_wal and pg_xact",
        manual="storage-file-layout",
        remedy="Write the new names in scripts, exclude lists and monitoring.",
        affects=[
            ScriptText(r"\bpg_(xlog|clog)(?![\w.])", settings=True),
            Call(
                *("pg_ls_dir", "pg_stat_file", "pg_read_file", "pg_read_binary_file"),
                where={1: "'(.*/)?pg_(xlog|clog)(/.*)?'"},
            ),
        ],
    ),
    area="administration",
)

# --- 10.3, 10.4 Functions ----------------------------------------------------------------------------------

BY_STANDBYS = "55000"
"""The SQLSTATE of a function for standbys on a server that isn't a standby."""

rows(
    renamed_function("10.3", "pg_switch_xlog", "pg_switch_wal"),
    renamed_function("10.3", "pg_xlogfile_name", "pg_walfile_name", "'0/1000001'"),
    renamed_function("10.3", "pg_xlogfile_name_offset", "pg_walfile_name_offset", "'0/1000001'"),
    renamed_function("10.3", "pg_xlog_replay_pause", "pg_wal_replay_pause", answer=BY_STANDBYS),
    renamed_function("10.3", "pg_xlog_replay_resume", "pg_wal_replay_resume", answer=BY_STANDBYS),
    renamed_function("10.3", "pg_is_xlog_replay_paused", "pg_is_wal_replay_paused", answer=BY_STANDBYS),
    renamed_function(["10.3", "10.4"], "pg_current_xlog_location", "pg_current_wal_lsn"),
    renamed_function(["10.3", "10.4"], "pg_current_xlog_insert_location", "pg_current_wal_insert_lsn"),
    renamed_function(
        ["10.3", "10.4"], "pg_current_xlog_flush_location", "pg_current_wal_flush_lsn", since="9.6"
    ),
    renamed_function(["10.3", "10.4"], "pg_xlog_location_diff", "pg_wal_lsn_diff", "'0/2', '0/1'"),
    renamed_function(["10.3", "10.4"], "pg_last_xlog_receive_location", "pg_last_wal_receive_lsn"),
    renamed_function(["10.3", "10.4"], "pg_last_xlog_replay_location", "pg_last_wal_replay_lsn"),
    area="wal",
    manual="functions-admin",
)

# --- 10.4 Columns ------------------------------------------------------------------------------------------


def renamed_column(old, new):
    """Make a row for a renamed column of pg_stat_replication, which is empty without standbys."""
    return Row(
        "10.4",
        f"stat-replication-{old.replace('_', '-')}",
        f"SELECT {old} FROM pg_stat_replication",
        [],
        "42703",
        title=f"The column {old} of pg_stat_replication is called {new}",
        remedy=f"Read {new}.",
        affects=Column("pg_stat_replication", old),
        remedied=Remedied(f"SELECT {new} FROM pg_stat_replication", {"<10": NotYet("42703"), ">=10": []}),
    )


rows(
    renamed_column("sent_location", "sent_lsn"),
    renamed_column("write_location", "write_lsn"),
    renamed_column("flush_location", "flush_lsn"),
    renamed_column("replay_location", "replay_lsn"),
    area="replication",
    manual="monitoring-stats#PG-STAT-REPLICATION-VIEW",
)

# --- 10.3 Programs -----------------------------------------------------------------------------------------


@behavior(
    "10/initdb-waldir",
    title="The option --xlogdir of initdb is called --waldir",
    area="programs",
    release_note="10.3",
    kind="incompatibility",
    manual="app-initdb",
    isolation="transaction",
    expect={"<10": ["--xlogdir"], ">=10": ["--waldir"]},
    remedy="Write -X, which is the same on every version, or --waldir.",
    remedied=Remedied(lambda lab: "-X, " in lab.run_server_program("initdb", "--help").output, {"all": True}),
    affects=[
        ProgramCall("initdb", "pg_basebackup", option=("--xlogdir", "--xlog-method")),
        ProgramCall("pg_ctl", word=".*--xlogdir.*"),
        ProgramCall("pg_resetxlog", "pg_receivexlog", "pg_xlogdump"),
        ScriptText(
            r"\bpg_(switch_xlog|xlogfile_name(_offset)?|current_xlog_\w+|is_xlog_replay_paused|last_xlog_\w+|xlog_\w+)\s*\(",
        ),
    ],
)
def initdb_waldir(lab):
    known = lab.run_server_program("initdb", "--help").output
    return [option for option in ("--xlogdir", "--waldir") if option in known]


@behavior(
    "10/wal-programs",
    title="Programs with xlog in their names have wal instead: pg_receivewal, pg_resetwal, pg_waldump",
    area="programs",
    release_note="10.3",
    kind="incompatibility",
    manual=MANUAL,
    isolation="transaction",
    needs=["pg_basebackup"],
    expect={
        "<10": ["pg_receivexlog", "pg_resetxlog", "pg_xlogdump"],
        ">=10": ["pg_receivewal", "pg_resetwal", "pg_waldump"],
    },
    remedy="Write the new names in scripts.",
    note="No install source has the programs of 9.6: this ran from 13 on.",
)
def wal_programs(lab):
    return programs(
        lab,
        *("pg_receivexlog", "pg_resetxlog", "pg_xlogdump"),
        *("pg_receivewal", "pg_resetwal", "pg_waldump"),
    )
