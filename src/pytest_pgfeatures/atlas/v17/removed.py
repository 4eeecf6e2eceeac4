"""Settings, columns, functions and extensions that 17 removed or renamed."""

from pytest_pgfeatures import NotYet, Row, rows
from pytest_pgfeatures.affects import Call, Column, Default, ParseNode, RefusedWith, SettingUsed

GONE = {"<17": True, ">=17": "42703"}


def column(key, name, relation, column, remedy, expect=GONE, others=()):
    """Make a row for a removed column. ``others`` are further columns that the relation lost with it."""
    return Row(
        key,
        name,
        f"SELECT count({column}) >= 0 FROM {relation} WHERE false",
        expect=expect,
        since="17",
        title=f"{relation} has no column {column}",
        remedy=remedy,
        affects=Column(relation, column, *others),
    )


rows(
    Row(
        "17.3",
        "old-snapshot-threshold",
        "SHOW old_snapshot_threshold",
        expect={"<9.6": NotYet("42704"), "9.6..16": "-1", ">=17": "42704"},
        since="17",
        title="The setting old_snapshot_threshold is gone",
        remedy="Delete it from postgresql.conf. transaction_timeout and idle_in_transaction_session_timeout end old"
        " snapshots.",
        affects=SettingUsed("old_snapshot_threshold"),
    ),
    Row(
        "17.5",
        "db-user-namespace",
        "SHOW db_user_namespace",
        before="off",
        after="42704",
        title="The setting db_user_namespace is gone",
        remedy="Delete it from postgresql.conf, and give each role a unique name.",
        affects=[
            SettingUsed("db_user_namespace"),
            ParseNode(
                "CreateRoleStmt",
                role="@",
                may="if db_user_namespace is on, where users log in without the part after @",
            ),
        ],
    ),
    Row(
        "17.9",
        "trace-recovery-messages",
        "SHOW trace_recovery_messages",
        before="log",
        after="42704",
        title="The setting trace_recovery_messages is gone",
        remedy="Delete it from postgresql.conf; set log_min_messages.",
        affects=SettingUsed("trace_recovery_messages"),
    ),
    Row(
        "17.x3",
        "vacuum-buffer-usage-limit",
        "SELECT boot_val FROM pg_settings WHERE name = 'vacuum_buffer_usage_limit'",
        expect={"<16": [], "16": "256", ">=17": "2048"},
        since="17",
        kind="default",
        title="VACUUM may use 2 MB of shared buffers at a time, not 256 kB",
        remedy="Set vacuum_buffer_usage_limit = 256kB to keep more of the cache.",
        affects=Default("vacuum_buffer_usage_limit", may="VACUUM uses more of shared_buffers"),
    ),
    area="settings",
)

rows(
    Row(
        "17.6",
        "adminpack",
        "CREATE EXTENSION adminpack",
        before=None,
        after="0A000",
        needs={"contrib:adminpack": "<17"},
        title="The extension adminpack is gone",
        remedy="DROP EXTENSION adminpack before the upgrade: pg_upgrade refuses a database that has it.",
        affects=[
            ParseNode("CreateExtensionStmt", "AlterExtensionStmt", extname="^adminpack$"),
            Call("pg_file_write", "pg_file_sync", "pg_file_rename", "pg_file_unlink", "pg_logdir_ls"),
        ],
    ),
    Row(
        ("17.3",),
        "old-snapshot-extension",
        "SELECT count(*) FROM pg_available_extensions WHERE name = 'old_snapshot'",
        expect={"<14": NotYet(0), "14..16": 1, ">=17": 0},
        since="17",
        needs={"contrib:old_snapshot": "14..16"},
        title="The extension old_snapshot is gone",
        remedy="DROP EXTENSION old_snapshot before the upgrade.",
        affects=[
            ParseNode("CreateExtensionStmt", "AlterExtensionStmt", extname="^old_snapshot$"),
            Call("pg_old_snapshot_time_mapping", extension="old_snapshot"),
        ],
    ),
    Row(
        "17.13",
        "pg-stat-statements-block-times",
        "SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute"
        " WHERE attrelid = 'pg_stat_statements'::regclass AND attname ~ '^(shared_)?blk_(read|write)_time$'",
        setup="CREATE EXTENSION pg_stat_statements",
        before=["blk_read_time", "blk_write_time"],
        after=["shared_blk_read_time", "shared_blk_write_time"],
        needs=["contrib:pg_stat_statements"],
        title="blk_read_time and blk_write_time in pg_stat_statements have the prefix shared_",
        remedy="Write shared_blk_read_time and shared_blk_write_time.",
        affects=Column(
            "pg_stat_statements", "blk_read_time", "blk_write_time", extension="pg_stat_statements"
        ),
    ),
    area="extensions",
)

rows(
    column(
        "17.10",
        "element-types-domain-default",
        "information_schema.element_types",
        "domain_default",
        "Leave the column out: it was always NULL.",
    ),
    column(
        "17.12",
        "bgwriter-buffers-backend",
        "pg_stat_bgwriter",
        "buffers_backend",
        "Sum writes of client backends in pg_stat_io, which 16 has, too.",
    ),
    column(
        "17.12",
        "bgwriter-buffers-backend-fsync",
        "pg_stat_bgwriter",
        "buffers_backend_fsync",
        "Sum fsyncs of client backends in pg_stat_io, which 16 has, too.",
    ),
    column(
        "17.x1",
        "bgwriter-checkpoints-timed",
        "pg_stat_bgwriter",
        "checkpoints_timed",
        "Read num_timed in pg_stat_checkpointer.",
        others=("checkpoint_write_time", "checkpoint_sync_time"),
    ),
    column(
        "17.x1",
        "bgwriter-checkpoints-req",
        "pg_stat_bgwriter",
        "checkpoints_req",
        "Read num_requested in pg_stat_checkpointer.",
    ),
    column(
        "17.x1",
        "bgwriter-buffers-checkpoint",
        "pg_stat_bgwriter",
        "buffers_checkpoint",
        "Read buffers_written in pg_stat_checkpointer.",
    ),
    column(
        "17.16",
        "vacuum-progress-max-dead-tuples",
        "pg_stat_progress_vacuum",
        "max_dead_tuples",
        "Read max_dead_tuple_bytes, which counts bytes.",
        expect={"<9.6": NotYet("42P01"), "9.6..16": True, ">=17": "42703"},
    ),
    column(
        "17.16",
        "vacuum-progress-num-dead-tuples",
        "pg_stat_progress_vacuum",
        "num_dead_tuples",
        "Read num_dead_item_ids, or dead_tuple_bytes for the memory.",
        expect={"<9.6": NotYet("42P01"), "9.6..16": True, ">=17": "42703"},
    ),
    area="monitoring",
)

rows(
    column(
        "17.15",
        "colliculocale",
        "pg_collation",
        "colliculocale",
        "Write colllocale.",
        expect={"<15": NotYet("42703"), "15..16": True, ">=17": "42703"},
    ),
    column(
        "17.15",
        "daticulocale",
        "pg_database",
        "daticulocale",
        "Write datlocale.",
        expect={"<15": NotYet("42703"), "15..16": True, ">=17": "42703"},
    ),
    Row(
        "17.x5",
        "interval-accum",
        "SELECT count(*) FROM pg_proc WHERE proname = 'interval_accum'",
        before=1,
        after=0,
        title="The support functions of interval's aggregates, such as interval_accum, are gone",
        remedy="Define such aggregates on your own functions: a dump of one on interval_accum can't be"
        " restored.",
        affects=[
            RefusedWith("42883", r"function (pg_catalog\.)?interval_(accum|accum_inv|combine)\("),
            Call("interval_accum", "interval_accum_inv", "interval_combine"),
        ],
    ),
    area="catalogs",
)
