"""SQL that behaves differently in 19, observed on 19rc1."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import (
    Call,
    CatalogQuery,
    Column,
    Default,
    ParseNode,
    ResultOf,
    ScriptText,
    SettingUsed,
)
from pytest_pgfeatures.atlas.in_catalogs import indexes
from pytest_pgfeatures.atlas.patterns import other_stems

LSN = (
    "pg_lsn", "pg_current_wal_lsn", "pg_current_wal_insert_lsn", "pg_current_wal_flush_lsn",
    "pg_last_wal_receive_lsn", "pg_last_wal_replay_lsn", "pg_switch_wal", "pg_backup_start", "pg_backup_stop",
)  # fmt: skip
"""The type of LSNs, and the functions that return one."""

BROKEN = r"[\r\n]"

rows(
    Row(
        "19.4",
        "standard-conforming-strings",
        "SET LOCAL standard_conforming_strings = off",
        before=None,
        after="0A000",
        title="standard_conforming_strings can't be turned off",
        remedy="Write E'...' where a backslash is an escape, and take the setting out of configuration and roles.",
        remedied="SET LOCAL standard_conforming_strings = on",
        affects=SettingUsed("standard_conforming_strings", value="off|false|no|0|of|f|n|fa|fal|fals"),
    ),
    Row(
        "19.4",
        "escape-string-warning",
        "SHOW escape_string_warning",
        before="on",
        after="42704",
        title="The setting escape_string_warning is gone",
        remedy="Delete it.",
        affects=SettingUsed("escape_string_warning"),
    ),
    Row(
        "19.5",
        "line-break-in-role-name",
        'CREATE ROLE "two\nlines"',
        before=None,
        after="22023",
        title="Names of roles, databases and tablespaces must not have line breaks",
        remedy="Run ALTER ... RENAME before the upgrade: pg_upgrade refuses such names.",
        remedied='CREATE ROLE "two lines"',
        affects=[
            ParseNode("CreateRoleStmt", "AlterRoleStmt", role=BROKEN),
            ParseNode("CreatedbStmt", dbname=BROKEN),
            ParseNode("CreateTableSpaceStmt", tablespacename=BROKEN),
            ParseNode("RenameStmt", renameType="ROLE|DATABASE|TABLESPACE", newname=BROKEN),
            CatalogQuery("""
        SELECT 'role ' || quote_ident(rolname) FROM pg_roles WHERE rolname ~ E'[\\r\\n]'
        UNION SELECT 'database ' || quote_ident(datname) FROM pg_database WHERE datname ~ E'[\\r\\n]'
        UNION SELECT 'tablespace ' || quote_ident(spcname) FROM pg_tablespace WHERE spcname ~ E'[\\r\\n]'
    """),
        ],
    ),
    Row(
        "19.7",
        "copy-where-system-column",
        "COPY items FROM '/dev/null' WHERE tableoid > 0",
        setup="CREATE TABLE items (a int)",
        expect={"<12": NotYet("42601"), "12..18": None, ">=19": "42P10"},
        since="19",
        title="COPY FROM ... WHERE refuses system columns",
        remedy="Filter by the table's user columns.",
        remedied=Remedied("COPY items FROM '/dev/null' WHERE a > 0", {"<12": NotYet("42601"), ">=12": None}),
        affects=ParseNode("CopyStmt", whereClause=r"(?<!')\b(ctid|tableoid|xmin|xmax|cmin|cmax)\b(?!')"),
    ),
    Row(
        "19.8",
        "json-array-of-no-rows",
        "SELECT JSON_ARRAY(SELECT 1 WHERE false)::text",
        expect={"<16": NotYet("42601"), "16..18": None, ">=19": "[]"},
        since="19",
        title="JSON_ARRAY of a query without rows is an empty array, not NULL",
        remedy="coalesce(JSON_ARRAY(...), '[]') returns the new result everywhere; nullif(..., '[]') the"
        " old one.",
        remedied=Remedied(
            "SELECT coalesce(JSON_ARRAY(SELECT 1 WHERE false)::text, '[]')",
            {"<16": NotYet("42601"), ">=16": "[]"},
        ),
        affects=ParseNode("JsonArrayQueryConstructor", may="if the query returns no rows"),
    ),
    area="sql",
)

rows(
    Row(
        "19.6",
        "btree-gist-inet",
        "SELECT opcname::text FROM pg_index JOIN pg_opclass ON pg_opclass.oid = indclass[0]"
        " WHERE indexrelid = 'of_nets'::regclass",
        setup=(
            "CREATE EXTENSION btree_gist; CREATE TABLE nets (net inet);"
            " CREATE INDEX of_nets ON nets USING gist (net)"
        ),
        before="gist_inet_ops",
        after="inet_ops",
        needs=["contrib:btree_gist"],
        title="The default GiST operator class of inet and cidr is the server's own, not btree_gist's",
        remedy="Drop such indexes before pg_upgrade, which refuses them, and create them again.",
        affects=indexes(
            "o.opcname IN ('gist_inet_ops', 'gist_cidr_ops')", "gist_inet_ops", "gist_cidr_ops", "gist"
        ),
    ),
    area="extensions",
)

rows(
    Row(
        "19.17",
        "mule-internal",
        "SELECT pg_char_to_encoding('MULE_INTERNAL')",
        before=7,
        after=-1,
        title="The encoding MULE_INTERNAL is gone",
        remedy="Dump the database, and restore it in UTF8.",
        affects=[
            ParseNode("CreatedbStmt", "AlterDatabaseStmt", options="encoding mule_?internal"),
            ParseNode("CreateConversionStmt", for_encoding_name="^mule_?internal$"),
            ParseNode("CreateConversionStmt", to_encoding_name="^mule_?internal$"),
            *(Call("convert", "convert_from", "convert_to", where={n: "'mule_?internal'"}) for n in (2, 3)),
            SettingUsed("client_encoding", value="mule_?internal"),
            ScriptText(r"(?:encoding|charset|names|-E)(?:\s+to\b)?[\s=:'\"]*+mule_?internal\b"),
        ],
    ),
    Row(
        "19.x3",
        "pg-lsn-text",
        "SELECT '0/1F'::pg_lsn::text",
        expect={"<9.4": NotYet("42704"), "9.4..18": "0/1F", ">=19": "0/0000001F"},
        since="19",
        title="pg_lsn is written with eight digits after the slash",
        remedy="Compare positions as pg_lsn, not as text.",
        remedied=Remedied("SELECT '0/1F'::pg_lsn = '0/0000001F'", {"<9.4": NotYet("42704"), ">=9.4": True}),
        affects=[
            Call(
                *("text", "varchar", "concat", "concat_ws", "format", "split_part", "||"),
                types=LSN,
                may="the text has eight digits after the slash",
            ),
            ParseNode(
                "TypeCast",
                arg=r"\b\w+_lsn$",
                typeName=r"\b(text|varchar)$",
                may="the text has eight digits after the slash",
            ),
            ResultOf("pg_lsn", text=True),
        ],
    ),
    Row(
        "19.x4",
        "dutch-stemmer",
        "SELECT to_tsvector('dutch', 'vrolijkheid lopende huizen')::text",
        before="'huiz':3 'lopend':2 'vrolijk':1",
        after="'huis':3 'loop':2 'vrolijk':1",
        title="The Dutch stemmer gives other stems",
        remedy="Recompute stored tsvector values of the configuration dutch, and REINDEX.",
        affects=other_stems("dutch"),
    ),
    area="types",
)

rows(
    Row(
        "19.12",
        "sync-error-count",
        "SELECT count(sync_error_count) >= 0 FROM pg_stat_subscription_stats",
        expect={"<15": NotYet("42P01"), "15..18": True, ">=19": "42703"},
        since="19",
        title="pg_stat_subscription_stats.sync_error_count is renamed to sync_table_error_count",
        remedy="Write the new name.",
        affects=Column("pg_stat_subscription_stats", "sync_error_count"),
    ),
    Row(
        "19.x5",
        "io-workers",
        "SELECT count(*) FROM pg_settings WHERE name = 'io_workers'",
        expect={"<18": NotYet(0), "18": 1, ">=19": 0},
        since="19",
        title="The setting io_workers is gone",
        remedy="Set io_min_workers and io_max_workers.",
        affects=SettingUsed("io_workers"),
    ),
    area="monitoring",
)


def default(key, name, before, after, title, remedy, **fields):
    """Make a row for a setting's default."""
    expect = {"expect": fields.pop("expect")} if "expect" in fields else {"before": before, "after": after}
    return Row(
        key,
        name.replace("_", "-"),
        f"SELECT boot_val FROM pg_settings WHERE name = '{name}'",
        **expect,
        title=title,
        remedy=remedy,
        **fields,
    )


rows(
    default(
        "19.10",
        "max_locks_per_transaction",
        "64",
        "128",
        "The lock table has room for 128 locks per transaction",
        "Double a value that you have set: locks are counted differently.",
        affects=SettingUsed(
            "max_locks_per_transaction", value=r"\d+", may="locks are counted differently: double it"
        ),
    ),
    default(
        "19.11",
        "jit",
        None,
        None,
        "Just-in-time compilation is off",
        "Set jit = on.",
        affects=Default("jit", may="queries are no longer compiled"),
        expect={"<11": NotYet([]), "11": "off", "12..18": "on", ">=19": "off"},
        since="19",
    ),
    default(
        "19.x1",
        "log_lock_waits",
        "off",
        "on",
        "Long waits for locks are logged",
        "Set log_lock_waits = off where a log must stay small.",
        affects=Default("log_lock_waits", may="waits for locks are logged"),
    ),
    default(
        "19.x1",
        "default_toast_compression",
        None,
        None,
        "Large values are compressed by LZ4",
        "Set default_toast_compression = 'pglz'.",
        affects=Default("default_toast_compression", may="new values are compressed with lz4"),
        expect={"<14": [], "14..18": "pglz", ">=19": "lz4"},
        since="19",
        needs={"lz4": ">=19"},
    ),
    Row(
        "19.x1",
        "wal-compression-on",
        lambda lab: lab.sqlstate("SET LOCAL wal_compression = on") or lab.value("SHOW wal_compression"),
        expect={"<9.5": NotYet("42704"), "9.5..14": "on", "15..18": "pglz", ">=19": "zstd"},
        since="19",
        needs={"zstd": ">=19"},
        title="wal_compression = on takes the best method that the build has",
        remedy="Name the method: wal_compression = pglz.",
        affects=SettingUsed(
            "wal_compression", value="on|true|yes|1", may="the method is the best one that the build has"
        ),
    ),
    Row(
        "19.x2",
        "log-autoanalyze-min-duration",
        "SELECT count(*) FROM pg_settings WHERE name = 'log_autoanalyze_min_duration'",
        before=0,
        after=1,
        title="log_autoanalyze_min_duration says when autovacuum's ANALYZE is logged",
        remedy="Set log_autoanalyze_min_duration as well as log_autovacuum_min_duration.",
        affects=[
            SettingUsed(
                "log_autovacuum_min_duration",
                value=r"(?!-1$).*",
                may="it no longer covers ANALYZE: log_autoanalyze_min_duration does",
            ),
            ParseNode(
                "DefElem",
                defname="^log_autovacuum_min_duration$",
                arg=r"^\d",
                may="it no longer covers ANALYZE: log_autoanalyze_min_duration does",
            ),
        ],
    ),
    area="settings",
    kind="default",
)
